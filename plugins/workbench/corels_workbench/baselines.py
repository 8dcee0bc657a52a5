"""The models that are judged: ours, and baselines from other packages, by name.

A baseline gets the table in the form that it is made for (`Learner.takes`): numbers with missing
values filled and categories one-hot, or the antecedents that our lists are made of, or the columns
as they are. What is not installed is named, so that a table of results never leaves a learner out
in silence; `versions` says what was measured.

Packages beside scikit-learn have each its own idea of labels, of sizes and of what it prints; here
each becomes an estimator with `fit` and `predict` over the labels of the table. Tried with
wittgenstein 0.3.5, imodels 3.0.4 (which imports `six` and does not require it) and pystreed 1.4.0.
gosdt 1.0.4 was tried and left out: its `predict` calls scikit-learn in a way that 1.8 no longer
knows, and a search with a limit of 5 seconds went on for 30.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.installed import install_command
from corels.problem.rates import ALSO, NOTIONS, Demand, demands_of

COLUMNS, NUMBERS, ANTECEDENTS = "columns", "numbers", "antecedents"  # columns: ours alone
LEAVES = 16  # of a tree that Fairlearn is given
DEPTH = 3  # of the optimal trees: at most seven splits
MOST_RULES = 8  # of the greedy lists
PACKAGES = {"sklearn": "scikit-learn"}  # the distribution of a module, if its name differs

Make = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Learner:
    """make(settings): an estimator with `fit` and `predict`. size(fitted): rules, leaves, ...

    needs: the modules that it is imported from. takes: COLUMNS, NUMBERS or ANTECEDENTS.
    sized: for a learner whose size can be set, size -> an estimator of that size: "every size" of
    it is judged, too. A size is then the number of questions: rules of a list, splits of a tree.
    grouped: `fit` takes the group of each row, as `sensitive_features`. keeps(asked): whether it
    keeps to constraints, texts of these; learners that are grouped are judged only if so. priced:
    what `fit` takes of costs: "sample_cost", those of each outcome; "sample_weight"; or nothing.
    knows(kinds): whether it knows costs of these kinds (`corels.problem.costs.UNABLE`), and does
    not get weights instead. extra: of this package, that installs what it needs.
    """

    make: Make
    size: Callable[[Any], float | None]
    needs: tuple[str, ...] = ("sklearn",)
    takes: str = NUMBERS
    sized: Callable[[int], Any] | None = None
    grouped: bool = False
    keeps: Callable[[Sequence[str]], bool] = lambda asked: False
    priced: str = ""
    knows: Callable[[Collection[str]], bool] = lambda kinds: True
    extra: str = "baselines"


def learners() -> dict[str, Learner]:
    """Name -> learner: ours first, then scikit-learn's, then those of further packages.

    Raises OptionError without pandas or scikit-learn, with which they are judged.
    """
    if find_spec("pandas") is None or find_spec("sklearn") is None:
        raise OptionError(f"evaluate needs pandas and scikit-learn: {install_command('workbench')}")
    from corels_workbench.ours import ours

    return {**ours(), **_sklearns(), **_third_party()}


def missing() -> dict[str, str]:
    """Name -> the packages that it needs and that are not installed."""
    found = {
        name: [PACKAGES.get(module, module) for module in one.needs if find_spec(module) is None]
        for name, one in learners().items()
    }
    return {name: " and ".join(absent) for name, absent in found.items() if absent}


def versions() -> dict[str, str]:
    """Package -> version, of all that an installed learner is imported from."""
    found = {}
    for module in sorted({module for one in learners().values() for module in one.needs}):
        try:
            found[PACKAGES.get(module, module)] = version(PACKAGES.get(module, module))
        except PackageNotFoundError:
            continue
    return found


def _made(name: str, **options: Any) -> Any:
    """An estimator of scikit-learn, "ensemble.AdaBoostClassifier", which is imported now."""
    module, _, kind = name.rpartition(".")
    return getattr(import_module(f"sklearn.{module}"), kind)(**options)


def _scaled(estimator: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(_made("preprocessing.StandardScaler"), estimator)


def _sklearns() -> dict[str, Learner]:
    def tree(settings: Mapping[str, Any]) -> Any:
        leaves = {"max_leaf_nodes": [2, 3, 4, 6, 8, 12, 16, 24, 32, 64]}
        base = _made("tree.DecisionTreeClassifier", random_state=settings["seed"])
        return _made(
            "model_selection.GridSearchCV",
            estimator=base,
            param_grid=leaves,
            cv=settings["inner_folds"],
        )

    def small_tree(splits: int) -> Any:
        return _made("tree.DecisionTreeClassifier", max_leaf_nodes=splits + 1, random_state=0)

    def seeded(name: str, **options: Any) -> Make:
        return lambda settings: _made(name, random_state=settings["seed"], **options)

    forest = seeded("ensemble.RandomForestClassifier", n_estimators=200)
    boosting = seeded("ensemble.HistGradientBoostingClassifier")
    adaboost, vector = seeded("ensemble.AdaBoostClassifier"), seeded("svm.SVC")
    logistic = partial(_made, "linear_model.LogisticRegression", max_iter=2000)
    found = {
        "CART": Learner(tree, lambda m: m.best_estimator_.get_n_leaves() - 1, sized=small_tree),
        "random forest": Learner(forest, _leaves),
        "gradient boosting": Learner(boosting, lambda m: None),
        "AdaBoost": Learner(adaboost, lambda m: len(m.estimators_)),
        "logistic regression": Learner(
            lambda settings: _scaled(logistic()), lambda m: int(np.count_nonzero(m[-1].coef_))
        ),
        "SVM": Learner(
            lambda settings: _scaled(vector(settings)), lambda m: int(m[-1].n_support_.sum())
        ),
    }
    return {name: replace(one, priced="sample_weight") for name, one in found.items()}


def fitted(estimator: Any, table: Any, labels: Any, **given: Any) -> Any:
    """The estimator, once it has learned. given: of each row, such as its weight.

    Of a pipeline the last step gets the weights. A search over sizes judges each fold by them, too.
    """
    weights = given.get("sample_weight")
    if weights is not None and hasattr(estimator, "steps"):
        return estimator.fit(table, labels, **{f"{estimator.steps[-1][0]}__sample_weight": weights})
    if weights is None or not hasattr(estimator, "param_grid"):
        return estimator.fit(table, labels, **given)
    from sklearn import config_context

    with config_context(enable_metadata_routing=True):
        estimator.estimator.set_fit_request(sample_weight=True)
        estimator.estimator.set_score_request(sample_weight=True)
        return estimator.fit(table, labels, **given)


def _leaves(model: Any) -> float:
    return float(sum(tree.get_n_leaves() for tree in model.estimators_))


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
        """(N, C) shares, in the order of the sorted classes, if the package has them:
        AttributeError otherwise."""
        found = np.asarray(self.inner.predict_proba(np.asarray(table)), dtype=np.float64)
        return found[:, np.argsort(self.classes_)]


def _third_party() -> dict[str, Learner]:
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
        "exponentiated gradient": Learner(
            Gradient,
            Gradient.splits,
            ("sklearn", "fairlearn"),
            grouped=True,
            keeps=lambda asked: fairlearns(demands_of(asked)) is not None,
            extra="fairness",
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

    No limit of ours: if STreeD 1.4 reaches its limit it ends the whole process. Trees of this
    depth take it seconds.
    """
    from pystreed import STreeDClassifier

    return Coded(STreeDClassifier(max_depth=DEPTH, hyper_tune=True))


class Gradient:
    """Fairlearn's ExponentiatedGradient over trees, which keeps the rates of groups equal: a tree
    is drawn at random for each prediction. The groups are no feature."""

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


def fairlearns(asked: Sequence[Demand]) -> tuple[str, float] | None:
    """The name of Fairlearn's reduction and its bound, if what is demanded is one of these."""
    if len(asked) != 1 or asked[0].how != "within":
        return None
    for name, notion in ALSO.items():
        if name[0].isupper() and NOTIONS[notion] == asked[0].rates:
            return name, float(asked[0].bound)
    return None
