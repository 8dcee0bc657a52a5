"""The solver `rule-set`, as the core finds it.

Every start of `corels` imports this module for its options, so what searches is imported by the
methods that need it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from corels.options import Option
from corels.search import Search, Solver
from corels.tables.options import DEMAND_OPTIONS

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels_colgen.searches import Known


FORMS = ("dnf", "cnf")
DEFAULT_BUDGET = 15
PRICES = ("positive_weight", "penalty_clause", "penalty_condition")

OPTIONS = (
    Option.text("form", "or of ands (dnf), or and of ors (cnf)", "dnf", choices=FORMS),
    Option.text(
        "loss",
        "what counts of a wrongly caught row: each clause that catches it (hamming), or the row "
        "once (errors)",
        "hamming",
        choices=("hamming", "errors"),
    ),
    Option.whole(
        "complexity",
        "budget: 1 a clause and 1 a condition, for each class that gets a set "
        f"(without a budget and a penalty: {DEFAULT_BUDGET})",
        low=2,
        high=10_000,
    ),
    Option.whole("max_conditions", "most conditions of a clause", low=1),
    Option.fraction(
        "penalty_clause",
        "cost of a clause: a share of the rows, or a mean cost if classes have costs",
        0,
        low=0,
        high=1_000_000,
    ),
    Option.fraction(
        "penalty_condition", "cost of a condition, in the same unit", 0, low=0, high=1_000_000
    ),
    Option.fraction(
        "positive_weight",
        "cost of a missed positive row, if a false one costs 1",
        1,
        low=0,
        high=1_000_000,
    ),
    Option.whole(
        "pricing_limit",
        "the most clauses that one pricing search expands; with fewer, it proves less",
        low=1,
    ),
    Option.text(
        "pricing",
        "sampled: a heuristic on samples before the exact search (auto: on large data)",
        "auto",
        choices=("auto", "exact", "sampled"),
    ),
    Option.whole("seed", "seed of everything random", 0, low=0, high=2**63 - 1),
)

BUDGETS = "3,5,8,11,15,20,25,32"
PATH_OPTIONS = (
    Option.text(
        "over",
        "what changes along the path: complexity (the budget), or parity, how much groups may "
        "differ (down to --constraint, at one --complexity; --time-limit is for all searches)",
        "complexity",
        choices=("complexity", "parity"),
    ),
    Option.text("budgets", "budgets of complexity, with commas", BUDGETS),
    Option.whole("folds", "held-out folds for the accuracy; 0 for none", 0, low=0, high=1000),
    *DEMAND_OPTIONS,
)


def limits_of(options: Mapping[str, Any]) -> dict[str, int]:
    """The limits that hold, for the certificate: also the budget that holds if nothing else
    limits rule sets. Options are those of `OPTIONS`, checked."""
    budget = options["complexity"]
    if budget is None and not (options["penalty_clause"] or options["penalty_condition"]):
        budget = DEFAULT_BUDGET
    found = {"max_complexity": budget, "max_conditions_a_clause": options["max_conditions"]}
    return {name: int(limit) for name, limit in found.items() if limit is not None}


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
