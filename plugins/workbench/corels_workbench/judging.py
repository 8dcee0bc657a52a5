"""One model on one fold: what is measured on the held-out rows.

Beside single models there are families: the whole path of our rule lists over lambda, and a learner
of every size. Their rows keep, under `path`, the size and the figures of each member, so that
models of the same size can be compared.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.problem import Problem
from corels.problem.costs import UNJUDGED
from corels.problem.rates import RATES, Demand, demands_of
from corels_workbench import baselines
from corels_workbench.experiment import whole, within
from corels_workbench.labelled import Labelled
from corels_workbench.ours import dataset_of

EVERY_LAMBDA = "rule-list, every lambda"
EVERY_SIZE = ", every size"
MOST_QUESTIONS = 10


def families(names: Mapping[str, baselines.Learner]) -> list[str]:
    """The families among learners: every lambda, and every size of those that have one."""
    sized = [name + EVERY_SIZE for name, one in names.items() if one.sized is not None]
    return [EVERY_LAMBDA, *sized]


def judge_fold(
    model: str, table: Labelled, held_out: NDArray[np.bool_], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """One cell: learn on the rows that are not held out, measure on those that are.

    A baseline looks at no clock: with a limit it runs in a process that is ended. Raises
    TimeoutError if it was.
    """
    if table.said:
        asked = {**settings["antecedents"], "columns": table.said}
        settings = {**settings, "antecedents": asked}
    # The rows are parted here, so that not all folds of a large table are in memory together.
    training = table.rows(np.flatnonzero(~held_out))
    fold = Fold(model, training, table.rows(np.flatnonzero(held_out)), settings)
    limit, learner = settings["time_limit"], fold.learner
    if limit is None or learner is None or learner.takes == baselines.COLUMNS:
        return fold.judged()
    found: dict[str, Any] = within(limit, fold.judged, fold.get_ready)
    return found


@dataclass(frozen=True)
class Fold:
    """What learns on one table, and is measured on the other.

    model: a learner's name, EVERY_LAMBDA, or the name of a learner whose size can be set, followed
    by EVERY_SIZE.
    """

    model: str
    training: Labelled
    held_out: Labelled
    settings: Mapping[str, Any]

    @property
    def learner(self) -> Any:
        """A `Learner`; None: the model is every lambda."""
        return baselines.learners().get(self.model.removesuffix(EVERY_SIZE))

    def get_ready(self) -> None:
        """Import what a baseline needs: this is no part of its time."""
        for module in ("pandas", "sklearn.metrics", "threadpoolctl", *self.learner.needs):
            import_module(module)
        baselines.encoder({})
        self.learner.make(self.settings)

    def judged(self) -> dict[str, Any]:
        """The figures of one model, or of each member of a family."""
        from threadpoolctl import threadpool_limits

        # Threads of gradient boosting that wait for each other on busy cores take fifty times as
        # long.
        with threadpool_limits(1):
            return self._every_lambda() if self.model == EVERY_LAMBDA else self._learned()

    def _learned(self) -> dict[str, Any]:
        clock = Clock()
        fit, test = self._prepared()
        labels, given = self._lesson()
        if self.model.endswith(EVERY_SIZE):
            return self._every_size(clock, fit, test, labels, **given)
        estimator, clock = self.learner.make(self.settings), Clock()  # its imports take no time
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `certified` says that a limit was reached
            baselines.fitted(estimator, fit, labels, **given)
            return self._figures(estimator, fit, test, clock.elapsed)

    def _prepared(self) -> Any:
        """The rows to learn from, and the held-out rows, in the form that the learner takes."""
        fit, test = dict(self.training.columns), dict(self.held_out.columns)
        if self.learner.takes == baselines.COLUMNS:
            return fit, test
        if self.learner.takes == baselines.ANTECEDENTS:
            from corels import Binarizer

            binarizer = Binarizer(**self.settings["antecedents"]).fit(fit, self.training.labels)
            return (np.asarray(binarizer.transform(rows), dtype=np.int8) for rows in (fit, test))
        from pandas import DataFrame

        encoder = baselines.encoder(self.training.columns)
        return encoder.fit_transform(DataFrame(fit)), encoder.transform(DataFrame(test))

    def _lesson(self) -> tuple[NDArray[Any], dict[str, Any]]:
        """The labels to learn, and what the learner gets of each row besides: groups, and what
        mistakes cost, as far as it knows of that."""
        learner, training = self.learner, self.training
        by_group = any(one.by for one in demands_of(self.settings["constraints"]))
        given = {"sensitive_features": training.groups} if learner.grouped and by_group else {}
        if training.costs is None or not learner.priced:
            return training.labels, given
        costs = training.known_costs()
        if learner.priced == "sample_cost" and learner.knows(costs.kinds):
            return training.labels, {**given, "sample_cost": costs}
        labels, weights = training.weighed()
        if learner.takes != baselines.COLUMNS:  # some hold the sum of all weights against a penalty
            weights /= weights.mean()
        return labels, {**given, "sample_weight": weights}

    def _figures(self, estimator: Any, fit: Any, test: Any, seconds: float) -> dict[str, Any]:
        """The figures of one fitted model, by the rows as the learner takes them."""
        answers, asked = (
            _answers(estimator.predict(test), self.held_out),
            self.settings["constraints"],
        )
        differs: dict[str, Any] = {}
        if asked:
            of_training = _answers(estimator.predict(fit), self.training)
            for where, judged, part in (
                (", training", of_training, self.training),
                ("", answers, self.held_out),
            ):
                differs |= {f"{n}{where}": v for n, v in _kept(asked, judged, part).items()}
        size, certificate = self.learner.size(estimator), getattr(estimator, "certificate_", None)
        proved: dict[str, Any] = {}
        if certificate is not None:
            proved = {"certified": estimator.certified, "gap": float(certificate.gap)}
        return {
            **_measured(self.held_out, answers, _scores(estimator, test)),
            "size": None if size is None else float(size),
            "seconds": seconds,
            **proved,
            **differs,
        }

    @whole()
    def _every_lambda(self) -> dict[str, Any]:
        """The path of the training fold, each list judged on the held-out rows."""
        from corels import regularization_path

        clock, settings, training = Clock(), self.settings, self.training
        costs = None if training.costs is None else training.known_costs()
        how = settings["antecedents"]
        data = dataset_of(training.columns, training.labels, how, costs=costs)
        limits = {"max_rules": settings["max_rules"], "total_time": settings["time_limit"]}
        path = regularization_path(Problem.from_dataset(data), settings["low"], **limits)
        seconds = clock.elapsed
        lists = []
        for segment in path:
            found = segment.rule_list
            said = found.predict_indices(dict(self.held_out.columns))
            predicted = np.array(found.says, dtype=object)[said]
            accuracy = found.shares().get("accuracy", None if costs else segment.accuracy)
            row = {
                "low": float(segment.low),
                "high": float(segment.high),
                "size": len(found),
                "training_accuracy": None if accuracy is None else float(accuracy),
                "certified": segment.certified,
            }
            answers = _answers(predicted, self.held_out)
            lists.append({**row, **_measured(self.held_out, answers, None)})
        return {"path": lists, "seconds": seconds, "certified": path.certified, "size": len(lists)}

    def _every_size(
        self, clock: Clock, fit: Any, test: Any, labels: Any, **given: Any
    ) -> dict[str, Any]:
        """A learner at every size up to MOST_QUESTIONS, each judged on the held-out rows."""
        found = []
        for size in range(1, MOST_QUESTIONS + 1):
            estimator = baselines.fitted(self.learner.sized(size), fit, labels, **given)
            answers = _answers(estimator.predict(test), self.held_out)
            found.append({"size": size, **_measured(self.held_out, answers, None)})
        return {"path": found, "seconds": clock.elapsed, "size": len(found)}


class Answers(NamedTuple):
    """Of rows, their true classes, and each bool[N]: whether a row is of the last class, the
    positive one of two, is called so, is called rightly, and gets a class at all, or another
    model's answer. paid: the mean cost, and the share of rows that are decided, if outcomes have
    costs."""

    labels: NDArray[Any]
    truth: NDArray[np.bool_]
    said: NDArray[np.bool_]
    right: NDArray[np.bool_]
    decided: NDArray[np.bool_]
    paid: Mapping[str, float] = {}


def rate_of(rate: str, answers: Answers, among: NDArray[np.bool_]) -> float | None:
    """A rate of some rows; None if it is a share of nothing. among: bool[N]."""
    labels, truth, said, right, decided, _ = answers
    if rate == "balanced-accuracy":
        shares = [right[among & (labels == one)].mean() for one in np.unique(labels[among])]
        return float(np.mean(shares)) if shares else None
    counted = {"called": said, "denied": decided & ~said, "right": right, "decided": decided}
    counted["row"] = np.ones_like(truth)
    rows = {"all": among, "positives": among & truth, "negatives": among & ~truth}
    above, below = (
        sum(times * int((counted[what] & rows[which]).sum()) for times, what, which in terms)
        for terms in RATES[rate]
    )
    return above / below if below else None


def disparity(asked: Sequence[Demand], answers: Answers, groups: NDArray[Any]) -> float | None:
    """The greatest difference between groups of a rate that is to differ little; None if a rate
    is a share of nothing. groups: of the N rows."""
    found = []
    for rate in dict.fromkeys(r for one in asked if one.how == "within" for r in one.rates):
        of = [rate_of(rate, answers, groups == g) for g in np.unique(groups)]
        rates = [one for one in of if one is not None]
        if len(rates) < len(of):
            return None
        found.append(max(rates) - min(rates))
    return max(found)


def _answers(predicted: Any, part: Labelled) -> Answers:
    """predicted: (N,) classes, or other outcomes by their names."""
    costs, last = part.costs, part.classes[-1]
    truth = part.labels == last
    if costs is None:
        found = np.asarray(predicted).astype(part.labels.dtype)
        said, right = found == last, found == part.labels
        return Answers(part.labels, truth, said, right, np.ones_like(truth))
    places = {name: place for place, name in enumerate(costs.outcomes.names)}
    said = np.array([places[one] for one in np.asarray(predicted).tolist()], dtype=np.intp)
    kinds, rows = np.array(costs.outcomes.kinds)[said], np.arange(len(said))
    whole = int(costs.amounts[said, rows].sum())
    paid = {"mean_cost": whole / float(costs.outcomes.scale * len(said))}
    if set(costs.outcomes.kinds) != {"class"}:
        paid["coverage"] = float((kinds == "class").mean())
    right = costs.right[said, rows] > 0
    # Of two classes, the other model says the last one if it is right of that, or wrong.
    positive = np.where(kinds == "defer", right == truth, said == places[last])
    return Answers(part.labels, truth, positive, right, ~np.isin(kinds, UNJUDGED), paid)


def _kept(asked: Sequence[str], answers: Answers, part: Labelled) -> dict[str, float | None]:
    """What is reached of constraints: how much rates differ between groups at most, and each rate
    that has a bound, over all rows."""
    demands, everybody = demands_of(asked), np.ones(len(part.labels), np.bool_)
    found = {
        rate.replace("-", "_"): rate_of(rate, answers, everybody)
        for one in demands
        if one.how != "within"
        for rate in one.rates
    }
    if any(one.how == "within" for one in demands):
        assert part.groups is not None
        found["disparity"] = disparity(demands, answers, part.groups)
    return found


def _scores(estimator: Any, test: Any) -> NDArray[np.float64] | None:
    """A score of the last class for each row, if the model has one."""
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(test))[:, -1]
    if hasattr(estimator, "decision_function"):
        found = np.asarray(estimator.decision_function(test))
        return found if found.ndim == 1 else None
    return None


def _measured(
    held_out: Labelled, answers: Answers, scores: NDArray[np.float64] | None
) -> dict[str, Any]:
    """Costs and coverage of all rows, accuracies and rates of those that are judged; of all again
    how well the scores tell two classes apart."""
    from sklearn.metrics import roc_auc_score

    judged, truth = answers.decided, answers.truth
    row: dict[str, Any] = {
        **answers.paid,
        "accuracy": rate_of("accuracy", answers, judged),
        "balanced_accuracy": rate_of("balanced-accuracy", answers, judged),
    }
    if len(held_out.classes) == 2:
        row |= _rates(answers, judged)
        if scores is not None and 0 < truth.sum() < len(truth):
            row["auc"] = float(roc_auc_score(truth, scores))
        if held_out.groups is not None:
            for group in np.unique(held_out.groups):
                rates = _rates(answers, judged & (held_out.groups == group))
                row |= {f"{name} of {group}": value for name, value in rates.items()}
    return row


def _rates(answers: Answers, rows: NDArray[np.bool_]) -> dict[str, float | None]:
    """True and false positive rates of some rows."""
    names = {"tpr": "recall", "fpr": "false-positive-rate"}
    return {name: rate_of(rate, answers, rows) for name, rate in names.items()}
