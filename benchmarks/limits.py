"""Limits by processor time, because machines are busy."""

from __future__ import annotations

import json
import math
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corels.run.interrupts import note

AROUND = 120  # seconds of processor time for reading, mining and ending, beside a search's own
ASLEEP = 100  # times as many seconds of wall time before a process is taken to sleep for ever
Row = dict[str, Any]


@contextmanager
def user_limit(seconds: float) -> Iterator[None]:
    """A search ends as by Ctrl-C (which is ignored in the background) after so much user time."""
    signal.signal(signal.SIGVTALRM, note)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def user_seconds() -> float:
    """Of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def own_process(module: list[str], seconds: float) -> Row:
    """The JSON that `python -m MODULE ...` prints, or {"failed": why}.

    seconds: of the search. With AROUND more of processor time the process is ended, whatever it
    is at: wall time says nothing on a machine with ten processes to a core.
    """
    most = math.ceil(seconds + AROUND)
    try:
        done = subprocess.run(
            [sys.executable, "-m", *module],
            capture_output=True,
            text=True,
            cwd=Path(__file__).resolve().parent.parent,
            check=False,
            timeout=most * ASLEEP,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
        )
    except subprocess.TimeoutExpired:
        return {"failed": "the process does nothing any more"}
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"failed": f"not over after {most} s of processor time, reading included"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    found: Row = json.loads(done.stdout)
    return found
