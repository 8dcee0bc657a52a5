"""The solver `rule-set`, as the core finds it.

Every start of `corels` imports this module for its options, so what searches is imported by the
methods that need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from corels.installed import need
from corels.search import Search, Solver
from corels_colgen.options import OPTIONS, PATH_OPTIONS

if TYPE_CHECKING:
    from corels.model.recount import Counts, Finding
    from corels.problem import Problem
    from corels.proof.format import ProofFormat
    from corels.tables import Dataset
    from corels_colgen.estimator import RuleSetClassifier
    from corels_colgen.path import RuleSetPath
    from corels_colgen.ruleset import RuleSet


class RuleSetSolver(Solver):
    """Boolean rule sets: minimise Hamming loss under a budget or penalties, with a proven gap."""

    name = "rule-set"
    summary = "Boolean rule sets (DNF, CNF) by column generation, with a proven gap"
    options = OPTIONS
    regularized = False
    knows_costs = ("mistakes", "rows")
    path_options = PATH_OPTIONS
    needs: ClassVar[Mapping[str, str]] = {"highspy": "rule-set"}

    @property
    def proof(self) -> ProofFormat:
        from corels_colgen.proof import RuleSetProofs

        return RuleSetProofs()

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

        need("highspy", "the solver 'rule-set' needs HiGHS", "rule-set")
        return RuleSetSearch(problem, options)

    def path(
        self,
        problem: Problem,
        data: Dataset,
        settings: Mapping[str, Any],
        *,
        report: Callable[[str], None] | None = None,
        sinks: Sequence[Any] = (),
    ) -> RuleSetPath:
        """The best rule set for each budget, and its accuracy on held-out folds."""
        from corels_colgen.path import solver_path

        need("highspy", "the solver 'rule-set' needs HiGHS", "rule-set")
        return solver_path(problem, data, settings, report)

    def model_type(self) -> type[RuleSet]:
        from corels_colgen.ruleset import RuleSet

        return RuleSet

    def estimator(self) -> type[RuleSetClassifier]:
        from corels_colgen.estimator import RuleSetClassifier

        return RuleSetClassifier

    def recount(self, document: Mapping[str, Any], counts: Counts) -> Iterable[Finding]:
        from corels_colgen.checker import recounted

        return recounted(document, counts)
