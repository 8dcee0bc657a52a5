"""The raw table as points and costs, for the checkers of rule lists: `plain.Table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Points, in_units, read_points, stated_costs, well_formed
from corels.check.points import Table as RawTable
from corels.check.rated import rated_rows, refuse_strange
from corels.check.sides import said_by_rules
from corels.check.verdict import UNWATCHED, Watch
from corels_rule_list.proofcheck.plain import Table, fraction, priced, table_of

__all__ = ["Table", "read_table"]


def read_table(header: Mapping[str, Any], rows: RawTable, watch: Watch = UNWATCHED) -> Table:
    """The table of a proof's header. watch: is called with how far the work is.

    Raises InputError if the header is malformed, the data has no such column, or the data's
    outcomes or groups are not the header's.
    """
    points = read_points(header, rows, watch)
    with well_formed():
        if rows.costs is None and "outcomes" not in header and "constraints" not in header:
            may, first = said_by_rules(header, header["classes"], ["class"] * len(points.counts))
            return table_of(header, points.captures, points.counts, may_say=may, first=first)
        said = header.get("outcomes", {})
        scale = fraction(header["scale"] if "constraints" in header else said["scale"])
        amounts, of, kinds = _amounts(header, points, rows)
        names = said["names"] if said else header["classes"]
        rules = [kind != "defer" for kind in kinds]
        for_rules = sum(rules) if said.get("default_only") else len(kinds)
        if scale <= 0 or not for_rules:
            raise ValueError(f"costs in 1/{scale}, and rules may say {for_rules} outcomes")
        of_rules = for_rules, *said_by_rules(header, names, kinds)
        if "constraints" in header:
            rated = rated_rows(header, rows, points.of_row)
            refuse_strange(header, rated)
            return priced(header, points.captures, points.counts, rated, amounts, of, *of_rules)
        costs = in_units(amounts, of, scale)
        return table_of(header, points.captures, points.counts, costs, scale, *of_rules)


def _amounts(
    header: Mapping[str, Any], points: Points, rows: RawTable
) -> tuple[NDArray[np.int64], int | Fraction, Sequence[str]]:
    """What outcomes cost at each point, in which unit, and their kinds."""
    if rows.costs is None and "outcomes" not in header:
        return points.counts.sum(axis=0) - points.counts, 1, ["class"] * len(points.counts)
    names = header["outcomes"]["names"] if "outcomes" in header else header["classes"]
    amounts, costs = stated_costs(names, points, rows)
    return amounts, costs.outcomes.scale, list(costs.outcomes.kinds)
