"""What a prediction costs, where a mistake does not simply cost one.

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

from corels.errors import OverflowRefusedError

Name = str | int | float | bool
Kind = Literal["class", "abstain", "defer", "action"]
UNJUDGED = ("abstain", "action")  # kinds of outcomes that are neither right nor wrong
MOST = 2**31 - 1  # of all costs together: what a 32-bit count of the kernels can hold


@dataclass(frozen=True)
class Outcomes:
    """What may be said. O names and kinds, the classes of the label first, in the label's order.

    kinds: "class", a class of the label; "abstain", "don't know"; "defer", what another model says;
    "action", of which no label says whether it was right. scale: a cost of 1 is so much. asked: the
    column with the other model's answers. default_only: rules may not say "defer", which
    comes last. resolution: of what costs were rounded to; 0 where they are exact.
    """

    names: tuple[Name, ...]
    kinds: tuple[Kind, ...]
    scale: int = 1
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
            "scale": self.scale,
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
    """

    outcomes: Outcomes
    amounts: NDArray[np.int64]
    right: NDArray[np.int64]
    charged: Mapping[str, Fraction] = field(default_factory=dict)

    def take(self, rows: NDArray[np.intp]) -> Costs:
        return replace(self, amounts=self.amounts[:, rows], right=self.right[:, rows])

    def paid(self, said: NDArray[np.intp]) -> NDArray[np.float64]:
        """(N,) what each row costs with the outcome that is said of it. said: intp[N]."""
        return np.asarray(self.amounts[said, np.arange(len(said))] / self.outcomes.scale)

    def summed(
        self, point_of_row: NDArray[np.intp], points: int, weights: NDArray[np.int64] | None
    ) -> Costs:
        """Of rows to points; weights: of the rows, one each if None.

        Raises OverflowRefusedError where 64 bits do not hold the sums.
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
        ).reduced()

    def reduced(self) -> Costs:
        """The same in the largest unit that all amounts are whole numbers of."""
        divisor = int(np.gcd.reduce(self.amounts, axis=None, initial=self.outcomes.scale))
        outcomes = replace(self.outcomes, scale=self.outcomes.scale // divisor)
        return replace(self, outcomes=outcomes, amounts=self.amounts // divisor)


def summed(of: NDArray[np.int64], place: NDArray[np.intp], places: int) -> NDArray[np.int64]:
    """int64[K, places]: what the columns of int64[K, N] add up to, by the place of each."""
    found = np.zeros((len(of), places), dtype=np.int64)
    for row, amounts in zip(found, of, strict=True):
        np.add.at(row, place, amounts)
    return found


def refuse_large(most: int, scale: int) -> None:
    """Raises OverflowRefusedError where costs of such a size do not fit into what counts hold."""
    if most > MOST:
        raise OverflowRefusedError(
            f"the costs add up to {most} in units of 1/{scale}, more than the {MOST} that counts "
            "can hold: expected costs with fewer digits"
        )


def classes_and(
    classes: Sequence[Name], further: Sequence[tuple[Name, Kind]], scale: int, **more: Any
) -> Outcomes:
    """The classes of a label, and what else may be said. more: of the `Outcomes`."""
    kinds: list[Kind] = ["class"] * len(classes)
    names = (*classes, *(name for name, _ in further))
    return Outcomes(names, (*kinds, *(kind for _, kind in further)), scale, **more)
