"""Signals: a search that is told to stop ends like one that reached a limit.

`corels.solve` ends a search between two steps when Ctrl-C (SIGINT) arrives. Batch systems send
SIGTERM, a closing terminal SIGHUP: both take the same way here, also in the background, where
shells let a program ignore Ctrl-C. The exit code of a command that they end says which it was.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
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


def _note(number: int, frame: Any) -> None:
    came.append(number)
    stop()


def stopping_signals() -> AbstractContextManager[None]:
    """Turn SIGTERM and SIGHUP into Ctrl-C; `came` lists them. Under nohup they stay ignored."""
    return handling(STOPPING, _note, lambda owner: owner is signal.SIG_DFL or _loading(owner))


@contextmanager
def not_dropped() -> Iterator[None]:
    """Send a signal again whose KeyboardInterrupt Python drops.

    Python calls `sys.unraisablehook` with what is raised in the callback of a weak reference or in
    a `__del__`, and goes on. Such calls happen at any moment, so now and then a signal falls there.
    """
    before = sys.unraisablehook

    def again(dropped: Any) -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            _thread.start_new_thread(_send_soon, (came[-1] if came else signal.SIGINT,))
        else:
            before(dropped)

    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = before


def _send_soon(number: int) -> None:
    """Send a signal to the main thread when that has left the call that drops exceptions."""
    time.sleep(0.01)
    if hasattr(signal, "pthread_kill"):  # which also ends a system call that waits
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


def undisturbed() -> AbstractContextManager[None]:
    """Let no second Ctrl-C, nor another signal to stop, cut short what is being saved."""
    return handling((signal.SIGINT, *STOPPING), signal.SIG_IGN)


def interruptible() -> AbstractContextManager[None]:
    """Ctrl-C is an exception here: until now it has ended the program at once (corels.start).

    For work that has something to show when it is interrupted, between searches, too.
    """
    return handling((signal.SIGINT,), signal.default_int_handler, _loading)
