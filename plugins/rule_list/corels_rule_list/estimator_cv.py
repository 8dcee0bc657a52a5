"""`RuleListClassifierCV`: lambda by cross-validation over the exact path."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass
from typing import Any

# First: it says what to install where there is no scikit-learn.
from corels_rule_list.estimator import RuleListClassifier  # isort: skip
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from corels.clock import Clock
from corels.errors import OptionError
from corels.model import Certificate
from corels.model.intervals import LEVEL
from corels.options import Option
from corels.problem import Problem
from corels.sklearn.files import FILES
from corels.sklearn.tables import missing_attribute
from corels.tables import Dataset
from corels_rule_list.model import RuleList
from corels_rule_list.path.cross_validation import CrossValidation, cross_validated

LIMITS = ("time_limit", "node_limit", "memory_limit")
TOTAL_TIME = Option.number("total_time", "seconds for all searches", low=0, unit="seconds")


@dataclass(eq=False, repr=False)
class RuleListClassifierCV(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A certifiably optimal rule list whose lambda was chosen on held-out folds.

    The path of every training fold is exact, so no lambda between the points of a grid is missed.
    Chosen is the largest lambda whose held-out accuracy (where outcomes have costs: mean cost) is
    within one standard error of the best; the list is then learned, and certified, on all rows.
    Under constraints each fold's list keeps to them on its training rows; what they reach on the
    held-out rows is in `cross_validation_.constraints`.
    Antecedents are made once, from all rows.

    Parameters
    ----------
    estimator : RuleListClassifier, default=None
        All settings but lambda, which it does not use; None is `RuleListClassifier()`. Its limits
        count for each of the searches.
    low : float, Fraction or str, default=0.01
        The least lambda that is considered; the smaller, the longer the searches.
    folds : int, default=5
        Stratified, dealt by the estimator's `random_state`; at most one for each row.
    total_time : float, default=None
        Seconds for all searches together, those of the folds and the last one; what the folds do
        not prove by then is said by `cross_validation_.certified`. None: no such limit.

    Attributes
    ----------
    regularization_ : Fraction
        The lambda that was chosen.
    cross_validation_ : CrossValidation or None
        Held-out accuracy, or mean cost, over the whole interval; None where there was nothing to
        choose (one class, no antecedent, one row).
    estimator_ : RuleListClassifier
        Fitted with that lambda.
    rule_list_, certificate_, classes_, n_features_in_, feature_names_in_
        As of `estimator_`.

    Examples
    --------
    >>> from corels import RuleListClassifierCV
    >>> X = [[1, 0], [1, 1], [0, 0], [0, 1]] * 10
    >>> model = RuleListClassifierCV(folds=4).fit(X, ["yes", "yes", "no", "no"] * 10)
    >>> print(model.rule_list_, model.regularization_)
    if x0  then class = yes   (20 of 20, 100.0%)
    else   then class = no   (20 of 20, 100.0%) 1/3
    """

    estimator: RuleListClassifier | None = None
    _: KW_ONLY
    low: Any = 0.01
    folds: int = 5
    total_time: float | None = None

    def __getattr__(self, name: str) -> Any:
        """As of `RuleListClassifier`."""
        raise missing_attribute(self, name, fitted="estimator_" in self.__dict__)

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        sample_cost: Any = None,
        *,
        sensitive_features: Any = None,
    ) -> RuleListClassifierCV:
        """Choose lambda, then learn on all rows. The arguments are those of `RuleListClassifier`.

        Raises ValueError for data, weights or parameters that cannot be used, InfeasibleError where
        no list of a fold keeps to the constraints.
        """
        if isinstance(self.folds, bool) or not isinstance(self.folds, int) or self.folds < 2:
            raise OptionError(f"⟨folds⟩ is {self.folds!r}: expected a whole number of at least 2")
        inner = RuleListClassifier() if self.estimator is None else clone(self.estimator)
        inner.set_params(regularization=self.low)
        self.cross_validation_: CrossValidation | None = None
        clock = Clock(TOTAL_TIME.check(self.total_time))
        inner.__dict__["_problem"] = lambda data: self._chosen_problem(inner, data, clock)
        try:
            inner.fit(X, y, sample_weight, sample_cost, sensitive_features=sensitive_features)
        finally:
            del inner.__dict__["_problem"]  # what was learned can be pickled
        found = self.cross_validation_
        if found is not None:
            inner.set_params(regularization=found.chosen.regularization)
        self.estimator_ = inner
        self.regularization_ = inner.certificate_.regularization
        self.classes_, self.n_features_in_ = inner.classes_, inner.n_features_in_
        if hasattr(inner, "feature_names_in_"):
            self.feature_names_in_ = inner.feature_names_in_
        return self

    def _chosen_problem(self, inner: RuleListClassifier, data: Dataset, clock: Clock) -> Problem:
        folds = min(self.folds, data.n_rows)
        if folds < 2:
            return Problem.from_dataset(data, self.low)
        given = {**inner._solver_options(), **{name: getattr(inner, name) for name in LIMITS}}
        given |= dict.fromkeys(FILES)  # these are of the last fit, on all rows
        options = {name: value for name, value in given.items() if value is not None}
        share = clock.within(share=folds / (folds + 1))  # the last search is one, too
        found = cross_validated(data, self.low, folds=folds, total_time=share, **options)
        self.cross_validation_ = found
        # The limit counts for each search: now for the last.
        inner._clock = Clock(clock.within(inner.time_limit))
        return Problem.from_dataset(data, found.chosen.regularization)

    @property
    def _fitted(self) -> RuleListClassifier:
        check_is_fitted(self, "estimator_")
        return self.estimator_

    @property
    def rule_list_(self) -> RuleList:
        """The list learned on all rows."""
        found: RuleList = self._fitted.rule_list_
        return found

    @property
    def certificate_(self) -> Certificate:
        """What was proven about it."""
        return self._fitted.certificate_

    def save(self, path: str | os.PathLike[str]) -> None:
        """As of `RuleListClassifier`."""
        self._fitted.save(path)

    def predict(self, X: Any) -> Any:
        """(N,) the class of each row."""
        return self._fitted.predict(X)

    def predict_proba(self, X: Any) -> Any:
        """(N, C) class frequencies, in the training data, of the rule that captures each row."""
        return self._fitted.predict_proba(X)

    def decision_function(self, X: Any) -> Any:
        """(N,) or (N, C) as of `RuleListClassifier.decision_function`."""
        return self._fitted.decision_function(X)

    def predict_interval(self, X: Any, level: float = LEVEL) -> Any:
        """(N, 2) as of `RuleListClassifier.predict_interval`."""
        return self._fitted.predict_interval(X, level)

    def reasons(self, X: Any, *, changes: int = 1, wanted: Any = None) -> Any:
        """Why each row is predicted what it is, and what would change it: see `Model.reasons`."""
        return self._fitted.reasons(X, changes=changes, wanted=wanted)

    def score(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> float:
        """Accuracy; where outcomes have costs the mean cost, below 0."""
        return self._fitted.score(X, y, sample_weight, sample_cost)

    def __sklearn_tags__(self) -> Any:
        return (
            RuleListClassifier() if self.estimator is None else self.estimator
        ).__sklearn_tags__()
