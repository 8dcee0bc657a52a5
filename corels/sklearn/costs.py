"""Costs of outcomes and constraints on rates for estimators: what their parameters ask for, what
rows cost, and the groups that they are in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.learning.flow import ratio_of
from corels.problem.rates import demands_of
from corels.sklearn.base import CertifiedClassifier, Given
from corels.tables import Column, as_columns
from corels.tables.options import TableOptions
from corels.tables.pricing import BALANCED, is_balanced, is_matrix, pricing_of
from corels.tables.stored import at_hand

ASKED = "the other model"
PARAMETERS = ("cost", "abstain", "defer", "defer_cost", "defer_where")


@dataclass(eq=False, repr=False)
class CostedClassifier(CertifiedClassifier):
    """An estimator whose family knows costs: `cost`, or `sample_cost`."""

    _: KW_ONLY
    cost: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> Any:
        """As `CertifiedClassifier.fit`.

        sample_cost: (N, C) what it costs to predict each class, row by row, in place of
            `cost`; in the order of `classes_`.
        """
        self._priced, self._ratio_costs = (X, sample_cost), ""
        try:
            super().fit(X, y, sample_weight)
        finally:
            del self._priced
        return self

    def _given(self, rows: int, classes: tuple[Any, ...]) -> Given:
        X, sample_cost = self._priced
        own, found = super()._given(rows, classes), priced(self, X, rows, classes, sample_cost)
        return found._replace(options=own.options | found.options)

    @property
    def _handed(self) -> tuple[str, ...]:
        _, sample_cost = self._priced
        return (*super()._handed, *([] if sample_cost is None else ["sample_cost"]))

    def _row_factors(self) -> Any:
        """Classes of equal weight are costs here, so that counts stay rows."""
        return None if is_balanced(self.class_weight) else self.class_weight

    def score(self, X: Any, y: Any, sample_weight: Any = None, sample_cost: Any = None) -> float:
        """Accuracy; if outcomes have costs the mean cost, below 0, so that larger is better.

        sample_cost: as in `fit`, for these rows.
        """
        model, y, sample_weight = self._model, at_hand(y), at_hand(sample_weight)
        if model.outcomes is None or is_balanced(self.class_weight):
            return float(super().score(X, y, sample_weight))
        said = model.predict_indices(self._read_new(X))
        truth = np.asarray(y)
        places = {label: place for place, label in enumerate(self.classes_[self._order].tolist())}
        strange = [label for label in truth.tolist() if label not in places]
        if strange:
            raise InputError(f"y has the class {strange[0]!r}, which was not there in fit")
        labels = np.array([places[label] for label in truth.tolist()], dtype=np.int64)
        asked, columns = priced(self, X, len(labels), model.classes, sample_cost)
        pricing = pricing_of(TableOptions(**asked), model.classes, columns, "X")
        costs = None if pricing is None else pricing.costs(labels)
        if costs is None or len(costs.outcomes) != len(model.says):
            raise InputError(
                "the costs of these rows are not known: pass sample_cost, as in fit; "
                "cross-validation passes it on with sklearn.set_config(enable_metadata_routing="
                "True), set_fit_request(sample_cost=True) and set_score_request(sample_cost=True)"
            )
        return -float(np.average(costs.paid(said), weights=sample_weight))


@dataclass(eq=False, repr=False)
class ConstrainedClassifier(CostedClassifier):
    """An estimator whose family takes constraints on rates."""

    _: KW_ONLY
    constraints: Any = ()

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        sample_cost: Any = None,
        *,
        sensitive_features: Any = None,
    ) -> Any:
        """As `CostedClassifier.fit`.

        sensitive_features: (N,) the group of each row, for `constraints`, or (N, columns): rows
        with the same values are a group. It is no antecedent, unless X has it, too.

        Raises InfeasibleError if no model keeps to the constraints.
        """
        self._sensitive = sensitive_features
        try:
            super().fit(X, y, sample_weight, sample_cost)
        finally:
            del self._sensitive
        return self

    def _given(self, rows: int, classes: tuple[Any, ...]) -> Given:
        own = super()._given(rows, classes)
        groups = {} if self._sensitive is None else _groups_of(self._sensitive, rows)
        asked = [
            replace(one, by=tuple(groups)) if one.how == "within" and not one.by else one
            for one in demands_of(self.constraints)
        ]
        if groups and not any(one.by for one in asked):
            raise OptionError(
                "sensitive_features is given, and no constraint is about groups: expected one such "
                "as 'positive-rate within 0.02'"
            )
        own.options["constraints"] = asked
        return own._replace(columns={**own.columns, **groups})


def priced(
    estimator: Any, X: Any, rows: int, classes: Sequence[Any], sample_cost: Any = None
) -> Given:
    """What is asked of costs for the rows of X.

    classes: in the model's order, and perhaps one that no row has. sample_cost: (N, C) what it
    costs to predict each class. Raises InputError and OptionError.
    """
    given = _asked(estimator)
    if is_balanced(given["cost"]) and sample_cost is not None:
        raise OptionError("costs that balance classes and sample_cost are both given: expected one")
    columns = dict[str, Any]()
    if sample_cost is not None:
        columns = _by_row(sample_cost, rows, estimator._order)
        given["outcome_cost"] = {str(classes[place]): one for place, one in enumerate(columns)}
    if given["defer"] is not None:
        columns[ASKED] = answers_for(given["defer"], X, rows)
        given["defer"] = ASKED
    return Given(given, as_columns(columns))


def _asked(estimator: Any) -> dict[str, Any]:
    """The parameters about costs, a matrix in the order of the model's classes."""
    given = {name: getattr(estimator, name, None) for name in PARAMETERS}
    if (ratio := ratio_of(given["cost"], estimator._solver)) is not None:
        given["cost"] = getattr(estimator, "_ratio_costs", None) or ratio.first
    if is_balanced(estimator.class_weight):
        if given["cost"] is not None:
            raise OptionError("class_weight='balanced' and cost are both given: expected one")
        given["cost"] = BALANCED
    if is_matrix(given["cost"]):
        given["cost"] = _ordered(given["cost"], estimator._order)
    return given


def answers_for(defer: Any, X: Any, rows: int) -> NDArray[Any]:
    """(N,) what the other model says of X: a fitted classifier, or its predictions of these rows.

    Raises OptionError for anything else.
    """
    if hasattr(defer, "predict"):
        from sklearn.exceptions import NotFittedError

        try:
            found = np.asarray(defer.predict(X))
        except NotFittedError:
            raise OptionError(
                "defer is not fitted: fit it first, and wrap it in sklearn.frozen.FrozenEstimator "
                "where this estimator is cloned, as in cross-validation"
            ) from None
    else:
        found = np.asarray(defer)
    if found.shape != (rows,):
        raise OptionError(
            f"defer is {type(defer).__name__} with answers of shape {found.shape}: expected a "
            f"fitted classifier, or its {rows} predictions"
        )
    return found


def _ordered(matrix: Any, order: NDArray[np.intp]) -> Any:
    """Rows of costs in the order of `classes_`, as a model has its classes; what names its classes
    as it is."""
    rows = [] if matrix is None or isinstance(matrix, (str, os.PathLike, Mapping)) else list(matrix)
    if len(rows) != len(order) or any(np.shape(row) != order.shape for row in rows):
        return matrix
    return [[rows[true][said] for said in order] for true in order]


def _by_row(sample_cost: Any, rows: int, order: NDArray[np.intp]) -> dict[str, Any]:
    """The columns of costs by name, in the order of the model's classes."""
    table, classes = np.asarray(sample_cost), len(order)
    if table.shape != (rows, classes):
        raise InputError(
            f"sample_cost has the shape {table.shape}: expected a cost for each of {rows} rows and "
            f"{classes} classes"
        )
    return {f"sample_cost[:, {own}]": table[:, own] for own in order.tolist()}


def _groups_of(given: Any, rows: int) -> Mapping[str, Column]:
    """The columns of groups; one without a name is "sensitive_features"."""
    given = at_hand(given, one=False)
    if not isinstance(given, Mapping) and not hasattr(given, "columns") and np.ndim(given) < 2:
        name = getattr(given, "name", None)
        given = {"sensitive_features" if name is None else name: given}
    columns = as_columns(given)
    for name, column in columns.items():
        if len(column) != rows:
            raise InputError(
                f"sensitive_features has {len(column)} rows in {name!r}: expected a group for each "
                f"of {rows} rows"
            )
    return columns
