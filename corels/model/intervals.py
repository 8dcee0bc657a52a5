"""How far a share can be believed: Wilson's interval (Wilson 1927, "Probable inference")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any

from corels.model.model import Model
from corels.model.weighing import unit_of

LEVEL = 0.95


def wilson(right: float, of: float, level: float = LEVEL) -> tuple[float, float]:
    """(low, high), the interval of a share `right / of` at a level; (0, 1) of nothing."""
    if not of:
        return 0.0, 1.0
    z, share = NormalDist().inv_cdf((1 + level) / 2), right / of
    centre = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(max(0.0, share * (1 - share) / of + z * z / (4 * of * of)))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (low if right else 0.0), (high if right < of else 1.0)


@dataclass(frozen=True)
class Behind:
    """The rows behind the predictions of a model file: those held out, if it has some, else those
    that it was learned from.

    name: "held out" or "training". counts: of each decider the weight of each class. weights: of
    each decider, with rows of classes that the model does not know. rows, weight: how many there
    are, and what they weigh, if the file says so. effective: as how many rows they count. unit:
    what a weight of 1 stands for.
    """

    model: Model
    name: str
    counts: Sequence[Sequence[int]]
    weights: Sequence[int]
    rows: int | None
    weight: int | None
    effective: float | None
    unit: Fraction

    @classmethod
    def of(cls, model: Model, document: Mapping[str, Any]) -> Behind:
        """Of a model and its document."""
        held, data = document.get("held_out"), document.get("data") or {}
        if held is not None:
            name, counts, weights = "held out", held["counts"], held["weights"]
            sizes, unit = held, Fraction(held.get("unit", 1))
        else:
            name, counts = "training", [list(one.counts) for one in model.deciders()]
            sizes, unit, weights = data, unit_of(model), list(map(sum, counts))
        rows = sizes.get("rows")
        effective = sizes.get("effective_rows", rows)
        return cls(model, name, counts, weights, rows, sizes.get("weight"), effective, unit)

    @property
    def what(self) -> str:
        """What is counted: "training rows", "held out weight"."""
        weighted = self.rows and self.weight and self.rows != self.weight
        return f"{self.name} {'weight' if weighted else 'rows'}"

    @property
    def _each(self) -> float:
        """The rows that a weight of 1 stands for, on average."""
        return self.effective / self.weight if self.effective and self.weight else 1

    def interval(self, number: int, level: float = LEVEL) -> tuple[float, float] | None:
        """The ends of the interval of a decider's share of the predicted class; None if the outcome
        is no class, or nothing was decided."""
        own, outcome = self.counts[number], self.model.deciders()[number].outcome
        if not self.weights[number] or outcome >= len(self.model.classes):
            return None
        return wilson(own[outcome] * self._each, self.weights[number] * self._each, level)

    def shares(self, number: int) -> tuple[float, ...]:
        """The share of each class behind a decider, or what it states. Held-out rows of classes
        that the model does not know are of none."""
        decider, weight = self.model.deciders()[number], self.weights[number]
        if decider.stated is not None or not weight:
            return decider.frequencies
        return tuple(count / weight for count in self.counts[number])
