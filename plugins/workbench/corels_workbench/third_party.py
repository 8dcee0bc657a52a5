"""Baselines of further packages, in one shape: RIPPER, greedy rule lists, optimal trees.

Each package has its own idea of labels, of sizes and of what it prints. Here each becomes an
estimator with `fit` and `predict` over the labels of the table. Tried with wittgenstein 0.3.5,
imodels 3.0.4 (which imports `six` and does not require it) and pystreed 1.4.0.

gosdt 1.0.4 was tried and left out: its `predict` calls scikit-learn in a way that 1.8 no longer
knows, and a search with a limit of 5 seconds went on for 30.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels_workbench.baselines import ANTECEDENTS, Learner

DEPTH = 3  # of the optimal trees: at most seven splits
MOST_RULES = 8  # of the greedy lists


class Coded:
    """An estimator that is given the numbers of the classes, 0 and on, instead of the classes.

    rarer: of two classes, give the rarer one the 1.
    """

    def __init__(self, inner: Any, *, rarer: bool = False) -> None:
        self.inner, self._rarer = inner, rarer

    def fit(self, table: Any, labels: NDArray[Any]) -> Coded:
        """Number the classes, and learn. What the package prints is not shown."""
        found, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
        swapped = self._rarer and len(found) == 2 and counts[1] > counts[0]
        self.classes_ = found[::-1] if swapped else found
        with redirect_stdout(io.StringIO()):
            self.inner.fit(np.asarray(table), 1 - codes if swapped else codes)
        return self

    def predict(self, table: Any) -> NDArray[Any]:
        found: NDArray[Any] = self.classes_[np.asarray(self.inner.predict(np.asarray(table)), int)]
        return found

    def predict_proba(self, table: Any) -> NDArray[np.float64]:
        """(N, C) shares, in the order of the sorted classes, where the package has them:
        AttributeError otherwise."""
        found = np.asarray(self.inner.predict_proba(np.asarray(table)), dtype=np.float64)
        return found[:, np.argsort(self.classes_)]


def third_party() -> dict[str, Learner]:
    """Name -> learner. Nothing is imported before a model is made."""
    return {
        "RIPPER": Learner(_ripper, lambda m: len(m.inner.ruleset_), ("wittgenstein",)),
        "greedy list": Learner(
            lambda settings: _greedy_of(MOST_RULES),
            lambda m: len(m.inner.rules_) - 1,
            ("imodels", "six"),
            ANTECEDENTS,
            sized=_greedy_of,
        ),
        "optimal tree": Learner(
            _streed, lambda m: m.inner.get_n_leaves() - 1, ("pystreed",), ANTECEDENTS
        ),
    }


def _ripper(settings: Mapping[str, Any]) -> Any:
    """It learns rules for the class 1; its authors mean the rarer one."""
    from wittgenstein import RIPPER

    return Coded(RIPPER(random_state=settings["seed"]), rarer=True)


def _greedy_of(rules: int) -> Any:
    from imodels import GreedyRuleListClassifier

    return Coded(GreedyRuleListClassifier(max_depth=rules))


def _streed(settings: Mapping[str, Any]) -> Any:
    """Depth and number of splits by STreeD's own cross-validation.

    No limit of ours: where STreeD 1.4 reaches its limit it ends the whole process. Trees of this
    depth take it seconds.
    """
    from pystreed import STreeDClassifier

    return Coded(STreeDClassifier(max_depth=DEPTH, hyper_tune=True))
