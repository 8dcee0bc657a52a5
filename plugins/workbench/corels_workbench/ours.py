"""Our models as learners: rule lists with lambda chosen in two ways, and every other solver.

A solver of a plugin is judged like ours, at the path's lower end.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from corels.plugins import registry
from corels.problem import Problem
from corels.tables import Dataset, as_columns
from corels_workbench.baselines import COLUMNS, Learner

LABEL = "label (the column that is predicted)"
MOST_ACCURATE = "rule list, most accurate lambda"


class Solved:
    """A registered solver as a learner: every model family that is installed, by anybody."""

    def __init__(self, solver: str, settings: Mapping[str, Any]) -> None:
        self._solver, self._settings = solver, settings

    def fit(self, columns: Mapping[str, Any], labels: Any) -> Solved:
        """Binarise as `corels run` does and search, with lambda at the path's lower end."""
        from corels.run.solve import solve

        data = dataset_of(columns, labels, self._settings["max_cardinality"])
        problem = Problem.from_dataset(data, self._settings["low"])
        known = {option.name for option in registry().get("solver", self._solver).options}
        names = known & {"max_rules"} | {"time_limit"}
        result = solve(problem, self._solver, **{name: self._settings[name] for name in names})
        self.model, self.certificate_ = result.model, result.certificate
        return self

    def predict(self, columns: Mapping[str, Any]) -> Any:
        """The class of each row."""
        return self.model.predict(columns)


def dataset_of(columns: Mapping[str, Any], labels: Any, max_cardinality: int = 1) -> Dataset:
    """Antecedents from columns, as `corels run` makes them."""
    from corels.tables import TableOptions
    from corels.tables.labelled import columns_dataset

    table = as_columns({**columns, LABEL: labels})
    options = TableOptions(max_cardinality=max_cardinality)
    return columns_dataset(table, LABEL, options, "the training rows", "")


def ours() -> dict[str, Learner]:
    """Name -> learner: the rule lists first."""

    def rule_list(settings: Mapping[str, Any]) -> Any:
        from corels import RuleListClassifier, RuleListClassifierCV

        names = ("time_limit", "max_cardinality", "max_rules")
        inner = RuleListClassifier(**{name: settings[name] for name in names})
        return RuleListClassifierCV(inner, low=settings["low"], folds=settings["inner_folds"])

    def size(model: Any) -> float:
        return len(model.rule_list_)

    found = {"rule list": Learner(rule_list, size, takes=COLUMNS, also=most_accurate)}
    for name in registry().names("solver"):
        if name != "rule-list":
            make, needs = partial(Solved, name), registry().get("solver", name).needs
            extra = next(iter(needs.values()), "workbench")
            modules = ("corels", *needs)
            found[name] = Learner(make, lambda m: len(m.model), modules, COLUMNS, extra=extra)
    return found


def most_accurate(model: Any, columns: Mapping[str, Any], labels: Any) -> dict[str, Any]:
    """The list at the lambda with the best held-out accuracy, as CART's size is chosen.

    `RuleListClassifierCV` takes the largest lambda within one standard error of it instead. The
    cross-validation that it made is used again: it is what takes the time.
    """
    from sklearn.base import clone

    if model.cross_validation_ is None:
        return {}
    found = clone(model.estimator_)
    found.set_params(regularization=model.cross_validation_.best.regularization)
    return {MOST_ACCURATE: found.fit(columns, labels)}
