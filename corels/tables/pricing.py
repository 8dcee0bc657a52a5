"""What each outcome costs for each row of a table, from the options `cost`, `outcome_cost`,
`score`, `abstain` and `defer`.

Numbers mean what is written: .2 is a fifth. Columns of costs are exact if their numbers are
fractions with a denominator up to a million, and else rounded to a resolution that the model's
certificate names (`corels.problem.weights`).
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError, located
from corels.options import exact_number, exact_within, unknown, whole
from corels.problem.costs import (
    MOST,
    Costs,
    Kind,
    Name,
    Outcomes,
    classes_and,
    refuse_large,
    whole_or_fraction,
)
from corels.tables.column import Column, column_named
from corels.tables.files import decode, read_bytes, shown
from corels.tables.options import COST_OPTIONS, RATIO, TableOptions, costs_asked
from corels.tables.recognise import measured

ABSTAIN = "don't know"
BALANCED = "balanced"
Matrix = list[list[Fraction]]  # cost[true class][said class]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pricing:
    """What is asked for, checked against the classes of the label.

    matrix: cost of saying one class if another is true. balanced: instead of these, a mistake on
    a class of weight n of N costs N / (K n), so that each of the K classes counts alike. by_row:
    class -> its cost for each of N rows. abstain: what "don't know" costs. answers: (N,) the
    classes that another model says; its name; what asking it costs beyond what its answers cost;
    and whether the default alone may ask.
    """

    classes: tuple[Name, ...]
    matrix: Matrix
    by_row: Mapping[int, NDArray[np.float64]]
    abstain: Fraction | None = None
    answers: Numbers | None = None
    asked: str = ""
    asking: Fraction = Fraction(0)
    default_only: bool = False
    balanced: bool = False

    @property
    def written(self) -> list[list[str]]:
        """The matrix as plain data, for a model file."""
        return [list(map(str, row)) for row in self.matrix]

    def costs(self, labels: Numbers, weights: Numbers | None = None) -> Costs:
        """For rows of these labels (indices of classes). weights: of the rows, one each if None.

        Raises OverflowRefusedError, and InputError if a class is called as something else that
        is said.
        """
        further: list[tuple[Name, Kind, Fraction]] = []
        if self.abstain is not None:
            further.append((ABSTAIN, "abstain", self.abstain))
        if self.answers is not None:
            further.append((f"ask {self.asked}", "defer", self.asking))
        for name in {name for name, *_ in further} & set(map(str, self.classes)):
            who = "abstain" if name == ABSTAIN else "hand over"
            raise InputError(
                f"the label has a class {name!r}, and rules that {who} say the same: give the "
                "class another name"
            )
        scale: int | Fraction
        if self.balanced:
            table, scale, resolution = _balanced(
                np.bincount(labels, weights, len(self.classes)).astype(np.int64).tolist(),
                [price for *_, price in further],
            )
            rows: list[Numbers] = []
        else:
            known = [*chain.from_iterable(self.matrix), *(price for *_, price in further)]
            unit = math.lcm(*(number.denominator for number in known))
            rows, unit, resolution = _whole([*self.by_row.values()], unit)
            refuse_large(int(max(known) * unit), unit)
            table = np.array([[int(n * unit) for n in row] for row in self.matrix], dtype=np.int64)
            scale = unit
        said = [table[labels, place] for place in range(len(self.classes))]
        for place, amounts in zip(self.by_row, rows, strict=True):
            said[place] = amounts
        right = [labels == place for place in range(len(self.classes))]
        for _, kind, price in further:
            answers = self.answers if kind == "defer" else None
            paid = 0 if answers is None else np.choose(answers, said[: len(self.classes)])
            said.append(np.full(len(labels), int(price * scale)) + paid)
            right.append(np.full(len(labels), False) if answers is None else answers == labels)
        more = {"asked": self.asked, "default_only": self.default_only, "resolution": resolution}
        outcomes = classes_and(self.classes, [entry[:2] for entry in further], scale, **more)
        amounts, of_right = (np.array(each, dtype=np.int64) for each in (said, right))
        return Costs(outcomes, amounts, of_right, {kind: price for _, kind, price in further})


def _balanced(
    sizes: Sequence[int], prices: Sequence[Fraction]
) -> tuple[Numbers, int | Fraction, Fraction]:
    """Costs of mistakes that count K classes alike, as int64[K, K], in 1/scale; the scale, and what
    they were rounded to, or 0. sizes: the weight of each class; prices: of other outcomes, which
    are whole numbers of 1/scale, too.

    Exact, a mistake on a class of n costs L/n, with the least common multiple L of all n: K L for
    all rows. If that is more than counts can hold, a mistake costs about N/(K n) in whole
    numbers of a fine unit.
    """
    present = [size for size in sizes if size]
    total, common = sum(present), math.lcm(*present)
    scale = Fraction(len(present) * common, total)
    finer = math.lcm(*((price * scale).denominator for price in prices))
    if len(present) * common * finer <= MOST:
        of, scale = [common * finer // n if n else 0 for n in sizes], scale * finer
        resolution = Fraction(0)
    else:
        parts = math.lcm(*(price.denominator for price in prices))
        room = MOST // (2 * max(1, math.ceil(max([Fraction(1), *prices]))) * total)
        scale = Fraction(max(1, room // parts) * parts)
        of = [round(Fraction(total, len(present) * n) * scale) if n else 0 for n in sizes]
        resolution = 1 / scale
    table: Numbers = np.array(of, dtype=np.int64)[:, None] * ~np.eye(len(of), dtype=np.bool_)
    return table, whole_or_fraction(scale), resolution


def balancing(labels: Numbers, weights: Numbers | None) -> Numbers:
    """(N,) whole weights of rows by which their cuts are chosen: each class has about the same."""
    sizes = np.bincount(labels, weights)
    found = np.rint(sizes.max() / np.maximum(sizes, 1)).astype(np.int64)[labels]
    return np.asarray(found if weights is None else found * weights)


@dataclass(frozen=True, eq=False)
class Policy:
    """Rules say what to do. scores: action -> (N,) how good it is for each row, larger is better.

    An action costs what its score is below that of the best action for the row.
    """

    scores: Mapping[str, NDArray[np.float64]]

    def costs(self, labels: Numbers, weights: Numbers | None = None) -> Costs:
        """Whatever the labels and weights are. Raises OverflowRefusedError."""
        table = np.array([*self.scores.values()])
        rows, scale, resolution = _whole([*(table.max(axis=0) - table)], 1)
        kinds: list[Kind] = ["action"] * len(table)
        outcomes = Outcomes(tuple(self.scores), tuple(kinds), scale, resolution=resolution)
        amounts = np.array(rows, dtype=np.int64)
        return Costs(outcomes, amounts, np.zeros_like(amounts))


def pricing_of(
    options: TableOptions,
    classes: Sequence[Name],
    columns: Mapping[str, Column] = {},
    where: str = "",
) -> Pricing | Policy | None:
    """What the options ask for; None if mistakes cost one each.

    columns: of the table; none of a rule file. where: names it in messages. Raises
    InputError and OptionError, also for columns that are not there or hold no costs.
    """
    names = [str(label) for label in classes]
    given = {one.name: getattr(options, one.name) for one in COST_OPTIONS}
    if not costs_asked(given):
        return None
    defer = given["defer"]
    for name in ("defer_cost", "defer_where"):
        if defer is None and given[name] is not None:
            raise OptionError(f"⟨{name}⟩ is given without ⟨defer⟩, the column of the answers")
    if given["score"]:
        return _policy(given, columns, where)
    if is_balanced(given["cost"]) and given["outcome_cost"]:
        raise OptionError(f"⟨cost⟩ {BALANCED} and ⟨outcome_cost⟩ are both given: expected one")
    by_row, answers = {}, None
    matrix = matrix_asked(given["cost"], names)
    for label, source in given["outcome_cost"].items():
        name = str(whole(label))
        if name not in names:
            raise OptionError(f"⟨outcome_cost⟩: {unknown('class', name, names)}")
        column = column_named(columns, source, where, "column of costs")
        by_row[names.index(name)] = amounts_of(column, where)
    if defer is not None:
        column = column_named(columns, defer, where, "column to defer to")
        answers = answers_of(column, names, where)
    return Pricing(
        tuple(classes),
        matrix,
        by_row,
        given["abstain"],
        answers,
        defer or "",
        given["defer_cost"] or Fraction(0),
        given["defer_where"] == "default",
        is_balanced(given["cost"]),
    )


def is_balanced(cost: Any) -> bool:
    """Whether the option `cost` is that word."""
    return isinstance(cost, str) and cost == BALANCED


def is_matrix(cost: Any) -> bool:
    """Whether costs are of pairs of classes: a file, or rows of numbers. The name of a file has a
    point or a slash, and no word has."""
    if isinstance(cost, str):
        word = "=" in cost or RATIO.fullmatch(cost)
        return not word and ("." in cost or "/" in cost or os.sep in cost)
    if cost is None or isinstance(cost, Mapping):
        return False
    return isinstance(cost, os.PathLike) or not all(isinstance(one, str) for one in cost)


def matrix_asked(cost: Any, names: Sequence[str]) -> Matrix:
    """cost[true][said] of the option `cost`; 1 for each mistake if it is None or `BALANCED`."""
    if cost is None or is_balanced(cost):
        return matrix_of_cost({}, names)
    return matrix_of(cost, names) if is_matrix(cost) else matrix_of_cost(cost, names)


def _policy(given: Mapping[str, Any], columns: Mapping[str, Column], where: str) -> Policy:
    if others := [name for name in costs_asked(given) if name != "score"]:
        raise OptionError(f"⟨score⟩ and ⟨{others[0]}⟩ are both given: expected one")
    if len(given["score"]) < 2:
        raise OptionError("⟨score⟩ is for one action only: expected two or more, ACTION=COLUMN")
    scores = dict[str, NDArray[np.float64]]()
    for name, source in given["score"].items():
        column = column_named(columns, source, where, "column of scores")
        scores[name] = amounts_of(column, where, least=None)
    return Policy(scores)


def _cost(text: object, what: str) -> Fraction:
    return exact_within(text, f"{what} is {text}: expected a number of at least 0")


OF_POSITIVE = ("fp", "fn")  # false positives, and false negatives


def matrix_of_cost(given: Any, names: Sequence[str]) -> Matrix:
    """cost[true][said] of the option `cost`: "absolute", the distance of classes that are numbers;
    fp=5,fn=1, of two classes what a false positive and a false negative cost; or CLASS=NUMBER,...,
    what a wrong answer for a row of that class costs. What is not named costs 1.

    Raises OptionError for anything else.
    """
    if isinstance(given, str) and RATIO.fullmatch(given):
        raise OptionError(
            f"⟨cost⟩ is {given!r}, which takes several searches: `corels run`, corels.learn and "
            "the estimator do them, and their certificate names the costs to give here"
        )
    if isinstance(given, str) and given == "absolute":
        return distances(names)
    costs = _costs_by_name(given, names)
    of_positive = [name for name in costs if name in OF_POSITIVE and name not in names]
    if not of_positive:
        return [[costs.get(true, Fraction(1)) * (said != true) for said in names] for true in names]
    if len(of_positive) < len(costs):
        raise OptionError(f"⟨cost⟩ is {given!r}: expected fp and fn, or classes, and not both")
    if len(names) != 2:
        raise OptionError(
            f"⟨cost⟩ is for two classes, and there are {len(names)}: name classes, such as "
            f"{_example(names)}, or a file"
        )
    fp, fn = (costs.get(name, Fraction(1)) for name in OF_POSITIVE)
    return [[Fraction(0), fp], [fn, Fraction(0)]]


def _example(names: Sequence[str]) -> str:
    return f"{names[0]}=5,{names[1]}=1"


def _costs_by_name(given: Any, names: Sequence[str]) -> dict[str, Fraction]:
    """What each class, or fp and fn, costs: a mapping, or text "CLASS=NUMBER,..."."""
    found: dict[str, Fraction] = {}
    entries: list[tuple[str, Any]]
    if isinstance(given, Mapping):
        entries = [(str(whole(name)), cost) for name, cost in given.items()]
    else:
        listed = given.split(",") if isinstance(given, str) else given
        parts = (part.rpartition("=") for part in listed)
        entries = [(name.strip(), number.strip()) for name, _, number in parts]
    for name, number in entries:
        if name not in (*names, *OF_POSITIVE):
            raise OptionError(
                f"⟨cost⟩ is {given!r}: {unknown('class', name.strip() or str(number), names)}; "
                f"expected fp=NUMBER,fn=NUMBER, or classes, such as {_example(names)}"
            )
        if name in found:
            raise OptionError(f"⟨cost⟩ is {given!r}: {name} is given twice: expected one")
        found[name] = _cost(number, f"⟨cost⟩ is {given!r}: {name}")
    return found


def asks_for_positive(cost: Any, names: Sequence[str]) -> bool:
    """Whether costs are those of false positives and false negatives."""
    words = isinstance(cost, str) and (cost in ("absolute", BALANCED) or RATIO.fullmatch(cost))
    if cost is None or words or is_matrix(cost):
        return False
    return any(name not in names for name in _costs_by_name(cost, names))


def distances(names: Sequence[str]) -> Matrix:
    """|c - y| of classes that are numbers."""
    try:
        values = [exact_number(name) for name in names]
    except ValueError:
        raise OptionError(
            f"⟨cost⟩ is 'absolute', and the classes are {', '.join(names)}: expected numbers, "
            f"such as 1 to {len(names)}"
        ) from None
    return [[abs(said - true) for said in values] for true in values]


def matrix_of(given: Any, names: Sequence[str]) -> Matrix:
    """cost[true][said] of a CSV file (a row for each true class, a column for each said one, with
    their names), or of rows of numbers in the order of the classes.

    Raises InputError for a file, OptionError for anything else.
    """
    if isinstance(given, (str, os.PathLike)):
        return _matrix_text(shown(given), decode(given, read_bytes(given)), names)
    rows = [list(row) if hasattr(row, "__iter__") else [] for row in given]
    if [len(row) for row in rows] != [len(names)] * len(names):
        raise OptionError(f"⟨cost⟩: expected {len(names)} rows of {len(names)} costs")
    return [
        [_cost(cost, f"cost[{i}][{j}]") for j, cost in enumerate(row)] for i, row in enumerate(rows)
    ]


def _matrix_text(where: str, text: str, names: Sequence[str]) -> Matrix:
    try:
        lines = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text, None))]
    except csv.Error as error:
        raise InputError(f"{where} is no matrix of costs: {error}") from None
    (_, said), *rows = [(n, line) for n, line in enumerate(lines, 1) if any(line)] or [(1, [""])]
    found: dict[str, dict[str, Fraction]] = {}
    for number, (name, *costs) in rows:
        with located(f"{where}, line {number}", OptionError):
            if len(costs) != len(said) - 1:
                raise OptionError(f"{len(costs)} costs for {len(said) - 1} classes")
            if name in found:
                raise OptionError(f"a second row for the class {name!r}")
            found[name] = dict(zip(said[1:], (_cost(one, "a cost") for one in costs), strict=True))
    for which, listed in (("rows", list(found)), ("columns", said[1:])):
        if sorted(listed) != sorted(names):
            there, wanted = (", ".join(map(repr, some)) for some in (listed, names))
            raise InputError(
                f"{where}: the classes of the {which} are {there or 'none'}: expected {wanted}"
            )
    return [[found[true][other] for other in names] for true in names]


def amounts_of(column: Column, where: str, least: int | None = 0) -> NDArray[np.float64]:
    """(N,) costs of a column, or scores, if `least` is None. Raises InputError naming the row of
    what is none."""
    lowest = -math.inf if least is None else least
    column = measured(column)
    row = column.first_wrong(lambda values: np.isfinite(values) & (values >= lowest))
    if row is not None:
        kind = "the score" if least is None else "the cost"
        range_ = "" if least is None else " of at least 0"
        raise InputError(
            f"{where}: {kind} in column {column.name!r}, row {row} is not a number{range_}"
        )
    return np.asarray(column.values, dtype=np.float64)


def answers_of(
    column: Column, names: Sequence[str], where: str, rows: NDArray[np.intp] | None = None
) -> Numbers:
    """(N,) the classes that another model says. rows: their numbers from 0, if they are not all
    rows of the table. Raises InputError, naming the row, for what is not a class."""
    name, column = column.name, column.as_categories()
    texts = [str(whole(value)) for value in column.categories or ()]
    answers = column.by_category((names.index(t) if t in names else -1 for t in texts), -1)
    if (answers < 0).any():
        row = int(np.flatnonzero(answers < 0)[0])
        number = row if rows is None else int(rows[row])
        said = "nothing" if column.missing[row] else repr(texts[int(column.values[row])])
        raise InputError(
            f"{where}: column {name!r} says {said} in row {number + 1}: expected one of the "
            f"classes {', '.join(names)}"
        )
    return answers


def _whole(
    columns: Sequence[NDArray[np.float64]], scale: int
) -> tuple[list[Numbers], int, Fraction]:
    """Columns of costs as whole numbers of 1/scale, that scale, a multiple of the one given, and
    the resolution of what was rounded, 0 if nothing was."""
    from corels.problem.weights import exact_weights

    if not columns or not np.any(columns):
        return [np.zeros(len(column), dtype=np.int64) for column in columns], scale, Fraction(0)
    total = float(np.max(columns, axis=0).sum())
    exact = exact_weights(np.concatenate(columns), len(columns) * len(columns[0]))
    finer = math.lcm(scale, exact.unit.denominator)
    if exact.resolution == 0 and total * finer <= MOST / 2:
        whole = exact.values * int(exact.unit * finer)
        return list(whole.reshape(len(columns), -1)), finer, Fraction(0)
    digits = min(9, math.floor(math.log10(MOST / 8 / max(total, 1))))
    if digits < 0:
        refuse_large(int(total), 1)
    ten = Fraction(10) ** digits
    finer = math.lcm(scale, int(ten))
    factor = finer // int(ten)
    rounded = [np.rint(column * int(ten)).astype(np.int64) * factor for column in columns]
    return rounded, finer, 1 / ten
