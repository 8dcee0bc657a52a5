"""The data set: antecedents, which rows each is true of, and the labels.

This is the form in which every source of data arrives (rule files, tables, built-in data), and from
which a `Problem` is made. Captures are one byte a bit here, row-major, one antecedent after
another: simple to slice, check and build. The search packs them into words for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem.captures import Captures
from corels.tables.condition import Antecedent

if TYPE_CHECKING:
    from corels.problem.constraints import Demands
    from corels.problem.costs import Costs
    from corels.tables.directions import Direction
    from corels.tables.learned import LearnedColumn
    from corels.tables.use import TableUse

Label = str | int | float | bool


@dataclass(frozen=True, eq=False)
class Labels:
    """What is predicted, and the labels of N rows: (N,) indices into `classes`."""

    name: str
    classes: tuple[Label, ...]
    values: NDArray[np.int64]


def class_numbers(classes: Sequence[Label], labels: Iterable[Any]) -> NDArray[np.int64]:
    """(N,) the place of each label among the classes, as texts; -1 for one that is not there."""
    places = {str(label): place for place, label in enumerate(classes)}
    return np.array([places.get(str(label), -1) for label in labels], np.int64)


class FirstRule(NamedTuple):
    """A rule that every list begins with. antecedent: its number in the data set. outcome: what it
    says, by number; None: what costs least."""

    antecedent: int
    outcome: int | None = None


@dataclass(frozen=True, eq=False)
class Dataset:
    """N labelled rows described by M antecedents.

    Attributes:
        antecedents: M of them.
        captures: M sets of the N rows; (M, N) bool is accepted, too, and packed.
        labels: (N,) int64, an index into `classes`.
        classes: two or more, the positive class last.
        name: where the data came from.
        label_name: what is predicted.
        weights: (N,) int64, how many people each row stands for, or None for one each.
        use: what became of the columns, if the data was a table.
        known: column -> what a model keeps of it.
        costs: what each outcome costs for each row; None: a class costs what it gets wrong.
        demands: what predictions have to keep to, such as equal rates of groups; None: nothing.
        counted: the rows of the table, if equal ones are here once, with their number as weight;
            0 if each is here. repeated: (N,) how many rows of the table each then is.
        reading: the options with which it was read, as a model file keeps them; None: not known.
        handed: what Python gave beside the table (weights, costs), so that no table has it.
        weighed: what was done to make the weights whole numbers, as a certificate says it.
        weight_unit: what a weight of 1 stands for.
        directions: of columns; rules keep to them. first: the rules that every list begins with.

    Raises:
        InputError: if there are no rows, or the parts do not fit together.
    """

    antecedents: tuple[Antecedent, ...]
    captures: Captures
    labels: NDArray[np.int64]
    classes: tuple[Label, ...]
    name: str = ""
    label_name: str = "label"
    weights: NDArray[np.int64] | None = None
    use: TableUse | None = None
    known: Mapping[str, LearnedColumn] = field(default_factory=dict)
    costs: Costs | None = None
    demands: Demands | None = None
    counted: int = 0
    repeated: NDArray[np.int64] | None = None
    reading: Mapping[str, Any] | None = None
    handed: tuple[str, ...] = ()
    weighed: str = ""
    weight_unit: Fraction = Fraction(1)
    directions: tuple[Direction, ...] = ()
    first: tuple[FirstRule, ...] = ()

    def __post_init__(self) -> None:
        where = f"data set {self.name!r}: " if self.name else "data set: "
        captures = Captures.of(self.captures)
        labels = np.ascontiguousarray(self.labels, dtype=np.int64)
        object.__setattr__(self, "captures", captures)
        object.__setattr__(self, "labels", labels)
        if labels.ndim != 1 or not len(labels):
            raise InputError(f"{where}there are no rows")
        if captures.shape != (len(self.antecedents), len(labels)):
            raise InputError(
                f"{where}captures have the shape {captures.shape}, "
                f"expected ({len(self.antecedents)}, {len(labels)})"
            )
        if len(self.classes) < 2 or len(set(self.classes)) < len(self.classes):
            raise InputError(f"{where}expected two or more different classes, not {self.classes}")
        if int(labels.min()) < 0 or int(labels.max()) >= len(self.classes):
            raise InputError(f"{where}labels must be indices into the {len(self.classes)} classes")
        if self.weights is None:
            return
        weights = np.ascontiguousarray(self.weights, dtype=np.int64)
        object.__setattr__(self, "weights", weights)
        if weights.shape != self.labels.shape:
            raise InputError(f"{where}{weights.size} weights for {len(self.labels)} rows")
        if int(weights.min()) < 0 or not weights.any():
            raise InputError(f"{where}weights must be 0 or more, and not all 0")

    @property
    def n_rows(self) -> int:
        """N, the rows, whatever they weigh."""
        return len(self.labels)

    @property
    def total(self) -> int:
        """What the rows weigh in all."""
        return self.n_rows if self.weights is None else int(self.weights.sum())

    @property
    def n_antecedents(self) -> int:
        """M, the antecedents."""
        return len(self.antecedents)

    @property
    def weighted(self) -> bool:
        """Whether a row of the table may count as more or less than one."""
        one = 1 if self.repeated is None else self.repeated
        return self.weights is not None and bool((self.weights != one).any())

    def class_counts(self) -> dict[Label, int]:
        """Class -> number of rows (not weighted)."""
        counts = np.bincount(self.labels, minlength=len(self.classes)).tolist()
        return dict(zip(self.classes, counts, strict=True))
