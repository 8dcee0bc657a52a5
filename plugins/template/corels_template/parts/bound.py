"""A bound: which children cannot lead to a better list."""

import corels


class MyPart(corels.Bound):
    name = "my-part"
    summary = "drops a child if its cost and one more rule reach the incumbent"
    theorem = "Lemma 2: a longer list costs at least one rule more than its prefix"
    scope = "set"

    def keep(self, children, incumbent):
        """Whether each child has to be explored; False only for what cannot be better."""
        return children.lower_bound + children.rule_cost < incumbent


@corels.hookimpl
def register_parts(register):
    register(MyPart)
