"""Constraints on rates for estimators: `constraints`, and the groups of the rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np

from corels.errors import InputError, OptionError
from corels.options import unknown
from corels.problem.constraints import Demands, demands
from corels.problem.rates import demands_of
from corels.sklearn.costs import CostedClassifier
from corels.tables import Column, as_columns
from corels.tables.labelled import names_of
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

        Raises InfeasibleError where no model keeps to the constraints.
        """
        self._sensitive = sensitive_features
        try:
            super().fit(X, y, sample_weight, sample_cost)
        finally:
            del self._sensitive
        return self

    def _table_options(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        return super()._table_options(classes) | {"constraints": self._asked_of_rates}

    def _demands(self, columns: Mapping[str, Column], rows: int) -> Demands | None:
        given = {} if self._sensitive is None else _groups_of(self._sensitive, rows)
        self._asked_of_rates = [
            replace(one, by=tuple(given)) if one.how == "within" and not one.by else one
            for one in demands_of(self.constraints)
        ]

        def values_of(names: Sequence[str]) -> tuple[Sequence[Any], None]:
            for name in names:
                if name not in given and name not in columns:
                    raise OptionError(unknown("column of groups", name, [*given, *columns]))
            groups = [given[n] if n in given else names_of(columns[n]).cells() for n in names]
            return groups[0] if len(groups) == 1 else list(
                map(list, zip(*groups, strict=True))
            ), None

        self._own_groups = {n for one in self._asked_of_rates for n in one.by} - set(given)
        if given and not any(one.by for one in self._asked_of_rates):
            raise OptionError(
                "sensitive_features is given, and no constraint is about groups: expected one such "
                "as 'positive-rate within 0.02'"
            )
        undecided = any(getattr(self, name, None) is not None for name in ("abstain", "defer"))
        return demands(self._asked_of_rates, values_of, undecided=undecided)

    def _held_back(self) -> Collection[str]:
        return self._own_groups


def _groups_of(given: Any, rows: int) -> dict[str, list[Any]]:
    """What the columns of groups are called, and their values; a column without a name is
    "sensitive_features"."""
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
    return {name: names_of(column).cells() for name, column in columns.items()}
