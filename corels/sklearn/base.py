"""What the scikit-learn estimators of all model families share.

A family's estimator is a subclass of `CertifiedClassifier`. The base declares the parameters that
all families have, once; a subclass declares its own, and those whose default it changes, as fields
of a dataclass, and says which of them are options of its solver::

    @dataclass(eq=False, repr=False)
    class RuleListClassifier(CertifiedClassifier):
        _solver = "rule-list"

        regularization: float | Fraction | str = 0.01
        _: KW_ONLY
        policy: str | None = None

        def _solver_options(self):
            return {"policy": self.policy, ...}

The dataclass writes `__init__`, with every parameter by name, so that `get_params`, `clone` and
editors know them all. `fit` then is the same for all families: read the table into columns, the
labels into class indices and the weights into whole numbers; binarise; collapse to a `Problem`;
solve; keep model and certificate. A subclass that is limited to two classes sets `_multiclass =
False`, and one whose model has another name than `rule_list_` sets `_model_name`.

scikit-learn is imported here and in the neighbours of this file, and nowhere else in the core;
`import corels` does not need it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from corels.clock import Clock
from corels.errors import InputError, warn
from corels.learning.flow import Learning, least_of
from corels.model import Certificate, Stopped
from corels.options import Option
from corels.plugins import registry
from corels.problem.weights import ExactWeights, exact_weights
from corels.run.result import Result
from corels.sklearn.binarizer import Binarizing
from corels.sklearn.fitted import Fitted
from corels.sklearn.tables import class_factors, class_indices, plain_classes, refuses
from corels.tables import Column, Dataset, TableOptions
from corels.tables.dataset import Labels
from corels.tables.descriptions import Descriptions
from corels.tables.labelled import positive_last, rows_dataset
from corels.tables.learned import LearnedColumn
from corels.tables.options import BinarizeOptions
from corels.tables.positive import check_positive
from corels.tables.stored import at_hand
from corels.tables.unseen import unseen_values

LARGEST_SEED = 2**31 - 1


class Given(NamedTuple):
    """Options of a table, and the columns beside X that they name."""

    options: dict[str, Any]
    columns: Mapping[str, Column]


@dataclass(eq=False, repr=False)
class CertifiedClassifier(Binarizing, Fitted):
    """Base of the estimators: everything but a family's own parameters and its solver's name."""

    _solver: ClassVar[str]
    _model_name: ClassVar[str] = "rule_list_"
    _multiclass: ClassVar[bool] = True
    _trusted: ClassVar[tuple[str, ...]] = ()  # types that a fitted one holds beside its model's
    _advice: ClassVar[str] = "time_limit=None lets the search end by itself"

    _: KW_ONLY
    positive: Any = None
    class_weight: Mapping[Any, Any] | Literal["balanced"] | None = None
    time_limit: float | None = 60
    node_limit: int | None = None
    memory_limit: int | None = None
    verbose: int = 0
    strict: bool = False

    def __getstate__(self) -> Any:
        """With the model as its document: plain data, which skops reads without asking."""
        state = super().__getstate__()
        model = state.get(self._model_name)
        return state if model is None else {**state, self._model_name: model.to_document()}

    def __setstate__(self, state: Any) -> None:
        found = state.get(self._model_name)
        if found is not None:
            family = registry().get("solver", self._solver)()
            state = {**state, self._model_name: family.load(found)}
        super().__setstate__(state)

    # --- what a subclass says -------------------------------------------------------------------

    def _solver_options(self) -> dict[str, Any]:
        """Options of the solver, None if its own default is to be used.

        By default the fields that are called like one of its options.
        """
        options = {o.name for o in registry().get("solver", self._solver)().options}
        names = {field.name for field in fields(self)}
        return {n: getattr(self, n) for n in names if n in options}

    # --- fit ------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn the certifiably optimal model of a table.

        Args:
            X: (N, columns) an array, a sparse matrix, a pandas or polars frame, or a mapping of
                columns: 0/1, numbers, text, categories, missing values.
            y: (N,) labels of any kind, two classes or more; or a query of one column.
            sample_weight: (N,) numbers, 0 or more, or None for 1 each; a query as y. Whole numbers,
                fractions, decimals, and floats that stand for a simple fraction are exact; others
                are rounded to `weight_resolution_`.

        Returns:
            The estimator itself.

        Raises:
            ValueError: for data, weights or parameters that cannot be used.
        """
        self._clock = Clock(Option.time_limit("").check(self.time_limit))  # counts reading, too
        y, sample_weight = at_hand(y), at_hand(sample_weight)
        columns = self._read_columns(X, reset=True)
        self._weighted = sample_weight is not None
        self._warned = set[str]()  # the columns whose values that `fit` never saw were warned of
        labels = self._read_labels(y, len(next(iter(columns.values()))), columns)
        weights = self._read_weights(sample_weight, labels)
        self._keep(self._solve(self._dataset(columns, labels, weights)))
        return self

    def _read_columns(self, X: Any, *, reset: bool) -> dict[str, Column]:
        """The table as columns, by the names that were seen in `fit`; shape and names checked."""
        if X is None:
            raise ValueError(f"{type(self).__name__} requires X to be passed: expected a table")
        columns, said = self._read(X, reset=reset), self._options.reading.said
        if reset:
            self._known = {n: LearnedColumn.found(c, said(n)) for n, c in columns.items()}
        return columns

    def _read_new(self, X: Any) -> dict[str, Column]:
        """The table to predict. A value that `fit` never saw warns, once for each column.

        Raises InputError instead if `strict`.
        """
        columns = self._read_columns(X, reset=False)
        asked = {c.column: None for a in self._model.antecedents for c in a.conditions}
        for unseen in unseen_values(columns, list(asked), getattr(self, "_known", {})):
            if self.strict:
                raise InputError(f"{unseen} (strict=True)")
            if unseen.column not in self._warned:
                self._warned.add(unseen.column)
                warn(str(unseen))
        return columns

    def _read_labels(self, y: Any, n_rows: int, features: Collection[str]) -> NDArray[np.int64]:
        """(N,) indices into `classes_`, which is set here. A label that is called as one of the
        features is called "class": "if age <= 2 then age = 0" says two things of one name."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        name = getattr(y, "name", None)
        self._y_name = None if str(name) in features else name
        self._label_name = str(self._y_name or "class")
        self.classes_, labels = class_indices(y, n_rows)
        known = self.classes_.tolist()
        ordered = positive_last(known, self.positive, "y")
        self._order = np.array([known.index(value) for value in ordered], dtype=np.intp)
        if len(self.classes_) > 2 and not self._multiclass:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"{len(self.classes_)} classes."
            )
        return labels

    def _read_weights(self, sample_weight: Any, labels: NDArray[np.int64]) -> ExactWeights | None:
        """Sample weights times class weights; None if every row has the same."""
        class_weight = self._row_factors()
        self.weight_resolution_ = Fraction(0)
        if sample_weight is None and class_weight is None:
            return None
        compared = bool(getattr(self, "constraints", ()))
        weights = exact_weights(sample_weight, len(labels), compared=compared)
        if class_weight is not None:
            factors = class_factors(class_weight, self.classes_, labels, weights.values)
            weights = exact_weights(sample_weight, len(labels), labels, factors, compared=compared)
        self.weight_resolution_ = weights.resolution
        return weights

    def _dataset(
        self, columns: Mapping[str, Column], labels: NDArray[np.int64], weights: ExactWeights | None
    ) -> Dataset:
        """Binarised, with conjunctions as asked for; rows without weight left out. The classes are
        in the order of the model, the positive one last."""
        classes, labels = plain_classes(self.classes_[self._order]), np.argsort(self._order)[labels]
        if len(classes) == 1:  # a data set has two; nothing has the other one
            classes = (*classes, f"not {classes[0]}")
        asked, beside = self._given(len(labels), classes)
        options = TableOptions(**self._binarizing(columns), **asked)
        check_positive(options, classes)
        if weights is not None and not weights.values.all():
            kept = np.flatnonzero(weights.values)
            columns, beside = (
                {name: column.take(kept) for name, column in each.items()}
                for each in (columns, beside)
            )
            labels, weights = labels[kept], replace(weights, values=weights.values[kept])
        held_back = {*options.group_columns} - {*beside}
        features = {name: one for name, one in columns.items() if name not in held_back}
        rows = Labels(self._label_name, classes, labels)
        stands = None if weights is None else weights.rows
        mine = partial(self._mined, features, labels)
        data = rows_dataset(
            columns, rows, weights, options,
            where="X", stands=stands, mine=mine, beside=beside,
        )  # fmt: skip
        self._known = {**self._known, **data.known}
        reading = {n: v for n, v in (data.reading or {}).items() if n != "outcome_cost"}
        return replace(data, known=self._known, handed=self._handed, reading=reading)

    def _binarizing(self, columns: Iterable[str]) -> dict[str, Any]:
        """The options with which `corels run` makes the same antecedents of a table of X and y."""
        own = self._options
        given = {one.name: getattr(own, one.name) for one in fields(BinarizeOptions)}
        return given | {"columns": own.described.over(Descriptions.of(list(columns), only=True))}

    def _given(self, rows: int, classes: tuple[Any, ...]) -> Given:
        """What is asked beside a binarizer's options."""
        return Given({"positive": self.positive}, {})

    @property
    def _handed(self) -> tuple[str, ...]:
        """What was given beside X and y, so that no table has it."""
        given = {
            "y": not self._y_name,
            "sample_weight": self._weighted,
            "class_weight": self._row_factors() is not None,
        }
        return tuple(name for name, there in given.items() if there)

    def _row_factors(self) -> Any:
        """The class weights that rows are multiplied by; None: none."""
        return self.class_weight

    def _solve(self, data: Dataset) -> Result:
        """Run the solver, also if there is nothing to choose: one class, or no antecedent."""
        one_class = len(np.unique(data.labels)) == 1
        limits = {name: getattr(self, name) for name in ("node_limit", "memory_limit")}
        given = {n: v for n, v in (self._solver_options() | limits).items() if v is not None}
        given["time_limit"] = self.time_limit
        more: dict[str, Any] = {name: getattr(self, name, None) for name in ("proof", "resume")}
        if self.verbose:
            more["sinks"] = ["progress"]
        price = getattr(self, "regularization", 0)
        if one_class or not data.antecedents:
            price = least_of(price) or price  # there is nothing to choose lambda by
        how: dict[str, Any] = {"cost": getattr(self, "cost", None), "more": more, "empty": True}
        asked = Learning(self._solver, given, price, self._clock, **how)
        result = asked.learned(data)
        if asked.choice is not None:
            self.lambda_choice_ = asked.choice
        self._ratio_costs = "" if asked.ratio is None else str((asked.data.reading or {})["cost"])
        if one_class:  # no table of one class can be read again
            result = replace(result, certificate=replace(result.certificate, statement={}))
        return result

    def _keep(self, result: Result) -> None:
        """The fitted attributes."""
        certificate = result.certificate
        setattr(self, self._model_name, result.model)
        self._learned_from = result.data
        self.certificate_ = certificate
        self.objective_ = float(certificate.objective)
        self.lower_bound_ = float(certificate.lower_bound)
        self.gap_ = float(certificate.gap)
        self.optimal_ = certificate.optimal
        self.n_iter_ = max(1, certificate.expanded)
        for message in result.warnings:
            warn(message, RuntimeWarning)
        for remark in result.model.remarks():
            warn(remark)
        if not certificate.optimal:
            warn(self._not_proved(certificate), ConvergenceWarning)

    def _not_proved(self, certificate: Certificate) -> str:
        """Why the search stopped, the gap, and what would make the model certain."""
        stopped = (
            f"the search stopped early ({certificate.why_stopped}): the model's objective is "
            f"{self.objective_:.6g}, and none below {self.lower_bound_:.6g} is possible "
            f"(gap {self.gap_:.2g})"
        )
        if certificate.stopped in (Stopped.TIME_LIMIT, Stopped.NODE_LIMIT, Stopped.MEMORY_LIMIT):
            return f"{stopped}. For a proof: {self._advice}"
        return stopped

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not refuses(self.missing)
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = self._multiclass
        return tags


def seed_of(random_state: Any) -> int:
    """None is 0, so that a run repeats; a RandomState gives its next number."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(LARGEST_SEED))
