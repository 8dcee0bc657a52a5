"""The proof format of rule sets, as the core asks for it: duals, rule sets, bounds.

The bytes are in docs/reference/proof-format-families.md, what they show in
docs/internals/proof-families.md. All of it is known only in the end, so a process that is killed
leaves a proof of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from corels.check.opening import Opened
from corels.check.points import Points, Table
from corels.check.verdict import Verdict, Watch
from corels.model import Stopped
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.proof.format import ProofFormat
from corels.proof.records import record
from corels.run.result import Result
from corels.search import Search
from corels_colgen.duals import Duals as Found
from corels_colgen.proofcheck.checking import PRICES, closes, linear_bound
from corels_colgen.proofcheck.costs import Costs, costs_of
from corels_colgen.proofcheck.reading import FAMILY, Duals, read_rule_sets
from corels_colgen.search import CoverSearch

STATED = ("form", "loss", "complexity", "max_conditions")


class RuleSetProofs(ProofFormat):
    """For each class that gets a set: the set, duals, and two bounds."""

    family = FAMILY

    def states(self, problem: Problem, search: Search) -> Mapping[str, Any]:
        options = search.options  # type: ignore[attr-defined]
        return {
            **{name: options[name] for name in STATED},
            **{name: str(options[name]) for name in PRICES},
            "total": problem.total,
        }

    def records(self, problem: Problem, search: Search, result: Result) -> bytes:
        """Everything; a search that failed concludes nothing."""
        if result.certificate.stopped in (Stopped.FAILED, Stopped.OUT_OF_MEMORY):
            return b""
        points = Points(unpack(problem.masks, problem.n_points), problem.weights)
        header = self.header(problem, search)
        searches: Mapping[int, CoverSearch] = search.searches  # type: ignore[attr-defined]
        amounts = None if problem.costs is None else problem.costs.amounts
        kept = [(one.values, one.low, one.high) for one in problem.constraints]
        classes = [
            _class(costs_of(header, points, target, amounts, kept), target, own)
            for target, own in searches.items()
        ]
        return b"".join([*classes, record("e")])

    def check(
        self, proof: Opened, table: Table, checker: str | None, threads: int, watch: Watch
    ) -> Verdict:
        from corels_colgen.proofcheck.checking import check_rule_sets

        return check_rule_sets(read_rule_sets(*proof), table, watch)


def _class(costs: Costs, target: int, search: CoverSearch) -> bytes:
    """The records of one class that gets a set."""
    clauses = search.incumbent.clauses
    sizes = [number for clause in clauses for number in (len(clause), *clause)]
    written = record("s", target, len(clauses), *sizes)
    proved, claimed = 0, min(search.lower_bound, search.incumbent.cost)
    if search.evidence is not None and claimed > 0:
        found = _stated(*search.evidence)
        proved = min(claimed, linear_bound(costs, found))
        if proved < claimed:
            # Those of the search's own enumeration; the others may show more by themselves.
            complete = found if search.duals is None else _stated(search.duals, 0)
            with suppress(KeyboardInterrupt):  # the rest of the proof is worth having
                if closes(costs, complete, claimed):
                    found, proved = complete, claimed
        written += _duals(target, found)
    return written + record("u", target, proved, claimed)


def _stated(duals: Found, short: int) -> Duals:
    """As the proof has them. short: by how much reduced costs may be below 0."""
    mu = tuple(duals.mu.tolist())
    return Duals(duals.scale, duals.budget_price, short, mu, *duals.prices)


def _duals(target: int, found: Duals) -> bytes:
    """The records of duals, and of their prices if there are any."""
    written = b""
    if any(found.prices):
        pairs = [number for p in found.prices for number in (int(p < 0), abs(p))]
        written += record("p", target, found.parts, len(found.prices), *pairs)
    head = found.scale, found.price, found.short, len(found.mu)
    return written + record("d", target, *head, *found.mu)
