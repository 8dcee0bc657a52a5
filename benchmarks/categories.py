"""Each value of a column of text, or groups of values? Held-out accuracy and time to certify.

Nested cross-validation as in `benchmarks.thresholds`: lambda is chosen, and groups are made, from
training rows only. Real tables with columns of many values, and made ones: `signal K` has a column
of K values whose classes differ, and two of 5 values; `noise K` has K values that say nothing,
beside the same two columns. 3,000 rows each.

    python -m benchmarks.categories FOLDER [--limit SECONDS] [--tables a,b] [--ways each,both]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.thresholds import MOST_ROWS, Trial
from corels.tables import as_columns, read_table
from corels.tables.labelled import labels_of
from corels.tables.options import BinarizeOptions

WAYS = {
    "each": BinarizeOptions(),
    "grouped": BinarizeOptions(categories="grouped"),
    "both": BinarizeOptions(categories="both"),
    "grouped above 8": BinarizeOptions(categories="grouped", group_above=8),
}
REAL = (
    "adult",
    "bank_full",
    "car_evaluation",
    "heart_cleveland",
    "heart_statlog",
    "mushroom",
    "nyclu_frisk_2014",
)
MADE = ("signal 20", "signal 60", "signal 200", "noise 60", "noise 200")


def made(name: str) -> tuple[dict, np.ndarray]:
    """A table with a column of many values, Zipf-like in size."""
    kind, count = name.split()
    rng, size = np.random.default_rng(len(name) + int(count)), int(count)
    often = 1 / np.arange(1, size + 1) ** 0.7
    city = rng.choice(size, MOST_ROWS, p=often / often.sum())
    effect = rng.normal(0, 1.2 if kind == "signal" else 0, size)
    sort, colour = rng.integers(0, 5, MOST_ROWS), rng.integers(0, 5, MOST_ROWS)
    score = effect[city] + 0.8 * (sort == 2) - 0.8 * (colour == 1) - 0.2
    labels = (rng.random(MOST_ROWS) < 1 / (1 + np.exp(-score))).astype(np.int64)
    table = {
        "city": [f"c{value}" for value in city],
        "sort": [f"s{value}" for value in sort],
        "colour": [f"k{value}" for value in colour],
    }
    return as_columns(table), labels


def real(path: Path) -> tuple[dict, np.ndarray]:
    columns = as_columns(read_table(path))
    labels = labels_of(columns["label"], str(path)).values
    features = {n: c for n, c in columns.items() if n != "label"}
    rows = np.arange(len(labels))
    if len(rows) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).choice(rows, MOST_ROWS, replace=False))
    return {n: c.take(rows) for n, c in features.items()}, labels[rows]


def trials(folder: Path, names: list[str], ways: list[str], limit: float) -> Iterator[dict]:
    files = {path.name.partition(".")[0]: path for path in sorted(folder.glob("*.csv*"))}
    for name in names:
        columns, labels = made(name) if name in MADE else real(files[name])
        for way in ways:
            trial = Trial(columns, labels, WAYS[way], limit)
            yield {"table": name, "way": way, "accuracy": trial.accuracy(), **trial.means()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=0.5)
    parser.add_argument("--tables", default=",".join(REAL + MADE))
    parser.add_argument("--ways", default=",".join(WAYS))
    given = parser.parse_args()
    for trial in trials(given.folder, given.tables.split(","), given.ways.split(","), given.limit):
        sys.stdout.write(json.dumps(trial) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
