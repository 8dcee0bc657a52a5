"""What proves the bound of a search under constraints: the proof of one of its searches at prices.

Each of these tells what it proves, one after another, and the one whose bound is the greatest is
kept. The file is a proof of the problem without constraints that the multipliers make, whose header
also has the constraints and the multipliers. docs/internals/constraints.md.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from corels.problem import Problem
from corels.proof.format import ProofFormat
from corels.proof.records import claim, header_line, list_record
from corels.search import ProofLog, Search
from corels_rule_list.fair.prices import Multipliers, Prices
from corels_rule_list.model import RuleList
from corels_rule_list.proof.format import conclusion, end


class AtPrices(NamedTuple):
    """A search for the best list of the problem that prices make."""

    prices: Multipliers
    problem: Problem
    search: Search


class PricedProof(ProofLog):
    """One search after another calls `begin`, and `end` before it is closed.

    size: of the records that are kept, in bytes.
    """

    def __init__(self, prices: Prices) -> None:
        self._of, self._told, self.size = prices, list[bytes](), 0
        self._prices: Multipliers = (0,) * len(prices.low)
        free = prices.free(self._prices)
        self._bound = free.objective(free.base)
        self._records = list_record(free, RuleList.of(free, free.first)) + claim((), 0) + end(0)

    def begin(self, search: Search) -> None:
        """The next search, before its first step. Raises OptionError if it can write no
        proof."""
        search.start_log(self)
        self._told = []

    def proved(self, records: bytes) -> None:
        self._told.append(records)
        self.size += len(records)

    def found(self, record: bytes) -> None:
        self.proved(record)

    def end(self, prices: Multipliers, problem: Problem, search: Search) -> None:
        """The search stops here, whether it is done or not."""
        cost = max(search.progress().lower_bound, problem.base)
        bound = problem.objective(cost) - self._of.allowed(prices)
        if bound > self._bound:
            self.found(list_record(problem, search.model()))
            self.proved(conclusion(problem, search, cost))
            self._prices, self._bound, self._records = prices, bound, b"".join(self._told)
        self._told, self.size = [], len(self._records)

    def content(self, own: ProofFormat, search: Search) -> bytes:
        """The file, once all have ended. search: of the problem with constraints."""
        problem = self._of.problem
        found = search.model()
        assert isinstance(found, RuleList)
        rules = [problem.numbers[rule.antecedent] for rule in found.rules if rule.antecedent]
        least = max(math.ceil(problem.scaled(self._bound)), search.progress().lower_bound)
        free = self._of.free(self._prices)
        header = own.header(problem, search) | {
            **own.states(free, search),
            "scale": free.outcomes.to_document()["scale"],
            "multipliers": [str(one) for one in self._of.multipliers(self._prices)],
            "claim": str(problem.objective(least)),
            "model": {"rules": rules, "says": [one.outcome for one in found.deciders()]},
        }
        return header_line(header) + self._records
