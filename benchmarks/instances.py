"""The instances of the benchmark: name -> a Problem, from files that are not part of the project.

Tables are looked for in `data` (the folder with `clean/`, `extra/` and `corels_format/`), generated
rule files in `generated` (see README.md). An instance whose files are absent is skipped by name.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corels.problem import Problem
from corels.tables import Antecedent, Condition, Dataset, read_rules

Columns = dict[str, NDArray[np.bool_]]
Row = dict[str, str]


@dataclass(frozen=True)
class Case:
    """One measurement: an instance, its regularization, and how long it may take."""

    instance: str
    regularization: str
    seconds: float = 60.0

    @property
    def name(self) -> str:
        return f"{self.instance}@{self.regularization}"


def cases() -> Iterator[Case]:
    """The targets of the engine, quick ones first. The last ones take minutes: name them."""
    for regularization in (".02", ".015", ".01", ".005", ".0025"):
        yield Case("compas_train", regularization)
    yield Case("compas_fold0", ".01")
    yield Case("compas_fold0", ".005")
    for fold in range(10):
        yield Case(f"frisk_fold{fold}", ".01")
    yield Case("bc540", ".01")
    yield Case("pl100", ".01")
    yield Case("sqf2", ".01")
    yield Case("pl300", ".02")
    yield Case("pl300", ".01", 600.0)
    yield Case("compas_train", ".001", 900.0)


QUICK = ("compas_train@.02", "compas_train@.015", "compas_train@.01", "compas_train@.005")


def load(name: str, data: Path, generated: Path) -> Problem:
    """Raises FileNotFoundError if the instance's files are absent."""
    if name.startswith("frisk_fold"):
        return _frisk(data, int(name.removeprefix("frisk_fold")))
    if name == "compas_fold0":
        return _compas_fold(data, 0)
    place = data / "corels_format" if name.startswith("compas_") else generated
    rules, labels = place / f"{name}.out", place / f"{name}.label"
    for path in (rules, labels):
        if not path.exists():
            raise FileNotFoundError(path)
    return Problem.from_dataset(read_rules(rules, labels))


def _rows(path: Path) -> list[Row]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def _problem(columns: Columns, labels: NDArray[np.int64]) -> Problem:
    names = list(columns)
    return Problem.from_dataset(
        Dataset(
            antecedents=tuple(Antecedent(n, (Condition(n, "true"),)) for n in names),
            captures=np.array([columns[n] for n in names]),
            labels=labels,
            classes=(0, 1),
        )
    )


def _one_hot(rows: list[Row], names: list[str]) -> dict[str, Columns]:
    values = {n: np.array([row[n] for row in rows]) for n in names}
    return {n: {f"{n}={v}": values[n] == v for v in sorted(set(values[n]))} for n in names}


def _compas_fold(data: Path, fold: int) -> Problem:
    """Singles and pairs over different attributes, support .005 to .995, on one training fold."""
    rows = _rows(data / "extra" / "compas_jmlr_folds.csv")
    fields = [n for n in rows[0] if n not in ("fold", "label")]
    training = [row for row in rows if int(row["fold"]) != fold]
    parts = _one_hot(training, fields)
    columns = {k: v for group in parts.values() for k, v in group.items()}
    for i, first in enumerate(fields):
        for second in fields[:i]:
            for a, x in parts[first].items():
                columns |= {f"{a},{b}": x & y for b, y in parts[second].items()}
    kept = {k: v for k, v in columns.items() if 0.005 <= v.mean() <= 0.995}
    return _problem(kept, np.array([int(row["label"]) for row in training]))


def _frisk(data: Path, fold: int) -> Problem:
    """Stop-and-frisk 2014: one training fold of ten, the smaller class resampled to balance."""
    rows = _rows(data / "clean" / "nyclu_frisk_2014.csv.gz")
    names = [name for name in rows[0] if name != "label"]
    columns = {k: v for group in _one_hot(rows, names).values() for k, v in group.items()}
    labels = np.array([int(row["label"]) for row in rows])
    generator = np.random.default_rng(2014)
    training = generator.permutation(len(rows)) % 10 != fold
    positive = np.flatnonzero(training & (labels == 1))
    negative = np.flatnonzero(training & (labels == 0))
    again = generator.choice(positive, len(negative))
    pick = np.concatenate([again, negative])
    return _problem({k: v[pick] for k, v in columns.items()}, labels[pick])
