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
    """An estimator that is given the numbers of the classes, 0 and on, instead of the classes."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def fit(self, table: Any, labels: NDArray[Any]) -> Coded:
        """Number the classes, and learn. What the package prints is not shown."""
        self.classes_, codes = np.unique(labels, return_inverse=True)
        with redirect_stdout(io.StringIO()):
            self.inner.fit(np.asarray(table), codes)
        return self

    def predict(self, table: Any) -> NDArray[Any]:
        found: NDArray[Any] = self.classes_[np.asarray(self.inner.predict(np.asarray(table)), int)]
        return found

    def predict_proba(self, table: Any) -> NDArray[np.float64]:
        """(N, C) shares of the classes, where the package has them: AttributeError otherwise."""
        return np.asarray(self.inner.predict_proba(np.asarray(table)), dtype=np.float64)


class RarerFirst(Coded):
    """RIPPER learns rules for the class 1. Its authors mean the rarer one, so that gets the 1."""

    def fit(self, table: Any, labels: NDArray[Any]) -> RarerFirst:
        """As `Coded.fit`, for two classes."""
        classes, counts = np.unique(labels, return_counts=True)
        self._swapped = len(classes) == 2 and counts[1] > counts[0]
        codes = np.searchsorted(classes, labels)
        super().fit(table, 1 - codes if self._swapped else codes)
        self.classes_ = classes[::-1] if self._swapped else classes
        return self

    def predict_proba(self, table: Any) -> NDArray[np.float64]:
        """(N, 2) shares, in the order of the sorted classes."""
        found = super().predict_proba(table)
        return found[:, ::-1] if self._swapped else found


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
    from wittgenstein import RIPPER

    return RarerFirst(RIPPER(random_state=settings["seed"]))


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
