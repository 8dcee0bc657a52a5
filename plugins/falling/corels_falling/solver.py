"""The solvers `falling` and `softly-falling`, as the core finds them.

Every start of `corels` imports this module for its options, so what searches is imported by the
methods that need it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from corels.errors import OptionError
from corels.options import Option, refuse_both, unknown
from corels.search import Search, Solver

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels_falling.model import FallingRuleList


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


class FallingSolver(Solver):
    """Falling rule lists: minimise L(d) over lists whose proportions never rise, and prove it."""

    name = "falling"
    summary = "falling rule lists, certified: probabilities that only decrease down the list"
    soft: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = (*COMMON, *SEARCH)
    regularized = False
    imported: ClassVar[Mapping[str, str]] = {
        "proof": "corels_falling.proof:FallingProofs",
        "model_type": "corels_falling.model:FallingRuleList",
        "estimator": "corels_falling.estimator:FallingRuleListClassifier",
        "recount": "corels_falling.proofcheck.recount:recounted",
    }
    knows_costs = ("mistakes",)
    directed = "conditions"

    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """A search over the antecedents that are frequent in a class."""
        from corels_falling.search import begin

        return begin(problem, options, soft=self.soft, memory_limit=memory_limit)

    def load(self, document: Mapping[str, Any]) -> FallingRuleList:
        from corels.model.schema import SchemaError

        model: FallingRuleList = self._imported("model_type").from_document(document)
        if model.soft != self.soft:
            raise SchemaError(f"the document is not a model of solver {self.name!r}")
        return model


class SoftlyFallingSolver(FallingSolver):
    """Softly falling rule lists: a rise of a proportion has a price, C1."""

    name = "softly-falling"
    summary = "softly falling rule lists, certified: a rise in proportion has a price"
    soft = True
    options: ClassVar[tuple[Option, ...]] = (*COMMON, VIOLATION, *SEARCH)
    imported: ClassVar[Mapping[str, str]] = {
        **FallingSolver.imported,
        "estimator": "corels_falling.estimator:SoftlyFallingRuleListClassifier",
    }
