"""Bounds that build tables while a search of the C engine runs (backends/c/src/bounds/tables.h).

Their code is in C. Here stand their names, scopes and explanations.
"""

from __future__ import annotations

from corels.search import SETS, Bound
from corels_rule_list.bounds import Switch


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


TABLE_BOUNDS: tuple[type[Bound], ...] = (Prices,)
