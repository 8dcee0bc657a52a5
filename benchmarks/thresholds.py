"""How columns of numbers are cut best: held-out accuracy and time to certify, on real tables.

For every table and way of cutting: nested cross-validation. Outer folds (stratified, the same for
all ways) hold rows out; within the rest, inner folds choose lambda from a short grid; the list for
the chosen lambda is searched again on all of the rest, and asked about the rows held out. Cuts are
chosen from training rows only. Every search has the same limit of user time (those of the inner
folds a share of it); what it has by then is used, and counted as not certified. With one lambda
(`--lambdas 0.01`, the default of `corels run`) nothing is chosen, and there are no inner folds.

    python -m benchmarks.thresholds FOLDER [--limit SECONDS] [--tables a,b] [--ways "entropy 5"]

prints one line per table and way, and the means. FOLDER holds CSV files with a column `label`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.limits import user_limit, user_seconds
from corels.problem import Problem
from corels.run.solve import solve
from corels.tables import Dataset, as_columns, read_table, thresholds
from corels.tables.binarizing import binarize
from corels.tables.labelled import labels_of
from corels.tables.options import BinarizeOptions

WAYS = {
    "quantile 3": ("quantile", 3),
    "quantile 5": ("quantile", 5),
    "quantile 9": ("quantile", 9),
    "quantile 10": ("quantile", 10),
    "quantile 20": ("quantile", 20),
    "guess 3": ("guess", 3),
    "MDL alone 5": ("entropy", 5),
    "MDL alone 9": ("entropy", 9),
    "entropy 3": ("entropy", 3),
    "entropy 5": ("entropy", 5),
}
LAMBDAS = ("0.03", "0.015", "0.0075")
OUTER, INNER = 5, 3
MOST_ROWS = 3000
INNER_SHARE = 0.25  # of the limit, for each search of an inner fold


def folds(labels: np.ndarray, count: int, seed: int) -> np.ndarray:
    """(N,) the fold of each row, stratified."""
    rng = np.random.default_rng(seed)
    fold = np.empty(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        rows = rng.permutation(np.flatnonzero(labels == label))
        fold[rows] = np.arange(len(rows)) % count
    return fold


class Trial:
    """One table made into antecedents in one way."""

    def __init__(self, columns, labels, options: BinarizeOptions, limit: float, lambdas) -> None:
        self.columns, self.labels, self.limit = columns, labels, limit
        self.options, self.lambdas = options, lambdas
        self.seconds: list[float] = []
        self.certified: list[bool] = []
        self.antecedents: list[int] = []

    def correct(self, train: np.ndarray, test: np.ndarray, lambdas, *, timed: bool) -> list[int]:
        """Rows of `test` that the list for each lambda gets right."""
        part = {name: column.take(train) for name, column in self.columns.items()}
        mined = binarize(part, self.options, self.labels[train])
        held_out = {name: column.take(test) for name, column in self.columns.items()}
        if not mined.antecedents:
            common = np.bincount(self.labels[train]).argmax()
            return [int((self.labels[test] == common).sum())] * len(lambdas)
        data = Dataset(mined.antecedents, mined.captures, self.labels[train], (0, 1))
        problem, found = Problem.from_dataset(data, lambdas[0]), []
        for penalty in lambdas:
            began = user_seconds()
            with user_limit(self.limit if timed else INNER_SHARE * self.limit):
                result = solve(problem.with_regularization(penalty))
            if timed:
                self.seconds.append(user_seconds() - began)
                self.certified.append(result.certificate.optimal)
                self.antecedents.append(len(mined.antecedents))
            found.append(int((result.model.predict(held_out) == self.labels[test]).sum()))
        return found

    def accuracy(self) -> float:
        outer, right = folds(self.labels, OUTER, 0), 0
        for number in range(OUTER):
            train, test = np.flatnonzero(outer != number), np.flatnonzero(outer == number)
            inner, totals = folds(self.labels[train], INNER, 1), np.zeros(len(self.lambdas), int)
            for fold in range(INNER if len(self.lambdas) > 1 else 0):
                totals += self.correct(
                    train[inner != fold], train[inner == fold], self.lambdas, timed=False
                )
            chosen = self.lambdas[int(totals.argmax())]
            right += self.correct(train, test, [chosen], timed=True)[0]
        return right / len(self.labels)

    def means(self) -> dict[str, float]:
        """Of the last searches: seconds, share certified, antecedents."""
        return {
            "seconds": float(np.mean(self.seconds or [0])),
            "certified": float(np.mean(self.certified or [1])),
            "antecedents": float(np.mean(self.antecedents or [0])),
        }


def trials(given: argparse.Namespace) -> Iterator[dict]:
    folder, ways = given.folder, given.ways.split(",")
    names = given.tables.split(",") if given.tables else None
    for path in sorted(folder.glob("*.csv*")):
        name = path.name.partition(".")[0]
        if names is not None and name not in names:
            continue
        columns = as_columns(read_table(path))
        labels = labels_of(columns["label"], str(path)).values
        features = {n: c for n, c in columns.items() if n != "label"}
        rows = np.arange(len(labels))
        if len(rows) > MOST_ROWS:
            rows = np.sort(np.random.default_rng(0).choice(rows, MOST_ROWS, replace=False))
            features, labels = {n: c.take(rows) for n, c in features.items()}, labels[rows]
        for way in ways:
            thresholds.CUT_ANYWAY = not way.startswith("MDL alone")
            options = BinarizeOptions(thresholds=WAYS[way][0], n_thresholds=WAYS[way][1])
            trial = Trial(features, labels, options, given.limit, given.lambdas.split(","))
            yield {"table": name, "way": way, "accuracy": trial.accuracy(), **trial.means()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=0.5)
    parser.add_argument("--tables", default=None)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--lambdas", default=",".join(LAMBDAS))
    given = parser.parse_args()
    found = []
    for trial in trials(given):
        found.append(trial)
        sys.stdout.write(json.dumps(trial) + "\n")
        sys.stdout.flush()
    for way in given.ways.split(","):
        mine = [t for t in found if t["way"] == way]
        means = {k: np.mean([t[k] for t in mine]) for k in ("accuracy", "seconds", "certified")}
        sys.stdout.write(f"{way:12} " + " ".join(f"{k} {v:.4f}" for k, v in means.items()) + "\n")


if __name__ == "__main__":
    main()
