"""Metrics of lists, by group of rows, on any labelled rows.

A metric is a number of rows over another, each a sum of what is predicted row by row. The lower
number is the data's (a share of the positives, of all rows), or depends on the list (precision).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.model.rows import Rows
from corels.model.weighing import number_in
from corels.options import unknown, whole
from corels.problem import Captures, Problem
from corels.problem.captures import pack_columns, unpack
from corels.problem.constraints import joined
from corels.problem.rates import OF_ANY_CLASS, RATES, Terms, in_words
from corels.search.good_lists import NearInstance
from corels.tables import Column, Dataset
from corels.tables.labelled import names_of
from corels.tables.positive import refuse_unsaid_of

if TYPE_CHECKING:
    from corels_rule_list.near.result import NearList

# Those of constraints, of lists that say classes: "coverage" is always 1 then.
METRICS = tuple(name for name in RATES if name not in ("balanced-accuracy", "coverage"))
USUAL = ("accuracy", "positive-rate", "recall", "false-positive-rate")


def table_of(terms: Terms, shape: tuple[int, ...], positive: int) -> NDArray[np.int64]:
    """int64[C, O]: how often a row counts, by its class and what is said, the classes first."""
    truth, said = np.indices(shape)
    counts = {"called": said == positive, "denied": said != positive, "right": said == truth}
    among = {"positives": truth == positive, "negatives": truth != positive}
    every = np.ones_like(said)
    found = [times * every * counts.get(what, 1) * among.get(of, 1) for times, what, of in terms]
    return np.asarray(sum(found), dtype=np.int64)


def value_of(metric: str, counts: NDArray[np.int64], positive: int) -> Fraction | None:
    """Of rows by class and what is said, int64[C, O]; None if it is a share of none."""
    above, below = (
        int((table_of(terms, counts.shape, positive) * counts).sum()) for terms in RATES[metric]
    )
    return Fraction(above, below) if below else None


def class_index(classes: Sequence[Any], label: Any) -> int:
    """Raises OptionError for a label that is not one of the classes."""
    if label not in classes:
        raise OptionError(unknown("class", str(label), [str(known) for known in classes]))
    return list(classes).index(label)


ALL = "all"  # the group of all rows
Rates = Mapping[Any, Mapping[str, Fraction | None]]


class GroupRates:
    """The rows of a data set by group, class and pattern: which antecedents they satisfy.

    Rows of one pattern are predicted alike by every list, so a list is looked at once a pattern.

    groups: the values, in order of appearance. weights: int64[G, C, P], the weight of the rows of
    each group, class and pattern. captures: bool[M, P]. pattern: intp[N], of each row.
    """

    def __init__(
        self, problem: Problem, data: Any, group: Sequence[Any] | None, positive: Any = None
    ) -> None:
        values = [ALL] * getattr(data, "n_rows", 0) if group is None else list(group)
        if not isinstance(data, Dataset) or len(values) != data.n_rows:
            raise OptionError("rates by group need a Dataset, and a group for each of its rows")
        if problem.outcomes.names != problem.classes:
            raise OptionError(
                "rates are of lists that say classes, and these may say something else"
            )
        self.problem, classes = problem, problem.classes
        self.unit = data.weight_unit if data.weighted else Fraction(1)
        self._said = positive
        self.positive = len(classes) - 1 if positive is None else class_index(classes, positive)
        self.groups = list(dict.fromkeys(values))
        number = {value: i for i, value in enumerate(self.groups)}
        truth = np.array([class_index(classes, label) for label in data.classes])[data.labels]
        captured = _captured(problem, Rows(data))
        self.pattern, patterns = Captures.of(captured).groups()
        self.captures = captured[:, patterns]
        weights = np.ones(data.n_rows, dtype=np.int64) if data.weights is None else data.weights
        self.weights = np.zeros((len(number), len(classes), len(patterns)), dtype=np.int64)
        members = np.array([number[value] for value in values], dtype=np.intp)
        np.add.at(self.weights, (members, truth, self.pattern), weights)

    def check(self, metric: str) -> None:
        """Raises OptionError for an unknown one, and if it was not said which class is positive
        and that matters."""
        if metric not in METRICS:
            raise OptionError(unknown("metric", metric, METRICS))
        if self._said is None and metric not in OF_ANY_CLASS:
            refuse_unsaid_of(f"the {in_words(metric)}", self.problem)

    @property
    def rows(self) -> dict[Any, float]:
        """The weight of each group: how many rows, if they have no weights."""
        sums = (number_in(of, self.unit) for of in self.weights.sum(axis=(1, 2)).tolist())
        return dict(zip(self.groups, sums, strict=True))

    def values(self, one: NearList, names: Sequence[str] = USUAL) -> Rates:
        """Group -> metric -> the list's value, exactly; None if it is a share of no rows."""
        *predictions, default = one.rule_list.said
        says = np.full(self.captures.shape[1], default, dtype=np.intp)
        for antecedent, said in reversed([*zip(one.antecedents, predictions, strict=True)]):
            says[self.captures[antecedent]] = said
        classes = range(self.weights.shape[1])
        # int64[G, C, C]: the weight of each group, by class and predicted class.
        counts = np.stack([self.weights[:, :, says == c].sum(axis=2) for c in classes], axis=2)
        for name in names:
            self.check(name)
        return {
            value: {name: value_of(name, counts[i], self.positive) for name in names}
            for i, value in enumerate(self.groups)
        }


def _captured(problem: Problem, rows: Rows) -> NDArray[np.bool_]:
    """bool[M, N]: which antecedents hold for which rows."""
    return np.array([rows.captured_by(antecedent) for antecedent in problem.antecedents])


def group_of(
    names: Sequence[str], data: Dataset, read: Callable[[], Mapping[str, Column]]
) -> list[Any]:
    """A value a row: True and False for an antecedent; of several names, the values together. read:
    the columns of the data's rows.

    Raises OptionError if neither an antecedent nor a column has one of these names.
    """
    columns = cache(read)
    found = [_values(name, data, columns) for name in names]
    if len(found) == 1:
        return found[0]
    return joined([tuple(map(str, row)) for row in zip(*found, strict=True)])


def _values(name: str, data: Dataset, read: Callable[[], Mapping[str, Column]]) -> list[Any]:
    antecedents = {antecedent.name: i for i, antecedent in enumerate(data.antecedents)}
    if name in antecedents:
        return [bool(held) for held in data.captures[antecedents[name]]]
    columns = read()
    if name not in columns:
        raise OptionError(unknown("column or antecedent", name, list(columns) or list(antecedents)))
    values = names_of(columns[name]).cells()
    if len(values) != data.n_rows:
        raise OptionError(f"column {name!r} has {len(values)} values for {data.n_rows} rows")
    return ["missing" if value is None else str(whole(value)) for value in values]


class UnknownRowError(OptionError):
    """A row that is like no training row."""


def bits_of_rows(problem: Problem, instance: NearInstance, data: Any) -> NDArray[np.intp]:
    """intp[N]: the bit of each row's point.

    Raises UnknownRowError for a row that satisfies antecedents as no training row does: lists that
    agree on all training rows may differ there, so nothing is known of it.
    """
    captured = _captured(problem, Rows(data, problem.antecedents, problem.known))
    used = np.flatnonzero(instance.point >= 0)
    training = pack_columns(unpack(problem.masks, problem.n_points)[:, instance.point[used]])
    known = {key.tobytes(): int(bit) for key, bit in zip(training, used, strict=True)}
    found = [known.get(key.tobytes(), -1) for key in pack_columns(captured)]
    bits = np.array(found, dtype=np.intp)
    if (bits < 0).any():
        row = int(np.flatnonzero(bits < 0)[0]) + 1
        raise UnknownRowError(
            f"row {row} satisfies a combination of antecedents that no training row does: "
            "shares and ranges are known for training rows only"
        )
    return bits
