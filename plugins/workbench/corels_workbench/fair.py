"""Learners that keep to constraints: our lists and rule sets, and Fairlearn's reductions over a
tree, which keep the rates of groups equal.

What is to be kept is the setting `constraints`, texts as `corels run --constraint` takes them. The
groups are no feature of any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.plugins import registry
from corels.problem.rates import ALSO, NOTIONS, RATES, Demand, demands_of
from corels_workbench.baselines import COLUMNS, Learner
from corels_workbench.ours import limit_of

LEAVES = 16  # of a tree that Fairlearn is given
GRID = 25  # multipliers that GridSearch tries


def fair() -> dict[str, Learner]:
    """Name -> learner."""
    own: dict[str, Any] = {"takes": COLUMNS, "priced": "sample_cost", "keeps": bool}
    own |= {"grouped": True, "searches": lambda settings: 1}
    theirs: dict[str, Any] = {"needs": ("sklearn", "fairlearn"), "extra": "fairness"}
    theirs |= {"grouped": True, "keeps": lambda asked: fairlearns(demands_of(asked)) is not None}
    return {
        "constrained rule list": Learner(_list, lambda m: len(m.rule_list_), **own),
        "constrained rule set": Learner(_set, lambda m: m.rule_set_.complexity, **own),
        "exponentiated gradient": Learner(Gradient, Gradient.splits, **theirs),
        "grid search": Learner(Grid, Grid.splits, **theirs),
    }


def fairlearns(asked: Sequence[Demand]) -> tuple[str, float] | None:
    """The name of Fairlearn's reduction and its bound, if what is demanded is one of these."""
    if len(asked) != 1 or asked[0].how != "within":
        return None
    for name, notion in ALSO.items():
        if name[0].isupper() and NOTIONS[notion] == asked[0].rates:
            return name, float(asked[0].bound)
    return None


class Answers(NamedTuple):
    """Of rows, each bool[N]: whether a row is of the last class, the positive one of two, is called
    so, is called rightly, and gets a class at all, or another model's answer. paid: the mean cost,
    and the share of rows that are decided, if outcomes have costs."""

    truth: NDArray[np.bool_]
    said: NDArray[np.bool_]
    right: NDArray[np.bool_]
    decided: NDArray[np.bool_]
    paid: Mapping[str, float] = {}


def rate_of(rate: str, answers: Answers, among: NDArray[np.bool_]) -> float | None:
    """A rate of some rows; None if it is a share of nothing. among: bool[N]."""
    truth, said, right, decided, _ = answers
    if rate == "balanced-accuracy":
        shares = [right[rows] for rows in (among & truth, among & ~truth)]
        return float(np.mean([s.mean() for s in shares])) if all(map(len, shares)) else None
    counted = {"called": said, "denied": decided & ~said, "right": right, "decided": decided}
    counted["row"] = np.ones_like(truth)
    rows = {"all": among, "positives": among & truth, "negatives": among & ~truth}
    above, below = (
        sum(times * int((counted[what] & rows[which]).sum()) for times, what, which in terms)
        for terms in RATES[rate]
    )
    return above / below if below else None


def disparity(asked: Sequence[Demand], answers: Answers, groups: NDArray[Any]) -> float | None:
    """The greatest difference between groups of a rate that is to differ little; None if a rate
    is a share of nothing. groups: of the N rows."""
    found = []
    for rate in dict.fromkeys(r for one in asked if one.how == "within" for r in one.rates):
        of = [rate_of(rate, answers, groups == g) for g in np.unique(groups)]
        rates = [one for one in of if one is not None]
        if len(rates) < len(of):
            return None
        found.append(max(rates) - min(rates))
    return max(found)


def _asked(settings: Mapping[str, Any]) -> list[Demand]:
    """What estimators are to keep to."""
    return [
        replace(one, by=("sensitive_features",) if one.by else ())
        for one in demands_of(settings["constraints"])
    ]


def _list(settings: Mapping[str, Any]) -> Any:
    from corels import RuleListClassifier

    return RuleListClassifier(
        settings["low"],
        constraints=_asked(settings),
        time_limit=limit_of(settings),
        max_rules=settings["max_rules"],
        **settings["antecedents"],
    )


def _set(settings: Mapping[str, Any]) -> Any:
    estimator = registry().get("solver", "rule-set")().estimator()
    known = {field.name for field in fields(estimator)}  # it makes conjunctions itself
    how = {name: value for name, value in settings["antecedents"].items() if name in known}
    return estimator(constraints=_asked(settings), time_limit=limit_of(settings), **how)


class Gradient:
    """Fairlearn's ExponentiatedGradient: a tree is drawn at random for each prediction."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._asked = demands_of(settings["constraints"])
        found = fairlearns(self._asked)
        assert found is not None
        self._reduction, self._most = found
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

        return getattr(reductions, self._reduction)(difference_bound=self._most)

    def _learn(self, table: Any, codes: Any, groups: Any) -> None:
        from fairlearn.reductions import ExponentiatedGradient

        self._model = ExponentiatedGradient(self._tree(), self._constraint(), eps=self._most)
        self._model.fit(table, codes, sensitive_features=groups)

    def _said(self, table: Any) -> Any:
        return self._model.predict(table, random_state=self._seed)

    def _trees(self) -> list[Any]:
        weights = self._model.weights_
        return [tree for n, tree in enumerate(self._model.predictors_) if weights[n] > 0]


def _is_tree(found: Any) -> bool:
    """Fairlearn puts a constant classifier if the weights leave one class only."""
    return hasattr(found, "get_n_leaves")


class Grid(Gradient):
    """Fairlearn's GridSearch: of its trees the most accurate one that keeps to the bound on the
    training rows, or, if none does, the one with the least difference there."""

    def _learn(self, table: Any, codes: Any, groups: Any) -> None:
        from fairlearn.reductions import GridSearch

        search = GridSearch(self._tree(), self._constraint(), grid_size=GRID)
        search.fit(table, codes, sensitive_features=groups)

        def rank(tree: Any) -> tuple[float, float]:
            said, everybody = np.asarray(tree.predict(table)), np.ones(len(codes), np.bool_)
            answers = Answers(codes == 1, said == 1, said == codes, everybody)
            far = disparity(self._asked, answers, np.asarray(groups)) or 0.0
            return max(far, self._most), -float((said == codes).mean())

        trees = [tree for tree in search.predictors_ if _is_tree(tree)]
        self._best = min(trees or search.predictors_, key=rank)

    def _said(self, table: Any) -> Any:
        return self._best.predict(table)

    def _trees(self) -> list[Any]:
        return [self._best]
