"""Signals: a search that is told to stop ends like one that reached a limit.

`corels.solve` ends a search between two steps when Ctrl-C (SIGINT) arrives. Batch systems send
SIGTERM, a closing terminal SIGHUP: both take the same way here, also in the background, where
shells let a program ignore Ctrl-C. The exit code of a command that they end says which it was.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from corels.run.interrupts import stop

STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
came: list[int] = []  # those that have come while this command ran


@contextmanager
def handling(
    numbers: Iterable[int], handler: Any, instead_of: Callable[[Any], bool] = lambda owner: True
) -> Iterator[None]:
    """Have a handler for these signals, and the one before again afterwards.

    instead_of: whether the handler before gives way. Outside the main thread, whose owner decides,
    nothing changes.
    """
    before = {}
    with suppress(ValueError):  # not the main thread
        for number in numbers:
            if instead_of(signal.getsignal(number)):
                before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, owner in before.items():
            signal.signal(number, owner)


def _loading(owner: Any) -> bool:
    """Whether a handler is that of the program while it loads: it ends the program at once."""
    return bool(getattr(owner, "until_a_search", False))


@contextmanager
def stopping_signals() -> Iterator[list[int]]:
    """Turn SIGTERM and SIGHUP into Ctrl-C; gives the list of those that came."""

    def note(number: int, frame: Any) -> None:
        came.append(number)
        stop()

    with handling(STOPPING, note, lambda owner: owner is signal.SIG_DFL or _loading(owner)):
        yield came  # under nohup they stay ignored


def undisturbed() -> AbstractContextManager[None]:
    """Let no second Ctrl-C, nor another signal to stop, cut short what is being saved."""
    return handling((signal.SIGINT, *STOPPING), signal.SIG_IGN)


def interruptible() -> AbstractContextManager[None]:
    """Ctrl-C is an exception here: until now it has ended the program at once (corels.start).

    For work that has something to show when it is interrupted, between searches, too.
    """
    return handling((signal.SIGINT,), signal.default_int_handler, _loading)
