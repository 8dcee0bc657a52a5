"""The raw table as points and costs, for the checkers of rule lists: `plain.Table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.checking.points import priced_points, read_points, well_formed
from corels.errors import InputError
from corels_rule_list.proofcheck.plain import Table, table_of

__all__ = ["Table", "read_table"]


def read_table(
    header: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
    costs: Any = None,
) -> Table:
    """The table of a proof's header. columns: name -> values, missing, categories (as the reader
    gives them). costs: `corels.problem.costs.Costs` of the rows, if the header has outcomes.

    Raises InputError where the header is malformed, the data has no such column, or the data's
    outcomes are not the header's.
    """
    points = read_points(header, columns, labels, weights)
    with well_formed():
        if "outcomes" not in header:
            return table_of(header, points.captures, points.counts)
        said = header["outcomes"]
        names, scale, kinds = said["names"], int(said["scale"]), said["kinds"]
        rules = [kind not in ("abstain", "defer") for kind in kinds]
        for_rules = sum(rules) if said.get("default_only") else len(names)
        if costs is None or list(costs.outcomes.names) != names or scale < 1 or not for_rules:
            here = "none" if costs is None else ", ".join(map(str, costs.outcomes.names))
            raise InputError(
                f"the proof is about costs of {', '.join(map(str, names))}; the data has {here}"
            )
        amounts = priced_points(points, costs.amounts, weights)
        whole, rest = divmod(amounts * scale, costs.outcomes.scale)
        if rest.any():
            raise InputError(f"the proof counts costs in 1/{scale}, which the data's are not")
        return table_of(header, points.captures, points.counts, whole, scale, for_rules)
