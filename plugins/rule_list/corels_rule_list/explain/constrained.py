"""The story of a search under constraints: prices, what each search at them gave, and the graphs.

What the searches at prices do inside is not told: `corels run` without constraints tells that.
"""

from __future__ import annotations

from collections.abc import Sequence

from corels.problem import Problem
from corels.search import Kind
from corels_rule_list.explain.telling import Event, Price, count

MILLION = 10**6


class OfConstraints:
    """Tells the events of one search."""

    def __init__(self, problem: Problem, price: Price, names: Sequence[str]) -> None:
        self._problem, self._price, self._names = problem, price, names
        self._prices: list[int] = []
        self._told = 0  # the last search

    def tell(self, event: Event) -> str:
        """Sentences, with a line's end each; "" for what is not told."""
        kind = Kind(event.kind)
        if kind is Kind.START:
            return self._started(event)
        if kind is Kind.PRICE:
            return self._asked(event)
        last = ""
        if kind is Kind.INCUMBENT and event.length:
            last = f", the last one with [{self._names[event.antecedent]}]"
        return _SAID.get(kind, "").format(
            lower_bound=self._price.decimal(event.lower_bound),
            objective=self._price.decimal(event.objective),
            ended="It has ended" if event.length else "It is left for other prices, or by a limit",
            evaluations=count(event.count, "evaluation", "evaluations"),
            sets=count(event.node, "set", "sets"),
            labels=count(event.count, "label was", "labels were"),
            rules=count(event.length, "rule", "rules") + last,
        )

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

    def _asked(self, event: Event) -> str:
        """One event for each constraint; the search is named with the last one."""
        self._prices.append(event.count)
        if len(self._prices) < len(self._problem.constraints):
            return ""
        prices, self._prices = self._prices, []
        last, self._told = self._told, event.node
        if last == event.node:
            return f"\nSearch {event.node} goes on.\n"
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


_SAID = {
    Kind.INCUMBENT: "  * A better list that keeps to it: {rules}\n    objective {objective}.\n",
    Kind.PRICED: "  {ended}, after {evaluations}: every list that keeps to what is demanded costs "
    "at least {lower_bound}.\n",
    Kind.GRAPH: "\nAll lists within a part of the gap: a graph of {sets}, in which {labels} taken "
    "up. What is not known yet costs at least {lower_bound}; the best known list costs "
    "{objective}.\n",
    Kind.DONE: "\nThe gap is closed: the best list is optimal, objective {objective}.\n",
}
