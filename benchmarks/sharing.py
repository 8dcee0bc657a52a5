"""What several threads are worth, and what they do twice:  python -m benchmarks.sharing [CASE ...]

A case is NAME@LAMBDA, NAME one of the benchmark's instances or of the tables of `coverage`. Two
questions, asked of every case:

* *Turns.* Workers take turns on one thread, one expansion each, so the run repeats. How many
  expansions do they make together, over those of one worker?
* *Times.* One run with one thread; two such runs side by side, in two processes; and one run with
  two threads. `gain` is the throughput of the two processes over that of one: what a second busy
  core of this machine is worth just now. `speedup` is what two threads make of it. The three are
  measured in turn, several times; medians count.

Writes JSON to --output. Never a test: machines differ, and are busy.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data"
CASES = ("compas_train@.0025", "pl100@.01", "pl300@.02", "adult@.01", "sqf2@.01", "bank_full@.005")
Row = dict[str, Any]


def problem_of(case: str, data: Path, generated: Path) -> Any:
    """The instance of a case, with its regularization."""
    from benchmarks.coverage import tables
    from benchmarks.instances import load
    from corels.problem import Problem
    from corels.tables.labelled import table_dataset
    from corels.tables.options import TableOptions

    name, regularization = case.rsplit("@", 1)
    files = tables(data)
    if name in files:
        dataset = table_dataset(str(files[name]), "label", TableOptions())
        return Problem.from_dataset(dataset, regularization)
    return load(name, data, generated).with_regularization(regularization)


def run_once(options: argparse.Namespace) -> Row:
    """One solve in this process, once standard input says go."""
    from corels_c import search
    from corels_c._native import lib

    import corels
    from corels.plugins import registry

    problem = problem_of(options.cases[0], options.data, options.generated)
    registry()
    begin = search.CSearch.__init__

    def in_turns(self: Any, *arguments: Any) -> None:
        begin(self, *arguments)
        lib.corels_search_take_turns(self._search, 1 if options.in_turns else 0)

    search.CSearch.__init__ = in_turns  # type: ignore[method-assign]
    print("ready", flush=True)
    sys.stdin.readline()
    start, used = time.perf_counter(), time.process_time()
    certificate = corels.solve(problem, threads=options.threads).certificate
    return {
        "seconds": time.perf_counter() - start,
        "processor_seconds": time.process_time() - used,
        "expanded": certificate.expanded,
        "certified": certificate.optimal,
        "objective": float(certificate.objective),
    }


def run(case: str, options: argparse.Namespace, *more: str, processes: int = 1) -> list[Row]:
    """`run_once` in processes that begin at the same moment."""
    command = [sys.executable, "-m", "benchmarks.sharing", "--once", case, *more]
    command += ["--data", str(options.data), "--generated", str(options.generated)]
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=HERE.parent)
        for _ in range(processes)
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    found: list[Row] = [json.loads(process.communicate()[0]) for process in started]
    return found


def times(case: str, options: argparse.Namespace) -> Row:
    """One thread, two processes of one thread, two threads: medians of several rounds."""
    alone, beside, both = [], [], []
    for _ in range(options.rounds):
        alone += run(case, options)
        beside.append(max(row["seconds"] for row in run(case, options, processes=2)))
        both += run(case, options, "--threads", "2")
    one = statistics.median(row["seconds"] for row in alone)
    two = statistics.median(row["seconds"] for row in both)
    return {
        "one_thread_seconds": one,
        "two_processes_seconds": statistics.median(beside),
        "two_threads_seconds": two,
        "gain": 2 * one / statistics.median(beside),
        "speedup": one / two,
        "one_thread_processor_seconds": statistics.median(r["processor_seconds"] for r in alone),
        "two_threads_processor_seconds": statistics.median(r["processor_seconds"] for r in both),
        "two_threads_expanded": [row["expanded"] for row in both],
    }


def measure(case: str, options: argparse.Namespace) -> Row:
    """A row: what workers expand in turns, and what threads take."""
    row: Row = {"case": case, "expanded": {}}
    for workers in options.workers:
        [found] = run(case, options, "--threads", str(workers), "--in-turns")
        row["expanded"][str(workers)] = found["expanded"]
        row["objective"], row["certified"] = found["objective"], found["certified"]
    if options.rounds:
        row |= times(case, options)
    return row


def line(row: Row) -> str:
    """What a person reads."""
    counts = list(row["expanded"].items())
    one = counts[0][1]
    text = f"{row['case']:<24} {one:>10,} expanded"
    text += "".join(f"  {n} workers {count / one:5.3f}" for n, count in counts[1:])
    if "gain" in row:
        text += f"  gain {row['gain']:.2f}  speedup {row['speedup']:.2f}"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sharing", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--generated", type=Path, default=HERE / "instances")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "sharing.json")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 8, 16])
    parser.add_argument("--rounds", type=int, default=5, help="of measuring times; 0: none")
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--in-turns", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        print(json.dumps(run_once(options)))
        return
    rows = []
    for case in options.cases or CASES:
        rows.append(measure(case, options))
        print(line(rows[-1]), file=sys.stderr)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps({"cases": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
