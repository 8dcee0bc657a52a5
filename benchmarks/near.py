"""Measure all good lists:  python -m benchmarks.near [CASE ...] [--data DIR] [--seconds S]

A case is NAME@LAMBDA@TOLERANCE, such as compas_train@.005@2%, or NAME@LAMBDA@N for the N best. The
optimum is certified first and not counted. Times are user times of one process, for everything
that `corels.near` does, and for writing down the first lists. Never a test.
"""

from __future__ import annotations

import argparse
import resource
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import corels
from benchmarks.__main__ import DATA, GENERATED
from benchmarks.instances import load
from corels.data import read_rules
from corels.near_optimal import near

CASES = (
    "compas_twenty@.005@31410",
    "compas_train@.005@40",
    "compas_train@.005@1%",
    "compas_train@.005@2%",
    "compas_train@.005@3%",
    "compas_train@.005@5%",
    "compas_fold0@.01@5%",
    "frisk_fold0@.01@1%",
    "frisk_fold0@.01@5%",
)
MOST_LISTED = 31_410


def problem_of(name: str, data: Path) -> corels.Problem:
    """An instance of the benchmark; `compas_twenty`: the twenty antecedents of compas_train that
    split its rows most evenly."""
    if name != "compas_twenty":
        return load(name, data, GENERATED)
    path = data / "corels_format" / "compas_train.out"
    if not path.exists():
        raise FileNotFoundError(path)
    found = read_rules(path)
    sizes = found.captures.supports()
    order = np.argsort(-np.minimum(sizes, found.n_rows - sizes), kind="stable")[:20]
    antecedents = tuple(found.antecedents[i] for i in order)
    return corels.Problem.from_dataset(
        replace(found, antecedents=antecedents, captures=found.captures.take(order))
    )


def user() -> float:
    """Seconds of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def measure(case: str, data: Path, seconds: float | None) -> str:
    """One line."""
    name, regularization, asked = case.split("@")
    try:
        problem = problem_of(name, data).with_regularization(regularization)
    except FileNotFoundError as error:
        return f"{case:<26} skipped: {error.filename or error} is absent"
    result = corels.solve(problem)
    wanted = {"within": asked} if asked.endswith("%") or "." in asked else {"best": int(asked)}
    began = user()
    with near(problem, result=result, time_limit=seconds, **wanted) as found:
        counted = user() - began
        first = found._engine.lists(0, min(found.count, MOST_LISTED))
        listed = user() - began - counted
        proof = found.certificate
    return (
        f"{case:<26} {found.count:>16,} lists  {proof.sets:>10,} sets  counted {counted:9.3f} s  "
        f"{len(first):,} listed {listed:7.3f} s  {proof.peak_memory / 2**20:7.1f} MB  "
        f"{proof.stopped}, complete to {float(proof.complete_to or 0):.6f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.near", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--seconds", type=float, default=120, help="time limit of each case")
    options = parser.parse_args()
    for case in options.cases or CASES:
        print(measure(case, options.data, options.seconds))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
