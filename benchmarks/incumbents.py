"""How soon good lists are found:  python -m benchmarks incumbents [TABLE@LAMBDA ...] [options]

For searches that take long: the objective after 1 s and after 10 s of user time of the engine,
beside the best one known. The best known objectives are in reference.json (`incumbents`); `--keep`
writes this run's figures there, with the commit that was measured, and what it found that is
better. What was not measured this time, or failed, keeps its row. `--seconds` searches longer, to
look for better ones. Each run is a process of its own, one after another.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import kept
from benchmarks.coverage import DATA, HERE, tables

RUNS = (
    *(f"adult@{x}" for x in (".01", ".005")),
    "bank_full@.005",
    *(f"musk2@{x}" for x in (".02", ".01", ".005")),
    *(f"osdt_diabetes@{x}" for x in (".02", ".01", ".005")),
    "dl85_australian_credit@.005",
    "dl85_vehicle@.005",
    "dl85_splice_1@.005",
)
MOMENTS = (1.0, 10.0)
Row = dict[str, Any]


def run_once(name: str, data: Path, seconds: float, seed: int) -> Row:
    """One search in this process; what it had found at each moment."""
    import corels
    from corels.plugins import registry
    from corels.problem import Problem
    from corels.run.certifying import objective_of
    from corels.search import Kind, Sink
    from corels.tables.labelled import table_dataset
    from corels.tables.options import TableOptions

    table, _, regularization = name.partition("@")
    dataset = table_dataset(str(tables(data)[table]), "label", TableOptions())
    problem = Problem.from_dataset(dataset, regularization)
    registry()
    found: list[tuple[float, float]] = []

    def user() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime

    class Times(Sink):
        """When each better list came."""

        name = "times"

        def events(self, records: Any, search: Any) -> None:
            for record in records[np.isin(records["kind"], (Kind.START, Kind.INCUMBENT))]:
                cost = int(record["objective"])
                found.append((user() - began, float(objective_of(cost, problem, search))))

    began = user()
    result = corels.solve(problem, sinks=[Times()], time_limit=seconds, seed=seed)
    return {
        "run": name,
        **{
            f"after_{m:g}": min([o for t, o in found if t <= m], default=found[0][1])
            for m in MOMENTS
        },
        "last_improvement": found[-1][0],
        "objective": float(result.certificate.objective),
        "certified": result.certificate.optimal,
    }


def run(name: str, options: argparse.Namespace) -> Row:
    """`run_once` in a process of its own; what failed says so."""
    command = [sys.executable, "-m", "benchmarks", "incumbents", "--once", name]
    command += ["--data", str(options.data), "--seconds", str(options.seconds)]
    command += ["--seed", str(options.seed)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=False)
    if done.returncode:
        return {"run": name, "failed": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    found: Row = json.loads(done.stdout)
    return found


def joined(part: dict[str, Any], row: Row, measured: Row) -> dict[str, Any]:
    """The part of reference.json with a new row, which also gets its `best`.

    measured: how, and with which commit; each row has its own, since those of other runs stay.
    """
    name = row["run"]
    known = part.get("best_known", {})
    row["best"] = min(row["objective"], known.get(name, row["objective"]))
    rows = {before["run"]: before for before in part.get("rows", ())}
    rows[name] = {**row, **measured}
    return {"best_known": {**known, name: row["best"]}, "rows": [*rows.values()]}


def line(row: Row) -> str:
    """What a person reads."""
    if "failed" in row:
        return f"{row['run']:<30} failed: {row['failed']}"
    moments = "  ".join(
        f"{m:g} s: {row[f'after_{m:g}']:.6f} (+{row[f'after_{m:g}'] / row['best'] - 1:.2%})"
        for m in MOMENTS
    )
    proof = "  certified" if row["certified"] else ""
    return (
        f"{row['run']:<30} best {row['best']:.6f}  {moments}"
        f"  last better after {row['last_improvement']:.2f} s{proof}"
    )


def main(arguments: list[str], commit: str) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks incumbents", description=__doc__)
    parser.add_argument("runs", nargs="*", metavar="TABLE@LAMBDA")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--seconds", type=float, default=12.0, help="wall time of a run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="put the rows into reference.json")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.once:
        print(json.dumps(run_once(options.runs[0], options.data, options.seconds, options.seed)))
        return
    measured = {"commit": commit, "seconds": options.seconds, "seed": options.seed}
    part = kept.reference().get("incumbents", {})
    for name in options.runs or RUNS:
        row = run(name, options)
        if "failed" not in row:
            part = joined(part, row, measured)
        print(line(row), file=sys.stderr)
        if options.keep:
            kept.keep(incumbents=part)
