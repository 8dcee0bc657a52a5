"""The best good list whose precision differs little between groups: predictive parity.

The number of rows that a precision is a share of depends on the list, so this is not a constraint
that a search can keep to. The good lists come in order of their objective; they are gone through
until one is fair enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.model.printable import printable
from corels.options import exact_within
from corels_rule_list.near.group_rates import GroupRates
from corels_rule_list.near.result import NearList, NearOptimal

NOTION = "predictive-parity"


def most_of(asked: str) -> Fraction:
    """The greatest difference of "predictive-parity:0.05". Raises OptionError for anything else."""
    name, _, bound = asked.partition(":")
    wrong = (
        f"fair is {asked!r}: expected {NOTION} and the greatest difference, 0 to 1, such as "
        f"{NOTION}:0.05"
    )
    return exact_within(bound if name == NOTION else "", wrong, 1)


@dataclass(frozen=True)
class Fairest:
    """The first good list that is fair enough, if one is.

    place: how many lists were looked at, this one included; precision: of each group. ended: by the
    time limit, before all lists were looked at.
    """

    most: Fraction
    place: int
    found: NearList | None
    precision: dict[Any, Fraction]
    ended: bool = False

    @property
    def difference(self) -> Fraction:
        """Of the greatest precision and the least."""
        return max(self.precision.values()) - min(self.precision.values())

    def to_document(self) -> dict[str, Any]:
        known = None if self.found is None else self.found.rule_list.to_document()
        return {
            "notion": NOTION,
            "most": str(self.most),
            "looked_at": self.place,
            "ended": self.ended,
            "precision": {str(group): str(value) for group, value in self.precision.items()},
            "rule_list": known,
        }

    def to_text(self) -> str:
        """What was found, and among what."""
        head = f"{NOTION}, at most {float(self.most):g}, by going through these lists in order"
        if self.found is None and self.ended:
            return f"{head}:\nnone of the first {self.place:,} is fair enough; the look ended early"
        if self.found is None:
            return f"{head}:\nnone of the {self.place:,} is fair enough: allow more (within)"
        rates = ", ".join(f"{printable(g)}: {float(p):.4f}" for g, p in self.precision.items())
        return (
            f"{head}:\nthe first is list {self.place:,}, objective "
            f"{float(self.found.objective):.6f}, precision {rates}; difference "
            f"{float(self.difference):.4f}\n\n{self.found.rule_list}"
        )


def fairest(good: NearOptimal, rates: GroupRates, most: Fraction, clock: Clock) -> Fairest:
    """Go through good lists until the clock has run out; a precision that is a share of no rows
    does not count as fair."""
    place = 0
    for place, one in enumerate(good, 1):
        precision = {g: by["precision"] for g, by in rates.values(one, ["precision"]).items()}
        known = {group: value for group, value in precision.items() if value is not None}
        fair = Fairest(most, place, one, known)
        if len(known) == len(precision) and fair.difference <= most:
            return fair
        if clock.expired():
            return Fairest(most, place, None, {}, ended=place < good.count)
    return Fairest(most, place, None, {})
