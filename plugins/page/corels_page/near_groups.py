"""How each near-optimal list treats groups: counts, from which the page shows the range of rates.

A *rate* is a share of some rows of a group: how many are predicted wrongly; how many are predicted
positive; and how many of those who are, or are not, in the positive class. With more than two
classes: how many are predicted wrongly, and how many are predicted each class. For every list the
numerators are kept, rate by rate for each group; the denominators are the same for all lists.

The lists are walked in the order of their rules, as words in a dictionary: what lists with the same
beginning have decided is counted once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.model import Model
from corels.tables import Dataset
from corels_page.groups import members
from corels_page.points import captures_of

Counts = NDArray[np.int64]


def with_rates(
    near: Mapping[str, Any], model: Model, data: Dataset, columns: Any, column: str
) -> dict[str, Any]:
    """The document of `near_lists` with an entry `rates` more.

    Args:
        near: as `near_lists` makes it.
        model: the list of the report, whose own rates are shown beside.
        data: N rows with the antecedents that the lists name.
        columns: the same rows, as the model predicts them.
        column: the one that says which group a row is of.

    Raises:
        InputError: where a list names a condition or a class that the data does not have, or makes
            another number of errors there than its file says.
    """
    names, group = members(columns, column)
    classes = [str(label) for label in data.classes]
    remedy = "give `corels near` the table and the options"
    captures = captures_of(near["names"], data, remedy)
    walk = _Walk(captures, data, group, len(names))
    place = np.array([_class(classes, str(label)) for label in model.classes])
    own = walk.of_predictions(place[model.predict_indices(columns)])
    rates = {
        "column": column,
        "groups": names,
        "rates": _sentences(data.label_name, classes),
        "rows": walk.whole.sum(axis=1).tolist(),
        "among": _denominators(walk.whole).tolist(),
        "own": _numerators(own).tolist(),
        "lists": _counted(near, walk, classes),
    }
    return {**near, "rates": rates}


def _counted(near: Mapping[str, Any], walk: _Walk, classes: Sequence[str]) -> list[list[int]]:
    """The numerators of each list, in the order of the file; its errors must be what it says."""
    then = [_class(classes, name) for name in near["classes"]]
    lists = near["lists"]
    counted: list[list[int]] = [[]] * len(lists)
    for number in sorted(range(len(lists)), key=lambda i: lists[i][2]):
        _, errors, rules, predictions = lists[number]
        table = walk.table(rules, [then[one] for one in predictions])
        wrong = int(table.sum() - np.trace(table.sum(axis=0)))
        if wrong != errors:
            raise InputError(
                f"list {number + 1} makes {errors:,} errors by its file, and {wrong:,} on this "
                "data: these are the lists of another table"
            )
        counted[number] = _numerators(table).tolist()
    return counted


def _class(classes: Sequence[str], name: str) -> int:
    if name not in classes:
        raise InputError(f"the data has no class {name!r} (there are: {', '.join(classes)})")
    return classes.index(name)


class _Walk:
    """Counts lists over rows; what the rules of the last list left is kept, rule by rule.

    A *cell* is a group and a true class: the weight of the rows of each cell is all that a
    prediction needs to be counted.
    """

    def __init__(
        self,
        captures: Sequence[NDArray[np.bool_]],
        data: Dataset,
        group: NDArray[np.intp],
        groups: int,
    ) -> None:
        self._captures = captures
        self._classes = len(data.classes)
        self._shape = (groups, self._classes)
        self._cell = group * self._classes + data.labels
        self._weights = data.weights
        everything = np.arange(len(data.labels))
        self.whole = self._count(everything)  # int64[groups, true classes]
        self._left = [everything]  # the rows that the first k rules left
        self._taken: list[tuple[int, Counts]] = []  # each rule, and what it captured

    def table(self, rules: Sequence[int], predictions: Sequence[int]) -> Counts:
        """int64[groups, true classes, predicted classes] of one list."""
        same = 0
        while same < min(len(rules), len(self._taken)) and self._taken[same][0] == rules[same]:
            same += 1
        del self._left[same + 1 :], self._taken[same:]
        for rule in rules[same:]:
            left = self._left[-1]
            caught = self._captures[rule][left]
            self._taken.append((rule, self._count(left[caught])))
            self._left.append(left[~caught])
        table = np.zeros((*self._shape, self._classes), dtype=np.int64)
        rest = self.whole.copy()
        for (_, counts), predicted in zip(self._taken, predictions, strict=False):
            table[:, :, predicted] += counts
            rest -= counts
        table[:, :, predictions[-1]] += rest
        return table

    def of_predictions(self, predicted: NDArray[Any]) -> Counts:
        """The same of any model's predictions, an index of a class for each row."""
        parts = [self._count(np.flatnonzero(predicted == c)) for c in range(self._classes)]
        return np.stack(parts, axis=2)

    def _count(self, rows: NDArray[np.intp]) -> Counts:
        cells = self._cell[rows]
        size = self._shape[0] * self._shape[1]
        if self._weights is None:
            counts = np.bincount(cells, minlength=size)
        else:
            counts = np.zeros(size, dtype=np.int64)
            np.add.at(counts, cells, self._weights[rows])
        return counts.astype(np.int64).reshape(self._shape)


def _sentences(label: str, classes: Sequence[str]) -> list[str]:
    """What each rate is, in words."""
    if len(classes) > 2:
        return ["predicted wrongly", *(f"predicted {label} = {name}" for name in classes)]
    negative, positive = (f"{label} = {name}" for name in classes)
    return [
        "predicted wrongly",
        f"predicted {positive}",
        f"predicted {positive}, of the rows where that is true",
        f"predicted {positive}, of the rows where {negative} is true",
    ]


def _numerators(table: Counts) -> Counts:
    """int64[groups * rates]: group by group, the rates as in `_sentences`."""
    groups, classes, _ = table.shape
    wrong = table.sum(axis=(1, 2)) - np.trace(table, axis1=1, axis2=2)
    if classes > 2:
        parts = [wrong, *(table[:, :, c].sum(axis=1) for c in range(classes))]
    else:
        parts = [wrong, table[:, :, 1].sum(axis=1), table[:, 1, 1], table[:, 0, 1]]
    return np.stack(parts, axis=1).reshape(groups * len(parts))


def _denominators(whole: Counts) -> Counts:
    """int64[groups * rates], in the same order."""
    rows, classes = whole.sum(axis=1), whole.shape[1]
    parts = [rows] * (classes + 1) if classes > 2 else [rows, rows, whole[:, 1], whole[:, 0]]
    return np.stack(parts, axis=1).reshape(-1)
