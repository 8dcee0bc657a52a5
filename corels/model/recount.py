"""What independent checks count with: raw rows, read one by one in plain Python.

A check reads a model's JSON document and the raw columns of the data. It shares no code with the
engines, with the models or with the evaluation and the text of conditions, so that a mistake in one
of them shows as a disagreement. Each family's check is a function of a document and of `Evidence`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from corels.errors import InputError

TRUE, FALSE = ("1", "1.0", "true"), ("0", "0.0", "false")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: what it is, whether it holds, and the numbers."""

    what: str
    holds: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """The data that a model is held against.

    columns: raw values, N each, None where there is none. labels: N class labels. weights: how
    many people each row stands for, one each if None. label_name: what the data calls the label,
    None if it has no name for it.
    """

    columns: Mapping[str, Sequence[Any]]
    labels: Sequence[Any]
    weights: Sequence[int] | None = None
    label_name: str | None = None


Conditions = Sequence[Mapping[str, Any]]
Pattern = tuple[bool, ...]  # which of some conjunctions hold
Cells = Mapping[Pattern, Counter[int]]  # pattern -> class -> weight


def count_patterns(
    asked: Sequence[Conditions], classes: Sequence[Any], evidence: Evidence
) -> Cells:
    """The weight of each class in the rows in which the same conjunctions hold.

    Rows with the same pattern fare alike in every model of these conjunctions.
    """
    columns = evidence.columns
    needed = sorted({c["column"] for conjunction in asked for c in conjunction})
    for name in needed:
        if name not in columns:
            raise InputError(f"the data has no column {name!r}, which the model asks for")
    numbers = {str(label): index for index, label in enumerate(classes)}
    cells: dict[Pattern, Counter[int]] = {}
    values = zip(*(columns[name] for name in needed), strict=True) if needed else None
    for at, label in enumerate(evidence.labels):
        row = dict(zip(needed, next(values), strict=True)) if values else {}
        pattern = tuple(all(_holds(c, row[c["column"]]) for c in one) for one in asked)
        if str(label) not in numbers:
            raise InputError(f"row {at + 1} has the class {label!r}, which the model has not")
        weight = 1 if evidence.weights is None else int(evidence.weights[at])
        cells.setdefault(pattern, Counter())[numbers[str(label)]] += weight
    return cells


def captured(cells: Cells, order: Sequence[int]) -> list[Counter[int]]:
    """Class weights that each rule captures, conjunctions in this order; the last gets the rest."""
    counts: list[Counter[int]] = [Counter() for _ in range(len(order) + 1)]
    for pattern, weights in cells.items():
        first = next((at for at, j in enumerate(order) if pattern[j]), len(order))
        counts[first].update(weights)
    return counts


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
    if operator in ("==", "!=", "in", "not in"):
        group = wanted if isinstance(wanted, list) else [wanted]
        return any(_equal(value, one) for one in group) is (operator in ("==", "in"))
    if operator in ("<=", ">"):
        if isinstance(wanted, str):  # dates, as ISO text: its order is that of time
            return (str(value) <= wanted) is (operator == "<=")
        return bool(_number(condition["column"], value) <= wanted) is (operator == "<=")
    raise InputError(f"the model has the unknown operator {operator!r}")


def _number(column: str, value: Any) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"column {column!r} has the value {value!r}, not a number") from None


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(value, str) == isinstance(wanted, str):
        return bool(value == wanted)
    text, number = (value, wanted) if isinstance(value, str) else (wanted, value)
    try:
        return bool(float(text) == number)
    except ValueError:
        return str(text) == str(number)


_NEEDS_QUOTES = re.compile(r' (=|!=|<=|>|and|is) | in \{|^not |^\s|\s$|"|^$')


def _quoted(text: str) -> str:
    if text.isprintable() and not _NEEDS_QUOTES.search(text):
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _word(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    whole = isinstance(value, float) and value == int(value) and abs(value) < 1e16
    return str(int(value)) if whole else str(value)


def _member(value: Any) -> str:
    """A value in a group, in quotes where it holds a mark of the group's own text."""
    marks = isinstance(value, str) and value.isprintable() and set(value) & set(",{}")
    return json.dumps(value, ensure_ascii=False) if marks else _word(value)


def condition_text(condition: Mapping[str, Any], *, quoted: bool = True) -> str:
    """What a condition says, as the models write it."""
    column = _quoted(condition["column"]) if quoted else condition["column"]
    operator: str = condition["operator"]
    if operator in ("true", "false"):
        return column if operator == "true" else f"not {column}"
    if operator in ("missing", "present"):
        return f"{column} is {operator}"
    if operator in ("in", "not in"):
        return f"{column} {operator} {{{', '.join(map(_member, condition.get('value', ())))}}}"
    return f"{column} {'=' if operator == '==' else operator} {_word(condition.get('value'))}"


def conditions_text(conditions: Conditions) -> str:
    """What a conjunction says."""
    return " and ".join(map(condition_text, conditions))


def misnamed(antecedents: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """A finding for each conjunction whose name is not what its conditions say."""
    for one in antecedents:
        text = conditions_text(one["conditions"])
        plain = " and ".join(condition_text(c, quoted=False) for c in one["conditions"])
        if one["name"] not in (text, plain):
            detail = f"a rule is called {one['name']!r}, but its conditions say {text!r}"
            yield Finding("name", False, detail)


def size(
    document: Mapping[str, Any], evidence: Evidence, learned: int, asked: Sequence[Any] = ()
) -> Finding:
    """Rows and weight, here and in every place of the document that states them.

    learned: what the counts of the model add up to. asked: its antecedents.
    """
    rows = len(evidence.labels)
    weight = rows if evidence.weights is None else sum(map(int, evidence.weights))
    data = document.get("data", {})
    stated = {"the model": learned, "the data entry": data.get("weight", weight)}
    wrong = [f"{number} in {where}" for where, number in stated.items() if number != weight]
    if data.get("rows", rows) != rows:
        wrong.append(f"{data['rows']} rows in the data entry, {rows} rows here")
    texts = {conditions_text(one["conditions"]) for one in asked}
    if len(texts) > data.get("antecedents", len(texts)):
        wrong.append(f"{data['antecedents']} antecedents in the data entry, {len(texts)} in use")
    if data.get("points", 0) > rows:
        wrong.append(f"{data['points']} distinct points in the data entry")
    return Finding(
        "rows", not wrong, ", ".join([f"{weight} here", *(wrong or [f"{learned} in the model"])])
    )


def label(document: Mapping[str, Any], evidence: Evidence) -> Iterator[Finding]:
    """Whether the model predicts what the data calls its label."""
    if evidence.label_name is not None:
        stated, name = document["label"], evidence.label_name
        same = "" if stated == name else f", {stated!r} in the model"
        yield Finding("label", stated == name, f"{name!r} here{same}")


def short_enough(certificate: Mapping[str, Any], rules: int) -> Iterator[Finding]:
    """Whether a list has no more rules than those among which it is certified."""
    most = certificate.get("max_rules")
    if most is not None:
        yield Finding("length", rules <= most, f"{rules} rules of at most {most}")


def certified(
    certificate: Mapping[str, Any], found: Fraction | None, how: str
) -> Iterator[Finding]:
    """What a certificate says of its numbers, in every family.

    found: the objective that was counted here, None if the document lacks a price; how: the sum.
    """
    exact = certificate["exact"]
    objective, lower = Fraction(exact["objective"]), Fraction(exact["lower_bound"])
    if found is not None:
        said = f"{how} = {found}; the certificate says {objective}"
        yield Finding("objective", found == objective, said)
    optimal, stopped = certificate["optimal"], certificate["stopped"]
    consistent = 0 <= lower <= objective and optimal == (lower == objective)
    word = "optimal" if optimal else f"not proven ({stopped})"
    if foreign := certificate.get("foreign"):
        word += f"; only as right as {', '.join(foreign)}, which nothing here checks"
    yield Finding("lower bound", consistent, f"{lower} <= {objective}, {word}")
    gap = objective - lower
    decimals = (("objective", objective), ("lower_bound", lower), ("gap", gap))
    near = [n for n, exactly in decimals if not _close(certificate.get(n), exactly)]
    detail = f"{gap}" + "".join(f"; {n} is also given as {certificate.get(n)}" for n in near)
    yield Finding("gap", not near, detail)
    yield Finding("stopped", (stopped == "certified") == (gap == 0), f"{stopped}, gap {gap}")


def _close(stated: Any, exactly: Fraction) -> bool:
    return stated is None or math.isclose(stated, exactly, rel_tol=1e-12, abs_tol=1e-12)


def price(text: object) -> Fraction:
    """A price of a document. Raises InputError for what is no fraction of moderate length."""
    if not re.fullmatch(r"[0-9]{1,200}(/0*[1-9][0-9]{0,200})?", str(text)):
        raise InputError(f"the model document has the price {str(text)[:40]!r}")
    return Fraction(str(text))


def not_refuted(lower: Fraction, best: Fraction, what: str) -> Finding:
    """Other models of the same antecedents are attempts to refute the lower bound."""
    return Finding("not refuted", best >= lower, f"best of {what}: {best}; lower bound {lower}")
