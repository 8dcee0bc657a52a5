"""The options of the solvers `falling` and `softly-falling`, as declared data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import OptionError
from corels.options import Option, refuse_both, unknown

# Bounds of the search in the order of the native bits (1, 2, 4, ...).
BOUNDS = ("prefix", "classes", "lagrangian", "swap", "dominance")

COMMON = (
    Option.fraction(
        "positive_weight",
        "weight w of a positive row: a rule predicts positive if its share of positives is above "
        "1/(1+w)",
        1,
    ),
    Option.fraction(
        "rule_cost",
        "C: the price of a rule: a share of the rows, or a mean cost if classes have costs",
        "1e-6",
        low=0,
    ),
)
VIOLATION = Option.fraction(
    "violation_cost", "C1: the price of a rise of 1 in proportion", "0.5", low=0
)
SEARCH = (
    Option.number(
        "min_class_support",
        "leave out antecedents that hold for less of the positives and less of the negatives",
        0.0,
        low=0,
        high=1,
    ),
    Option.whole("max_rules", "the most rules in a list", low=0),
    Option.names("bound", "use only these bounds of the search"),
    Option.names("no_bound", "bounds of the search to leave out; `all` leaves out all"),
)


def bounds_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The bounds that the options leave. Raises OptionError on an unknown name."""
    for name in (*options["bound"], *options["no_bound"]):
        if name not in BOUNDS and not (name == "all" and name in options["no_bound"]):
            raise OptionError(unknown("bound", name, BOUNDS))
    refuse_both(options["bound"], options["no_bound"])
    wanted = set(options["bound"]) or set(BOUNDS)
    if "all" in options["no_bound"]:
        wanted = set(options["bound"])
    return tuple(name for name in BOUNDS if name in wanted - set(options["no_bound"]))
