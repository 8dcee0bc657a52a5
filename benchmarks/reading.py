"""What rows cost to read:  python -m benchmarks.reading FILE ...  (tables with a label called y)

Each file is read to a `Problem` in a process of its own, and with `--run` by `corels run`, too,
at lambda = .02 with at most three rules. Results go to `--output` after each file; files
that are not named keep the rows that they have there. Prints a Markdown table: medians of
`--repeats` runs, in user and system seconds of all threads, and the largest peak of memory. Beside
them stands what no program can do without: the bytes of the bit columns, and the seconds that this
machine's memory takes to give them once.

The planted tables are made by `planted.py` beside the shared tables:

    python ../shared/bench/planted.py 1e6 benchmarks/instances/planted_1000000.parquet
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import kept
from benchmarks.__main__ import commit

HERE = Path(__file__).resolve().parent
READ = """
import resource, sys
from corels.problem import Problem
from corels.tables import table_dataset

def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime

began = spent()
data = table_dataset(sys.argv[1], "y")
read = spent()
problem = Problem.from_dataset(data, ".02")
print(problem.rows, problem.n_antecedents, problem.n_points, read - began, spent() - read)
"""
READ_MEMORY = """
import time
import numpy as np

words, found = np.ones(1 << 25, dtype=np.uint64), []
for _ in range(5):
    began = time.perf_counter()
    words.sum()
    found.append(time.perf_counter() - began)
print(words.nbytes / min(found))
"""
COMMAND = str(Path(sys.executable).with_name("corels"))
RUN = ("--label", "y", "--regularization", ".02", "--max-rules", "3", "--quiet")


def measured(*words: str) -> tuple[str, float, float]:
    """What a command prints, the seconds that it worked, and its peak of memory in megabytes."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(words)} ended with {process.returncode}")
    return printed, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def bandwidth() -> float:
    """Bytes a second that one thread reads from memory."""
    return float(measured(sys.executable, "-c", READ_MEMORY)[0])


def row(file: str, repeats: int, run: bool, speed: float) -> dict[str, Any]:
    """What a file costs."""
    reads = [measured(sys.executable, "-c", READ, file) for _ in range(repeats)]
    parts = [printed.split() for printed, _, _ in reads]
    rows, antecedents, points = map(int, parts[0][:3])
    size = antecedents * -(-points // 64) * 8
    found = {
        "name": os.path.basename(file),
        "commit": commit(),
        "rows": rows,
        "antecedents": antecedents,
        "points": points,
        "read_seconds": median(float(part[3]) for part in parts),
        "group_seconds": median(float(part[4]) for part in parts),
        "peak_megabytes": max(peak for _, _, peak in reads),
        "bit_megabytes": size / 1e6,
        "bit_seconds": size / speed,
        "repeats": repeats,
    }
    if run:
        runs = [measured(COMMAND, "run", file, *RUN) for _ in range(repeats)]
        found["run_seconds"] = median(seconds for _, seconds, _ in runs)
        found["run_megabytes"] = max(peak for _, _, peak in runs)
    return found


def markdown(rows: list[dict[str, Any]]) -> str:
    """A line a file."""
    lines = [
        "| file | to bits | to points | peak | bit columns | one pass | `corels run` | its peak |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in rows:
        run = "| | |"
        if "run_seconds" in one:
            run = f"| {one['run_seconds']:.2f} s | {one['run_megabytes']:,.0f} MB |"
        lines.append(
            f"| {one['name']} | {one['read_seconds']:.2f} s | {one['group_seconds']:.2f} s | "
            f"{one['peak_megabytes']:,.0f} MB | {one['bit_megabytes']:,.2f} MB | "
            f"{1e3 * one['bit_seconds']:.3g} ms {run}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--run", action="store_true", help="also the whole of `corels run`")
    parser.add_argument("--output", type=Path, default=HERE / "reading.json")
    options = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    if options.output.exists():
        rows = {one["name"]: one for one in json.loads(options.output.read_text(encoding="utf-8"))}
    speed = bandwidth()
    for file in options.files:
        found = row(file, options.repeats, options.run, speed)
        rows[found["name"]] = found
        kept.write(options.output, sorted(rows.values(), key=lambda one: one["rows"]))
    print(markdown(sorted(rows.values(), key=lambda one: one["rows"])))


if __name__ == "__main__":
    main()
