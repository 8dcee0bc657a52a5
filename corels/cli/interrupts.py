"""Signals: a search that is told to stop ends like one that reached a limit.

`corels.solve` ends a search between two steps when Ctrl-C (SIGINT) arrives. Batch systems send
SIGTERM, a closing terminal SIGHUP: both take the same way here.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def stopping_signals() -> Iterator[list[int]]:
    """Turn SIGTERM and SIGHUP into Ctrl-C; gives the list of those that came."""
    came: list[int] = []

    def note(number: int, frame: Any) -> None:
        came.append(number)
        signal.raise_signal(signal.SIGINT)

    before = {}
    try:
        for number in STOPPING:
            if signal.getsignal(number) is signal.SIG_DFL:  # not under nohup
                before[number] = signal.signal(number, note)
    except ValueError:  # not the main thread: its owner decides
        pass
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let no second Ctrl-C cut short what is being saved."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
