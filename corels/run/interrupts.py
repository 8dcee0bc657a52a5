"""Signals that ask a search to end: one handler, which sets a flag.

An exception in the middle of a step could leave events that no sink has seen. So the first Ctrl-C
(SIGINT) is only noted, and wakes the step that runs; `corels.solve` looks between steps. The
program `corels` notes SIGTERM, which batch systems send, and SIGHUP, which a closing terminal
sends, in the same way. A second one raises KeyboardInterrupt at once, and so does the first one
if nothing runs that looks.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ContextDecorator, ExitStack, contextmanager
from typing import Any

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
AGAIN = 0.1  # seconds within which a second signal is the first one, passed on by a parent process
came: list[int] = []  # the signals that have come, in their order


class CtrlC(ContextDecorator):
    """A context in which `pressed` says whether a signal has come.

    Contexts within one another share the flag of the outermost one: what runs several searches
    ends with the search that was interrupted. Signals come to the main thread only, so elsewhere
    nothing is ever pressed. Also a decorator: `@CtrlC()`. wake: interrupts the step that runs.
    """

    _running: CtrlC | None = None  # the outermost context of the main thread

    def __init__(self) -> None:
        self.pressed, self._pressed_at, self._handlers = False, 0.0, ExitStack()
        self.wake: Callable[[], None] = lambda: None

    @staticmethod
    def running() -> CtrlC | None:
        """The outermost context of the calling thread, if it is the main one."""
        return CtrlC._running if threading.current_thread() is threading.main_thread() else None

    def _recreate_cm(self) -> CtrlC:
        return CtrlC()

    def __enter__(self) -> CtrlC:
        if (outer := self.running()) is not None:
            return outer
        if threading.current_thread() is threading.main_thread():
            CtrlC._running = self
            self._handlers.enter_context(noting([signal.SIGINT]))
        return self

    def __exit__(self, *error: Any) -> None:
        if CtrlC._running is self:
            CtrlC._running = None
        self._handlers.close()


def note(number: int, frame: object = None) -> None:
    """The handler. Raises KeyboardInterrupt at the second signal, and if no context runs."""
    came.append(number)
    running, now = CtrlC.running(), time.monotonic()
    if running is None or (running.pressed and now - running._pressed_at > AGAIN):
        raise KeyboardInterrupt
    if not running.pressed:
        running.pressed, running._pressed_at = True, now
        running.wake()


@contextmanager
def noting(numbers: Iterable[int]) -> Iterator[None]:
    """Have `note` for these signals if no other handler handles or ignores them, as under nohup; in
    the main thread."""
    usual = (signal.default_int_handler, signal.SIG_DFL)
    before = {one: owner for one in numbers if (owner := signal.getsignal(one)) in usual}
    for one in before:
        signal.signal(one, note)
    try:
        yield
    finally:
        for one, owner in before.items():
            signal.signal(one, owner)
