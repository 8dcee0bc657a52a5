"""`Binarizer`: tables in, a 0/1 matrix with readable names out.

The work is done by `binarize`, which knows nothing of scikit-learn. This class gives it the shape
of a transformer of scikit-learn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from corels.errors import ColumnWarning, InputError, warn
from corels.options import suggestion
from corels.problem.weights import exact_weights
from corels.sklearn.tables import read_columns, refuses
from corels.tables.advice import refuse_missing
from corels.tables.binarizing import binarize
from corels.tables.column import Column, Columns, row_count
from corels.tables.condition import Antecedent, Condition, evaluate_all
from corels.tables.dates import source_of
from corels.tables.descriptions import EVERY
from corels.tables.learned import Learned, document_of, learned_of
from corels.tables.mining import Mined
from corels.tables.options import BinarizeOptions
from corels.tables.unseen import as_learned, measured_by, unseen_values


@dataclass(kw_only=True, eq=False, repr=False)
class Binarizing:
    """The parameters that estimators share with `Binarizer`, where each is described."""

    columns: Any = None
    cuts: str | None = None
    missing: Any = None
    negations: bool = False
    min_support: float = 0.01

    @property
    def _known(self) -> Learned:
        """What is kept of the columns of the fit; as plain data, which skops can make again."""
        return learned_of(self._known_columns)

    @_known.setter
    def _known(self, known: Learned) -> None:
        self._known_columns = document_of(known)

    @property
    def _options(self) -> BinarizeOptions:
        """The parameters as options; an estimator need not have each of them. Raises OptionError
        for a wrong one."""
        names = [one.name for one in fields(BinarizeOptions)]
        return BinarizeOptions(**{n: getattr(self, n) for n in names if hasattr(self, n)})

    def _read(self, X: Any, *, reset: bool) -> dict[str, Column]:
        """The columns of X; after the fit, read as those of the fit were."""
        known: Learned = {} if reset else getattr(self, "_known", {})
        reading = self._options.reading._replace(as_is=tuple(known))
        columns = read_columns(self, X, reset=reset, missing=self.missing, reading=reading)
        if reset:
            return columns
        learned = as_learned(columns, measured_by((), known), known)
        assert isinstance(learned, Columns)
        return learned

    def _mined(
        self,
        columns: Mapping[str, Column],
        labels: NDArray[np.int64] | None,
        weights: NDArray[np.int64] | None,
    ) -> Mined:
        """The antecedents of N rows, and the rows that each holds for; sets `columns_`.

        labels: (N,) class indices, read only if cuts or groups look at them. weights: (N,) how many
        rows each stands for, 1 or more, or None for one each.
        """
        options = self._options
        for sentence in _described_in_vain(options.described.columns, list(columns)):
            warn(sentence, ColumnWarning)
        mined = binarize(columns, options, labels, weights)
        if mined.use and (said := mined.use.said()):
            warn(said, ColumnWarning)
        self.columns_ = list(mined.use.columns) if mined.use else []
        return mined


@dataclass(kw_only=True, eq=False, repr=False)
class Binarizer(Binarizing, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn columns into antecedents: conditions that each row meets or does not.

    Parameters:
        columns: what is said of columns, by name (`x0`, `x1`, ... of arrays): {"age": "cuts 17, 25;
            direction up", "months": {"codes": [-9, -8]}, "*": "cuts entropy 5"}, or the path of a
            file (`corels.tables.description`); or a list of names: only these are used.
        cuts: how columns are cut that no description cuts otherwise, and the most cuts:
            "quantile 3", "uniform", "all" (between all values), "entropy" (where the
            classes differ; needs `y`); of names "each" (a condition a value), "grouped" (groups of
            values that behave alike, `city in {Bonn, Graz}`; needs `y`) or "both": "entropy 5,
            grouped".
        missing: the values that mean "no value", in the place of the usual words, or "refuse": a
            missing value is an error. All conditions but "x is missing" are false of one.
        negations: add the negation of each feature.
        max_cardinality: the most conditions in one antecedent; 2 or more mines conjunctions.
        min_support: the fewest rows that an antecedent must be true of: a share (0.05, "10/150")
            or, as a whole number, a number of rows.
        max_support: the most rows, in the same way; None for all less min_support.

    Attributes:
        antecedents_: the antecedents, one per output column.
        columns_: what became of each column (`corels.tables.use.ColumnUse`: name, kind, cuts,
            codes, unused, hint, ...).
        n_features_in_: number of input columns.
        feature_names_in_: their names, if the table has names (only with scikit-learn).
    """

    max_cardinality: int = 1
    max_support: float | None = None

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the antecedents of a table.

        Args:
            X: (N, columns) array, sparse matrix, pandas or polars frame, or mapping of column
                name -> values.
            y: (N,) labels, read only if cuts or groups look at them.
            sample_weight: (N,) how many rows each stands for, or None; for the cuts and the
                limits on support. Rows of weight 0 count for nothing.

        Raises:
            OptionError: for an option out of range.
            InputError: for values that cannot be read. Both are ValueErrors.
        """
        columns = self._read(X, reset=True)
        labels = self._class_indices(y) if self._options.supervised else None
        weights = None
        if sample_weight is not None:
            given = exact_weights(sample_weight, row_count(columns))
            kept = np.flatnonzero(given.values)
            columns = {name: column.take(kept) for name, column in columns.items()}
            labels, weights = None if labels is None else labels[kept], given.rows[kept]
        mined = self._mined(columns, labels, weights)
        self._known, self.antecedents_ = mined.known, mined.antecedents
        return self

    def transform(self, X: Any) -> NDArray[np.bool_]:
        """(N, M) bool: which antecedents are true of each row."""
        check_is_fitted(self, "antecedents_")
        known, columns = getattr(self, "_known", {}), self._read(X, reset=False)
        for unseen in unseen_values(columns, [name for name in known if name in columns], known):
            warn(str(unseen))
        said = self._options.described
        refuse_missing({n: c for n, c in columns.items() if said.column(n).refuses_missing})
        return np.ascontiguousarray(evaluate_all(self.antecedents_, columns).T)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """(M,) the text of each antecedent.

        Args:
            input_features: other names for the input columns of an array.
        """
        check_is_fitted(self, "antecedents_")
        old = [str(name) for name in _check_feature_names_in(self)]
        new = [str(name) for name in _check_feature_names_in(self, input_features)]
        names = [a.name for a in self.antecedents_]
        if old != new:
            renamed = dict(zip(old, new, strict=True))
            names = [_rename(a, renamed).name for a in self.antecedents_]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        tags.input_tags.allow_nan = not refuses(self.missing)
        tags.target_tags.required = bool(self._options.supervised)
        return tags

    def _class_indices(self, y: Any) -> NDArray[np.int64]:
        if y is None:
            what = self._options.supervised
            raise InputError(f"cuts {what!r} requires y to be passed, but the target y is None")
        return np.unique(np.asarray(y), return_inverse=True)[1].astype(np.int64)


def _described_in_vain(said: Iterable[str], columns: Sequence[str]) -> Iterator[str]:
    """A sentence for each name that is described and that the table does not have: a pipeline may
    have left that column out, or the name may be wrong."""
    for name in said:
        if name != EVERY and source_of(name, columns) not in columns:
            hint = suggestion(name, columns)
            yield f"columns describes {name!r}, which the table does not have{hint}"


def _rename(antecedent: Antecedent, names: dict[str, str]) -> Antecedent:
    return Antecedent.of(
        *(
            Condition(names[one.column], one.operator, one.value, one.besides)
            for one in antecedent.conditions
        )
    )
