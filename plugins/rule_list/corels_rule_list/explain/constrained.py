"""The story of a search under constraints: prices, what each search at them gave, and the graphs.

What the searches at prices do inside is not told: `corels run` without constraints tells that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corels.search import Kind
from corels_rule_list.explain.telling import Event, Price, count

if TYPE_CHECKING:
    from corels.problem import Problem

MILLION = 10**6


class OfConstraints:
    """Tells the events of one search."""

    def __init__(self, problem: Problem, price: Price, names: Sequence[str]) -> None:
        self._problem, self._price, self._names = problem, price, names
        self._prices: list[int] = []
        self._told = {
            Kind.START: self._started,
            Kind.INCUMBENT: self._better,
            Kind.PRICE: self._asked,
            Kind.PRICED: self._gave,
            Kind.GRAPH: self._looked_through,
            Kind.DONE: self._done,
        }

    def tell(self, event: Event) -> str:
        """Sentences, with a line's end each; "" for what is not told."""
        kind = Kind(event.kind)
        return self._told[kind](event) if kind in self._told else ""

    def _started(self, event: Event) -> str:
        demanded = "".join(
            f"  {one.rate}{self._between(number)}: {float(one.least):g} to {float(one.most):g}\n"
            for number, one in enumerate(self._problem.constraints)
        )
        return (
            f"{self._problem.total} rows, {event.count} antecedents, lambda = "
            f"{float(self._problem.regularization):g}. What is demanded:\n{demanded}"
            "A list that keeps to this costs no more with a price on what is demanded than without "
            "(docs/internals/constraints.md), so the least cost of all lists at such prices is a "
            "lower bound.\n"
        )

    def _between(self, number: int) -> str:
        groups = [rate.group for rate in self._problem.constraints[number].rates if rate.group]
        return f" of {' less '.join(groups)}" if groups else ""

    def _better(self, event: Event) -> str:
        last = f", the last one with [{self._names[event.antecedent]}]" if event.length else ""
        return (
            f"  * A better list that keeps to it: {count(event.length, 'rule', 'rules')}{last}\n"
            f"    objective {self._price.decimal(event.objective)}.\n"
        )

    def _asked(self, event: Event) -> str:
        """One event for each constraint; the search is named with the last one."""
        self._prices.append(event.count)
        if len(self._prices) < len(self._problem.constraints):
            return ""
        prices, self._prices = self._prices, []
        if not any(prices):
            return f"\nSearch {event.node}, of all lists without prices.\n"
        shown = "".join(
            f"  {price / MILLION:+.6f} for a {one.rate}{self._between(number)} of 1\n"
            for number, (price, one) in enumerate(
                zip(prices, self._problem.constraints, strict=True)
            )
            if price
        )
        return f"\nSearch {event.node}, at prices:\n{shown}"

    def _gave(self, event: Event) -> str:
        ended = "It has ended" if event.length else "It is left for other prices, or by a limit"
        return (
            f"  {ended}, after {count(event.count, 'evaluation', 'evaluations')}: every list that "
            f"keeps to what is demanded costs at least {self._price.decimal(event.lower_bound)}.\n"
        )

    def _looked_through(self, event: Event) -> str:
        return (
            f"\nAll lists within a part of the gap: a graph of {count(event.node, 'set', 'sets')}, "
            f"in which {count(event.count, 'label was', 'labels were')} taken up. What is not "
            f"known yet costs at least {self._price.decimal(event.lower_bound)}; the best known "
            f"list costs {self._price.decimal(event.objective)}.\n"
        )

    def _done(self, event: Event) -> str:
        cost = self._price.decimal(event.objective)
        return f"\nThe gap is closed: the best list is optimal, objective {cost}.\n"
