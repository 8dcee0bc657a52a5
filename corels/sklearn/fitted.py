"""What a fitted estimator says of new rows, and of itself."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from corels.errors import OptionError
from corels.export.reason_words import frame_like, reasons_table, row_reasons
from corels.model import Certificate, Model
from corels.model.weighing import LEVEL, Behind
from corels.run.result import Result
from corels.sklearn.tables import column_names, plain_labels
from corels.tables import Column

LEAST = np.finfo(np.float64).tiny


class Fitted(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The part of `CertifiedClassifier` that needs the model only, and how new rows are read."""

    _model_name: ClassVar[str]
    certificate_: Certificate
    classes_: NDArray[Any]
    _order: NDArray[np.intp]
    _learned_from: Any

    if TYPE_CHECKING:

        def _read_new(self, X: Any) -> dict[str, Column]: ...

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model as `corels run --output` does: see `corels.Result.save`.

        Raises NotFittedError before `fit`, OutputError if the file cannot be written.
        """
        self._result.save(path)

    @property
    def _result(self) -> Result:
        return Result(self._model, self.certificate_, data=self._learned_from)

    @property
    def _model(self) -> Model:
        check_is_fitted(self)
        model: Model = getattr(self, self._model_name)
        return model

    def predict(self, X: Any) -> NDArray[Any]:
        """(N,) the predicted label of each row."""
        model = self._model
        return np.asarray(self.classes_[self._in_classes(model, self._read_new(X))])

    def _in_classes(self, model: Model, columns: Mapping[str, Column]) -> NDArray[np.intp]:
        """(N,) what is said of each row: a place in `classes_`, or behind these what else is."""
        places = np.array([*self._order, *range(len(self._order), len(model.says))], dtype=np.intp)
        return places[model.predict_indices(columns)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy. y: as in `fit`, also Python objects, which scikit-learn's measures refuse."""
        return float(super().score(X, plain_labels(y), sample_weight))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """(N, C) class frequencies, in the training data, of what captures each row."""
        check_is_fitted(self)
        return self._shares(self._read_new(X))

    def apply(self, X: Any) -> NDArray[np.intp]:
        """(N,) the number of the rule or set that decides each row; what is left is the last."""
        return self._model.capturing(self._read_new(X))

    def predict_interval(self, X: Any, level: float = LEVEL) -> NDArray[np.float64]:
        """(N, 2) the ends of Wilson's interval for the share of the predicted class among what
        decides each row in training; NaN if no class is predicted.

        The rules were chosen on these rows, so the interval is too narrow: held-out rows (`corels
        monitor --save`) give a fair one.

        Raises ValueError for a level that is not between 0 and 1.
        """
        if not 0 < level < 1:
            raise OptionError(f"level is {level!r}: expected a number between 0 and 1")
        model = self._model
        rows = {"rows": (self._learned_from or {}).get("rows"), "weight": model.training_weight}
        behind = Behind.of(model, {"data": rows})
        known = (behind.interval(number, level) for number in range(len(behind.counts)))
        ends = np.array([one or (np.nan, np.nan) for one in known])
        return ends[model.capturing(self._read_new(X))]

    def reasons(self, X: Any, *, changes: int = 1, wanted: Any = None) -> Any:
        """Why each row is predicted what it is, and what would change it: see `Model.reasons`."""
        rows = row_reasons(self._model, self._read_new(X), changes=changes, wanted=wanted)
        said = {"prediction": self.predict(X).tolist()}
        return frame_like(X, said | reasons_table(rows, changes))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """(N, C) logarithms of `predict_proba`; -inf if that is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)), dtype=np.float64)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """(N,) with two classes, or (N, C): larger is more likely; agrees with `predict`.

        Two classes: the frequency of the second less the one from which it is predicted, above 0
        exactly if `predict` gives the second. More: the frequencies of the classes. If
        outcomes have costs: what the first class costs on average, less what the second does; or
        what each class costs, negated. Rows for which no class is said count in the same way.
        """
        model = self._model
        columns = self._read_new(X)
        predicted = self._in_classes(model, columns)
        costed = model.outcomes is not None and model.deciders()[0].stated is None
        values = self._savings(model, columns) if costed else self._shares(columns)
        if len(self.classes_) > 2:
            return scores(values, predicted)
        if costed:
            return margins(values[:, -1] - values[:, 0], predicted, 0.0)
        return margins(values[:, -1], predicted, self._threshold())

    def _savings(self, model: Model, columns: Mapping[str, Column]) -> NDArray[np.float64]:
        """(N, classes) what each class costs on average, in training, if a row is decided,
        negated."""
        rows = [np.array(one.costs) / max(1, one.captured) for one in model.deciders()]
        return -self._columns(np.array(rows)[model.capturing(columns)])

    def _columns(self, of_model: NDArray[Any]) -> NDArray[np.float64]:
        """A column of each class of the model, in the order of `classes_`."""
        return np.asarray(of_model[:, np.argsort(self._order)], dtype=np.float64)

    def _shares(self, columns: Mapping[str, Column]) -> NDArray[np.float64]:
        return self._columns(self._model.predict_proba(columns))

    def _threshold(self) -> float:
        """The frequency above which the second of two classes is predicted."""
        return 0.5

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """(columns,) the share of each column in what the model tells about the classes.

        A rule splits its rows off; the fall of the Gini impurity by that, in training weight, is
        credited to the columns of its conditions in equal parts, as in decision trees. The sum is
        1, or 0 for a model without rules.
        """
        deciders, names = self._model.deciders(), column_names(self)
        found = np.zeros(len(names))
        counts = np.array([one.counts for one in deciders], dtype=np.float64)
        rest = counts.sum(axis=0)
        for one, taken in zip(deciders, counts, strict=True):
            fall = _impurity(rest) - _impurity(taken) - _impurity(rest - taken)
            rest = rest - taken
            asked = [c.column for antecedent in one.antecedents for c in antecedent.conditions]
            for name in asked:
                found[names.index(name)] += max(fall, 0.0) / len(asked)
        total = found.sum()
        return found / total if total > 0 else found

    @property
    def _repr_html_(self) -> Any:
        """What notebooks show: scikit-learn's box, and the fitted model with its certificate."""
        box = super()._repr_html_  # raises AttributeError if scikit-learn shows text
        return lambda: box() + self._fitted_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The same, for notebooks that ask for every form at once."""
        found = super()._repr_mimebundle_(**kwargs)
        if "text/html" in found:
            found["text/html"] += self._fitted_html()
        return found

    def _fitted_html(self) -> str:
        model = getattr(self, self._model_name, None)
        return "" if model is None else f"\n{self._result._repr_html_()}"


def margins(
    shares: NDArray[np.float64], predicted: NDArray[np.intp], threshold: float
) -> NDArray[np.float64]:
    """float64[N]: frequency of the second class less the threshold, above 0 if it is predicted.

    Rounding and ties must not turn the sign, so the prediction has the last word on it; if it is
    no class (2 and more), the number stays.
    """
    margin = shares - threshold
    known = np.where(predicted == 1, np.maximum(margin, LEAST), np.minimum(margin, 0.0))
    return np.where(predicted > 1, margin, known)


def scores(shares: NDArray[np.float64], predicted: NDArray[np.intp]) -> NDArray[np.float64]:
    """float64[N, C]: the frequencies, but nothing above that of the predicted class."""
    found = shares.copy()
    rows = np.arange(len(found))
    other = (found.argmax(axis=1) != predicted) & (predicted < shares.shape[1])
    found[rows[other], predicted[other]] = np.nextafter(found[other].max(axis=1), np.inf)
    return found


def _impurity(counts: NDArray[np.float64]) -> float:
    """Gini impurity times the weight."""
    weight = float(counts.sum())
    return weight - float((counts**2).sum()) / weight if weight > 0 else 0.0
