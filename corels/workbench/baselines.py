"""The models that are judged: ours, and baselines from other packages, by name.

Baselines get the table's own columns: numbers with missing values filled, categories one-hot. What
is not installed is named, so that a table of results never leaves a learner out in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from corels.antecedents import as_columns
from corels.data import Dataset
from corels.errors import OptionError
from corels.options import unknown
from corels.plugins import registry
from corels.problem import Problem

LABEL = "label (the column that is predicted)"

Make = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Learner:
    """make(settings): an estimator with `fit` and `predict`. size(fitted): rules, leaves, ...

    whole: it takes the table's columns as they are, as ours do.
    """

    make: Make
    size: Callable[[Any], float | None]
    needs: str = "sklearn"
    whole: bool = False


def learners() -> dict[str, Learner]:
    """Name -> learner: ours first, then scikit-learn's, then those of further packages."""
    return {**_ours(), **_sklearns(), **_others()}


def chosen(names: tuple[str, ...]) -> dict[str, Learner]:
    """Those that are named, or all that are installed. Raises OptionError."""
    known = learners()
    for name in names:
        if name not in known:
            raise OptionError(unknown("model", name, list(known)))
        if name in missing():
            raise OptionError(f"model {name!r} needs the package {known[name].needs!r}")
    return {name: known[name] for name in names or known if name not in missing()}


def missing() -> dict[str, str]:
    """Name -> the package that it needs and that is not installed."""
    return {name: one.needs for name, one in learners().items() if find_spec(one.needs) is None}


class Solved:
    """A registered solver as a learner: every model family that is installed, strangers' too."""

    def __init__(self, solver: str, settings: Mapping[str, Any]) -> None:
        self._solver, self._settings = solver, settings

    def fit(self, columns: Mapping[str, Any], labels: Any) -> Solved:
        """Binarise as `corels run` does and search, with lambda at the path's lower end."""
        from corels.run.solve import solve

        data = dataset_of(columns, labels)
        problem = Problem.from_dataset(data, self._settings["low"])
        result = solve(problem, self._solver, time_limit=self._settings["time_limit"])
        self.model, self.certificate_ = result.model, result.certificate
        return self

    def predict(self, columns: Mapping[str, Any]) -> Any:
        """The class of each row."""
        return self.model.predict(columns)


def dataset_of(columns: Mapping[str, Any], labels: Any) -> Dataset:
    """Antecedents from columns, as `corels run` makes them."""
    from corels.data import TableOptions
    from corels.data.tables import columns_dataset

    table = as_columns({**columns, LABEL: labels})
    return columns_dataset(table, LABEL, TableOptions(), "the training rows", "")


def _ours() -> dict[str, Learner]:
    def rule_list(settings: Mapping[str, Any]) -> Any:
        from corels import RuleListClassifier, RuleListClassifierCV

        inner = RuleListClassifier(time_limit=settings["time_limit"])
        return RuleListClassifierCV(inner, low=settings["low"], folds=settings["inner_folds"])

    found = {"rule list": Learner(rule_list, lambda m: len(m.rule_list_), whole=True)}
    for name in registry().names("solver"):
        if name != "rule-list":
            make = partial(Solved, name)
            found[name] = Learner(make, lambda m: len(m.model), needs="corels", whole=True)
    return found


def _sklearns() -> dict[str, Learner]:
    def tree(settings: Mapping[str, Any]) -> Any:
        from sklearn.model_selection import GridSearchCV
        from sklearn.tree import DecisionTreeClassifier

        leaves = {"max_leaf_nodes": [2, 3, 4, 6, 8, 12, 16, 24, 32, 64]}
        base = DecisionTreeClassifier(random_state=settings["seed"])
        return GridSearchCV(base, leaves, cv=settings["inner_folds"])

    def forest(settings: Mapping[str, Any]) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(200, random_state=settings["seed"])

    def boosting(settings: Mapping[str, Any]) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(random_state=settings["seed"])

    def logistic(settings: Mapping[str, Any]) -> Any:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))

    def vector(settings: Mapping[str, Any]) -> Any:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC

        return make_pipeline(StandardScaler(), SVC(random_state=settings["seed"]))

    def adaboost(settings: Mapping[str, Any]) -> Any:
        from sklearn.ensemble import AdaBoostClassifier

        return AdaBoostClassifier(random_state=settings["seed"])

    return {
        "CART": Learner(tree, lambda m: m.best_estimator_.get_n_leaves()),
        "random forest": Learner(forest, _leaves),
        "gradient boosting": Learner(boosting, lambda m: None),
        "logistic regression": Learner(logistic, lambda m: int(np.count_nonzero(m[-1].coef_))),
        "SVM": Learner(vector, lambda m: int(m[-1].n_support_.sum())),
        "AdaBoost": Learner(adaboost, lambda m: len(m.estimators_)),
    }


def _leaves(model: Any) -> float:
    return float(sum(tree.get_n_leaves() for tree in model.estimators_))


def _others() -> dict[str, Learner]:
    def ripper(settings: Mapping[str, Any]) -> Any:
        from wittgenstein import RIPPER

        return RIPPER(random_state=settings["seed"])

    def greedy(settings: Mapping[str, Any]) -> Any:
        from imodels import GreedyRuleListClassifier

        return GreedyRuleListClassifier(max_depth=8)

    def optimal_tree(settings: Mapping[str, Any]) -> Any:
        from pystreed import STreeDClassifier

        return STreeDClassifier(max_depth=3, time_limit=settings["time_limit"] or 60)

    return {
        "RIPPER": Learner(ripper, lambda m: len(m.ruleset_), needs="wittgenstein"),
        "greedy list": Learner(greedy, lambda m: len(m.rules_), needs="imodels"),
        "optimal tree": Learner(optimal_tree, lambda m: m.get_n_leaves(), needs="pystreed"),
    }


def encoder(columns: Mapping[str, Any]) -> Any:
    """What turns a frame into numbers: medians for missing numbers, categories one-hot."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    numbers = [name for name, column in columns.items() if column.dtype.kind in "iufb"]
    words = [name for name in columns if name not in numbers]
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    filled = SimpleImputer(strategy="median", add_indicator=True)
    return ColumnTransformer([("numbers", filled, numbers), ("words", one_hot, words)])
