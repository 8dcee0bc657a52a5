"""Rule sets on real tables: proven optima with their times, and ten-fold test accuracies.

    python benchmarks/rule_sets.py optima    --data DIRECTORY [--output FILE] [NAME ...]
    python benchmarks/rule_sets.py accuracy  --data DIRECTORY [--output FILE] [NAME ...]

DIRECTORY holds the tables (UCI, last column `label`). Prints a line a table on stderr and writes
JSON. Times are user seconds of this process (HiGHS included), so that a busy machine matters less.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from corels_colgen.path import rule_set_path

import corels
from corels.problem import Problem
from corels.tables import (
    Antecedent,
    Column,
    Condition,
    Dataset,
    TableOptions,
    as_columns,
    columns_of,
)
from corels.tables.folds import stratified_folds
from corels.tables.labelled import columns_dataset


@dataclass(frozen=True)
class Optimum:
    """One line of the published table: what is asked, and what the optimum is known to be."""

    file: str
    complexity: int
    max_conditions: int
    known: int
    positive: int = 1
    drop: tuple[str, ...] = ()


OPTIMA = {
    "tic-tac-toe": Optimum("tic_tac_toe.csv", 32, 31, 0),
    "tic-tac-toe-24": Optimum("tic_tac_toe.csv", 24, 23, 76),
    "transfusion": Optimum("transfusion.csv", 15, 14, 143),
    "heart": Optimum("heart_cleveland.csv", 15, 14, 36),
    "liver": Optimum("liver_bupa.csv", 15, 14, 78, positive=0),
    "wdbc": Optimum("wdbc.csv", 15, 4, 5),
    "mushroom": Optimum("mushroom.csv.gz", 20, 4, 0),
    "bank": Optimum("bank_full.csv.gz", 20, 3, 4722, drop=("duration",)),
}
ACCURACY = {  # published ten-fold accuracy (Dash, Gunluk, Wei 2018, Table 1), %
    "banknote": ("banknote.csv", 99.1),
    "heart": ("heart_cleveland.csv", 78.9),
    "ionosphere": ("ionosphere.csv", 90.0),
    "pima": ("pima.csv", 74.1),
    "tic-tac-toe": ("tic_tac_toe.csv", 100.0),
    "transfusion": ("transfusion.csv", 77.9),
    "wdbc": ("wdbc.csv", 94.0),
}
BUDGETS = (3, 5, 8, 11, 15, 20, 25, 32)
INNER_FOLDS = 3
TABLE = TableOptions(cuts="quantile 9", negations=True, min_support=0.0)


def reference_dataset(directory: Path, spec: Optimum) -> Dataset:
    """The features of the published table: each category = and !=, numbers <= and > at the deciles
    (linear interpolation), if "> t" is the complement of "<= t", also if a value is missing.

    The core's own binarisation differs if values are missing: there neither side holds, and
    "is missing" is a condition.
    """
    columns = dict(columns_of(spec_path(directory, spec.file)))
    label = columns.pop("label").values
    antecedents, captures = [], []
    for name, column in columns.items():
        if name in spec.drop:
            continue
        for condition, holds in _both_sides(name, column):
            antecedents.append(Antecedent.of(condition))
            captures.append(holds)
    labels = (label == spec.positive).astype(np.int64)
    return Dataset(tuple(antecedents), np.array(captures), labels, (0, 1), name=spec.file)


def _both_sides(name: str, column: Column) -> Iterator[tuple[Condition, Any]]:
    if column.is_number and len(column.distinct()) > 2:
        values = column.values.astype(float)
        cuts = np.unique(np.quantile(values[column.present], np.arange(1, 10) / 10))
        for cut in cuts.tolist():
            below = column.present & (values <= cut)
            yield Condition(name, "<=", cut), below
            yield Condition(name, ">", cut), ~below
    else:
        column = column.as_categories()
        for value in column.distinct():
            holds = Condition(name, "==", value).holds(column)
            yield Condition(name, "==", value), holds
            yield Condition(name, "!=", value), ~holds


def spec_path(directory: Path, file: str) -> str:
    return str(directory / file)


def optima(directory: Path, names: list[str]) -> Iterator[dict[str, Any]]:
    """Solve each line to proven optimality."""
    for name in names or list(OPTIMA):
        spec = OPTIMA[name]
        problem = Problem.from_dataset(reference_dataset(directory, spec), 0)
        began, wall = user_seconds(), time.perf_counter()
        result = corels.solve(
            problem,
            "rule-set",
            complexity=spec.complexity,
            max_conditions=min(spec.max_conditions, problem.n_antecedents),
        )
        certificate = result.certificate
        yield {
            "name": name,
            "rows": problem.rows,
            "features": problem.n_antecedents,
            "complexity_limit": spec.complexity,
            "max_conditions": spec.max_conditions,
            "hamming": result.model.hamming,
            "lower_bound": float(certificate.lower_bound * problem.total),
            "known": spec.known,
            "optimal": certificate.optimal,
            "complexity": result.model.complexity,
            "errors": result.model.errors,
            "user_seconds": round(user_seconds() - began, 3),
            "seconds": round(time.perf_counter() - wall, 3),
            **{k: v for k, v in certificate.extra.items() if k.startswith("seconds")},
        }


def accuracy(directory: Path, names: list[str], folds: int = 10) -> Iterator[dict[str, Any]]:
    """Ten folds; in each, the budget with the best accuracy on inner folds of its training rows.

    Binarisation, clauses and budget see the training rows only. Here no gap is closed: columns and
    local search, with at most 10,000 clauses expanded in a pricing search.
    """
    for name in names or list(ACCURACY):
        file, published = ACCURACY[name]
        columns = as_columns(columns_of(spec_path(directory, file)))
        labels = np.asarray(columns["label"].values, dtype=np.int64)
        began = user_seconds()
        scores, budgets, sizes = [], [], []
        for train, test in stratified_folds(labels, folds, seed=0):
            budget = _best_budget(columns, labels, train)
            point = _learn(columns, train, (budget,))[0]
            scores.append(_score(point.model, columns, labels, test))
            budgets.append(budget)
            sizes.append(point.model.complexity)
            print(f"  {name}: budget {budget}, accuracy {scores[-1]:.4f}", file=sys.stderr)
        yield {
            "name": name,
            "published": published,
            "accuracy": round(100 * float(np.mean(scores)), 2),
            "standard_error": round(100 * float(np.std(scores)) / np.sqrt(folds), 2),
            "complexity": float(np.mean(sizes)),
            "budgets": budgets,
            "accuracies": scores,
            "user_seconds": round(user_seconds() - began, 1),
        }


def _best_budget(columns: dict[str, Column], labels: Any, train: Any) -> int:
    scores: dict[int, list[float]] = {}
    for rows, rest in stratified_folds(labels[train], INNER_FOLDS, seed=1):
        for point in _learn(columns, train[rows], BUDGETS):
            score = _score(point.model, columns, labels, train[rest])
            scores.setdefault(point.budget, []).append(score)
    return max(scores, key=lambda budget: (round(float(np.mean(scores[budget])), 9), -budget))


def _learn(columns: dict[str, Column], rows: Any, budgets: tuple[int, ...]) -> Any:
    part = {name: column.take(rows) for name, column in columns.items()}
    data = columns_dataset(part, "label", TABLE, "benchmark", "benchmark")
    problem = Problem.from_dataset(data, 0)
    return rule_set_path(problem, budgets, prove=False, pricing_limit=10_000)


def _score(model: Any, columns: dict[str, Column], labels: Any, rows: Any) -> float:
    part = {name: column.take(rows) for name, column in columns.items()}
    return float((model.predict(part) == labels[rows]).mean())


def user_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("optima", "accuracy"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    given = parser.parse_intermixed_args()
    run = optima if given.what == "optima" else accuracy
    entries = []
    for entry in run(given.data, given.names):
        print(json.dumps(entry), file=sys.stderr, flush=True)
        entries.append(entry)
        document = {
            "benchmark": f"rule-set {given.what}",
            "machine": {"processor": platform.processor() or platform.machine()},
            "results": entries,
        }
        if given.output:
            given.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if not given.output:
        print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
