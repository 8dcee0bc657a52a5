"""The table behind "step by step": its different rows, so that the page can count by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from corels.errors import InputError
from corels.problem import Captures
from corels.tables import Dataset

MOST_CELLS = 1_000_000  # different rows times conditions: what a page may hold


def points(names: Sequence[str], data: Dataset) -> dict[str, Any] | None:
    """Rows that agree in every condition, counted by class; the most frequent come first.

    Args:
        names: M conditions, in the order in which a trace numbers them.
        data: rows with these conditions.

    Returns:
        `classes`, and `rows`: pairs of M characters 0 or 1 and the weight of each class. None where
        the table is too large for a page.

    Raises:
        InputError: where the data has no condition of such a name.
    """
    if not names:
        return None
    places = {antecedent.name: place for place, antecedent in enumerate(data.antecedents)}
    if unknown := [name for name in names if name not in places]:
        raise InputError(
            f"the data, read as the model says, has no condition {unknown[0]!r}: make the trace "
            "from the table and with the options that the model was learned with"
        )
    held = np.stack([data.captures[places[name]] for name in names])
    which, different = Captures.of(held).groups()
    if len(different) * len(names) > MOST_CELLS:
        return None
    weights = np.ones(len(data.labels), dtype=np.int64) if data.weights is None else data.weights
    counts = np.zeros((len(different), len(data.classes)), dtype=np.int64)
    np.add.at(counts, (which, data.labels), weights)
    bits = held[:, different].T.astype(int)
    order = np.argsort(-counts.sum(axis=1), kind="stable")
    return {
        "label": data.label_name,
        "classes": [str(label) for label in data.classes],
        "rows": [["".join(map(str, bits[i])), counts[i].tolist()] for i in order.tolist()],
    }
