"""One model on one fold: what is measured on the held-out rows.

Beside single models there are families: the whole path of our rule lists over lambda, and a learner
of every size. Their rows keep, under `path`, the size and the figures of each member, so that
models of the same size can be compared.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.problem import Problem
from corels.problem.constraints import notions_of
from corels.problem.costs import UNJUDGED
from corels_workbench import baselines
from corels_workbench.apart import within
from corels_workbench.fair import disparity
from corels_workbench.labelled import Labelled
from corels_workbench.ours import dataset_of, limit_of

EVERY_LAMBDA = "rule list, every lambda"
EVERY_SIZE = ", every size"
MOST_QUESTIONS = 10
# A worker of Dask may have several threads. Limits on threads are the process's, and on Python 3.11
# no two threads may parse Python code, as joblib does in scikit-learn: one has a SystemError.
_ONE_AT_A_TIME = threading.Lock()


def families(names: Mapping[str, baselines.Learner]) -> list[str]:
    """The families among learners: every lambda, and every size of those that have one."""
    sized = [name + EVERY_SIZE for name, one in names.items() if one.sized is not None]
    return [EVERY_LAMBDA, *sized]


def judge_fold(
    model: str,
    table: Labelled,
    held_out: NDArray[np.bool_],
    settings: Mapping[str, Any],
    balanced: int | None = None,
) -> dict[str, Any]:
    """One cell: learn on the rows that are not held out, measure on those that are.

    balanced: the seed by which rows of the smaller classes are drawn again; None: they are not.
    A baseline looks at no clock: with a limit it runs in a process that is ended. Raises
    TimeoutError where that came.
    """
    limit = limit_of(settings)
    learner = baselines.learners().get(model.removesuffix(EVERY_SIZE))
    if table.categorical:
        asked = {**settings["antecedents"], "categorical": table.categorical}
        settings = {**settings, "antecedents": asked}
    task = partial(_judge_fold, model, table, held_out, settings, balanced)
    if learner is None or learner.searches is not None or limit is None:
        return task()
    found: dict[str, Any] = within(limit, partial(_get_ready, model, settings), task)
    return found


def _get_ready(model: str, settings: Mapping[str, Any]) -> None:
    """Import what a baseline needs: this is no part of its time."""
    learner = baselines.learners()[model.removesuffix(EVERY_SIZE)]
    for module in ("pandas", "sklearn.metrics", "threadpoolctl", *learner.needs):
        import_module(module)
    baselines.encoder({})
    learner.make(settings)


def _judge_fold(
    model: str,
    table: Labelled,
    held_out: NDArray[np.bool_],
    settings: Mapping[str, Any],
    balanced: int | None,
) -> dict[str, Any]:
    """The rows are parted here, so that not all folds of a large table are in memory together."""
    training = table.rows(np.flatnonzero(~held_out))
    training = training if balanced is None else training.balanced(balanced)
    from threadpoolctl import threadpool_limits

    # Threads of gradient boosting that wait for each other on busy cores take fifty times as long.
    with _ONE_AT_A_TIME, threadpool_limits(1):
        return judge(model, training, table.rows(np.flatnonzero(held_out)), settings)


def judge(
    model: str, training: Labelled, held_out: Labelled, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Learn on one table, measure on the other.

    model: a learner's name, EVERY_LAMBDA, or the name of a learner whose size can be set, followed
    by EVERY_SIZE.
    """
    if model == EVERY_LAMBDA:
        return _every_lambda(training, held_out, settings)
    if model.endswith(EVERY_SIZE):
        return _every_size(model.removesuffix(EVERY_SIZE), training, held_out, settings)
    learner = baselines.learners()[model]
    estimator = learner.make(settings)
    fit, test = _prepared(learner, training, held_out, settings)
    labels, given = _lesson(learner, training)
    rows = {"training": (fit, training), "held out": (test, held_out)}
    fair, clock = settings.get("fair"), Clock()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a limit was reached is told by `certified`
        baselines.fitted(estimator, fit, labels, **given)
        row = _figures(learner, estimator, rows, fair, clock.elapsed)
        others = learner.also(estimator, fit, labels, **given) if learner.also else {}
    seconds = clock.elapsed
    also = {k: _figures(learner, one, rows, fair, seconds) for k, one in others.items()}
    return row | ({"also": also} if also else {})


def _lesson(learner: baselines.Learner, training: Labelled) -> tuple[NDArray[Any], dict[str, Any]]:
    """The labels to learn, and what the learner is told of each row besides: groups, and what
    mistakes cost, as far as it knows of that."""
    given = {"sensitive_features": training.groups} if learner.grouped else {}
    if training.costs is None or not learner.priced:
        return training.labels, given
    if learner.priced == "sample_cost" and learner.knows((costs := training.known_costs()).kinds):
        return training.labels, {**given, "sample_cost": costs}
    labels, weights = training.weighed()
    if learner.takes != baselines.COLUMNS:  # some hold the sum of all weights against a penalty
        weights /= weights.mean()
    return labels, {**given, "sample_weight": weights}


def _figures(
    learner: baselines.Learner,
    estimator: Any,
    rows: Mapping[str, tuple[Any, Labelled]],
    fair: str | None,
    seconds: float,
) -> dict[str, Any]:
    """What is told of one fitted model. rows: to learn from and held out, as the learner takes
    them, and with their labels. fair: what is to be equal between groups."""
    test, held_out = rows["held out"]
    told = _told(estimator.predict(test), held_out)
    differs: dict[str, Any] = {}
    if fair:
        fit, training = rows["training"]
        of_training = _told(estimator.predict(fit), training)
        differs["disparity, training"] = _differs(fair, of_training, training)
        differs["disparity"] = _differs(fair, told, held_out)
    size, certificate = learner.size(estimator), getattr(estimator, "certificate_", None)
    folds = getattr(estimator, "cross_validation_", None)
    return {
        **_measured(held_out, told, _scores(estimator, test)),
        "size": None if size is None else float(size),
        "seconds": seconds,
        **(
            {}
            if certificate is None
            else {
                "certified": certificate.optimal and (folds is None or folds.certified),
                "gap": float(certificate.gap),
            }
        ),
        **differs,
    }


class Told(NamedTuple):
    """What was said of N rows. judged: bool[N], a class, or another model's answer; right: bool[N],
    and it is the true one; positive: bool[N], and it is the last one. paid: the mean cost, and the
    share of rows that are decided, where outcomes have costs."""

    judged: NDArray[np.bool_]
    right: NDArray[np.bool_]
    positive: NDArray[np.bool_]
    paid: dict[str, float]


def _told(predicted: Any, part: Labelled) -> Told:
    """predicted: (N,) classes, or other outcomes by their names."""
    costs, last = part.costs, np.unique(part.labels)[-1]
    if costs is None:
        found = np.asarray(predicted).astype(part.labels.dtype)
        return Told(np.ones(len(found), np.bool_), found == part.labels, found == last, {})
    places = {name: place for place, name in enumerate(costs.outcomes.names)}
    said = np.array([places[one] for one in np.asarray(predicted).tolist()], dtype=np.intp)
    kinds, rows = np.array(costs.outcomes.kinds)[said], np.arange(len(said))
    whole = int(costs.amounts[said, rows].sum())
    paid = {"mean_cost": whole / (costs.outcomes.scale * len(said))}
    if set(costs.outcomes.kinds) != {"class"}:
        paid["coverage"] = float((kinds == "class").mean())
    right = costs.right[said, rows] > 0
    # Of two classes, the other model says the last one where it is right of that, or wrong.
    positive = np.where(kinds == "defer", right == (part.labels == last), said == places[last])
    return Told(~np.isin(kinds, UNJUDGED), right, positive, paid)


def _differs(asked: str, told: Told, part: Labelled) -> float | None:
    """How much the rates that are to be equal differ between groups at most."""
    ((notion, _),) = notions_of(asked)
    truth = part.labels == np.unique(part.labels)[-1]
    assert part.groups is not None
    return disparity(notion, truth, told.positive, part.groups, told.right)


def _prepared(
    learner: baselines.Learner, training: Labelled, held_out: Labelled, settings: Mapping[str, Any]
) -> Any:
    """The rows to learn from, and the held-out rows, in the form that the learner takes."""
    fit, test = dict(training.columns), dict(held_out.columns)
    if learner.takes == baselines.COLUMNS:
        return fit, test
    if learner.takes == baselines.ANTECEDENTS:
        from corels import Binarizer

        binarizer = Binarizer(**settings["antecedents"]).fit(fit, training.labels)
        return (np.asarray(binarizer.transform(rows), dtype=np.int8) for rows in (fit, test))
    import pandas

    encoder = baselines.encoder(training.columns)
    return encoder.fit_transform(pandas.DataFrame(fit)), encoder.transform(pandas.DataFrame(test))


def _scores(estimator: Any, test: Any) -> NDArray[np.float64] | None:
    """A score of the last class for each row, where the model has one."""
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(test))[:, -1]
    if hasattr(estimator, "decision_function"):
        found = np.asarray(estimator.decision_function(test))
        return found if found.ndim == 1 else None
    return None


def _measured(held_out: Labelled, told: Told, scores: NDArray[np.float64] | None) -> dict[str, Any]:
    """Costs and coverage of all rows, accuracies and rates of those that are judged; of all again
    how well the scores tell two classes apart."""
    from sklearn.metrics import roc_auc_score

    classes, judged = np.unique(held_out.labels), told.judged
    among = [judged & (held_out.labels == one) for one in classes]
    recalls = [one for one in (_share(told.right, rows) for rows in among) if one is not None]
    row: dict[str, Any] = {
        **told.paid,
        "accuracy": _share(told.right, judged),
        "balanced_accuracy": float(np.mean(recalls)) if recalls else None,
    }
    if len(classes) == 2:
        truth = held_out.labels == classes[-1]
        row |= _rates(truth, told.positive, judged)
        if scores is not None:
            row["auc"] = float(roc_auc_score(truth, scores))
        if held_out.groups is not None:
            for group in np.unique(held_out.groups):
                rates = _rates(truth, told.positive, judged & (held_out.groups == group))
                row |= {f"{name} of {group}": value for name, value in rates.items()}
    return row


def _share(what: NDArray[np.bool_], rows: NDArray[np.bool_]) -> float | None:
    """None where there is nothing to divide by."""
    return float(what[rows].mean()) if rows.any() else None


def _rates(
    truth: NDArray[np.bool_], positive: NDArray[np.bool_], rows: NDArray[np.bool_]
) -> dict[str, float | None]:
    """True and false positive rates of some rows."""
    return {"tpr": _share(positive, rows & truth), "fpr": _share(positive, rows & ~truth)}


def _every_lambda(
    training: Labelled, held_out: Labelled, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The path of the training fold, each list judged on the held-out rows."""
    from corels import regularization_path

    clock, how = Clock(), settings["antecedents"]
    costs = None if training.costs is None else training.known_costs()
    data = dataset_of(training.columns, training.labels, how, costs=costs)
    problem = Problem.from_dataset(data)
    limits = {name: settings[name] for name in ("time_limit", "max_rules", "total_time")}
    path = regularization_path(problem, settings["low"], **limits)
    seconds = clock.elapsed
    lists = []
    for segment in path:
        said = segment.rule_list.predict_indices(dict(held_out.columns))
        predicted = np.array(segment.rule_list.says, dtype=object)[said]
        accuracy = segment.rule_list.shares().get("accuracy", None if costs else segment.accuracy)
        lists.append(
            {
                "low": float(segment.low),
                "high": float(segment.high),
                "size": len(segment.rule_list),
                "training_accuracy": None if accuracy is None else float(accuracy),
                "certified": segment.certified,
                **_measured(held_out, _told(predicted, held_out), None),
            }
        )
    return {"path": lists, "seconds": seconds, "certified": path.certified, "size": len(lists)}


def _every_size(
    name: str, training: Labelled, held_out: Labelled, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """A learner at every size up to MOST_QUESTIONS, each judged on the held-out rows."""
    learner = baselines.learners()[name]
    assert learner.sized is not None
    clock, found = Clock(), []
    fit, test = _prepared(learner, training, held_out, settings)
    labels, given = _lesson(learner, training)
    for size in range(1, MOST_QUESTIONS + 1):
        estimator = baselines.fitted(learner.sized(size), fit, labels, **given)
        told = _told(estimator.predict(test), held_out)
        found.append({"size": size, **_measured(held_out, told, None)})
    return {"path": found, "seconds": clock.elapsed, "size": len(found)}
