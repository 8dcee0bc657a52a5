"""What a reader has to know of how a model was learned, as its file states it: what mistakes cost,
which class is positive, what counts as no value, and which columns no rule can ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corels.model.weighing import separated, unit_of

if TYPE_CHECKING:
    from fractions import Fraction

    from corels.model.model import Model

MOST_PAIRS = 12  # costs of mistakes that are listed one by one


def about_rows(model: Model, data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(name, text) of each. data: the entry `data` of the model's file."""
    reading, names = data.get("reading") or {}, [str(label) for label in model.classes]
    costs = "; ".join(_costs(reading, names, data.get("handed", ())))
    unused = (f"{name} ({why})" for name, why in (data.get("unused") or {}).items())
    words = _no_values(reading.get("columns") or {})
    positive = f"{model.label_name} = {names[-1]}" if _says_positive(reading, names) else ""
    rows = [
        ("costs", costs),
        ("positive class", positive),
        ("counts", weighed(model, data)),
        ("no value", ", ".join(words)),
        ("unused", ", ".join(unused)),
    ]
    return [(name, text) for name, text in rows if text]


def _no_values(columns: Mapping[str, Any]) -> Iterator[str]:
    """What was said to mean "no value", column by column."""
    for name, said in columns.items():
        if isinstance(missing := said.get("missing"), list):
            of = "" if name == "*" else f" ({name})"
            yield from (f"{str(word)!r}{of}" for word in missing)


def weighed(model: Model, data: Mapping[str, Any]) -> str:
    """What counts are, if they are no rows: "weights: 2,250 rows weigh 110,275 (class_weight)".

    "" if each row counts once, or the weights are not known.
    """
    rows, weight = data.get("rows"), data.get("weight")
    column = (data.get("reading") or {}).get("weight")
    given = [one for one in data.get("handed", ()) if one.endswith("_weight")]
    by = [f"column {column}"] if column else given
    if rows is None or weight is None or (rows == weight and not by):
        return ""
    told = separated(weight, unit_of(model))
    return f"weights: {rows:,} rows weigh {told}" + (f" ({', '.join(by)})" if by else "")


def _says_positive(reading: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Whether the positive class was named, or something speaks of it."""
    if reading.get("positive") is not None or reading.get("constraints"):
        return True
    if (cost := reading.get("cost")) is None:
        return False
    from corels.tables.pricing import asks_for_positive

    return bool(asks_for_positive(cost, names))


def _costs(
    reading: Mapping[str, Any], names: Sequence[str], handed: Sequence[str]
) -> Iterator[str]:
    """What outcomes cost, a sentence each; nothing if a mistake costs one."""
    from corels.tables.options import given_something, named

    given = {
        one.name: one.check(reading.get(one.name, one.default))
        for one in named("cost", "outcome_cost", "score", "abstain", "defer")
    }
    if given["cost"] == "absolute":
        yield "a wrong answer costs how far it is from the class"
    elif given["cost"] == "balanced":
        yield "a wrong answer costs N / (K n) for a row of a class of n, of N rows and K classes"
    elif given_something(given["cost"]):
        from corels.tables.pricing import matrix_asked

        matrix = matrix_asked(given["cost"], names)
        yield _mistakes(matrix, names, positive=_says_positive(reading, names))
    for said, column in given["outcome_cost"].items():
        yield f"to say {said} costs what column {column} has, row by row"
    for action, column in given["score"].items():
        yield f"{action} costs what its score (column {column}) is below the best score of the row"
    if "sample_cost" in handed:
        yield "each row has costs of its own, given in Python (sample_cost)"
    if given["abstain"] is not None:
        yield f'"don\'t know" costs {_number(given["abstain"])}'
    if given["defer"] is not None:
        asking = reading.get("defer_cost") or 0
        yield f"to ask {given['defer']} costs {asking} and what its mistakes cost"


def _mistakes(
    matrix: Sequence[Sequence[Fraction]], names: Sequence[str], *, positive: bool = False
) -> str:
    """A matrix cost[true][said] in words. positive: whether people know which class is positive."""
    wrong = [[c for said, c in enumerate(row) if said != true] for true, row in enumerate(matrix)]
    right = [row[true] for true, row in enumerate(matrix)]
    if not any(right) and all(len(set(row)) == 1 for row in wrong):
        if positive and len(names) == 2:
            missed, alarm = wrong[1][0], wrong[0][0]
            return f"a missed {names[1]} costs {_number(missed)}, a false alarm {_number(alarm)}"
        each = (f"{_number(row[0])} for {name}" for name, row in zip(names, wrong, strict=True))
        return f"a wrong answer for a row of a class costs {', '.join(each)}"
    pairs = [
        f"{names[true]} called {names[said]} {_number(cost)}"
        for true, row in enumerate(matrix)
        for said, cost in enumerate(row)
        if cost or said != true
    ]
    more = len(pairs) - MOST_PAIRS
    return ", ".join(pairs[:MOST_PAIRS]) + (f" and {more} more" if more > 0 else "")


def _number(value: Fraction) -> str:
    return f"{float(value):g}"
