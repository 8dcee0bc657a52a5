"""The options of the solvers `falling` and `softly-falling`, as declared data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import OptionError
from corels.options import Option, unknown

METHODS = ("exact", "monte-carlo")

# Bounds of the exact search in the order of the native bits (1, 2, 4, ...).
BOUNDS = ("prefix", "classes", "lagrangian", "top", "swap", "dominance", "strip")

ITERATIONS = {"falling": 3000, "softly-falling": 6000}  # the authors' defaults

COMMON = (
    Option(
        "backend",
        "text",
        None,
        "the engine: c (fast), or python (slow, its code is easy to read)",
        choices=("c", "python"),
        optional=True,
    ),
    Option(
        "method",
        "text",
        "exact",
        "exact: proves the optimum; monte-carlo: random search",
        choices=METHODS,
    ),
    Option(
        "positive_weight",
        "fraction",
        1,
        "weight w of a positive row: a rule predicts positive if its share of positives is above "
        "1/(1+w)",
    ),
    Option("rule_cost", "fraction", "1e-6", "C: the price of a rule as a share of the rows", low=0),
)
VIOLATION = Option(
    "violation_cost", "fraction", "0.5", "C1: the price of a rise of 1 in proportion", low=0
)
SEARCH = (
    Option(
        "min_class_support",
        "float",
        0.0,
        "leave out antecedents that hold for less of the positives and less of the negatives",
        low=0,
        high=1,
    ),
    Option("max_rules", "int", None, "the most rules in a list", low=0, optional=True),
    Option("bound", "names", (), "use only these bounds of the exact search"),
    Option(
        "no_bound", "names", (), "bounds of the exact search to leave out; `all` leaves out all"
    ),
    Option("iterations", "int", None, "Monte Carlo: number of lists to draw", low=1, optional=True),
    Option("seed", "int", 0, "seed of everything random", low=0, high=2**63 - 1),
    Option(
        "stop_probability",
        "float",
        0.01,
        "Monte Carlo: probability of ending a list",
        low=0,
        high=1,
    ),
    Option("theta", "float", 0.8, "Monte Carlo: weight of a rule's proportion", low=0, high=1),
)


def bounds_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The bounds that the options leave. Raises OptionError on an unknown name."""
    for name in (*options["bound"], *options["no_bound"]):
        if name not in BOUNDS and not (name == "all" and name in options["no_bound"]):
            raise OptionError(unknown("bound", name, BOUNDS))
    wanted = set(options["bound"]) or set(BOUNDS)
    if "all" in options["no_bound"]:
        wanted = set(options["bound"])
    return tuple(name for name in BOUNDS if name in wanted - set(options["no_bound"]))
