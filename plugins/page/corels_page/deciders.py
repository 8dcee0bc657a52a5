"""A model as what decides, in order: one shape for rule lists, falling lists and rule sets.

A *decider* is a rule, or a set of clauses, or what is left at the end. It holds where its formula
does. A formula is a number (a condition, by its place in the table of conditions),
{"all": [formulas]} or {"any": [formulas]}; the page evaluates it for "my case". The first decider
that holds decides; the last one has the formula {"all": []}, which always holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.antecedents import Antecedent, Condition
from corels.errors import InputError

Found = Mapping[str, Any]


class _Conditions:
    """Each different condition once, in the order in which the model asks."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self._known: dict[tuple[Any, ...], int] = {}

    def conjunction(self, antecedent: Found) -> dict[str, Any]:
        return {"all": [self._number(one) for one in antecedent["conditions"]]}

    def _number(self, condition: Found) -> int:
        value = condition.get("value")
        value = tuple(value) if isinstance(value, list) else value
        key = (condition["column"], condition["operator"], type(value), value)
        if key not in self._known:
            self._known[key] = len(self.listed)
            self.listed.append(dict(condition))
        return self._known[key]


def deciders(found: Found) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(deciders, conditions) of a model's document. Raises InputError for an unknown family."""
    families = {
        "corels/rule-list": _rule_list,
        "corels/falling-rule-list": _falling,
        "corels/rule-set": _rule_set,
    }
    if found.get("schema") not in families:
        raise InputError(f"there is no page for a model of the schema {found.get('schema')!r}")
    conditions = _Conditions()
    return families[found["schema"]](found, conditions), conditions.listed


def _rule_list(found: Found, conditions: _Conditions) -> list[dict[str, Any]]:
    classes = list(found["classes"])
    return [
        _rule(number, rule, classes.index(rule["then"]), list(rule["counts"]), conditions)
        for number, rule in enumerate(found["rules"])
    ]


def _falling(found: Found, conditions: _Conditions) -> list[dict[str, Any]]:
    classes = list(found["classes"])
    rows = []
    for number, rule in enumerate(found["rules"]):
        counts = [rule["negatives"], rule["positives"]]
        row = _rule(number, rule, classes.index(rule["then"]), counts, conditions)
        rows.append({**row, "stated": rule["probability"]})
    return rows


def _rule(
    number: int, rule: Found, then: int, counts: Sequence[int], conditions: _Conditions
) -> dict[str, Any]:
    asked = rule["if"]
    if asked is None:
        return _decider(
            "Otherwise" if number else "Always", "", [], {"all": []}, then=then, counts=counts
        )
    clause = {"texts": texts(asked), "join": "and", "counts": list(counts)}
    lead = "If" if number == 0 else "Otherwise, if"
    return _decider(lead, "", [clause], conditions.conjunction(asked), then=then, counts=counts)


def _rule_set(found: Found, conditions: _Conditions) -> list[dict[str, Any]]:
    classes = list(found["classes"])
    inner, outer = ("all", "any") if found["form"] == "dnf" else ("any", "all")
    rows = []
    for number, one in enumerate(found["sets"]):
        clauses, formulas = [], []
        for clause in one["clauses"]:
            parts = clause["conditions"]
            shown = [_together(texts(part), inner == "any") for part in parts]
            joined = "and" if inner == "all" else "or"
            clauses.append({"texts": shown, "join": joined, "counts": list(clause["counts"])})
            formulas.append({inner: [conditions.conjunction(part) for part in parts]})
        lead = "If" if number == 0 else "Otherwise, if"
        then = classes.index(one["then"])
        rows.append(
            _decider(lead, outer, clauses, {outer: formulas}, then=then, counts=one["counts"])
        )
    last = "Otherwise" if rows else "Always"
    default = classes.index(found["default"])
    rows.append(_decider(last, "", [], {"all": []}, then=default, counts=found["default_counts"]))
    return rows


def _decider(
    lead: str,
    quantity: str,
    clauses: list[dict[str, Any]],
    formula: dict[str, Any],
    *,
    then: int,
    counts: Sequence[int],
) -> dict[str, Any]:
    """quantity: "any" or "all" of the clauses; empty where there is one, or none."""
    captured = sum(counts)
    return {
        "lead": lead,
        "quantity": quantity,
        "clauses": clauses,
        "formula": formula,
        "then": then,
        "counts": list(counts),
        "captured": captured,
        "errors": captured - counts[then],
    }


Told = list[list[str]]


def texts(asked: Found) -> list[Told]:
    """The conditions of an antecedent's document in words, in pieces that keep their own direction.

    A condition is a list of pieces, ["name", text] for foreign text and ["", text] for ours, so
    that a column whose name is written from right to left does not turn `<= 3` round.
    """
    return [_told(one) for one in Antecedent.from_json(asked).conditions]


def _told(condition: Condition) -> Told:
    whole, column = str(condition), str(Condition(condition.column, "true"))
    after = whole.removeprefix(column)
    if condition.value is None:
        before = "not " if after == whole else ""
        pieces = [["", before], ["name", column], ["", "" if before else after]]
    else:
        operator = after.removeprefix(" ").partition(" ")[0]
        if operator == "not":
            operator = "not in"
        value = after.removeprefix(f" {operator} ")
        pieces = [["name", column], ["", f" {operator} "], ["name", value]]
    return [piece for piece in pieces if piece[1]]


def _together(conditions: Sequence[Told], closed: bool) -> Told:
    """A conjunction as one text; closed: in brackets where it is of several conditions."""
    joined: Told = []
    for number, told in enumerate(conditions):
        joined += ([["", " and "]] if number else []) + told
    return [["", "("], *joined, ["", ")"]] if closed and len(conditions) > 1 else joined
