"""The raw table as points and costs, for the checkers of rule lists: `plain.Table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.checking.points import read_points, well_formed
from corels_rule_list.proofcheck.plain import Table, table_of

__all__ = ["Table", "read_table"]


def read_table(
    header: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
) -> Table:
    """The table of a proof's header. columns: name -> values, missing, categories (as the reader
    gives them). Raises InputError where the header is malformed or the data has no such column."""
    points = read_points(header, columns, labels, weights)
    with well_formed():
        return table_of(header, points.captures, points.counts)
