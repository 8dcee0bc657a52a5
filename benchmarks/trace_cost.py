"""What a coarse trace costs:  python -m benchmarks.trace_cost [CASE ...] [--pairs N]

A case is NAME@LAMBDA/SEARCH. The same search with and without a trace, in turns in one process, so
that the machine's moods meet both alike; the second of each pair alternates. Compared is the user
time of this process and the least of all runs, which other people's work disturbs least. Prints the
ratio of the medians and of the minima, and how large the trace is.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
from pathlib import Path

import corels
from benchmarks.instances import load
from corels.problem import Problem
from corels.run.trace import TraceSink

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data"
CASES = (
    "compas_train@.0025/depth-first", "compas_train@.0025/best-first",
    "frisk_fold0@.01/depth-first", "frisk_fold0@.01/best-first",
)  # fmt: skip


def user() -> float:
    """User and system seconds of this process so far."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return spent.ru_utime + spent.ru_stime


def once(problem: Problem, search: str, path: str | None) -> float:
    """Seconds of one search, with a coarse trace where a path is given."""
    began = user()
    sinks = [] if path is None else [TraceSink(path, problem)]
    corels.solve(problem, search=search, sinks=sinks)
    return user() - began


def pairs(problem: Problem, search: str, path: str, number: int) -> list[tuple[float, float]]:
    """(without, with) for each pair; which of the two goes first alternates."""
    found = []
    for turn in range(number):
        first = once(problem, search, path if turn % 2 else None)
        second = once(problem, search, None if turn % 2 else path)
        found.append((second, first) if turn % 2 else (first, second))
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trace_cost", description=__doc__)
    parser.add_argument("cases", nargs="*", default=CASES, metavar="CASE")
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    options = parser.parse_args()
    for case in options.cases:
        instance, search = case.split("/")
        name, regularization = instance.split("@")
        problem = load(name, options.data, HERE / "instances").with_regularization(regularization)
        with tempfile.TemporaryDirectory() as place:
            path = str(Path(place) / "run.jsonl")
            pairs(problem, search, path, 1)
            plain, traced = zip(*pairs(problem, search, path, options.pairs), strict=True)
            size = Path(path).stat().st_size
        medians = statistics.median(traced) / statistics.median(plain)
        print(
            f"{case:<34} {1e3 * statistics.median(plain):8.1f} ms  with a trace: "
            f"{medians - 1:+.1%} (medians)  {min(traced) / min(plain) - 1:+.1%} (least)  "
            f"{size:,} bytes",
            flush=True,
        )


if __name__ == "__main__":
    main()
