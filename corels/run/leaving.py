"""The end of the process while a thread of a C++ library is still at work.

Python ends a daemon thread when the thread next asks for the interpreter. Inside C++ that aborts
the whole process (exit code 134), however well everything went. So such work is noted here. When
the process ends, it is told to stop, and waited for. The program `corels` does not wait: it has
printed and saved everything, knows its exit code, and leaves at once (`corels.start`).
"""

from __future__ import annotations

import atexit
import os
import sys
import time
from contextlib import suppress
from threading import Event
from types import FrameType
from typing import NoReturn, Protocol

INTERRUPTED = 130
PATIENCE = 10.0  # seconds; threads of HiGHS that were told to stop went on for up to five


class Work(Protocol):
    """Something that a thread of its own does."""

    def stop(self) -> None:
        """Tell it to end, without waiting."""

    def wait(self, seconds: float) -> bool:
        """Give it some time; True where it is over."""


_left: tuple[int, FrameType, int] | None = None  # the code, the main module, and where that stood
_busy: set[Work] = set()
_ending = Event()


def begin(work: Work) -> bool:
    """Note work; its thread calls this first. False: the process is ending, so do not begin."""
    _busy.add(work)  # before the look at `_ending`: the end sees this work, or is seen by it
    return not _ending.is_set()


def over(work: Work) -> None:
    """The work of this thread is over; called by it, too."""
    _busy.discard(work)


def busy() -> bool:
    """Whether any thread is still at work."""
    return bool(_busy)


def leave_with(code: int, caller: FrameType) -> None:
    """The program ends with this code, at once where work is still `busy`: SystemExit leaves its
    main module, the `caller`. Nothing is noted where anything else would have to let it pass."""
    global _left  # noqa: PLW0603 - of this process
    _left = (code, caller, caller.f_lasti) if caller.f_back is None else None


def exit_code() -> int | None:
    """What the program leaves with; None where it did not, or its main module has gone on since."""
    if _left is None:
        return None
    code, caller, stood = _left
    return code if caller.f_lasti == stood else None


def at_once(code: int) -> NoReturn:
    """End the process here and now, with all that was printed."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # a stream that cannot be written was told of before
            stream.flush()
    os._exit(code)


def _end() -> None:
    """Stop all work and wait for its end, as long as `PATIENCE` or until Ctrl-C: whoever is at the
    keyboard would rather not wait. Python would then abort, so the process ends here."""
    try:
        _ending.set()
        works = list(_busy)
        for work in works:
            work.stop()
        due = time.monotonic() + (PATIENCE if exit_code() is None else 0.0)
        for work in works:
            work.wait(max(0.0, due - time.monotonic()))
    except KeyboardInterrupt:
        if busy() and exit_code() is None:
            at_once(INTERRUPTED)


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_busy.clear)  # the child has none of these threads
