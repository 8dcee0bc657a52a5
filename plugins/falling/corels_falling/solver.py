"""The solvers `falling` and `softly-falling`, as the core finds them.

Every start of `corels` imports this module for its options, so what searches is imported by the
methods that need it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from corels.options import Option
from corels.search import Search, Solver
from corels_falling import options as tables

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels_falling.model import FallingRuleList


class FallingSolver(Solver):
    """Falling rule lists: minimise L(d) over lists whose proportions never rise, and prove it."""

    name = "falling"
    summary = "falling rule lists, certified: probabilities that only decrease down the list"
    soft: ClassVar[bool] = False
    options: ClassVar[tuple[Option, ...]] = (*tables.COMMON, *tables.SEARCH)
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
    options: ClassVar[tuple[Option, ...]] = (*tables.COMMON, tables.VIOLATION, *tables.SEARCH)
    imported: ClassVar[Mapping[str, str]] = {
        **FallingSolver.imported,
        "estimator": "corels_falling.estimator:SoftlyFallingRuleListClassifier",
    }
