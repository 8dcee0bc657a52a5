"""Measure the engine:  python -m benchmarks [CASE ...] [--data DIR] [--generated DIR] ...

A case is NAME@LAMBDA, such as compas_train@.005; `quick` and `all` name groups. Every run is a
process of its own, so that peak memory is its own; of several runs the median is reported, of wall
time and of user time. Solve time is what the engine takes once the data is read and collapsed.
Prints a line a case on stderr and writes JSON. Never a test: machines differ, and are busy.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks import coverage, kept, mechanisms
from benchmarks.instances import QUICK, Case, cases, load

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data"
GENERATED = HERE / "instances"
RUNS = 5
FIGURES = ("objective", "lower_bound", "optimal", "expanded", "peak_memory", "parts", "extra")


def measure_once(case: Case, options: argparse.Namespace) -> dict[str, Any]:
    """One solve in this process."""
    import corels
    from corels.plugins import registry

    problem = load(case.instance, options.data, options.generated)
    problem = problem.with_regularization(case.regularization)
    registry()  # plugins are loaded once a process; that is not the engine
    user, wall = resource.getrusage(resource.RUSAGE_SELF).ru_utime, time.perf_counter()
    result = corels.solve(
        problem, time_limit=case.seconds, threads=options.threads, seed=options.seed
    )
    wall = time.perf_counter() - wall
    user = resource.getrusage(resource.RUSAGE_SELF).ru_utime - user
    certificate = result.certificate
    return {
        "wall_seconds": wall,
        "user_seconds": user,
        "process_peak_kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "points": problem.n_points,
        "antecedents": problem.n_antecedents,
        "length": len(result.model.rules),
        "gap": float(certificate.objective - certificate.lower_bound),
        **{name: _plain(getattr(certificate, name)) for name in FIGURES},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, bool | int | str):
        return value
    if hasattr(value, "items"):
        return {k: _plain(v) for k, v in value.items()}
    return float(value)


def measure(case: Case, options: argparse.Namespace) -> dict[str, Any]:
    """The median of several processes; all runs must agree on what is not a time."""
    command = [sys.executable, "-m", "benchmarks", "--once", case.name]
    command += ["--data", str(options.data), "--generated", str(options.generated)]
    command += ["--threads", str(options.threads), "--seed", str(options.seed)]
    runs: list[dict[str, Any]] = []
    for _ in range(options.runs):
        done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=False)
        if done.returncode:
            return {"case": case.name, "skipped": done.stderr.strip().splitlines()[-1]}
        runs.append(json.loads(done.stdout))
        if runs[-1]["wall_seconds"] > 30:
            break  # long enough to tell by itself
    row = {"case": case.name, "runs": len(runs), **runs[0]}
    for name in ("wall_seconds", "user_seconds", "process_peak_kilobytes"):
        row[name] = statistics.median(run[name] for run in runs)
    row["repeats"] = len({(run["objective"], run["expanded"]) for run in runs}) == 1
    return row


def commit() -> str:
    """The commit that was measured, with + if the tree differs from it."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"],
        capture_output=True,
        text=True,
        cwd=HERE,
        check=False,
    )
    return done.stdout.strip() or "unknown"


def line(row: dict[str, Any]) -> str:
    """What a person reads while it runs."""
    if "skipped" in row:
        return f"{row['case']:<22} skipped: {row['skipped']}"
    proof = "certified" if row["optimal"] else f"gap {row['gap']:.5f}"
    return (
        f"{row['case']:<22} {1e3 * row['wall_seconds']:10.1f} ms  user "
        f"{1e3 * row['user_seconds']:10.1f} ms  {row['peak_memory'] / 2**20:8.1f} MB  "
        f"{row['expanded']:>10,} expanded  {row['objective']:.5f}  {proof}"
    )


def chosen(names: list[str]) -> list[Case]:
    """The cases that the command line names; none means `quick`."""
    known = {case.name: case for case in cases()}
    wanted: list[str] = []
    for name in names or ["quick"]:
        wanted += {"quick": list(QUICK), "all": list(known)}.get(name, [name])
    for name in wanted:
        if name not in known:
            sys.exit(f"unknown case {name!r}: expected quick, all or one of {', '.join(known)}")
    return [known[name] for name in wanted]


def main() -> None:
    if sys.argv[1:2] == ["coverage"]:
        coverage.main(sys.argv[2:], commit())
        return
    if sys.argv[1:2] == ["mechanisms"]:
        mechanisms.main(sys.argv[2:], commit())
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--generated", type=Path, default=GENERATED, help="folder of rule files")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "latest.json")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="put the rows into reference.json")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        try:
            print(json.dumps(measure_once(chosen(options.cases)[0], options)))
        except FileNotFoundError as error:
            sys.exit(f"{error.filename or error} is absent")
        return
    rows = []
    for case in chosen(options.cases):
        rows.append(measure(case, options))
        print(line(rows[-1]), file=sys.stderr)
    document = {
        "commit": commit(),
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "threads": options.threads,
        "seed": options.seed,
        "cases": rows,
    }
    kept.write(options.output, document)
    if options.keep:
        kept.keep_cases(document)
    print(options.output)


if __name__ == "__main__":
    main()
