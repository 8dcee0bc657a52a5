"""An independent check of a rule list and its certificate.

It reads the model's JSON document and the raw columns of the data, goes through the rows one by
one in plain Python, and recounts everything. It shares no code with the engines, with `RuleList` or
with the evaluation of conditions, so that a mistake in one of them shows as a disagreement.

What it proves: the counts, the predictions and the objective are right, and the certificate's
numbers fit together. It does not search, so it cannot prove that no list is better; but every list
made of the same antecedents in any order is an attempt to refute the lower bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from corels.errors import InputError

SCHEMAS = ("corels/rule-list",)
MOST_PERMUTED = 6  # rules; all 1,957 lists of at most six antecedents
TRUE, FALSE = ("1", "1.0", "true"), ("0", "0.0", "false")

Row = Mapping[str, Any]  # column -> value, None where there is none


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: what it is, whether it holds, and the numbers."""

    what: str
    holds: bool
    detail: str


def check_model(
    document: Mapping[str, Any],
    columns: Mapping[str, Sequence[Any]],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
) -> list[Finding]:
    """Recount a model on its data and compare with its certificate.

    columns: raw values, N each, None where there is none. labels: N class labels. weights: how
    many people each row stands for, one each by default.
    Raises InputError where the model cannot be checked on this data at all.
    """
    if document.get("schema") not in SCHEMAS:
        raise InputError(
            f"there is no independent check for {document.get('schema')!r} "
            f"(there is for {', '.join(SCHEMAS)})"
        )
    try:
        cells = _cells(document, columns, labels, weights)
        return list(_findings(document, cells))
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the model document is incomplete or malformed ({what})") from None


Pattern = tuple[bool, ...]  # which of the antecedents, in the order of the rules, hold
Cells = Mapping[Pattern, Counter[int]]  # pattern -> class -> weight


def _cells(
    document: Mapping[str, Any],
    columns: Mapping[str, Sequence[Any]],
    labels: Sequence[Any],
    weights: Sequence[int] | None,
) -> Cells:
    """Rows with the same pattern fare alike in every list of these antecedents."""
    conditions = [rule["if"]["conditions"] for rule in document["rules"] if rule["if"]]
    needed = sorted({c["column"] for conjunction in conditions for c in conjunction})
    for name in needed:
        if name not in columns:
            raise InputError(f"the data has no column {name!r}, which the model asks for")
    classes = {str(label): index for index, label in enumerate(document["classes"])}
    cells: dict[Pattern, Counter[int]] = {}
    values = zip(*(columns[name] for name in needed), strict=True) if needed else None
    for number, label in enumerate(labels):
        row = dict(zip(needed, next(values), strict=True)) if values else {}
        pattern = tuple(all(_holds(c, row[c["column"]]) for c in one) for one in conditions)
        if str(label) not in classes:
            raise InputError(f"row {number + 1} has the class {label!r}, which the model has not")
        weight = 1 if weights is None else int(weights[number])
        cells.setdefault(pattern, Counter())[classes[str(label)]] += weight
    return cells


def _holds(condition: Mapping[str, Any], value: Any) -> bool:
    """Whether a condition is true of one raw value; of a missing one only `missing` is."""
    operator: str = condition["operator"]
    wanted: Any = condition.get("value")
    if operator in ("missing", "present"):
        return (value is None) is (operator == "missing")
    if value is None:
        return False
    if operator in ("true", "false"):
        text = str(value).lower()
        if text not in TRUE + FALSE:
            raise InputError(f"column {condition['column']!r} has the value {value!r}, not 0 or 1")
        return (text in TRUE) is (operator == "true")
    if operator in ("==", "!="):
        return _equal(value, wanted) is (operator == "==")
    if operator in ("<=", ">"):
        compared = str(value) if isinstance(wanted, str) else float(value)  # dates are ISO text
        return bool(compared <= wanted) is (operator == "<=")
    raise InputError(f"the model has the unknown operator {operator!r}")


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(value, str) == isinstance(wanted, str):
        return bool(value == wanted)
    text, number = (value, wanted) if isinstance(value, str) else (wanted, value)
    try:
        return bool(float(text) == number)
    except ValueError:
        return str(text) == str(number)


def _findings(document: Mapping[str, Any], cells: Cells) -> Iterator[Finding]:
    rules = document["rules"]
    counted = _count(cells, range(len(rules) - 1))
    total = sum(sum(counts.values()) for counts in counted)
    yield _size(document, total)
    for number, (rule, counts) in enumerate(zip(rules, counted, strict=True)):
        yield _rule(document["classes"], rule, number, counts)
    errors = sum(sum(c.values()) - max(c.values(), default=0) for c in counted)
    if "certificate" in document and total:
        yield from _certificate(document["certificate"], cells, errors, total, len(rules) - 1)


def _count(cells: Cells, order: Sequence[int]) -> list[Counter[int]]:
    """Class weights that each rule captures, antecedents in this order, the default rule last."""
    counts: list[Counter[int]] = [Counter() for _ in range(len(order) + 1)]
    for pattern, weights in cells.items():
        first = next((at for at, j in enumerate(order) if pattern[j]), len(order))
        counts[first].update(weights)
    return counts


def _size(document: Mapping[str, Any], total: int) -> Finding:
    learned = sum(sum(rule["counts"]) for rule in document["rules"])
    return Finding("rows", learned == total, f"{total} here, {learned} in the model")


def _rule(
    classes: Sequence[Any], rule: Mapping[str, Any], number: int, counts: Counter[int]
) -> Finding:
    name = f"rule {number + 1}: {rule['if']['name']}" if rule["if"] else "default rule"
    found = [counts[index] for index in range(len(classes))]
    stated = list(rule["counts"])
    majority = found[classes.index(rule["then"])] == max(found)
    parts = ", ".join(f"{n} of {label}" for n, label in zip(found, classes, strict=True))
    detail = f"captures {parts}, predicts {rule['then']}"
    if found != stated:
        detail += f"; the model says {', '.join(map(str, stated))}"
    if not majority:
        detail += "; that is not the majority"
    return Finding(name, found == stated and majority, detail)


def _certificate(
    certificate: Mapping[str, Any], cells: Cells, errors: int, total: int, length: int
) -> Iterator[Finding]:
    exact = certificate["exact"]
    objective, lower = Fraction(exact["objective"]), Fraction(exact["lower_bound"])
    penalty = Fraction(exact["regularization"])
    found = Fraction(errors, total) + penalty * length
    sum_text = f"{errors}/{total} + {length} x {penalty} = {found}"
    yield Finding("objective", found == objective, f"{sum_text}; the certificate says {objective}")
    consistent = lower <= objective and certificate["optimal"] == (lower == objective)
    said = "optimal" if certificate["optimal"] else f"not proven ({certificate['stopped']})"
    yield Finding("lower bound", lower >= 0 and consistent, f"{lower} <= {objective}, {said}")
    if length <= MOST_PERMUTED:
        tried, best = _best_reordering(cells, penalty, total, length)
        detail = f"best of {tried} lists of the same antecedents: {best}"
        yield Finding("not refuted", best >= lower, f"{detail}; lower bound {lower}")


def _best_reordering(
    cells: Cells, penalty: Fraction, total: int, length: int
) -> tuple[int, Fraction]:
    tried, best = 0, Fraction(2 + length)
    for size in range(length + 1):
        for order in permutations(range(length), size):
            counted = _count(cells, order)
            errors = sum(sum(c.values()) - max(c.values(), default=0) for c in counted)
            tried, best = tried + 1, min(best, Fraction(errors, total) + penalty * size)
    return tried, best
