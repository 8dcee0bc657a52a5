"""Bounds that build tables while a search of the C engine runs (backends/c/src/bounds/tables.h).

Their code is in C. Here stand their names, scopes and stories; `leaves` has a plain form beside.
"""

from __future__ import annotations

from corels.search import SETS, Bound
from corels_rule_list.bounds import Switch
from corels_rule_list.leaves import Leaves


class _Tables(Switch):
    """The C engine's alone: it builds its tables once a search has turned out to be long."""

    scope = "set"
    reads = frozenset({SETS})
    rank = 0  # it looks tables up, before sets are compared
    backends = frozenset({"c"})


class Prices(_Tables):
    """What the cheapest lists of small cells of points cost together."""

    name = "prices"
    summary = "drops a child if the cheapest lists of small cells of points cost too much together"
    theorem = "docs/internals/prices.md#prices"
    story = (
        "the cheapest lists of small cells of points already cost too much together",
        "The prices of a rule in all cells add up to no more than a rule costs, so every list "
        "costs at least what the cells' own cheapest lists do",
    )


TABLE_BOUNDS: tuple[type[Bound], ...] = (Leaves, Prices)
