"""What a prediction costs, if a mistake does not simply cost one.

An *outcome* is what a rule may say: a class of the label, "don't know", "ask the other model", an
action. Each has a cost for each row of a data set, and so, summed, for each point of a problem.
Costs are whole numbers of 1/scale: with .2 for a "don't know" and 1 for a mistake, scale is 5. The
search needs nothing else, since a cell costs the least sum over the outcomes.

`Costs.right` is beside the point of the search; people want to know how often a model was right,
and of how many rows it said a class at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError, OverflowRefusedError

Name = str | int | float | bool
Kind = Literal["class", "abstain", "defer", "action"]
UNJUDGED = ("abstain", "action")  # kinds of outcomes that are neither right nor wrong
MOST = 2**31 - 1  # of all costs together: what a 32-bit count of the kernels can hold

UNABLE = {
    "mistakes": "counts every mistake as one, so costs of outcomes, abstaining and deferring have "
    "no use",
    "classes": "knows costs of two classes only",
    "right": "charges nothing for a right answer (what it costs can be taken off the wrong one)",
    "rows": "charges every row of a class alike, so that costs cannot differ from row to row",
    "abstain": "says a class of every row and abstains from none",
    "defer": "says a class of every row and hands none over to another model",
    "action": "says a class of every row and chooses no action",
}
"""Kinds of costs, and what is said of a solver that does not know one. "mistakes" are in all costs:
a wrong class costs so much, by the true class and the one that is said."""


@dataclass(frozen=True)
class Outcomes:
    """What may be said. O names and kinds, the classes of the label first, in the label's order.

    kinds: "class", a class of the label; "abstain", "don't know"; "defer", what another model says;
    "action", about which no label says whether it was right. scale: a cost of 1 is so much; a
    fraction if classes count alike. asked: the column with the other model's answers.
    default_only: rules may not say "defer", which
    comes last. resolution: of what costs were rounded to; 0 if they are exact.
    """

    names: tuple[Name, ...]
    kinds: tuple[Kind, ...]
    scale: int | Fraction = 1
    asked: str = ""
    default_only: bool = False
    resolution: Fraction = Fraction(0)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def for_rules(self) -> int:
        """How many a rule may say, the first ones; the default rule may say all."""
        if not self.default_only:
            return len(self)
        return sum(kind != "defer" for kind in self.kinds)

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; the document of a rule list reads it."""
        return {
            "names": list(self.names),
            "kinds": list(self.kinds),
            "scale": self.scale if isinstance(self.scale, int) else str(self.scale),
            **({"asked": self.asked} if self.asked else {}),
            **({"default_only": True} if self.default_only else {}),
            **({"resolution": str(self.resolution)} if self.resolution else {}),
        }


@dataclass(frozen=True, eq=False)
class Costs:
    """What each outcome costs for each of N rows, or in all for the rows of each of N points.

    amounts: int64[O, N], in 1/scale; of a data set 0 or more, of a problem of any sign. right:
    int64[O, N], of how many of these rows each outcome is right (not read for actions). charged:
    kind of an outcome, "abstain" or "defer" -> its price for each row, which `amounts` contain.
    paid_right: whether a class costs something if it is right, or less than nothing; None, as of
    a data set: look. It cannot be seen any more if rows are summed.
    """

    outcomes: Outcomes
    amounts: NDArray[np.int64]
    right: NDArray[np.int64]
    charged: Mapping[str, Fraction] = field(default_factory=dict)
    paid_right: bool | None = None

    @property
    def of_mistakes(self) -> tuple[Fraction, Fraction] | None:
        """Of two classes what a false positive and a false negative cost, if each costs the same
        in all rows and a right answer nothing (of a class without rows: 1); else None."""
        if "action" in self.outcomes.kinds or self.outcomes.kinds.count("class") != 2:
            return None
        if self._paid_right:
            return None
        found = []
        for amounts, wrong in ((self.amounts[1], self.right[0]), (self.amounts[0], self.right[1])):
            paid, rows = int(amounts.sum()), int(wrong.sum())
            if (amounts * rows != wrong * paid).any():
                return None
            found.append(Fraction(paid, rows * self.outcomes.scale) if rows else Fraction(1))
        return found[0], found[1]

    @property
    def kinds(self) -> set[str]:
        """Which of `UNABLE` they are. Whether they differ from row to row is not asked if a
        right answer costs something, or the classes are not two."""
        found = {"mistakes", *self.outcomes.kinds} - {"class"}
        if "action" in found:
            return found
        if self.outcomes.kinds.count("class") != 2:
            return found | {"classes"}
        if self._paid_right:
            return found | {"right"}
        return found if self.of_mistakes else found | {"rows"}

    @staticmethod
    def refuse_beside(name: str, weight: Fraction) -> None:
        """Raise OptionError if an option of a family asks for another weight of a missed
        positive than 1."""
        if weight != 1:
            raise OptionError(
                f"⟨{name}⟩ is {weight}, beside costs, which also say what a missed positive costs: "
                "expected one of the two"
            )

    @property
    def _paid_right(self) -> bool:
        classes = self.outcomes.kinds.count("class")
        if self.paid_right is not None:
            return self.paid_right
        amounts, right = self.amounts[:classes], self.right[:classes]
        return bool((((amounts > 0) & (right > 0)) | (amounts < 0)).any())

    def take(self, rows: NDArray[np.intp]) -> Costs:
        """The costs of these rows."""
        return replace(self, amounts=self.amounts[:, rows], right=self.right[:, rows])

    def paid(self, said: NDArray[np.intp]) -> NDArray[np.float64]:
        """(N,) what each row costs with the outcome that is said of it. said: intp[N]."""
        return np.asarray(self.amounts[said, np.arange(len(said))] / float(self.outcomes.scale))

    def summed(
        self, point_of_row: NDArray[np.intp], points: int, weights: NDArray[np.int64] | None
    ) -> Costs:
        """Of rows to points; weights: of the rows, one each if None.

        Raises OverflowRefusedError if 64 bits do not hold the sums.
        """
        weight = 1 if weights is None else weights
        total = len(point_of_row) if weights is None else int(weights.sum())
        least, most = int(self.amounts.min(initial=0)), int(self.amounts.max(initial=0))
        if (size := max(most, -least) * total) >= 1 << 62:
            refuse_large(size, self.outcomes.scale)

        amounts, right = self.amounts * weight, self.right * weight
        return replace(
            self,
            amounts=summed(amounts, point_of_row, points),
            right=summed(right, point_of_row, points),
            paid_right=self._paid_right,
        ).reduced()

    def reduced(self) -> Costs:
        """The same in the largest unit that all amounts are whole numbers of."""
        scale = self.outcomes.scale
        known = scale if isinstance(scale, int) else 0  # a fraction may be of any unit
        divisor = int(np.gcd.reduce(self.amounts, axis=None, initial=known)) or 1
        outcomes = replace(self.outcomes, scale=whole_or_fraction(Fraction(scale) / divisor))
        return replace(self, outcomes=outcomes, amounts=self.amounts // divisor)


def whole_or_fraction(scale: Fraction) -> int | Fraction:
    """A whole number as an int."""
    return int(scale) if scale.denominator == 1 else scale


def summed(of: NDArray[np.int64], place: NDArray[np.intp], places: int) -> NDArray[np.int64]:
    """int64[K, places]: what the columns of int64[K, N] add up to, by the place of each."""
    found = np.zeros((len(of), places), dtype=np.int64)
    for row, amounts in zip(found, of, strict=True):
        np.add.at(row, place, amounts)
    return found


def refuse_large(most: int, scale: int | Fraction) -> None:
    """Raises OverflowRefusedError if costs of such a size do not fit into what counts hold."""
    if most > MOST:
        raise OverflowRefusedError(
            f"the costs add up to {most} in units of 1/{scale}, more than the {MOST} that counts "
            "can hold: expected costs with fewer digits, or smaller weights"
        )


def classes_and(
    classes: Sequence[Name],
    further: Sequence[tuple[Name, Kind]],
    scale: int | Fraction,
    **more: Any,
) -> Outcomes:
    """The classes of a label, and what else may be said. more: of the `Outcomes`."""
    kinds: list[Kind] = ["class"] * len(classes)
    names = (*classes, *(name for name, _ in further))
    return Outcomes(names, (*kinds, *(kind for _, kind in further)), scale, **more)
