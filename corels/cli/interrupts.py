"""Signals: a search that is told to stop ends like one that reached a limit.

`corels.solve` ends a search between two steps when Ctrl-C (SIGINT) arrives. Batch systems send
SIGTERM, a closing terminal SIGHUP: both take the same way here, also in the background, where
shells let a program ignore Ctrl-C. The exit code of a command that they end says which it was.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from corels.run.interrupts import stop

STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
came: list[int] = []  # those that have come while this command ran


@contextmanager
def stopping_signals() -> Iterator[list[int]]:
    """Turn SIGTERM and SIGHUP into Ctrl-C; gives the list of those that came."""

    def note(number: int, frame: Any) -> None:
        came.append(number)
        stop()

    before = {}
    try:
        for number in STOPPING:
            owner = signal.getsignal(number)
            if owner is signal.SIG_DFL or getattr(owner, "until_a_search", False):  # not nohup
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
    """Let no second Ctrl-C, nor another signal to stop, cut short what is being saved."""
    before = {}
    try:
        for number in (signal.SIGINT, *STOPPING):
            before[number] = signal.signal(number, signal.SIG_IGN)
    except ValueError:  # not the main thread: its owner decides
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C is an exception here: until now it has ended the program at once (corels.start).

    For work that has something to show when it is interrupted, between searches, too.
    """
    before = signal.getsignal(signal.SIGINT)
    ours = getattr(before, "until_a_search", False)
    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)
