"""What is minimised: exact costs of a falling or softly falling list, and their integer scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from corels.errors import InputError, OptionError, OverflowRefusedError
from corels.problem import Problem
from corels.tables.positive import refuse_unsaid_of

LIMIT = 1 << 61  # the native part keeps every cost below it
FINEST = 20  # soft costs are refined to at most 2^-20 of the hard scale


@dataclass(frozen=True, slots=True)
class Setting:
    """w, C and C1 (None: hard) as exact fractions, over `rows` rows, and f, what a false positive
    costs: 1 if it is not said.

    L(d) = (f/n) sum of min(w n+, n-) + C |d|, and for soft lists + C1 times every rise of a
    proportion above the least one before it.
    """

    positive_weight: Fraction
    rule_cost: Fraction
    violation_cost: Fraction | None
    rows: int
    false_positive_cost: Fraction = Fraction(1)

    @classmethod
    def of(cls, options: Mapping[str, Any], problem: Problem, *, soft: bool) -> Setting:
        """From checked options. Raises OptionError or InputError."""
        if len(problem.classes) != 2:
            raise InputError(
                f"{problem.name or 'the data'} has {len(problem.classes)} classes "
                f"({', '.join(map(str, problem.classes))}): a falling rule list needs exactly two"
            )
        false, weight = _mistakes(problem, options["positive_weight"])
        violation = options["violation_cost"] if soft else None
        return cls(weight, options["rule_cost"], violation, problem.total, false)

    @property
    def soft(self) -> bool:
        """Whether a proportion may rise, for a price."""
        return self.violation_cost is not None

    @property
    def threshold(self) -> Fraction:
        """tau = 1/(1+w): a block is called positive strictly above it."""
        return 1 / (1 + self.positive_weight)

    @property
    def missed_cost(self) -> Fraction:
        """f w: what a positive that is called negative costs."""
        return self.false_positive_cost * self.positive_weight

    def block(self, positives: int, negatives: int) -> Fraction:
        """Cost of a block that the threshold decides."""
        missed, caught = self.missed_cost * positives, self.false_positive_cost * negatives
        return min(missed, caught) / self.rows

    def violation(self, proportion: Fraction, least: Fraction) -> Fraction:
        """Penalty of a block above the least proportion before it; 0 for hard lists."""
        if self.violation_cost is None or proportion <= least:
            return Fraction(0)
        return self.violation_cost * (proportion - least)

    def objective(
        self, blocks: Sequence[tuple[int, int]], predictions: Sequence[int] | None = None
    ) -> Fraction:
        """L(d), or L~(d), of a list with these (positives, negatives), the else last.

        predictions: 1 for each block that is called positive; by default what costs least.
        """
        total = self.rule_cost * (len(blocks) - 1)
        least = Fraction(1)
        for number, (positives, negatives) in enumerate(blocks):
            if predictions is None:
                total += self.block(positives, negatives)
            elif predictions[number]:
                total += self.false_positive_cost * negatives / self.rows
            else:
                total += self.missed_cost * positives / self.rows
            if positives + negatives:
                proportion = Fraction(positives, positives + negatives)
                total += self.violation(proportion, least)
                least = min(least, proportion)
        return total

    def scale(self, antecedents: int) -> Scale:
        """The integers of the native part. Raises OverflowRefusedError if they do not fit."""
        parts = [self.missed_cost, self.false_positive_cost, self.rule_cost * self.rows]
        if self.violation_cost is not None:
            parts.append(self.violation_cost * self.rows)
        unit = math.lcm(*(part.denominator for part in parts))
        scale = Scale.of(parts, unit, self.rows)
        if not scale.fits(antecedents):
            rise = f", violation_cost {self.violation_cost}" if self.soft else ""
            false = self.false_positive_cost
            costs = "" if false == 1 else f", false positives at {false}"
            raise OverflowRefusedError(
                f"positive_weight {self.positive_weight}{costs}, rule_cost "
                f"{self.rule_cost}{rise} and {self.rows} rows need costs of more than 61 bits: "
                "use fractions with smaller denominators"
            )
        for _ in range(FINEST if self.soft else 0):
            finer = Scale.of(parts, scale.unit * 2, self.rows)
            if not finer.fits(antecedents):
                break
            scale = finer
        return scale


def _mistakes(problem: Problem, weight: Fraction) -> tuple[Fraction, Fraction]:
    """What a false positive costs, and how many times as much a missed positive does: `weight`, or
    what the problem's costs say. Raises OptionError."""
    if problem.costs is None:
        if weight <= 0:
            raise OptionError(f"⟨positive_weight⟩ is {weight}: expected a number above 0")
        if weight != 1:
            refuse_unsaid_of(f"positive_weight {weight}", problem)
        return Fraction(1), weight
    problem.costs.refuse_beside("positive_weight", weight)
    found = problem.costs.of_mistakes
    if found is None:
        raise OptionError("a falling rule list knows no costs but fp=NUMBER,fn=NUMBER")
    if not all(found):
        raise OptionError(
            f"a falling rule list needs costs above 0: they are fp={found[0]},fn={found[1]}"
        )
    false, missed = found
    return false, missed / false


@dataclass(frozen=True, slots=True)
class Scale:
    """Costs of one positive, one negative, one rule and one rise of 1, as integers; unit: 1."""

    positive: int
    negative: int
    unit: int
    rule: int
    violation: int  # -1 for hard lists
    rows: int

    @classmethod
    def of(cls, parts: Sequence[Fraction], unit: int, rows: int) -> Scale:
        whole = [int(part * unit) for part in parts]
        return cls(whole[0], whole[1], unit, whole[2], whole[3] if len(whole) > 3 else -1, rows)

    def fits(self, antecedents: int) -> bool:
        """Every cost, and every product that the bounds form, stays below 2^61."""
        rules = antecedents + 1
        most = (self.positive + self.negative) * self.rows + (
            self.rule + max(0, self.violation)
        ) * rules
        dearest = max(self.positive, self.negative)
        return most < LIMIT and 4 * dearest * max(self.rows, 4096) < LIMIT
