"""Ctrl-C between two steps of a search, never within one.

An exception in the middle of a step could leave events that no sink has seen. So the first Ctrl-C
is only noted, and `corels.solve` looks between steps. A step takes a fraction of a second; a second
Ctrl-C does not wait for it. One that comes at once is the first one again: a terminal sends it to
all processes, and the program that started this one may pass it on.
"""

from __future__ import annotations

import signal
import threading
import time
from contextlib import suppress
from typing import Any, ClassVar

AGAIN = 0.1  # seconds within which a second Ctrl-C is the first one


class CtrlC:
    """A context in which `pressed` tells whether Ctrl-C (SIGINT) has come, or `stop` was called.

    Leaves SIGINT alone outside the main thread, and where it is ignored or nobody's: then its owner
    decides, and KeyboardInterrupt may come from anywhere, as usual. An owner that has the attribute
    `until_a_search` (the program `corels`, while it loads) is relieved for as long as this lasts.
    """

    _searches: ClassVar[threading.local] = threading.local()

    @classmethod
    def running(cls) -> list[CtrlC]:
        """Those of the calling thread, the innermost last: a thread ends its own searches only."""
        found: list[CtrlC] = cls._searches.__dict__.setdefault("running", [])
        return found

    @classmethod
    def noted(cls) -> int:
        """How often Ctrl-C has come in searches of the calling thread. Whoever goes on behind a
        search compares: in its last step it ends certified all the same."""
        found: int = cls._searches.__dict__.get("noted", 0)
        return found

    def __init__(self) -> None:
        self.pressed = False
        self._pressed_at = 0.0
        self._before: Any = None

    def __enter__(self) -> CtrlC:
        self.running().append(self)
        owner = signal.getsignal(signal.SIGINT)
        if owner is signal.default_int_handler or getattr(owner, "until_a_search", False):
            with suppress(ValueError):  # not the main thread
                self._before = signal.signal(signal.SIGINT, self.note)
        return self

    def note(self, *_: object) -> None:
        """The first time, note it; the second time, raise KeyboardInterrupt. Also a handler."""
        if not self.pressed:
            self.pressed, self._pressed_at = True, time.monotonic()
            self._searches.noted = self.noted() + 1
        elif time.monotonic() - self._pressed_at > AGAIN:
            raise KeyboardInterrupt

    def __exit__(self, *error: object) -> None:
        self.running().remove(self)
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


def handlers() -> frozenset[Any]:
    """The code of the program's signal handlers, as they are now."""
    found = {_code(signal.getsignal(number)) for number in signal.valid_signals()}
    return frozenset(found - {None})


def of_a_handler(
    error: BaseException, before: frozenset[Any] = frozenset()
) -> BaseException | None:
    """What a signal handler of the program has raised, if `error` is that or wraps it.

    A KeyboardInterrupt always is one: Python's own handler leaves no frame. Any other handler runs
    wherever the program happens to be, in a step, a sink or a policy, and what it raises is meant
    for whoever called the search. It is known by its frame in the traceback. before: `handlers()`
    of a moment before, since a handler may put another one in its place.
    """
    known = handlers() | before
    found: BaseException | None = error
    seen = set[int]()
    while found is not None and id(found) not in seen:  # an error may be its own cause
        if isinstance(found, KeyboardInterrupt):
            return found
        seen.add(id(found))
        traceback = found.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code in known:
                return found
            traceback = traceback.tb_next
        found = found.__cause__ or found.__context__
    return None


def _code(handler: Any) -> Any:
    """Of a function, a method, or an object that is called; None of anything else."""
    if handler is None or isinstance(handler, int):
        return None
    called = getattr(handler, "__func__", handler)
    return getattr(called, "__code__", None) or getattr(type(called).__call__, "__code__", None)


def stop() -> None:
    """End this thread's search as Ctrl-C would, also where SIGINT is ignored, as in the background.

    A signal handler runs in the main thread, so what it ends is what the main thread is at. Raises
    KeyboardInterrupt where this thread runs none, or at the second call.
    """
    running = CtrlC.running()
    if not running:
        raise KeyboardInterrupt
    running[-1].note()
