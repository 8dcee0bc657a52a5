"""How far a share can be believed: Wilson's interval (Wilson 1927, "Probable inference")."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from corels.model.decider import Decider
from corels.model.model import Model
from corels.model.weighing import unit_of

LEVEL = 0.95


class Behind(NamedTuple):
    """What is behind a prediction: rows, or their weight, and of the share of the predicted class
    the ends of its interval; None where the outcome is no class, or nothing was decided."""

    weight: int
    low: float | None
    high: float | None


def wilson(right: float, of: float, level: float = LEVEL) -> tuple[float, float]:
    """(low, high), the interval of a share `right / of` at a level; (0, 1) of nothing."""
    if not of:
        return 0.0, 1.0
    z, share = NormalDist().inv_cdf((1 + level) / 2), right / of
    centre = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(max(0.0, share * (1 - share) / of + z * z / (4 * of * of)))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (low if right else 0.0), (high if right < of else 1.0)


def behind(
    model: Model,
    counts: list[list[int]],
    level: float = LEVEL,
    each: float = 1,
    weights: list[int] | None = None,
) -> list[Behind]:
    """Of each decider. counts: of each decider its weight per class. each: the rows that a weight
    of 1 stands for, on average. weights: of each decider, with rows of classes that the model does
    not know; None: there are none."""
    found = []
    of_all = [sum(own) for own in counts] if weights is None else weights
    for one, own, weight in zip(model.deciders(), counts, of_all, strict=True):
        low = high = None
        if weight and one.outcome < len(model.classes):
            low, high = wilson(own[one.outcome] * each, weight * each, level)
        found.append(Behind(weight, low, high))
    return found


def training_counts(model: Model) -> list[list[int]]:
    """Of each decider its training weight per class."""
    return [list(one.counts) for one in model.deciders()]


def shares_of(document: Mapping[str, Any], number: int, decider: Decider) -> tuple[float, ...]:
    """The share of each class behind a decider: what it states, or that of the held-out rows of a
    model file, where there are some, or of training rows. Held-out rows of classes that the model
    does not know are of none."""
    held = document.get("held_out")
    if decider.stated is not None or not held or not (weight := held["weights"][number]):
        return decider.frequencies
    return tuple(count / weight for count in held["counts"][number])


def unit_behind(model: Model, document: Mapping[str, Any]) -> Fraction:
    """What a weight of 1 stands for in what is behind each decider."""
    held = document.get("held_out")
    return unit_of(model) if held is None else Fraction(held.get("unit", 1))


def rows_behind(model: Model, document: Mapping[str, Any]) -> tuple[str, list[Behind]]:
    """(what the rows are, what is behind each decider) of a model file: of its held-out rows, if it
    has some, else of those that it was learned from."""
    held, data = document.get("held_out"), document.get("data") or {}
    sizes = data if held is None else held
    counts = training_counts(model) if held is None else held["counts"]
    rows, weight = sizes.get("rows"), sizes.get("weight")
    weighted = bool(rows and weight) and rows != weight
    what = f"{'training' if held is None else 'held out'} {'weight' if weighted else 'rows'}"
    effective = sizes.get("effective_rows", rows)
    each = effective / weight if weight and effective else 1
    return what, behind(model, counts, each=each, weights=None if held is None else held["weights"])
