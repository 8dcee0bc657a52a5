"""Writes the proof of a search for rule sets: its duals, its rule sets, its bounds.

The bytes are in docs/reference/proof-format.md, what they show in docs/internals/proof-families.md.
All of it is known only in the end, so a process that is killed leaves a proof of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from corels.model import Stopped
from corels.problem.captures import unpack
from corels.proof import ProofFile
from corels.proof.records import FORMAT, VERSION, record
from corels.proofcheck.points import Points
from corels.proofcheck.rule_sets import FAMILY, reading
from corels.proofcheck.rule_sets.checking import closes, linear_bound
from corels.proofcheck.rule_sets.costs import costs_of
from corels.search import Sink
from corels_colgen.search import EXHAUSTED

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run import Result
    from corels_colgen.search import CoverSearch
    from corels_colgen.searches import RuleSetSearch

STATED = ("form", "complexity", "max_conditions")
PRICES = ("positive_weight", "penalty_clause", "penalty_condition")


def header_of(problem: Problem, options: Mapping[str, Any]) -> dict[str, Any]:
    """The problem as the proof states it, JSON-ready."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "family": FAMILY,
        "name": problem.name,
        "label": problem.label_name,
        "classes": list(problem.classes),
        **{name: options[name] for name in STATED},
        **{name: str(options[name]) for name in PRICES},
        "total": problem.total,
        "data_hash": problem.data_hash,
        "antecedents": [antecedent.to_json() for antecedent in problem.antecedents],
    }


class RuleSetProofSink(Sink):
    """The proof of one search in the file `path`; gzip where the name ends in `.gz`.

    Raises OutputError where the file cannot be written.
    """

    name = "proof"

    def __init__(
        self, path: str, problem: Problem, options: Mapping[str, Any], search: RuleSetSearch
    ) -> None:
        self._problem, self._search = problem, search
        self._header = header_of(problem, options)
        self._file = ProofFile(path)
        self._file.begin(self._header)

    def finish(self, result: Result) -> None:
        """Everything; a search that failed concludes nothing."""
        if result.certificate.stopped not in (Stopped.FAILED, Stopped.OUT_OF_MEMORY):
            captures = unpack(self._problem.masks, self._problem.n_points)
            points = Points(captures, self._problem.weights)
            for target, search in self._search.concluded().items():
                self._file.write(self._records(target, search, points))
            self._file.write(record("e"))
        self._file.close()

    def close(self) -> None:
        """Of a search that failed the file holds the problem only."""
        self._file.close()

    def _records(self, target: int, search: CoverSearch, points: Points) -> bytes:
        clauses = search.incumbent.clauses
        sizes = [number for clause in clauses for number in (len(clause), *clause)]
        written = record("s", target, len(clauses), *sizes)
        proved, claimed = 0, min(search.lower_bound, search.incumbent.cost)
        if search.evidence is not None and claimed > 0:
            duals, short = search.evidence
            mu = tuple(duals.mu.tolist())
            found = reading.Duals(duals.scale, duals.budget_price, short, mu)
            written += record("d", target, *(found.scale, found.price, short, len(mu)), *mu)
            costs = costs_of(self._header, points, target)
            proved = min(claimed, linear_bound(costs, found))
            if proved < claimed and closes(costs, found, claimed):
                proved = claimed
        word = int(search.bound_from == EXHAUSTED)
        return written + record("u", target, proved, claimed, word)
