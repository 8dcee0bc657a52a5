"""The best good list whose precision differs little between groups: predictive parity; or also
what is right of the rows said to be negative: conditional use accuracy.

The number of rows that such a rate is a share of depends on the list, so this is not a constraint
that a search can keep to. The good lists come in order of their objective; they are gone through
until one is fair enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.model.printable import printable
from corels.problem.rates import Demand, in_words
from corels_rule_list.near.group_rates import GroupRates
from corels_rule_list.near.result import NearList, NearOptimal


@dataclass(frozen=True)
class Fairest:
    """The first good list that is fair enough, if one is.

    place: how many lists were looked at, this one included; rates: by metric, of each group. ended:
    by the time limit, before all lists were looked at.
    """

    asked: Demand
    place: int
    found: NearList | None
    rates: Mapping[str, Mapping[Any, Fraction]]
    ended: bool = False

    @property
    def difference(self) -> Fraction:
        """Of the greatest rate and the least; of several metrics the greatest difference."""
        return max(max(by.values()) - min(by.values()) for by in self.rates.values())

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; rates are fractions."""
        known = None if self.found is None else self.found.rule_list.to_document()
        shown = {
            metric: {str(group): str(value) for group, value in by.items()}
            for metric, by in self.rates.items()
        }
        return {
            "constraint": str(self.asked),
            "looked_at": self.place,
            "ended": self.ended,
            **shown,
            "rule_list": known,
        }

    def to_text(self) -> str:
        """What was found, and among what."""
        head = f"{printable(self.asked)}, by going through these lists in order"
        if self.found is None and self.ended:
            return f"{head}:\nnone of the first {self.place:,} is fair enough; the look ended early"
        if self.found is None:
            return f"{head}:\nnone of the {self.place:,} is fair enough: allow more (within)"
        rates = "; ".join(
            f"{in_words(metric)} "
            + ", ".join(f"{printable(g)}: {float(value):.4f}" for g, value in by.items())
            for metric, by in self.rates.items()
        )
        return (
            f"{head}:\nthe first is list {self.place:,}, objective "
            f"{float(self.found.objective):.6f}, {rates}; difference "
            f"{float(self.difference):.4f}\n\n{self.found.rule_list}"
        )


def fairest(good: NearOptimal, rates: GroupRates, asked: Demand, clock: Clock) -> Fairest:
    """Go through good lists until the clock has run out; a rate that is a share of no rows does not
    count as fair."""
    place, metrics = 0, asked.rates
    nothing = {metric: dict[Any, Fraction]() for metric in metrics}
    for place, one in enumerate(good, 1):
        values = rates.values(one, metrics)
        by_metric = {m: {g: by[m] for g, by in values.items()} for m in metrics}
        known = {m: {g: v for g, v in by.items() if v is not None} for m, by in by_metric.items()}
        fair = Fairest(asked, place, one, known)
        if known == by_metric and fair.difference <= asked.bound:
            return fair
        if clock.expired():
            return Fairest(asked, place, None, nothing, ended=place < good.count)
    return Fairest(asked, place, None, nothing)
