"""Other lists than the one of the report: near-optimal ones, and those of the whole path."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from corels.errors import InputError, located
from corels.model.saved import open_model
from corels_page.deciders import listed

MOST_LISTS = 100_000


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
            lists.append([float(row["objective"]), _amount(row["errors"]), rules, then])
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
    rates = [name.replace("_", " ") for name in next(iter(by_group.values()), {})]
    of_groups = {"groups": list(by_group), "rates": rates, "lists": shares}
    return {
        "names": list(names),
        "classes": list(classes),
        "lists": lists,
        "about": _about(lists, last, left_out),
        "problem": str(last.get("problem", "")),
        **({"rates": of_groups} if rates else {}),
    }


def _amount(number: Any) -> float:
    """A count of rows, or of weight; as JSON has it."""
    return int(number) if number == int(number) else float(number)


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


def read_near(path: str, content: str) -> dict[str, Any]:
    """The lists of a file of JSON lines. Raises InputError naming the file, and the line."""
    rows = []
    for number, line in enumerate(content.splitlines(), 1):
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


def path_lists(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The segments of a path's document, from the longest list to the shortest.

    Raises InputError for another document.
    """
    if not isinstance(found, Mapping) or found.get("schema") != "corels/path":
        raise InputError("expected a path over lambda, as `corels path --output X.json` writes it")
    try:
        return [_segment(segment) for segment in reversed(found["segments"])]
    except (AttributeError, KeyError, TypeError, IndexError):
        raise InputError("the path is incomplete or malformed") from None


def read_path(path: str, content: str) -> list[dict[str, Any]]:
    """The segments of a path's file. Raises InputError naming the file."""
    try:
        return path_lists(json.loads(content))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: expected the JSON of `corels path` ({error})") from None


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
