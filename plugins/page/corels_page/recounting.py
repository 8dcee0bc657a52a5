"""Other lists beside a report: of the model's problem, and counted again on its rows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from corels.errors import InputError, OptionError
from corels.model.saved import open_model
from corels.model.weighing import number_in
from corels.problem import Problem
from corels.problem.costs import UNJUDGED
from corels.problem.statement import difference, in_short

Stated = Mapping[str, Any]


def refuse_other_rows(near: Mapping[str, Any], stated: Stated) -> None:
    """Raise InputError for near-optimal lists of other rows than the model's statement has."""
    of, own = near["problem"], str(stated.get("rows", {}).get("sha256", ""))
    if of and own and of != own:
        raise InputError(
            f"these are lists of another problem than the model's: the rows are stated as sha256 "
            f"{of[:12]}..., and the model states {own[:12]}..."
        )


def refuse_other_path(found: Mapping[str, Any], stated: Stated) -> None:
    """Raise InputError for a path whose searches state another problem than the model does, but
    for lambda, and for the limits of another family."""
    free = {"regularization"} if "regularization" in stated else {"regularization", "limits"}
    own = {name: value for name, value in in_short(stated).items() if name not in free}
    for search in found.get("searches", ()) if stated else ():
        of = {name: value for name, value in search["statement"].items() if name not in free}
        if (other := difference(of, own)) is not None:
            raise InputError(f"this path is of another problem than the model's: {other}")


def recount_near(near: Mapping[str, Any], problem: Problem, *, priced: bool) -> None:
    """Raise InputError for a list whose errors or objective are not those on the problem's rows.

    priced: whether the problem has the lambda of the model, so that objectives are compared.
    """
    names = {one.name: number for number, one in enumerate(problem.antecedents)}
    names |= {dropped: names[kept] for dropped, kept in problem.merged}
    outcomes = {str(name): place for place, name in enumerate(problem.outcomes.names)}
    held = [problem.captures[place_in(names, name, "condition")] for name in near["names"]]
    then = [place_in(outcomes, name, "outcome") for name in near["classes"]]
    judged = np.array([kind not in UNJUDGED for kind in problem.outcomes.kinds])
    right = problem.weights if problem.costs is None else problem.costs.right
    wrong = (problem.weights.sum(axis=0) - right) * judged[:, None]
    paid, every = problem.amounts, np.arange(problem.n_points)
    unit = Fraction(1) if problem.row_counts is None else problem.weight_unit
    for number, (objective, errors, rules, predictions) in enumerate(near["lists"], 1):
        said = np.full(problem.n_points, then[predictions[-1]])
        for rule, outcome in zip(reversed(rules), reversed(predictions[:-1]), strict=True):
            said[held[rule]] = then[outcome]
        if (here := number_in(int(wrong[said, every].sum()), unit)) != errors:
            raise InputError(
                f"list {number} makes {errors:,} errors by its file, and {here:,} on this data: "
                "these are the lists of another table"
            )
        cost = problem.unit * int(paid[said, every].sum()) + problem.rule_cost * len(rules)
        if priced and (costs := float(problem.objective(cost))) != objective:
            raise InputError(
                f"list {number} has the objective {objective:.6f} by its file, and {costs:.6f} "
                "with the model's lambda on this data"
            )


def recount_path(found: Mapping[str, Any], problem: Problem) -> None:
    """Raise InputError for a list of a path whose counts are not those on the problem's rows."""
    for segment in found["segments"]:
        model = open_model("the path", segment["rule_list"])
        try:
            cells = problem.count(model.plain_rules()).cells
        except OptionError as error:
            raise InputError(str(error)) from None
        for cell, one in zip(cells, model.deciders(), strict=True):
            if cell.counts != tuple(one.counts):
                raise InputError(
                    f"the list of {segment['rules']} rules has the counts {list(one.counts)} by "
                    f"its file, and {list(cell.counts)} on this data"
                )


def place_in(places: Mapping[str, int], name: str, what: str) -> int:
    """The place of a name. Raises InputError for one that is not there."""
    if name not in places:
        raise InputError(
            f"the data has no {what} {name!r} (there are: {', '.join([*places][:20])})"
        )
    return places[name]
