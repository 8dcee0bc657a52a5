"""The table and the prices of a proof, as whole numbers and sets of points.

A set of points is a Python integer, bit i for point i: intersections and counts of it are exact and
short to write. Costs are whole numbers in which `unit` is a cost of 1, what a negative that is
called positive costs if it is not said; only the penalties of softly falling lists are fractions.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Points, fraction, price, read_points, well_formed, whole
from corels.check.verdict import Watch
from corels.errors import InputError

LIMIT = 1 << 61
MOST_ROWS = 1 << 30
EDGES = (2, 3, 5)  # halves of `positive`: points with negative q <= edge p are together

Cost = Fraction | int


class Counts(NamedTuple):
    """Of some points: positives, negatives, and what they cost at least if each class of equal
    rows is called what is cheaper."""

    positives: int
    negatives: int
    classes: int

    @property
    def proportion(self) -> Fraction:
        """Of the positives, if there are any points."""
        return Fraction(self.positives, self.positives + self.negatives)


@dataclass(frozen=True)
class State:
    """What a prefix leaves: points and their counts, least proportion of its rules, its cost, its
    length."""

    left: int
    counts: Counts
    least: Fraction
    paid: Cost
    length: int

    @property
    def proportion(self) -> Fraction:
        """Of the points left, if there are any."""
        return self.counts.proportion


def taking_part(
    header: Mapping[str, Any], table: Any, watch: Watch
) -> tuple[Mapping[str, Any], Points]:
    """The header with the antecedents that take part, and their points: those that hold for at
    least `min_class_support` of the weight of some class, if the header has that limit. The records
    number these."""
    points = read_points(header, table, watch)
    with well_formed():
        share = fraction(header.get("limits", {}).get("min_class_support", 0))
    if not share:
        return header, points
    supports = points.captures.astype(np.int64) @ points.counts.T
    least = [max(1, math.ceil(share * int(total))) for total in points.counts.sum(axis=1)]
    some = (supports >= np.array(least)).any(axis=1)
    kept = [one for one, takes in zip(header["antecedents"], some, strict=True) if takes]
    header = {**header, "antecedents": kept}
    return header, read_points(header, table, watch)


class Costs:
    """positive, negative, rule: what a missed positive, a caught negative and a rule cost;
    violation: what a rise of 1 in proportion costs, None if no rise is allowed."""

    def __init__(self, header: Mapping[str, Any], points: Points) -> None:
        if len(points.counts) != 2:
            raise InputError("the proof's header has not two classes")
        self.rows, self.unit = points.total, whole(header, "unit")
        soft = header.get("violation_cost") is not None
        false = Fraction(1)
        if "false_positive_cost" in header:
            false = price(header, "false_positive_cost")
        prices = [false * price(header, "positive_weight"), false]
        prices.append(price(header, "rule_cost") * self.rows)
        prices += [price(header, "violation_cost") * self.rows] if soft else []
        scaled = [value * self.unit for value in prices]
        if not prices[0] or any(value.denominator != 1 for value in scaled) or not self.unit:
            raise InputError(
                f"the proof's header has unit {self.unit}, with which costs are not whole"
            )
        self.positive, self.negative, self.rule = (int(value) for value in scaled[:3])
        self.violation = int(scaled[3]) if soft else None
        self.threshold = Fraction(self.negative, self.negative + self.positive)
        stated = header.get("max_rules")
        self.max_length = None if stated is None else whole(header, "max_rules")
        self.antecedents = len(points.captures)
        self.most = (self.positive + self.negative) * self.rows
        self.most += (self.rule + (self.violation or 0)) * (self.antecedents + 2)
        if self.most >= LIMIT or self.rows >= MOST_ROWS:
            raise InputError("the costs of this proof are too large for the checker")
        self.points, self.edges = points, [self.positive * half // 2 for half in EDGES]
        self.captures = [_as_set(row) for row in points.captures]
        self.everything = _as_set(points.counts.sum(axis=0) > 0)
        self._planes = [_planes(row) for row in points.counts]
        self.groups = [_as_set(row) for row in self.grouped()]

    def grouped(self) -> list[NDArray[np.bool_]]:
        """For each edge, the points with positives whose negatives cost at most edge a positive."""
        negatives, positives = (row.astype(object) for row in self.points.counts)
        return [
            ((self.negative * negatives <= edge * positives) & (positives > 0)).astype(np.bool_)
            for edge in self.edges
        ]

    def count(self, points: int) -> tuple[int, int]:
        """(positives, negatives) of a set."""
        negatives, positives = (
            sum((points & plane).bit_count() << digit for digit, plane in enumerate(planes))
            for planes in self._planes
        )
        return positives, negatives

    def counts_of(self, positives: int, negatives: int, together: int, worth: int) -> Counts:
        """together, worth: positives and negatives of those in the first group."""
        classes = self.negative * worth + self.positive * (positives - together)
        return Counts(positives, negatives, classes)

    def counted(self, points: int) -> Counts:
        return self.counts_of(*self.count(points), *self.count(points & self.groups[0]))

    def block(self, counts: Counts) -> int:
        return min(self.positive * counts.positives, self.negative * counts.negatives)

    def rise(self, proportion: Fraction, least: Fraction) -> Cost:
        """The penalty of a block behind one of proportion `least`."""
        if self.violation is None or proportion <= least:
            return 0
        return self.violation * (proportion - least)

    def root(self) -> State:
        return State(self.everything, self.counted(self.everything), Fraction(1), 0, 0)

    def closed(self, state: State) -> Cost:
        """What the list costs that ends here with its else."""
        cost = state.paid + self.block(state.counts)
        if self.violation is not None and state.left:
            cost += self.rise(state.proportion, state.least)
        return cost

    def extended(self, state: State, antecedent: int) -> State | None:
        """The state behind one more rule; None if it captures nothing or all, or rises if it
        may not."""
        captured = state.left & self.captures[antecedent]
        if captured in (0, state.left):
            return None
        counts = self.counted(captured)
        if self.violation is None and counts.proportion > state.least:
            return None
        return self.behind(state, antecedent, counts)

    def behind(self, state: State, antecedent: int, captured: Counts) -> State:
        """The state behind a rule that may follow, by the counts of what it captures."""
        proportion = captured.proportion
        return State(
            state.left & ~self.captures[antecedent],
            Counts(*map(operator.sub, state.counts, captured)),
            min(state.least, proportion),
            state.paid + (self.rule + self.block(captured)) + self.rise(proportion, state.least),
            state.length + 1,
        )

    def listed(self, rules: tuple[int, ...]) -> Cost | None:
        """What a list costs; None if it is none of the family."""
        state: State | None = self.root()
        for rule in rules:
            state = None if state is None else self.extended(state, rule)
        if state is None or (self.max_length is not None and len(rules) > self.max_length):
            return None
        rises = self.violation is None and state.proportion > state.least
        return None if rises else self.closed(state)


def _as_set(held: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(held, bitorder="little").tobytes(), "little")


def _planes(counts: NDArray[np.int64]) -> list[int]:
    """Plane d has the points whose weight has binary digit d."""
    digits = int(counts.max(initial=0)).bit_length()
    return [_as_set((counts >> digit & 1).astype(np.bool_)) for digit in range(digits)]
