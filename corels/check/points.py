"""The raw table for all checkers: from the values of its columns to points and their weights.

A *point* is all rows that satisfy the same antecedents: nothing that a model of these antecedents
says tells them apart. `points_of` and the two functions behind it decide which rows they are, from
the conditions in the proof's own header; the rest of the file brings what the reader of tables
gives into their form, and makes sentences of what goes wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.check.verdict import UNWATCHED, Watch
from corels.errors import InputError

if TYPE_CHECKING:
    from corels.problem.costs import Costs

PIECE = 1 << 16  # rows between two looks at the clock
TRUE, FALSE = ("1", "1.0", "true"), ("0", "0.0", "false")
SPELLED = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*")
MOST_WEIGHT = 1 << 52  # of all rows: counts are then exact as doubles, too


@dataclass(frozen=True)
class Table:
    """The raw table that a proof or a model is checked against.

    columns: name -> a column as the reader gives it, N values each. labels: N. weights: whole
    numbers, None for one each. costs: of outcomes for each row, None if mistakes cost one.
    label_name: what the data calls the label, None if it has no name for it. unit: what a weight of
    1 stands for.
    """

    columns: Mapping[str, Any]
    labels: Sequence[Any]
    weights: Sequence[int] | None = None
    costs: Costs | None = None
    label_name: str | None = None
    unit: Fraction = Fraction(1)

    @property
    def weight(self) -> NDArray[np.int64]:
        """int64[N]."""
        return np.array([1] * len(self.labels) if self.weights is None else self.weights, np.int64)


@dataclass(frozen=True)
class Points:
    """captures: bool[M, P], which antecedents hold where; counts: int64[C, P], weight by class;
    of_row: int64[N], which point each row is; empty if nobody asks."""

    captures: NDArray[np.bool_]
    counts: NDArray[np.int64]
    of_row: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def total(self) -> int:
        """The weight of all rows."""
        return int(self.counts.sum())


def read_points(
    header: Mapping[str, Any], table: Table, watch: Watch = UNWATCHED, what: str = "proof"
) -> Points:
    """The points of a header: its antecedents and classes. watch: learns how far the work is. what:
    whose header it is, for messages. Raises InputError if the header is malformed or the data is
    not its own, EndedError if the watch's time is up."""
    columns, labels = table.columns, table.labels
    amounts = [1] * len(labels) if table.weights is None else [int(w) for w in table.weights]
    if len(amounts) != len(labels):
        raise InputError(f"the data has {len(labels)} labels and {len(amounts)} weights")
    if min(amounts, default=0) < 0:
        raise InputError(f"a row has the weight {min(amounts)}, expected 0 or more")
    if not 0 < sum(amounts) < MOST_WEIGHT:
        raise InputError("the data has no rows, or rows of more weight than can be counted")
    with well_formed(what):
        conditions = [c for a in header["antecedents"] for c in a["conditions"]]
        names = {str(condition["column"]) for condition in conditions}
        classes = {str(label) for label in header["classes"]}
    absent = next((name for name in sorted(names) if name not in columns), None)
    if absent is not None:
        raise InputError(f"the data has no column {absent!r}, which the {what} asks for")
    for row, label in enumerate(labels, 1):
        if str(label) not in classes:
            raise InputError(f"row {row} has the class {label!r}, which the {what} has not")
    with well_formed(what):
        distinct = {
            name: distinct_values(columns[name])
            for name in watch.over("columns of the data", sorted(names))
        }
        return Points(*points_of(header, distinct, labels, amounts, watch))


def priced_points(
    points: Points, amounts: NDArray[np.int64], weight: NDArray[np.int64]
) -> NDArray[np.int64]:
    """int64[O, P]: what each outcome costs at each point; amounts: int64[O, N], for each row, which
    weighs int64[N]."""
    if len(points.of_row) != amounts.shape[1]:
        raise InputError(f"the data has {len(points.of_row)} rows and {amounts.shape[1]} costs")
    if float(np.abs(amounts).max(initial=0)) * float(weight.sum()) >= 1 << 62:
        raise InputError("the costs are too large to be added up")
    paid = np.zeros((len(amounts), points.captures.shape[1]), np.int64)
    for outcome, of in enumerate(amounts):
        np.add.at(paid[outcome], points.of_row, of * weight)
    return paid


def stated_costs(
    names: Sequence[Any], points: Points, table: Table
) -> tuple[NDArray[np.int64], Costs]:
    """`priced_points` of the table's costs, and these. names: of the outcomes of a proof's header.
    Raises InputError if the table's are others."""
    here = None if table.costs is None else list(table.costs.outcomes.names)
    if table.costs is None or here != list(names):
        said = "none" if here is None else ", ".join(map(str, here))
        stated = ", ".join(map(str, names))
        raise InputError(f"the proof is about costs of {stated}; the data has {said}")
    return priced_points(points, table.costs.amounts, table.weight), table.costs


def in_units(amounts: NDArray[np.int64], of: int | Fraction, scale: Fraction) -> NDArray[np.int64]:
    """Costs in 1/of, in the 1/scale of a proof. Raises InputError if they are not whole there, or
    too large."""
    ratio = scale / of
    if float(np.abs(amounts).sum(dtype=np.float64)) * ratio.numerator >= 1 << 60:
        raise InputError("the costs of this proof are too large for the checker")
    found, rest = np.divmod(amounts * ratio.numerator, ratio.denominator)
    if rest.any() or not scale:
        raise InputError(f"the proof counts costs in 1/{scale}, which the data's are not")
    return np.asarray(found)


def distinct_values(column: Any) -> tuple[list[Any], NDArray[np.int64]]:
    """The different values of a column, None for a missing one, and which of them each row has."""
    found, codes = np.unique(column.values, return_inverse=True)
    values = found.tolist()
    if column.categories is not None:  # the code -1 is of a missing value
        values = [column.categories[code] for code in values]
    elif column.written is not None:  # texts among numbers that are values: "refused"
        coded = np.isnan(column.values) & ~column.missing
        texts, place = np.unique(column.written.values[coded], return_inverse=True)
        codes[coded] = len(values) + place
        values += [column.written.categories[code] for code in texts.tolist()]
    return [*values, None], np.where(column.missing, len(values), codes.reshape(-1))


@contextmanager
def well_formed(name: str = "proof") -> Iterator[None]:
    """Makes a sentence of what goes wrong with a header that lacks something or holds what it may
    not. Raises InputError."""
    wrong = KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError, OverflowError
    try:
        yield
    except InputError:
        raise
    except wrong as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the {name}'s header is incomplete or malformed ({what})") from None


def points_of(
    header: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Any,
    weights: Sequence[int],
    watch: Watch = UNWATCHED,
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Rows that satisfy the same antecedents are a point. Points that satisfy the first antecedent
    have the first numbers, among equals those that satisfy the second, and so on.

    bool[M, P], which antecedents hold where; int64[C, P], weight by class; int64[N], the point of
    each row. columns: name ->
    (its different values, None for a missing one; int64[N], which of them each row has).
    """
    held = np.ones((len(header["antecedents"]), len(labels)), np.bool_)
    for number, antecedent in enumerate(header["antecedents"]):
        for condition in antecedent["conditions"]:
            values, which = columns[condition["column"]]
            held[number] &= np.array([holds(condition, v) for v in values], np.bool_)[which]
    rows, satisfied = np.packbits(held, 0).T, list[bytes]()
    for start in range(0, len(rows), PIECE):
        watch.tell("rows of the data", start, len(rows))
        satisfied += [row.tobytes() for row in rows[start : start + PIECE]]
    found = {row: number for number, row in enumerate(sorted({*satisfied}, reverse=True))}
    points = [found[row] for row in satisfied]
    captures = np.zeros((len(held), len(found)), np.bool_)
    captures[:, points] = held  # the rows of a point are alike
    classes = {str(label): number for number, label in enumerate(header["classes"])}
    counts = np.zeros((len(header["classes"]), len(found)), np.int64)
    np.add.at(counts, ([classes[str(label)] for label in labels], points), weights)
    return captures, counts, np.array(points, np.int64)


def holds(condition: Any, value: Any) -> bool:
    """Whether a condition is true of a value; of a missing one, and of one that the condition
    excludes, only that it is missing.

    Raises InputError for a value that is not of the column's kind.
    """
    operator, wanted = condition["operator"], condition.get("value")
    if value is not None and any(_equal(value, one) for one in condition.get("besides", ())):
        value = None
    if value is None or operator in ("missing", "present"):
        return (value is None) is (operator == "missing")
    if operator in ("true", "false"):
        text = str(value).lower()
        if text not in TRUE + FALSE:
            raise InputError(f"column {condition['column']!r} has the value {value!r}, not 0 or 1")
        return (text in TRUE) is (operator == "true")
    if operator in ("==", "!=", "in", "not in"):
        group = wanted if operator in ("in", "not in") else [wanted]
        return any(_equal(value, one) for one in group) is (operator in ("==", "in"))
    if operator in ("<=", ">"):  # numbers, also written as text; or dates, as ISO text
        kind = "a date" if isinstance(wanted, str) else "a number"
        compared = _number(value) if kind == "a number" else value
        if isinstance(compared, str) is not (kind == "a date"):
            what = f"column {condition['column']!r} has the value {value!r}, not {kind}"
            raise InputError(what)
        return bool(compared <= wanted) is (operator == "<=")
    raise ValueError(f"unknown operator {operator!r}")


def _number(value: Any) -> Any:
    """The number that text spells in plain digits, a whole one exactly; anything else as it is."""
    if not isinstance(value, str) or not SPELLED.fullmatch(value):
        return value
    with suppress(ValueError):
        return int(value)
    return float(value)


def _equal(value: Any, wanted: Any) -> bool:
    """3, 3.0 and "3" are one value, and True and "true"; but no number is "03", if that is
    wanted."""
    if isinstance(value, str) == isinstance(wanted, str):
        return bool(value == wanted)
    text, number = (value, wanted) if isinstance(value, str) else (wanted, value)
    if isinstance(number, bool):
        return text.lower() == str(number).lower()
    spelled = _number(text)
    if text is wanted and str(spelled) != text:
        return False
    return text == str(number) if spelled is text else bool(spelled == number)


def price(header: Mapping[str, Any], name: str) -> Fraction:
    """A price of the header, p/q in text, as a fraction of 0 or more. Raises InputError.

    An exponent is refused: in a few letters it would be a number too long to be counted with.
    """
    with well_formed():
        if not isinstance(header[name], str) or "e" in header[name].lower():
            raise TypeError(f"{name} is not a fraction p/q in text")
        found = Fraction(header[name])
    if found < 0:
        raise InputError(f"the proof's header has {name} {found}")
    return found


def whole(header: Mapping[str, Any], name: str) -> int:
    """A whole number of the header, 0 or more. Raises InputError."""
    found = header.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise InputError(f"the proof's header has {name} {found!r}: expected a whole number")
    return found
