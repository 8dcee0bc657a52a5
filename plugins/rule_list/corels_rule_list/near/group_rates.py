"""Rates of a list by group of rows, list by list, on any labelled rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.model.rows import Rows
from corels.options import unknown
from corels.problem import Captures, Problem
from corels.problem.constraints import joined
from corels.search.good_lists import Antecedents
from corels.tables import Column, Dataset
from corels_rule_list.near.metrics import METRICS, Metric, class_index, table_of

if TYPE_CHECKING:
    from corels_rule_list.near.result import NearList


ALL = "all"  # the group of all rows
RATES = ("accuracy", "positive_rate", "true_positive_rate", "false_positive_rate")
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
        self.positive = len(classes) - 1 if positive is None else class_index(classes, positive)
        self.groups = list(dict.fromkeys(values))
        number = {value: i for i, value in enumerate(self.groups)}
        truth = np.array([class_index(classes, label) for label in data.classes])[data.labels]
        rows = Rows(data)
        captured = np.array([rows.captured_by(antecedent) for antecedent in problem.antecedents])
        self.pattern, patterns = Captures.of(captured).groups()
        self.captures = captured[:, patterns]
        weights = np.ones(data.n_rows, dtype=np.int64) if data.weights is None else data.weights
        self.weights = np.zeros((len(number), len(classes), len(patterns)), dtype=np.int64)
        members = np.array([number[value] for value in values], dtype=np.intp)
        np.add.at(self.weights, (members, truth, self.pattern), weights)

    @property
    def rows(self) -> dict[Any, int]:
        """The weight of each group: how many rows, where they have no weights."""
        sums = self.weights.sum(axis=(1, 2)).tolist()
        return dict(zip(self.groups, sums, strict=True))

    def _counts(self, antecedents: Antecedents, predictions: Sequence[int]) -> NDArray[np.int64]:
        """int64[G, C, C]: the weight of each group, by class and predicted class."""
        says = np.full(self.captures.shape[1], predictions[-1], dtype=np.intp)
        for place in reversed(range(len(antecedents))):
            says[self.captures[antecedents[place]]] = predictions[place]
        classes = self.weights.shape[1]
        parts = [self.weights[:, :, says == c].sum(axis=2) for c in range(classes)]
        return np.stack(parts, axis=2)

    def values(self, one: NearList, names: Sequence[str] = RATES) -> Rates:
        """Group -> metric -> the list's value, exactly; None where it is a share of no rows."""
        predictions = [rule.prediction for rule in one.rule_list]
        counts = self._counts(one.antecedents, predictions)
        return {
            value: {name: self._value(METRICS[name], counts[i]) for name in names}
            for i, value in enumerate(self.groups)
        }

    def _value(self, metric: Metric, counts: NDArray[np.int64]) -> Fraction | None:
        above, below = (
            int((table_of(count, len(counts), self.positive) * counts).sum())
            for count in (metric.above, metric.below)
        )
        return Fraction(above, below) if below else None


def group_of(
    names: Sequence[str], data: Dataset, read: Callable[[], Mapping[str, Column]]
) -> list[Any]:
    """A value a row: True and False for an antecedent; of several names, the values together. read:
    the columns of the data's rows.

    Raises OptionError where neither an antecedent nor a column has one of these names.
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
    values = columns[name].cells()
    if len(values) != data.n_rows:
        raise OptionError(f"column {name!r} has {len(values)} values for {data.n_rows} rows")
    return [str(value) for value in values]
