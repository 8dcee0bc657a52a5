"""The raw table as points and costs, for the checkers of rule lists: `plain.Table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Points, distinct_values, priced_points, read_points, well_formed
from corels.check.sides import may_say
from corels.check.watch import UNWATCHED, Watch
from corels.errors import InputError
from corels_rule_list.proofcheck.plain import RatedRows, Table, priced, table_of

__all__ = ["Table", "read_table"]


def read_table(  # noqa: PLR0917
    header: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
    costs: Any = None,
    watch: Watch = UNWATCHED,
) -> Table:
    """The table of a proof's header. columns: name -> values, missing, categories (as the reader
    gives them). costs: `corels.problem.costs.Costs` of the rows, if the problem has such. watch: is
    told how far the work is.

    Raises InputError where the header is malformed, the data has no such column, or the data's
    outcomes or groups are not the header's.
    """
    points = read_points(header, columns, labels, weights, watch)
    with well_formed():
        if costs is None and "outcomes" not in header and "constraints" not in header:
            may = may_say(header, ["class"] * len(points.counts))
            return table_of(header, points.captures, points.counts, may_say=may)
        said = header.get("outcomes", {})
        scale = int(header["scale"] if "constraints" in header else said["scale"])
        amounts, of, kinds = _amounts(header, points, weights, costs)
        rules = [kind != "defer" for kind in kinds]
        for_rules = sum(rules) if said.get("default_only") else len(kinds)
        if scale < 1 or not for_rules:
            raise ValueError(f"costs in 1/{scale}, and rules may say {for_rules} outcomes")
        if "constraints" in header:
            assert points.of_row is not None
            truth = np.array([str(label) for label in labels])
            classes = [str(label) for label in header["classes"]]
            asked = dict.fromkeys(str(one["column"]) for one in header["constraints"])
            right = np.array([truth == name for name in classes])
            rows = RatedRows(
                point=points.of_row,
                weight=np.array([1] * len(labels) if weights is None else weights, np.int64),
                label=right.argmax(axis=0),
                groups={one: _groups(header, columns, one, len(labels)) for one in asked},
                kinds=kinds,
                right=right if costs is None else costs.right > 0,
            )
            of_rules = for_rules, may_say(header, kinds)
            return priced(header, points.captures, points.counts, rows, amounts, of, *of_rules)
        if float(np.abs(amounts).sum(dtype=np.float64)) * scale >= 1 << 60:
            raise InputError("the costs of this proof are too large for the checker")
        whole, rest = divmod(amounts * scale, of)
        if rest.any():
            raise InputError(f"the proof counts costs in 1/{scale}, which the data's are not")
        of_rules = for_rules, may_say(header, kinds)
        return table_of(header, points.captures, points.counts, whole, scale, *of_rules)


def _amounts(
    header: Mapping[str, Any], points: Points, weights: Sequence[int] | None, costs: Any
) -> tuple[NDArray[np.int64], int, Sequence[str]]:
    """What outcomes cost at each point, in which unit, and their kinds."""
    if costs is None and "outcomes" not in header:
        return points.counts.sum(axis=0) - points.counts, 1, ["class"] * len(points.counts)
    names = header["outcomes"]["names"] if "outcomes" in header else header["classes"]
    if costs is None or list(costs.outcomes.names) != names:
        here = "none" if costs is None else ", ".join(map(str, costs.outcomes.names))
        raise InputError(
            f"the proof is about costs of {', '.join(map(str, names))}; the data has {here}"
        )
    amounts = priced_points(points, costs.amounts, weights)
    return amounts, costs.outcomes.scale, list(costs.outcomes.kinds)


def _groups(
    header: Mapping[str, Any], columns: Mapping[str, Any], column: str, rows: int
) -> NDArray[np.str_]:
    """str[N], the group of each row. column: several columns may be named together, with commas
    between; "": rates are of all rows."""
    if not column:
        return np.full(rows, "")
    names = [column] if column in columns else column.split(", ")
    absent = next((name for name in names if name not in columns), None)
    if absent is not None:
        raise InputError(f"the data has no column {absent!r}, which the constraints are about")
    texts = [*zip(*(_texts(columns[name]) for name in names), strict=True)]
    found = [", ".join(row) for row in texts]
    if len(set(found)) < len(set(texts)):
        found = [", ".join(map(repr, row)) for row in texts]
    known = {g for one in header["constraints"] if one["column"] == column for g in one["groups"]}
    strange = next((group for group in found if group not in known), None)
    if strange is not None:
        raise InputError(f"a row has the group {strange!r} of {column!r}, which the proof has not")
    return np.array(found)


def _texts(column: Any) -> list[str]:
    """The values of a column as texts; 1.0 is 1."""
    written = getattr(column, "written", None)  # where odd cells of numbers are names here
    values, which = distinct_values(column if written is None else written)
    texts = [str(int(v) if isinstance(v, float) and v.is_integer() else v) for v in values]
    return [texts[code] for code in which]
