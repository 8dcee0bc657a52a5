"""How each near-optimal list treats groups: counts, from which the page shows the range of rates.

A *rate* is a share of some rows of a group: how many are predicted wrongly; how many are predicted
positive; and how many of those who are, or are not, in the positive class. With more than two
classes: how many are predicted wrongly, and how many are predicted each class. For every list the
numerators are kept, rate by rate for each group; the denominators are the same for all lists.

Rows of one group, class and pattern (which conditions they satisfy) are counted together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.model import Model
from corels.problem import Captures
from corels.tables import Dataset
from corels_page.groups import members
from corels_page.points import captures_of
from corels_page.recounting import place_in, refuse_other_errors

Counts = NDArray[np.int64]
Places = NDArray[np.intp]


def with_rates(
    near: Mapping[str, Any], model: Model, data: Dataset, columns: Any, column: str | Sequence[str]
) -> dict[str, Any]:
    """The document of `near_lists` with an entry `rates` more.

    Args:
        near: as `near_lists` makes it.
        model: the list of the report, whose own rates are shown beside.
        data: N rows with the antecedents that the lists name.
        columns: the same rows, as the model predicts them.
        column: the one that says which group a row is of, or several.

    Raises:
        InputError: where a list names a condition or a class that the data does not have, or makes
            another number of errors there than its file says.
    """
    names, group = members(columns, column)
    classes = [str(label) for label in data.classes]
    remedy = "give `corels near` the table and the options"
    # The last condition always holds: it is that of the default rule.
    held = np.stack([*captures_of(near["names"], data, remedy), np.ones(len(group), np.bool_)])
    pattern, different = Captures.of(held).groups()
    by_pattern = _summed((len(names), len(classes), len(different)), group, pattern, data)
    whole = by_pattern.sum(axis=2)
    known = {name: place for place, name in enumerate(classes)}
    place = np.array([place_in(known, str(label), "class") for label in model.classes])
    predicted = place[model.predict_indices(columns)]
    own = _summed((len(names), len(classes), len(classes)), group, predicted, data)
    rates = {
        "column": column if isinstance(column, str) else ", ".join(column),
        "groups": names,
        "rates": _sentences(data.label_name, classes),
        "rows": whole.sum(axis=1).tolist(),
        "among": _denominators(whole).tolist(),
        "own": _numerators(own).tolist(),
        "lists": list(_counted(near, held[:, different], by_pattern, classes)),
    }
    return {**near, "rates": rates}


def _summed(shape: Sequence[int], group: Places, third: Places, data: Dataset) -> Counts:
    """The weight of the rows by group, true class, and something else."""
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(counts, (group, data.labels, third), 1 if data.weights is None else data.weights)
    return counts


def _counted(
    near: Mapping[str, Any], held: NDArray[np.bool_], weights: Counts, classes: Sequence[str]
) -> Iterator[list[int]]:
    """The numerators of each list, whose errors must be what it says. held: bool[M + 1, P], of
    patterns; weights: int64[groups, true classes, P]."""
    known = {name: place for place, name in enumerate(classes)}
    then = [place_in(known, name, "class") for name in near["classes"]]
    every = np.arange(len(classes))
    for number, (_, errors, rules, predictions) in enumerate(near["lists"], 1):
        says = np.zeros(held.shape[1], dtype=np.intp)
        for rule, outcome in zip(reversed([*rules, -1]), reversed(predictions), strict=True):
            says[held[rule]] = then[outcome]
        table = weights @ (says[:, None] == every)  # [groups, true classes, predicted classes]
        wrong = int(table.sum() - np.trace(table.sum(axis=0)))
        refuse_other_errors(number, errors, wrong)
        yield _numerators(table).tolist()


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
