"""Falling rule lists on bank-full: time to a certificate, and Monte Carlo; writes JSON.

    python benchmarks/falling.py [--soft] [--limit SECONDS] [--output FILE]

Needs the table bank_full.csv.gz (see tests/plugins/falling/bank_full.py) and skips without it.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "plugins" / "falling"))

import bank_full

import corels
from corels.problem import Problem
from corels.tables import Antecedent, Condition, Dataset

HARD = ((1, "1e-6"), (3, "1e-6"), (5, "1e-6"), (7, "0.1"), (7, "0.01"), (7, "1e-6"))
SOFT = ((1, "1e-6", None), (3, "1e-6", None), (7, "0.1", None), (7, "0.01", 3), (5, "1e-6", 4))


def load() -> Problem:
    names, captures, labels = bank_full.antecedents()
    antecedents = tuple(Antecedent.of(Condition(name, "true")) for name in names)
    return Problem.from_dataset(Dataset(antecedents, captures, labels, (0, 1), name="bank-full"))


def cases(soft: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    for weight, cost in HARD:
        yield "falling", {"positive_weight": weight, "rule_cost": cost}
    for weight in (1, 3, 5, 7):
        options = {
            "positive_weight": weight,
            "method": "monte-carlo",
            "seed": 1,
            "iterations": 30000,
        }
        yield "falling", options
    for weight, cost, length in SOFT if soft else ():
        options = {"positive_weight": weight, "rule_cost": cost, "max_rules": length}
        yield "softly-falling", options


def measure(problem: Problem, solver: str, options: dict[str, Any], limit: float) -> dict[str, Any]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    found = corels.solve(problem, solver, time_limit=limit, **options).certificate
    return {
        "solver": solver,
        **options,
        "user_seconds": round(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before, 3),
        "objective": f"{float(found.objective):.8f}",
        "stopped": found.stopped,
        "gap": float(found.gap),
        "expanded": found.expanded,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--soft", action="store_true", help="the soft rows, too")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each case")
    parser.add_argument("--output", help="write the measurements to a JSON file")
    arguments = parser.parse_args()
    if not bank_full.PATH.exists():
        sys.exit("skipped: there is no bank_full.csv.gz")
    problem, rows = load(), []
    for solver, options in cases(arguments.soft):
        rows.append(measure(problem, solver, options, arguments.limit))
        print(json.dumps(rows[-1]), flush=True)
    if arguments.output:
        Path(arguments.output).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
