"""Signals that ask a search to end: one handler, which sets a flag.

An exception in the middle of a step could leave events that no sink has seen. So the first Ctrl-C
(SIGINT) is only noted, and `corels.solve` looks between steps. The program `corels` notes SIGTERM,
which batch systems send, and SIGHUP, which a closing terminal sends, in the same way. A second one
raises KeyboardInterrupt at once, and so does the first one where nothing runs that looks.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ContextDecorator, contextmanager
from typing import Any

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
AGAIN = 0.1  # seconds within which a second signal is the first one, passed on by a parent process
came: list[int] = []  # the signals that have come, in their order


class CtrlC(ContextDecorator):
    """A context in which `pressed` says whether a signal has come to this thread.

    Contexts within one another share the flag of the outermost one: what runs several searches
    ends with the search that was interrupted. Signals come to the main thread only. Also a
    decorator: `@CtrlC()`.
    """

    _threads = threading.local()

    def __init__(self) -> None:
        self.pressed, self._pressed_at = False, 0.0

    @classmethod
    def running(cls) -> CtrlC | None:
        """The outermost context of the calling thread."""
        found: CtrlC | None = getattr(cls._threads, "running", None)
        return found

    def _recreate_cm(self) -> CtrlC:
        return CtrlC()

    def __enter__(self) -> CtrlC:
        outer = self.running()
        if outer is not None:
            return outer
        self._threads.running = self
        self._installed = noting((signal.SIGINT,))
        self._installed.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        if self.running() is self:
            self._threads.running = None
            self._installed.__exit__(None, None, None)


def note(number: int, frame: object = None) -> None:
    """The handler. Raises KeyboardInterrupt at the second signal, and where no context runs."""
    came.append(number)
    running, now = CtrlC.running(), time.monotonic()
    if running is None or (running.pressed and now - running._pressed_at > AGAIN):
        raise KeyboardInterrupt
    if not running.pressed:
        running.pressed, running._pressed_at = True, now


@contextmanager
def noting(numbers: Iterable[int]) -> Iterator[None]:
    """Have `note` for these signals if nobody else handles or ignores them, as under nohup.

    Outside the main thread, whose owner decides, nothing changes.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in numbers:
            owner = signal.getsignal(number)
            if owner in (signal.default_int_handler, signal.SIG_DFL):
                before[number] = signal.signal(number, note)
    try:
        yield
    finally:
        for number, owner in before.items():
            signal.signal(number, owner)
