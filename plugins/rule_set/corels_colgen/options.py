"""The options of the solver `rule-set`, as declared data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.options import Option
from corels.tables.options import DEMAND_OPTIONS

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
