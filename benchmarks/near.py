"""Measure all good lists:  python -m benchmarks.near [CASE ...] [--data DIR] [--seconds S]
[--json FILE]

A case is NAME@LAMBDA@TOLERANCE, such as compas_train@.005@2%, or NAME@LAMBDA@N for the N best;
NAME/K is for lists of at most K rules, such as flights/3@.002@2%. The optimum is certified first
and not counted. Times are user times of one process, for everything that `corels.near` does, and
for writing down the first lists. `--json` saves the figures of all cases, their targets (TARGETS)
and whether these were met. Never a test.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from corels_rule_list.near import near

import corels
from benchmarks.__main__ import DATA, GENERATED
from benchmarks.instances import load
from benchmarks.targets import files, label_of
from corels.tables import read_rules
from corels.tables.labelled import table_dataset
from corels.tables.options import TableOptions

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
    "adult/3@.005@3%",
    "adult/4@.005@5%",
    "flights/3@.002@2%",
    "flights/4@.005@4%",
)
MOST_LISTED = 31_410
# case -> (seconds that it should take at most, with or without the listing)
TARGETS = {
    "compas_twenty@.005@31410": (0.1, "counted and listed"),
    "compas_train@.005@40": (0.1, "counted and listed"),
    "compas_train@.005@5%": (10, "counted"),
    "frisk_fold0@.01@5%": (10, "counted"),
}


def problem_of(name: str, data: Path) -> corels.Problem:
    """An instance of the benchmark, or a table; `compas_twenty`: the twenty antecedents of
    compas_train that split its rows most evenly."""
    if table := files(data, GENERATED).get(name):
        labelled = table_dataset(str(table), label_of(name), TableOptions())
        return corels.Problem.from_dataset(labelled)
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


def measure(case: str, data: Path, seconds: float | None) -> dict[str, Any]:
    """The figures of one case; {"case", "skipped"} if its table is absent."""
    table, regularization, asked = case.split("@")
    name, _, most = table.partition("/")
    try:
        problem = problem_of(name, data).with_regularization(regularization)
    except FileNotFoundError as error:
        return {"case": case, "skipped": f"{error.filename or error} is absent"}
    rules = {"max_rules": int(most)} if most else {}
    result = corels.solve(problem, **rules)
    wanted = {"within": asked} if asked.endswith("%") or "." in asked else {"best": int(asked)}
    began = user()
    with near(problem, result=result, time_limit=seconds, **wanted, **rules) as found:
        counted = user() - began
        first = found._engine.lists(0, min(found.count, MOST_LISTED))
        listed = user() - began - counted
        proof = found.certificate
    figures = {
        "case": case,
        "lists": found.count,
        "sets": proof.sets,
        "counted": counted,
        "listed": listed,
        "listed_lists": len(first),
        "peak_memory": proof.peak_memory,
        "stopped": proof.stopped,
        "complete_to": float(proof.complete_to or 0),
        "optimum": float(proof.optimum),
    }
    if case in TARGETS:
        most, what = TARGETS[case]
        taken = counted + (listed if what != "counted" else 0)
        figures |= {"target": most, "target_of": what}
        figures["met"] = proof.complete and taken <= most
    return figures


def line(one: dict[str, Any]) -> str:
    """The figures of a case as a person reads them."""
    if "skipped" in one:
        return f"{one['case']:<26} skipped: {one['skipped']}"
    target = ""
    if "target" in one:
        target = f"  target {one['target']} s {'met' if one['met'] else 'NOT met'}"
    return (
        f"{one['case']:<26} {one['lists']:>16,} lists  {one['sets']:>10,} sets  "
        f"counted {one['counted']:9.3f} s  {one['listed_lists']:,} listed {one['listed']:7.3f} s  "
        f"{one['peak_memory'] / 2**20:7.1f} MB  {one['stopped']}, "
        f"complete to {one['complete_to']:.6f}{target}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.near", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--seconds", type=float, default=120, help="time limit of each case")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save all figures")
    options = parser.parse_args()
    figures = []
    for case in options.cases or CASES:
        figures.append(measure(case, options.data, options.seconds))
        print(line(figures[-1]))
        sys.stdout.flush()
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
