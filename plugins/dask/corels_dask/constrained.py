"""Shards under constraints: rounds of searches, each at prices that all shards share.

A list that keeps to the constraints of all rows may break them on each shard. But at given
multipliers a constraint is a price of each row's outcome, and prices add up over shards as costs
do. So each round gives a lower bound, as a search of all rows at these prices would, and the next
multipliers are those of the hull. Lists are counted here, where all rows are. One shard alone is
searched under its own constraints. docs/internals/shards.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from corels_rule_list.fair.beam import Beam, counts_of
from corels_rule_list.fair.hull import Hull
from corels_rule_list.fair.prices import Listed, Multipliers, Prices
from corels_rule_list.fair.search import why_none

from corels import Problem, RuleList
from corels.clock import Clock
from corels.errors import InfeasibleError, OptionError
from corels.model import Certificate
from corels.problem.constraints import constraints_told
from corels.tables import Dataset
from corels_dask.cluster import Tell
from corels_dask.rounds import Round
from corels_dask.work import Found, Packed, Priced, Rules, Task, in_units

MOST_ROUNDS = 12
NEARLY = Fraction(99, 100)
SHARE = 0.5  # of the time that a shard has left, where the round before was stopped


class ConstrainedRounds(Round):
    """The shards' answers, at the prices with the greatest lower bound of all rounds."""

    def __init__(self, client: Any, task: Task, total: int, tell: Tell, problem: Problem) -> None:
        """problem: all rows, with their constraints."""
        super().__init__(client, task, total, tell)
        self._tell, self._whole, outcomes = tell, problem, task.stored.outcomes
        self._problem = in_units(problem, 1 if outcomes is None else outcomes.scale)
        self._prices = Prices(self._problem)
        # What is counted of two groups may cancel out in a point, and not in its parts.
        self._prices.steepest = [
            steepest * max(1, one.spread) // (len(one.rates) * one.scale)
            for steepest, one in zip(self._prices.steepest, problem.constraints, strict=True)
        ]
        self._hull = Hull(self._prices)
        self._tried: dict[Multipliers, tuple[Fraction, Task, list[Found]]] = {}
        self._best: Listed | None = None
        self._uncounted = False
        kept = {antecedent.name: at for at, antecedent in enumerate(problem.antecedents)}
        names = [antecedent.name for antecedent in task.stored.antecedents]
        equal = dict(problem.merged)
        self._index = [kept[equal.get(name, name)] for name in names]
        for outcome in range(len(problem.outcomes)):
            self._know(self._prices.listed((), (outcome,)))

    def search(self, packed: Sequence[Packed]) -> None:
        """Rounds until the bound rises no more, or the best list is certified."""
        if len(packed) == 1:
            super().search(packed)
            (one,) = self.found
            self._know(self._prices.listed(self._here(one.rules), one.said))
            return
        counts = counts_of(self._prices)
        beam = None if counts is None else Beam(self._prices, counts, self._task.max_rules)
        limit, spent, share = self._task.time_limit, 0.0, SHARE
        multipliers: Multipliers = (0,) * len(self._prices.low)
        while multipliers not in self._tried and len(self._tried) < MOST_ROUNDS:
            number, units = len(self._tried), (self._prices.q, self._prices.d)
            priced = Priced(number, multipliers, *units, self._problem.outcomes.scale)
            left = None if limit is None else share * (limit - spent)
            self._task = replace(self._task, priced=priced, time_limit=left)
            self._searched = f"shards searched, round {number + 1}"
            try:
                super().search(packed)
                self._learn(beam, multipliers)
            except KeyboardInterrupt:
                if not self._tried:
                    raise
                self.interrupted = True
                break
            spent += max(one.certificate.seconds for one in self.found)
            share = 1.0 if all(one.certificate.optimal for one in self.found) else SHARE
            best = self._problem.scaled(max(bound for bound, *_ in self._tried.values()))
            if self._best is None and best > self._prices.most:
                raise InfeasibleError(why_none(self._problem, self._task.max_rules))
            height, multipliers = self._hull.best()
            late = limit is not None and spent >= limit
            if late or height - float(best) < self._hull.close or best >= self._upper:
                break
        _, task, self.found = max(self._tried.values(), key=lambda one: one[0])
        self._task = replace(task, time_limit=limit)

    def _learn(self, beam: Beam | None, multipliers: Multipliers) -> None:
        """What a round proves, and the lists that it leads to."""
        lines = [one.line for one in self.found]
        paid, *sums = (sum(parts) for parts in zip(*lines, strict=True))
        rules = sum((self._share(one) * len(one.rules) for one in self.found), Fraction(0))
        cost = self._problem.unit * paid + self._problem.rule_cost * rules
        self._hull.add(Listed((), (), round(cost), sums))
        bound = self._sum(self._least()) - self._prices.allowed(multipliers)
        self._tried[multipliers] = bound, self._task, self.found
        named = dict.fromkeys(self._here(one.rules) for one in self.found)
        self.counted += len(named)
        for rules_of in named:
            for listed in self._prices.relabelled(rules_of) or self._cheapest(rules_of):
                self._hull.add(listed)
                self._know(listed)
        for found in () if beam is None else beam.search(multipliers, self._best):
            self._tell(f"lists tried after round {len(self._tried)}", 0, 0)
            for listed in found:
                self._know(listed)

    def closed(self) -> tuple[Fraction, Fraction]:
        """(objective, lower bound) of the best list, after both statements.

        Raises InfeasibleError where none is known.
        """
        if self._best is None:
            told = constraints_told(self._problem.constraints)
            raise InfeasibleError(
                f"no rule list that keeps to the constraints was found ({told}): take one shard, "
                "or `corels run`, to find out whether there is one"
            )
        if self._task.priced is None:
            return self._objective, self.found[0].certificate.lower_bound
        allowed = self._prices.allowed(self._task.priced.multipliers)
        least, self._uncounted = self._least(), False
        if not self.interrupted:
            raised = self._raised(self._objective + allowed - self._sum(least))
            least = least if self._uncounted else raised
        return self._objective, min(self._objective, self._sum(least) - allowed)

    def _within(self, needed: Fraction) -> Fraction:
        """Also where lists remain that cost more: constraints mostly leave a gap."""
        return min(needed, NEARLY * self._task.regularization)

    def searches(self) -> list[Certificate]:
        rounds = [found for *_, found in self._tried.values()] or [self.found]
        return [one.certificate for found in rounds for one in found]

    def told(self) -> dict[str, Any]:
        """For the certificate."""
        told = super().told()
        del told["proved"]
        return told | ({"rounds": len(self._tried)} if self._tried else {})

    def model(self, told: Dataset) -> RuleList:
        assert self._best is not None
        return RuleList.of(self._whole, self._best.antecedents, self._best.said)

    def constraints(self) -> tuple[Mapping[str, Any], ...]:
        assert self._best is not None
        return self._prices.reached(self._best)

    def _count(self, lists: Sequence[Rules], clock: Clock | None = None) -> bool:
        """Keep the best of all lists with these antecedents that keep to the constraints."""
        for done, rules in enumerate(lists):
            if clock is not None and clock.expired():
                return False
            self._tell("lists counted", done, len(lists))
            for found in self._cheapest(self._here(rules)):
                self._know(found)
            self.counted += 1
        return True

    def _cheapest(self, rules: Rules) -> list[Listed]:
        """The best list with these antecedents of the problem that keeps to the constraints."""
        try:
            found = self._prices.cheapest(rules)
        except OptionError:  # they can say too much to try it: it may be the best of all
            self._uncounted = True
            return []
        return [] if found is None else [found]

    def _know(self, found: Listed) -> None:
        """Keep a list if it keeps to the constraints and is the best so far."""
        if found.cost < self._upper and self._prices.keeps(found):
            self._best = found

    def _here(self, rules: Rules) -> Rules:
        """Antecedents of the data set as those of the problem, in which equal ones are one."""
        return tuple(self._index[rule] for rule in rules)

    @property
    def _objective(self) -> Fraction:
        return self._problem.objective(self._upper)

    @property
    def _upper(self) -> int:
        """What the best list costs; where none is known, more than any."""
        return self._prices.most + 1 if self._best is None else self._best.cost
