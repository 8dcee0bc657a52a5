"""The solver `rule-set`, as the core finds it.

Every start of `corels` imports this module for its options, so what searches is imported by the
methods that need it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from corels.search import Search, Solver
from corels_colgen.options import OPTIONS, PATH_OPTIONS

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels_colgen.searches import Known


class RuleSetSolver(Solver):
    """Boolean rule sets: minimise Hamming loss under a budget or penalties, with a proven gap."""

    name = "rule-set"
    summary = "Boolean rule sets (DNF, CNF) by column generation, with a proven gap"
    options = OPTIONS
    regularized = False
    constrained = True
    knows_costs = ("mistakes", "rows")
    directed = "conditions"
    path_options = PATH_OPTIONS
    imported: ClassVar[Mapping[str, str]] = {
        "proof": "corels_colgen.proof:RuleSetProofs",
        "model_type": "corels_colgen.ruleset:RuleSet",
        "estimator": "corels_colgen.estimator:RuleSetClassifier",
        "recount": "corels_colgen.proofcheck.recount:recounted",
        "path": "corels_colgen.path:solver_path",
    }

    known: Known | None = None
    """What searches before it, with wider constraints, have found out."""

    def sharing(self) -> RuleSetSolver:
        from corels_colgen.searches import Known

        found = RuleSetSolver()
        found.known = Known()
        return found

    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """One search for the positive class, or one for each of several classes."""
        from corels_colgen.searches import RuleSetSearch

        return RuleSetSearch(problem, options, known=self.known)
