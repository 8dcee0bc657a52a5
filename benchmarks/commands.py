"""What whole commands take: the seconds of the README.  python -m benchmarks.commands [--runs N]

User time of the process with all that it starts, the median of so many runs; the commands take
turns. --keep writes commands.json, with which a test compares the README.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.kept import write

KEPT = Path(__file__).resolve().parent / "commands.json"
TITANIC, CANCER = "--dataset titanic", "--dataset breast-cancer"
LEARN = f"run {TITANIC} -r 0.003 -o m.json --proof m.proof"
COMMANDS = {
    "run": f"run {TITANIC} -r 0.003",
    "predict": f"predict m.json {TITANIC}",
    "check": f"check m.json {TITANIC}",
    "check --proof": f"check m.json {TITANIC} --proof m.proof",
    "explain-row": f"explain-row m.json {TITANIC} --row 5",
    "antecedents": f"antecedents {TITANIC}",
    "near": f"near {TITANIC} -r 0.003",
    "path --folds 5": f"path {TITANIC} --folds 5",
    "run -r auto": f"run {TITANIC} -r auto",
    "report": f"report m.json {TITANIC} -o m.html",
    "breast-cancer .02": f"run {CANCER} -r 0.02 -o c.json --proof c.proof",
    "breast-cancer .004": f"run {CANCER} -r 0.004 -o d.json --proof d.proof",
    "breast-cancer .02 check": f"check c.json {CANCER} --proof c.proof",
    "breast-cancer .004 check": f"check d.json {CANCER} --proof d.proof",
}


def seconds(command: str, folder: str) -> float:
    """User time of one command."""
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    program = [str(Path(sys.executable).with_name("corels")), *shlex.split(command)]
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(program, cwd=folder, env=environment, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.commands", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds(LEARN, folder)
        turns = [{n: seconds(c, folder) for n, c in COMMANDS.items()} for _ in range(options.runs)]
    found = {name: round(statistics.median(turn[name] for turn in turns), 2) for name in COMMANDS}
    for name, taken in found.items():
        print(f"{name:<26} {taken:6.2f} s", flush=True)
    if options.keep:
        write(KEPT, {"runs": options.runs, "user_seconds": found})


if __name__ == "__main__":
    main()
