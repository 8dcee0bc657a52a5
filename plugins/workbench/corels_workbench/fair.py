"""Learners that keep to constraints: our lists and rule sets, and a reduction of Fairlearn
over trees, which keeps the rates of groups equal.

What is to be kept is the setting `constraints`, texts as `corels run --constraint` takes them. The
groups are no feature of any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.problem.rates import ALSO, NOTIONS, RATES, Demand, demands_of
from corels_workbench.baselines import COLUMNS, Learner
from corels_workbench.ours import Constrained

LEAVES = 16  # of a tree that Fairlearn is given


def fair() -> dict[str, Learner]:
    """Name -> learner."""
    own: dict[str, Any] = {"takes": COLUMNS, "priced": "sample_cost", "keeps": bool}
    own |= {"grouped": True, "searches": lambda settings: 1}
    return {
        "constrained rule list": Learner(
            partial(Constrained, "rule-list"), lambda m: m.model.pieces, **own
        ),
        "constrained rule set": Learner(
            partial(Constrained, "rule-set"), lambda m: m.model.complexity, **own
        ),
        "exponentiated gradient": Learner(
            Gradient,
            Gradient.splits,
            ("sklearn", "fairlearn"),
            grouped=True,
            keeps=lambda asked: fairlearns(demands_of(asked)) is not None,
            extra="fairness",
        ),
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


class Gradient:
    """Fairlearn's ExponentiatedGradient: a tree is drawn at random for each prediction."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        found = fairlearns(demands_of(settings["constraints"]))
        assert found is not None
        self._reduction, self._most = found
        self._seed = settings["seed"]

    def fit(self, table: Any, labels: Any, *, sensitive_features: Any) -> Gradient:
        from fairlearn import reductions
        from sklearn.tree import DecisionTreeClassifier

        self._classes, codes = np.unique(labels, return_inverse=True)
        tree = DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=self._seed)
        kept = getattr(reductions, self._reduction)(difference_bound=self._most)
        self._model = reductions.ExponentiatedGradient(tree, kept, eps=self._most)
        self._model.fit(np.asarray(table), codes, sensitive_features=sensitive_features)
        return self

    def predict(self, table: Any) -> Any:
        said = self._model.predict(np.asarray(table), random_state=self._seed)
        return self._classes[np.asarray(said, dtype=int)]

    def splits(self) -> int:
        """Of all trees that may be drawn; a constant classifier stands where the weights left one
        class only."""
        drawn = zip(self._model.predictors_, self._model.weights_, strict=True)
        trees = [tree for tree, weight in drawn if weight > 0 and hasattr(tree, "get_n_leaves")]
        return sum(tree.get_n_leaves() - 1 for tree in trees)
