"""A scheduling policy in a file of its own: explore first what has made the fewest errors."""

import corels


class FewestErrors(corels.Policy):
    name = "fewest-errors"
    summary = "fewest avoidable errors so far first; of equals, the longer prefix"

    def priority(self, children):
        so_far = children.lower_bound - children.rule_cost * children.length
        return so_far - children.length / (children.n_antecedents + 1)


@corels.hookimpl
def register_parts(register):
    register(FewestErrors)
