"""A scheduling policy: which prefix is explored next."""

import corels


class MyPart(corels.Policy):
    name = "my-part"
    summary = "shortest prefixes first; of equals, the lowest bound"

    def priority(self, children):
        """One finite number for each child; the lowest is explored first."""
        return children.length + children.lower_bound / (children.unit * children.total + 1)


@corels.hookimpl
def register_parts(register):
    register(MyPart)
