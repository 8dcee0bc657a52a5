"""Learners that keep rates of groups equal: our lists, and Fairlearn's reductions over a tree.

What is to be kept equal, and how nearly, is the setting `fair`, a text as `corels run --fair` takes
it. The groups are no feature of any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem.constraints import ALSO, NOTIONS, notions_of
from corels_workbench.baselines import COLUMNS, Learner
from corels_workbench.ours import limit_of

LEAVES = 16  # of a tree that Fairlearn is given
GRID = 25  # multipliers that GridSearch tries


def fair() -> dict[str, Learner]:
    """Name -> learner."""
    needs = "sklearn", "fairlearn"
    common: dict[str, Any] = {"needs": needs, "grouped": True, "extra": "fairness"}
    return {
        "fair rule list": Learner(
            _list,
            lambda m: len(m.rule_list_),
            takes=COLUMNS,
            grouped=True,
            priced="sample_cost",
            searches=lambda settings: 1,
        ),
        "exponentiated gradient": Learner(Gradient, lambda m: m.splits(), **common),
        "grid search": Learner(Grid, lambda m: m.splits(), **common),
    }


def disparity(
    notion: str,
    truth: NDArray[np.bool_],
    said: NDArray[np.bool_],
    groups: NDArray[Any],
    right: NDArray[np.bool_] | None = None,
) -> float | None:
    """The greatest difference between groups of a rate that a notion keeps equal; None where a
    rate is a share of nothing. truth, said: bool[N], whether a row is, and is called, positive.
    right: what is told rightly, where not every row is called anything."""
    everybody = np.ones(len(truth), dtype=np.bool_)
    rows = {"all": everybody, "positives": truth, "negatives": ~truth}
    counted = {"positive": said, "right": said == truth if right is None else right}
    found = []
    for which, what in NOTIONS[notion]:
        members = [rows[which] & (groups == group) for group in np.unique(groups)]
        if not all(inside.any() for inside in members):
            return None
        rates = [float(counted[what][inside].mean()) for inside in members]
        found.append(max(rates) - min(rates))
    return max(found)


def _list(settings: Mapping[str, Any]) -> Any:
    from corels import RuleListClassifier

    return RuleListClassifier(
        settings["low"],
        constraints=[settings["fair"]] if settings["fair"] else (),
        time_limit=limit_of(settings),
        max_rules=settings["max_rules"],
        **settings["antecedents"],
    )


class Gradient:
    """Fairlearn's ExponentiatedGradient: a tree is drawn at random for each prediction."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        ((self._notion, self._most),) = notions_of(settings["fair"])
        self._seed = settings["seed"]

    def fit(self, table: Any, labels: Any, *, sensitive_features: Any) -> Gradient:
        self._classes, codes = np.unique(labels, return_inverse=True)
        self._learn(np.asarray(table), codes, sensitive_features)
        return self

    def predict(self, table: Any) -> Any:
        return self._classes[np.asarray(self._said(np.asarray(table)), dtype=int)]

    def splits(self) -> int:
        """Of all trees that may be drawn."""
        return sum(tree.get_n_leaves() - 1 for tree in self._trees() if _is_tree(tree))

    def _tree(self) -> Any:
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=self._seed)

    def _constraint(self) -> Any:
        from fairlearn import reductions

        names = [name for name, notion in ALSO.items() if notion == self._notion]
        (name,) = (name for name in names if hasattr(reductions, name))
        return getattr(reductions, name)(difference_bound=float(self._most))

    def _learn(self, table: Any, codes: Any, groups: Any) -> None:
        from fairlearn.reductions import ExponentiatedGradient

        most = float(self._most)
        self._model = ExponentiatedGradient(self._tree(), self._constraint(), eps=most)
        self._model.fit(table, codes, sensitive_features=groups)

    def _said(self, table: Any) -> Any:
        return self._model.predict(table, random_state=self._seed)

    def _trees(self) -> list[Any]:
        weights = self._model.weights_
        return [tree for n, tree in enumerate(self._model.predictors_) if weights[n] > 0]


def _is_tree(found: Any) -> bool:
    """Fairlearn puts a constant classifier where the weights leave one class only."""
    return hasattr(found, "get_n_leaves")


class Grid(Gradient):
    """Fairlearn's GridSearch: of its trees the most accurate one that keeps to the bound on the
    training rows, or, if none does, the one with the least difference there."""

    def _learn(self, table: Any, codes: Any, groups: Any) -> None:
        from fairlearn.reductions import GridSearch

        search = GridSearch(self._tree(), self._constraint(), grid_size=GRID)
        search.fit(table, codes, sensitive_features=groups)

        def rank(tree: Any) -> tuple[float, float]:
            said = np.asarray(tree.predict(table))
            far = disparity(self._notion, codes == 1, said == 1, np.asarray(groups)) or 0.0
            return max(far, float(self._most)), -float((said == codes).mean())

        trees = [tree for tree in search.predictors_ if _is_tree(tree)]
        self._best = min(trees or search.predictors_, key=rank)

    def _said(self, table: Any) -> Any:
        return self._best.predict(table)

    def _trees(self) -> list[Any]:
        return [self._best]
