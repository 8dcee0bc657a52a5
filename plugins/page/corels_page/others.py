"""Other lists than the one of the report, near-optimal ones and those of the whole path: read from
files, refused if they are of another problem, and counted again on its rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from corels.errors import InputError, located
from corels.model.documents import open_model
from corels.model.weighing import number_in
from corels.options import whole
from corels.problem import Problem
from corels.problem.counting import captured_in_order
from corels.problem.statement import difference, in_short
from corels.tables.files import decode, read_bytes
from corels_page.deciders import listed

MOST_LISTS = 100_000
Stated = Mapping[str, Any]


def near_lists(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Rows as `corels near --output X.jsonl` writes them, with each name and class held once; of
    more than MOST_LISTS the first.

    A list is [objective, errors, [rules], [classes]], its rules and classes as places in `names`
    and `classes`. With rates by group, `rates` has the `groups`, what each rate is (`rates`), and
    of each list its shares, group by group (`lists`). Raises InputError for rows that are not of
    this form.
    """
    names: dict[str, int] = {}
    classes: dict[str, int] = {}
    lists, last, shares, left_out = [], dict[str, Any](), [], 0
    for number, row in enumerate(rows, 1):
        if number > MOST_LISTS:
            left_out += 1
            continue
        try:
            rules = [names.setdefault(str(n), len(names)) for n in row["antecedents"]]
            then = [classes.setdefault(str(c), len(classes)) for c in row["predictions"]]
            lists.append([float(row["objective"]), whole(float(row["errors"])), rules, then])
            by_group = row.get("rates", {})
            shares.append([share for rates in by_group.values() for share in rates.values()])
        except (AttributeError, KeyError, TypeError, ValueError):
            raise InputError(f"list {number} is not as `corels near` writes it") from None
        last = dict(row)
        if len(then) != len(rules) + 1:
            raise InputError(f"list {number} has {len(then)} predictions for {len(rules)} rules")
        if len(shares[-1]) != len(shares[0]):
            raise InputError(f"list {number} has other rates than the first")
    by_group = last.get("rates", {})
    rates = [name.replace("-", " ") for name in next(iter(by_group.values()), {})]
    of_groups = {"groups": list(by_group), "rates": rates, "lists": shares}
    return {
        "names": list(names),
        "classes": list(classes),
        "lists": lists,
        "about": _about(lists, last, left_out),
        "problem": str(last.get("problem", "")),
        **({"rates": of_groups} if rates else {}),
    }


def _about(lists: Sequence[Sequence[Any]], row: Mapping[str, Any], left_out: int) -> str:
    """How many lists there are within some distance, and how many are here. row: the last one."""
    here, known = f"{len(lists):,}", row.get("complete_to")
    if left_out:
        return (
            f"The first {here} lists of the file, the most that a page holds; {left_out:,} more "
            f"are left out, and all shares on this page are of these {here}: `corels near --sample "
            "10000` draws some of all lists instead."
        )
    if known is None:
        return f"{here} lists that were found to be about as good as the best one."
    there, best = row["count"], min(one[0] for one in lists)
    within = (
        f"cost at most {float(known):.6f}, {float(known) - best:.6f} more than the best of them"
    )
    if there == len(lists):
        return f"All {here} lists that {within}: none is missing."
    return (
        f"{here} of the {there:,} lists that {within}. All shares on this page are of these {here}."
    )


def read_near(path: str) -> dict[str, Any]:
    """The lists of a file of JSON lines. Raises InputError naming the file, and the line."""
    rows = []
    for number, line in enumerate(decode(path, read_bytes(path)).splitlines(), 1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except (ValueError, RecursionError):
                raise InputError(
                    f"{path}, line {number}: expected JSON lines of `corels near`, and this is none"
                ) from None
    if not rows:
        raise InputError(f"{path}: there are no lists in it")
    with located(path):
        return near_lists(rows)


def read_output(path: str, of: str, what: str) -> dict[str, Any]:
    """The JSON that `corels path` or `monitor` has written. of: the command. Raises InputError,
    which says what was expected, for another file."""
    try:
        found = json.loads(decode(path, read_bytes(path)))
    except (json.JSONDecodeError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("schema") != f"corels/{of}":
        raise InputError(f"{path}: expected {what}")
    return found


def path_lists(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The segments of a path's document, from the longest list to the shortest.

    Raises InputError for a malformed one.
    """
    try:
        return [_segment(segment) for segment in reversed(found["segments"])]
    except (AttributeError, KeyError, TypeError, IndexError):
        raise InputError("the path is incomplete or malformed") from None


def _segment(segment: Mapping[str, Any]) -> dict[str, Any]:
    model = open_model("the path", segment["rule_list"])
    total, costs = max(1, model.training_weight), model.outcomes
    right = model.shares().get("accuracy", 1 - Fraction(model.errors, total))
    return {
        "low": float(segment["low"]),
        "high": float(segment["high"]),
        "length": int(segment["rules"]),
        "errors": model.errors,
        "accuracy": None if segment["accuracy"] is None else float(right),
        "cost": None if costs is None else float(Fraction(model.paid) / (costs.scale * total)),
        "certified": bool(segment["certified"]),
        "held_out": None if "mean_cost" in segment else segment.get("held_out"),
        **listed(model),
    }


def check_near(near: Mapping[str, Any], stated: Stated, problem: Problem | None) -> None:
    """Raise InputError for near-optimal lists of other rows than the model's statement has, and for
    one whose errors or objective are not those on the problem's rows.

    problem: the model's; None if its rows are not at hand.
    """
    of, own = near["problem"], str(stated.get("rows", {}).get("sha256", ""))
    if of and own and of != own:
        raise InputError(
            f"these are lists of another problem than the model's: the rows are stated as sha256 "
            f"{of[:12]}..., and the model states {own[:12]}..."
        )
    if problem is not None:
        recount_near(near, problem, priced="regularization" in stated)


def check_path(found: Mapping[str, Any], stated: Stated, problem: Problem | None) -> None:
    """Raise InputError for a path whose searches state another problem than the model does, but
    for lambda, and for the limits of another family; and for a list whose counts are not those on
    the problem's rows. problem: as of `check_near`."""
    free = {"regularization"} if "regularization" in stated else {"regularization", "limits"}
    own = {name: value for name, value in in_short(stated).items() if name not in free}
    for search in found.get("searches", ()) if stated else ():
        of = {name: value for name, value in search["statement"].items() if name not in free}
        if (other := difference(of, own)) is not None:
            raise InputError(f"this path is of another problem than the model's: {other}")
    if problem is None:
        return
    for segment in found["segments"]:
        model = open_model("the path", segment["rule_list"])
        cells = problem.count(model.plain_rules()).cells
        for cell, one in zip(cells, model.deciders(), strict=True):
            if cell.counts != tuple(one.counts):
                raise InputError(
                    f"the list of {segment['rules']} rules has the counts {list(one.counts)} by "
                    f"its file, and {list(cell.counts)} on this data"
                )


def recount_near(near: Mapping[str, Any], problem: Problem, *, priced: bool) -> None:
    """Raise InputError for a list whose errors or objective are not those on the problem's rows.

    priced: whether the problem has the lambda of the model, so that objectives are compared.
    """
    names = {one.name: number for number, one in enumerate(problem.antecedents)}
    names |= {dropped: names[kept] for dropped, kept in problem.merged}
    outcomes = {str(name): place for place, name in enumerate(problem.outcomes.names)}
    asked = [place_in(names, name, "condition") for name in near["names"]]
    then = [place_in(outcomes, name, "outcome") for name in near["classes"]]
    unit = Fraction(1) if problem.row_counts is None else problem.weight_unit
    for number, (objective, errors, rules, predictions) in enumerate(near["lists"], 1):
        said = [then[outcome] for outcome in predictions]
        listed = captured_in_order(problem, [asked[rule] for rule in rules], said)
        paid = wrong = sum(cell.paid for _, cell in listed)
        if problem.costs is not None:
            wrong = sum(sum(c.counts) - c.right for _, c in listed if c.right is not None)
        if (here := number_in(wrong, unit)) != errors:
            raise InputError(
                f"list {number} makes {errors:,} errors by its file, and {here:,} on this data: "
                "these are the lists of another table"
            )
        cost = problem.unit * (paid - problem.offset) + problem.rule_cost * len(rules)
        if priced and (costs := float(problem.objective(cost))) != objective:
            raise InputError(
                f"list {number} has the objective {objective:.6f} by its file, and {costs:.6f} "
                "with the model's lambda on this data"
            )


def place_in(places: Mapping[str, int], name: str, what: str) -> int:
    """The place of a name. Raises InputError for one that is not there."""
    if name not in places:
        raise InputError(
            f"the data has no {what} {name!r} (there are: {', '.join([*places][:20])})"
        )
    return places[name]
