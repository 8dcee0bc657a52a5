"""Kill -9 at random moments, and go on:  python -m benchmarks.proof_kills [CASE] [--kills N] ...

A search runs through; then it is begun N times and killed when it has expanded a random share of
what the first one did, and a second search resumes from the proof that it has left. Each must find
the same optimum. Work is counted in expansions, those of the killed process and those of the
resumed one, against the uninterrupted search. Prints a line a kill on stderr and writes JSON after
each, from which the same call goes on where it was itself stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.__main__ import DATA, GENERATED, HERE
from benchmarks.instances import load
from corels.search.events import Sink

Expanded = dict[str, Any]


class Tell(Sink):
    """Prints how much is expanded: whoever kills this process reads it."""

    def progress(self, snapshot: Any, search: Any) -> None:
        print(snapshot.expanded, flush=True)


def solved(name: str, options: argparse.Namespace, **more: Any) -> Expanded:
    """The case NAME@LAMBDA, solved in this process."""
    import corels

    instance, _, regularization = name.partition("@")
    problem = load(instance, options.data, options.generated)
    problem = problem.with_regularization(regularization)
    certificate = corels.solve(problem, no_bound=tuple(options.no_bound), **more).certificate
    return {
        "expanded": certificate.expanded,
        "objective": str(certificate.objective),
        "optimal": certificate.optimal,
    }


def killed(target: int, path: Path, words: list[str]) -> int:
    """What a search had expanded when it was killed: `target` or a little more."""
    command = [sys.executable, "-m", "benchmarks.proof_kills", *words, "--child", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        expanded = 0
        assert child.stdout is not None
        for line in child.stdout:
            expanded = int(line)
            if expanded >= target:
                os.kill(child.pid, signal.SIGKILL)
                break
    return expanded


def kill_and_go_on(share: float, whole: Expanded, options: Any, words: list[str]) -> Expanded:
    """One kill, when about this share of the whole is expanded, and what came of it."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "killed.proof")
        before = killed(int(share * whole["expanded"]), path, words)
        size = path.stat().st_size
        after = solved(options.case, options, resume=str(path))
    return {
        "share": round(share, 3),
        "expanded_before": before,
        "expanded_after": after["expanded"],
        "work": round((before + after["expanded"]) / whole["expanded"], 4),
        "bytes": size,
        "same_optimum": after["optimal"] and after["objective"] == whole["objective"],
    }


def begun(options: argparse.Namespace) -> Expanded:
    """What an earlier call of the same case has found; else the uninterrupted search."""
    same = {"case": options.case, "no_bound": options.no_bound, "seed": options.seed}
    if options.output.exists():
        found: Expanded = json.loads(options.output.read_text(encoding="utf-8"))
        if all(found.get(name) == value for name, value in same.items()):
            return found
    began = time.process_time()
    whole = solved(options.case, options)
    seconds = round(time.process_time() - began, 1)
    return {**same, "uninterrupted": whole, "seconds_uninterrupted": seconds, "kills": []}


def measure(options: argparse.Namespace, words: list[str]) -> None:
    """All kills of one case; what is found so far is written after each."""
    chance = random.Random(options.seed)
    shares = [chance.random() for _ in range(options.kills)]
    found = begun(options)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    for share in shares[len(found["kills"]) :]:
        row = kill_and_go_on(share, found["uninterrupted"], options, words)
        print(json.dumps(row), file=sys.stderr, flush=True)
        rows = found["kills"] = [*found["kills"], row]
        found["most_work"] = max(row["work"] for row in rows)
        found["all_same_optimum"] = all(row["same_optimum"] for row in rows)
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Measure one case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", nargs="?", default="compas_train@.0011")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-bound", nargs="*", default=["prices"])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--generated", type=Path, default=GENERATED)
    parser.add_argument("--output", type=Path, default=HERE / "results" / "proof_kills.json")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        solved(options.case, options, proof=options.child, sinks=[Tell()])
        return
    measure(options, sys.argv[1:])


if __name__ == "__main__":
    main()
