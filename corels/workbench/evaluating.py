"""Evaluate: accuracy, size and time on held-out rows, ours and baselines on the same folds.

Every cell is one model on one fold of one table. Lambda of the rule lists is chosen inside the
training fold, by cross-validation over the exact path, so that the reported accuracy is honest.
The cell "rule list, every lambda" keeps the whole path of the training fold: the held-out accuracy
of each list on it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.antecedents import Column
from corels.errors import InputError
from corels.insight.figure import Figure, Panel, Series
from corels.problem import Problem
from corels.workbench import baselines
from corels.workbench.cells import Cell
from corels.workbench.experiment import How, run
from corels.workbench.table import Table

EVERY = "rule list, every lambda"
FIGURES = ("accuracy", "balanced_accuracy", "auc", "tpr", "fpr", "size", "seconds")


@dataclass(frozen=True)
class Labelled:
    """A table with its labels. columns: name -> array[N]; labels: array[N]; groups: array[N]."""

    columns: Mapping[str, NDArray[Any]]
    labels: NDArray[Any]
    groups: NDArray[Any] | None = None

    @classmethod
    def of(
        cls, columns: Mapping[str, Column], label: str, where: str, group: str | None = None
    ) -> Labelled:
        """From columns that were read; rows without a label are refused.

        group: a column by which rates are told apart, and which no model sees. Raises InputError.
        """
        for name in (label, *([group] if group is not None else [])):
            if name not in columns:
                raise InputError(f"{where}: there is no column {name!r}")
        arrays = {name: _array(column) for name, column in columns.items()}
        if columns[label].missing.any():
            raise InputError(f"{where}: column {label!r} has rows without a value")
        features = {k: v for k, v in arrays.items() if k not in (label, group)}
        return cls(features, arrays[label], None if group is None else arrays[group].astype(str))

    def rows(self, which: NDArray[np.intp]) -> Labelled:
        """Some of the rows."""
        columns = {name: column[which] for name, column in self.columns.items()}
        groups = None if self.groups is None else self.groups[which]
        return Labelled(columns, self.labels[which], groups)


def _array(column: Column) -> NDArray[Any]:
    """Categories as objects with None for a missing one, numbers with NaN."""
    if column.categories is None:
        values = np.asarray(column.values)
        return np.where(column.missing, np.nan, values) if column.missing.any() else values
    names = np.array([*column.categories, None], dtype=object)
    return np.asarray(names[np.where(column.missing, len(names) - 1, column.values)])


def evaluate(
    tables: Mapping[str, Labelled],
    *,
    models: Sequence[str] = (),
    folds: int = 10,
    inner_folds: int = 5,
    low: str = "0.005",
    time_limit: float | None = 10.0,
    seed: int = 0,
    how: How | None = None,
) -> Table:
    """A row for each table, fold and model.

    models: names (see `baselines.learners`); all that are installed if none is given. low: the
    least lambda. time_limit: seconds for each search of ours. Raises OptionError and InputError.
    """
    settings = {
        "folds": folds,
        "inner_folds": inner_folds,
        "low": low,
        "time_limit": time_limit,
        "seed": seed,
    }
    asked = tuple(name for name in models if name != EVERY)
    wanted = [EVERY] if EVERY in models or not models else []
    wanted += baselines.chosen(asked) if asked or not models else []
    cells = []
    for name, table in tables.items():
        dealt = _deal(name, table.labels, folds, seed)
        for fold in range(folds):
            training, held_out = np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)
            for model in wanted:
                arguments = {
                    "model": model,
                    "training": table.rows(training),
                    "held_out": table.rows(held_out),
                    "settings": settings,
                }
                cells.append(Cell({"data": name, "fold": fold, "model": model}, judge, arguments))
    hashes = {name: _hash(labelled) for name, labelled in tables.items()}
    found = run("evaluate", {**settings, "models": wanted}, cells, hashes, how or How())
    about = {**found.about, "not installed": baselines.missing()}
    return replace(found, about=about, draw=figure)


def _hash(table: Labelled) -> str:
    """So that a results file is never continued with another table."""
    digest = hashlib.sha256()
    for values in (*table.columns.values(), table.labels):
        digest.update(repr(values.tolist()).encode())
    return digest.hexdigest()


def _deal(name: str, labels: NDArray[Any], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each row; the classes in equal shares."""
    rng = np.random.default_rng(seed)
    dealt = np.empty(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        rows = np.flatnonzero(labels == label)
        if len(rows) < folds:
            raise InputError(f"{name}: the class {label} has {len(rows)} rows for {folds} folds")
        dealt[rng.permutation(rows)] = np.arange(len(rows)) % folds
    return dealt


def judge(
    model: str, training: Labelled, held_out: Labelled, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """One cell: learn on one table, measure on the other."""
    if model == EVERY:
        return _every_lambda(training, held_out, settings)
    learner = baselines.learners()[model]
    estimator = learner.make(settings)
    fit, test = _prepared(learner, training, held_out)
    began = time.perf_counter()
    estimator.fit(fit, training.labels)
    seconds = time.perf_counter() - began
    predicted = np.asarray(estimator.predict(test))
    scores = _scores(estimator, test)
    row = _measured(held_out, predicted.astype(held_out.labels.dtype), scores)
    certificate = getattr(estimator, "certificate_", None)
    return {
        **row,
        "size": None if (size := learner.size(estimator)) is None else float(size),
        "seconds": seconds,
        **({} if certificate is None else {"certified": certificate.optimal}),
    }


def _prepared(learner: baselines.Learner, training: Labelled, held_out: Labelled) -> Any:
    if learner.whole:
        return dict(training.columns), dict(held_out.columns)
    import pandas

    encoder = baselines.encoder(training.columns)
    fit = encoder.fit_transform(pandas.DataFrame(dict(training.columns)))
    return fit, encoder.transform(pandas.DataFrame(dict(held_out.columns)))


def _scores(estimator: Any, test: Any) -> NDArray[np.float64] | None:
    """A score of the last class for each row, where the model has one."""
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(test))[:, -1]
    if hasattr(estimator, "decision_function"):
        found = np.asarray(estimator.decision_function(test))
        return found if found.ndim == 1 else None
    return None


def _measured(
    held_out: Labelled, predicted: NDArray[Any], scores: NDArray[np.float64] | None
) -> dict[str, Any]:
    from sklearn.metrics import accuracy_score, balanced_accuracy_score, roc_auc_score

    truth = held_out.labels
    row: dict[str, Any] = {
        "accuracy": float(accuracy_score(truth, predicted)),
        "balanced_accuracy": float(balanced_accuracy_score(truth, predicted)),
    }
    classes = np.unique(truth)
    if len(classes) == 2:
        positive = classes[-1]
        row |= _rates(truth == positive, predicted == positive)
        if scores is not None:
            row["auc"] = float(roc_auc_score(truth == positive, scores))
        if held_out.groups is not None:
            for group in np.unique(held_out.groups):
                inside = held_out.groups == group
                rates = _rates((truth == positive)[inside], (predicted == positive)[inside])
                row |= {f"{name} of {group}": value for name, value in rates.items()}
    return row


def _rates(truth: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> dict[str, float | None]:
    """True and false positive rates; None where there is nothing to divide by."""
    positives, negatives = int(truth.sum()), int((~truth).sum())
    return {
        "tpr": float((truth & predicted).sum() / positives) if positives else None,
        "fpr": float((~truth & predicted).sum() / negatives) if negatives else None,
    }


def _every_lambda(
    training: Labelled, held_out: Labelled, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The path of the training fold, each list judged on the held-out rows."""
    from corels.insight.path import regularization_path

    began = time.perf_counter()
    problem = Problem.from_dataset(baselines.dataset_of(training.columns, training.labels))
    path = regularization_path(problem, settings["low"], time_limit=settings["time_limit"])
    seconds = time.perf_counter() - began
    lists = []
    for segment in path:
        predicted = np.array(segment.rule_list.classes)[
            segment.rule_list.predict_indices(dict(held_out.columns))
        ]
        lists.append(
            {
                "low": float(segment.low),
                "high": float(segment.high),
                "size": len(segment.rule_list),
                "training_accuracy": float(segment.accuracy),
                "certified": segment.certified,
                **_measured(held_out, predicted, None),
            }
        )
    return {"path": lists, "seconds": seconds, "certified": path.certified, "size": len(lists)}


def summary(table: Table) -> Table:
    """Means and standard deviations over the folds, a row for each table and model."""
    rows = []
    keys = dict.fromkeys((row["data"], row["model"]) for row in table.rows)
    for data, model in keys:
        mine = [r for r in table.rows if (r["data"], r["model"]) == (data, model)]
        row: dict[str, Any] = {"data": data, "model": model}
        for name in FIGURES if model != EVERY else ("seconds",):
            values = [r[name] for r in mine if isinstance(r.get(name), (int, float))]
            row[name] = float(np.mean(values)) if values else None
            if name == "accuracy" and len(values) > 1:
                row["spread"] = float(np.std(values, ddof=1))
        failed = [r["error"] for r in mine if "error" in r]
        rows.append(row | ({"error": failed[0]} if failed else {}))
    return Table(tuple(rows), table.about, table.complete, table.draw)


def figure(table: Table) -> Figure:
    """Held-out accuracy against size, a panel for each table."""
    panels: dict[str, list[Series]] = {}
    for row in summary(table).rows:
        if row.get("size") and row.get("accuracy") is not None:
            point = Series(row["model"], [row["size"]], [row["accuracy"]], "points")
            panels.setdefault(row["data"], []).append(point)
    for row in table.rows:
        if row["model"] == EVERY and "path" in row:
            sizes = [float(one["size"]) for one in row["path"]]
            heights = [one["accuracy"] for one in row["path"]]
            label = f"{EVERY}, fold {row['fold']}"
            panels.setdefault(row["data"], []).append(Series(label, sizes, heights, dashed=True))
    label = "size (rules, leaves, coefficients)"
    drawn = [Panel(n, label, "held-out accuracy", s, log_x=True) for n, s in panels.items()]
    return Figure("accuracy against size", drawn)
