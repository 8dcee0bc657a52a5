"""What the scikit-learn estimators of all model families share.

A family's estimator is a subclass of `CertifiedClassifier` that names its solver, declares its
parameters in `__init__`, and says which of them are options of the solver:

    class RuleListClassifier(CertifiedClassifier):
        _solver = "rule-list"

        def __init__(self, regularization=0.01, ...): ...

        def _solver_options(self):
            return {"policy": self.policy, ...}

`fit` then is the same for all: read the table into columns, the labels into class indices and the
weights into whole numbers; binarise; collapse to a `Problem`; solve; keep model and certificate.
A subclass that needs another problem (its own regularization, say) overrides `_problem`, one that
is limited to two classes sets `_multiclass = False`, and one whose model has another name than
`rule_list_` sets `_model_name`.

scikit-learn is imported here and nowhere else in the core; `import corels` does not need it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.antecedents import BinarizeOptions, Column, Mined, binarize
from corels.data import Dataset
from corels.errors import OptionError
from corels.model import Certificate, Model, Rule, RuleList, Stopped
from corels.problem import ClassLabel, Problem, exact_regularization
from corels.problem.weights import ExactWeights, exact_weights
from corels.run.solve import Result, solve
from corels.search import Sink
from corels.sklearn.callbacks import CallbackSink, CallbackSupport, VerboseSink, with_callbacks

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils import check_array, check_random_state, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted

    from corels.sklearn.tables import read_columns
except ImportError as error:
    raise ImportError(
        "the estimators need scikit-learn 1.6 or later: pip install 'corels[sklearn]'"
    ) from error

LARGEST_SEED = 2**31 - 1


class CertifiedClassifier(CallbackSupport, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators: everything but the parameters and the name of the solver.

    Parameters that every subclass declares, because `fit` reads them here: `regularization`,
    `max_cardinality`, `min_support`, `max_support`, `thresholds`, `n_thresholds`, `missing`,
    `negations`, `categorical`, `class_weight`, `time_limit`, `node_limit`, `memory_limit`,
    `random_state`, `verbose`.
    """

    _solver: ClassVar[str]
    _model_name: ClassVar[str] = "rule_list_"
    _multiclass: ClassVar[bool] = True

    # --- what a subclass says -------------------------------------------------------------------

    def _solver_options(self) -> dict[str, Any]:
        """Options of the solver, None where its own default is to be used."""
        return {}

    def _problem(self, data: Dataset) -> Problem:
        """The problem that the solver gets."""
        return Problem.from_dataset(data, self.regularization)

    # --- fit ------------------------------------------------------------------------------------

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn the certifiably optimal model of a table.

        Args:
            X: (N, columns) an array, a pandas or polars frame, or a mapping of columns: 0/1,
                numbers, text, categories, missing values.
            y: (N,) labels of any kind, two classes or more.
            sample_weight: (N,) numbers, 0 or more, or None for 1 each. Whole numbers, fractions,
                decimals, and floats that stand for a simple fraction are exact; others are rounded
                to `weight_resolution_`.

        Returns:
            The estimator itself.

        Raises:
            ValueError: for data, weights or parameters that cannot be used.
        """
        columns = self._read_columns(X, reset=True)
        labels = self._read_labels(y, len(next(iter(columns.values()))))
        context = self._begin_callbacks(X, y, sample_weight)
        weights = self._read_weights(sample_weight, labels)
        data = self._dataset(columns, labels, weights)
        self._keep(self._solve(data, context))
        self._end_callbacks(context, X, y, sample_weight)
        return self

    def _read_columns(self, X: Any, *, reset: bool) -> dict[str, Column]:
        """The table as columns, by the names that were seen in `fit`; shape and names checked."""
        if X is None:
            raise ValueError(f"{type(self).__name__} requires X to be passed: expected a table")
        return read_columns(self, X, reset=reset)

    def _read_labels(self, y: Any, n_rows: int) -> NDArray[np.int64]:
        """(N,) indices into `classes_`, which is set here."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        self._label_name = str(getattr(y, "name", None) or "class")
        y = column_or_1d(y, warn=True)
        if y.dtype.kind not in "OUTSbiu":
            check_array(y, ensure_2d=False, dtype=None, input_name="y")
        check_classification_targets(y)
        if len(y) != n_rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(y)}]"
            )
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2 and not self._multiclass:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"{len(self.classes_)} classes."
            )
        return np.asarray(labels, dtype=np.int64)

    def _read_weights(self, sample_weight: Any, labels: NDArray[np.int64]) -> ExactWeights | None:
        """Sample weights times class weights; None where every row has the same."""
        class_weight = getattr(self, "class_weight", None)
        self.weight_resolution_ = Fraction(0)
        if sample_weight is None and class_weight is None:
            return None
        weights = exact_weights(sample_weight, len(labels))
        if class_weight is not None:
            factors = self._class_factors(class_weight, labels, weights.values)
            weights = exact_weights(sample_weight, len(labels), labels, factors)
        self.weight_resolution_ = weights.resolution
        return weights

    def _class_factors(
        self, class_weight: Any, labels: NDArray[np.int64], weights: NDArray[np.int64]
    ) -> list[Any]:
        """One factor a class: given by a mapping, or "balanced": equal weight to each class."""
        if isinstance(class_weight, str):
            if class_weight != "balanced":
                raise OptionError(
                    f"class_weight is {class_weight!r}: expected 'balanced', a mapping of classes "
                    "to weights, or None"
                )
            totals = [int(weights[labels == index].sum()) for index in range(len(self.classes_))]
            share = Fraction(sum(totals), len(totals))
            return [share / total if total else Fraction(0) for total in totals]
        if not isinstance(class_weight, Mapping):
            raise OptionError(f"class_weight is {class_weight!r}: expected a mapping or 'balanced'")
        known = self.classes_.tolist()
        for label in class_weight:
            if label not in known:
                raise OptionError(f"class_weight names the class {label!r}, which is not in y")
        return [class_weight.get(label, 1) for label in known]

    def _dataset(
        self,
        columns: Mapping[str, Column],
        labels: NDArray[np.int64],
        weights: ExactWeights | None,
    ) -> Dataset:
        """Binarised, with conjunctions as asked for; rows without weight left out."""
        whole = None if weights is None else weights.values
        if whole is not None and not whole.all():
            kept = np.flatnonzero(whole)
            columns = {name: column.take(kept) for name, column in columns.items()}
            labels, whole = labels[kept], whole[kept]
        mined = self._antecedents(columns, labels, _stand_for(weights, whole))
        classes = _plain_classes(self.classes_)
        if len(classes) == 1:  # a data set has two; nothing has the other one
            classes = (*classes, f"not {classes[0]}")
        return Dataset(
            antecedents=mined.antecedents,
            captures=mined.captures,
            labels=labels,
            classes=classes,
            label_name=self._label_name,
            weights=whole,
        )

    def _antecedents(
        self,
        columns: Mapping[str, Column],
        labels: NDArray[np.int64],
        weights: NDArray[np.int64] | None,
    ) -> Mined:
        """The antecedents of the table, and the rows they hold for."""
        options = BinarizeOptions(
            thresholds=self.thresholds,
            n_thresholds=self.n_thresholds,
            missing=self.missing,
            negations=self.negations,
            max_cardinality=self.max_cardinality,
            min_support=self.min_support,
            max_support=self.max_support,
            categorical=() if self.categorical is None else tuple(self.categorical),
            random_state=self._seed(),
        )
        return binarize(columns, options, labels, weights)

    def _seed(self) -> int:
        """None is 0, so that a run repeats; a RandomState gives its next number."""
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(LARGEST_SEED))

    def _solve(self, data: Dataset, context: Any) -> Result:
        """Run the solver; a constant list needs none."""
        if not data.antecedents or len(np.unique(data.labels)) == 1:
            return self._constant(data)
        problem = self._problem(data)
        options = {name: v for name, v in self._solver_options().items() if v is not None}
        limits = {
            name: getattr(self, name)
            for name in ("time_limit", "node_limit", "memory_limit")
            if getattr(self, name) is not None
        }
        sinks: list[Sink] = [VerboseSink(problem, self._solver)] if self.verbose else []
        callback = CallbackSink(self, context) if context is not None else None
        if callback is not None:
            sinks.append(callback)
        result = solve(problem, self._solver, sinks=sinks, **options, **limits)
        return result if callback is None else callback.concluded(result)

    def _constant(self, data: Dataset) -> Result:
        """The best list where there is nothing to choose: one class, or no antecedent."""
        if getattr(self, "proof", None) is not None:
            raise OptionError("no proof can be written: there is nothing to choose in this table")
        counts = np.zeros(len(data.classes), dtype=np.int64)
        np.add.at(counts, data.labels, 1 if data.weights is None else data.weights)
        default = Rule(None, int(counts.argmax()), tuple(counts.tolist()))
        model = RuleList((), default, data.classes, data.label_name)
        regularization = exact_regularization(self.regularization)
        objective = model.objective(regularization)
        certificate = Certificate(
            objective, objective, Stopped.CERTIFIED, regularization, solver=self._solver
        )
        return Result(model, certificate)

    def _keep(self, result: Result) -> None:
        """The fitted attributes."""
        certificate = result.certificate
        setattr(self, self._model_name, result.model)
        self.certificate_ = certificate
        self.objective_ = float(certificate.objective)
        self.lower_bound_ = float(certificate.lower_bound)
        self.gap_ = float(certificate.gap)
        self.optimal_ = certificate.optimal
        self.n_iter_ = max(1, certificate.expanded)
        for message in result.warnings:
            warnings.warn(message, RuntimeWarning, stacklevel=4)
        if not certificate.optimal:
            warnings.warn(
                f"the search stopped early ({certificate.why_stopped}): the model's objective is "
                f"{self.objective_:.6g}, and none below {self.lower_bound_:.6g} is possible "
                f"(gap {self.gap_:.2g})",
                ConvergenceWarning,
                stacklevel=4,
            )

    # --- predict --------------------------------------------------------------------------------

    @property
    def _model(self) -> Model:
        check_is_fitted(self)
        model: Model = getattr(self, self._model_name)
        return model

    def predict(self, X: Any) -> NDArray[Any]:
        """(N,) the predicted label of each row."""
        model = self._model
        return np.asarray(self.classes_[model.predict_indices(self._read_columns(X, reset=False))])

    # --- callbacks ------------------------------------------------------------------------------

    def _begin_callbacks(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """The root context of scikit-learn's callbacks, or None where there are none."""
        if not hasattr(self, "_init_callback_context"):
            return None
        context = self._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=self, **_task(X, y, sample_weight))
        return context

    def _end_callbacks(self, context: Any, X: Any, y: Any, sample_weight: Any) -> None:
        if context is not None:
            context.call_on_fit_task_end(
                estimator=self, reconstruction_attributes={}, **_task(X, y, sample_weight)
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "indicator"
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = self._multiclass
        return tags


def _task(X: Any, y: Any, sample_weight: Any) -> dict[str, Any]:
    metadata = None if sample_weight is None else {"sample_weight": sample_weight}
    return {"X": X, "y": y, "metadata": metadata}


def _stand_for(
    weights: ExactWeights | None, whole: NDArray[np.int64] | None
) -> NDArray[np.int64] | None:
    """How many rows each row stands for: whole weights as they were given, without reduction.

    A weight of 2 then has the same thresholds as a row that occurs twice.
    """
    if weights is None or whole is None:
        return None
    factor = weights.unit.numerator if weights.resolution == 0 else 1
    return whole * factor if int(whole.sum()) * factor < 2**62 else whole


def _plain_classes(classes: NDArray[Any]) -> tuple[ClassLabel, ...]:
    """As Python values that JSON knows; anything else by its text."""
    plain = [value.item() if isinstance(value, np.generic) else value for value in classes]
    return tuple(v if isinstance(v, (str, int, float, bool)) else str(v) for v in plain)
