"""What a search under constraints knows so far: its best list, and what none costs less than."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from corels.search import Kind
from corels_rule_list.fair.prices import Listed, Multipliers, Prices


@dataclass
class Known:
    """What holds whatever the bounds of constraints are, for searches with others after this one.

    minima: multipliers -> the least objective at these prices, proved; and the list that has it.
    lists: those found, by antecedents and what they say. lower: no list that keeps to the
    constraints, or to tighter ones, costs less (scaled).
    """

    minima: dict[Multipliers, tuple[Fraction, Listed]] = field(default_factory=dict)
    lists: dict[tuple[tuple[int, ...], tuple[int, ...]], Listed] = field(default_factory=dict)
    lower: int = 0


class Standing:
    """best: the list; None: none that keeps to the constraints is known. lower: of scaled costs: no
    list that keeps to the constraints costs less. events: not taken yet."""

    def __init__(self, prices: Prices, lower: int) -> None:
        self._prices, self.most = prices, prices.most
        self.best: Listed | None = None
        self.lower, self._told = lower, 0  # the lower bound that events have named
        self.events = list[dict[str, int]]()

    @property
    def upper(self) -> int:
        """What the best list costs; if none is known, what any may cost."""
        return self.most if self.best is None else self.best.cost

    @property
    def closed(self) -> bool:
        """Whether the best list is certified."""
        return self.best is not None and self.lower >= self.best.cost

    def know(self, found: Listed) -> bool:
        """Keep a list if it keeps to the constraints and is the best so far."""
        better = self.best is None or found.cost < self.best.cost
        if not (better and self._prices.keeps(found)):
            return False
        self.keep(found)
        return True

    def keep(self, found: Listed | None) -> None:
        """The best list that is known from now on."""
        if found is not None and found is not self.best:
            last = found.antecedents[-1] if found.antecedents else -1
            self.say(Kind.INCUMBENT, antecedent=last, length=len(found.antecedents))
            self.events[-1]["objective"] = found.cost
        self.best = found

    def prove_at_least(self, cost: int) -> None:
        """No list that keeps to the constraints, but the best one known, costs less."""
        ceiling = self.most + 1 if self.best is None else self.best.cost
        self.lower = max(self.lower, min(cost, ceiling))

    def say(self, kind: Kind, **fields: int) -> None:
        """One event more."""
        self.events.append({"kind": kind, **fields})
        if kind in (Kind.PRICED, Kind.GRAPH) and self.lower > self._told:
            self._told = self.lower
            self.events.append({"kind": Kind.BOUND, "lower_bound": self._told})
