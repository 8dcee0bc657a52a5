"""Constraints on rates for estimators: `constraints`, and the groups of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np

from corels.errors import InputError, OptionError
from corels.problem.rates import demands_of
from corels.sklearn.base import Given
from corels.sklearn.costs import CostedClassifier
from corels.tables import Column, as_columns
from corels.tables.stored import at_hand


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
