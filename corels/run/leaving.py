"""The end of the process while a thread of a C++ library is still at work.

Python ends a daemon thread when the thread next asks for the interpreter. Inside C++ that aborts
the whole process (exit code 134), however well everything went. So such work is noted here. When
the process ends, it is told to stop, and waited for. The program `corels` does not wait: it has
printed and saved everything, knows its exit code, and leaves at once (`corels.start`).
"""

from __future__ import annotations

import atexit
import os
import time
from threading import Event
from typing import Protocol

PATIENCE = 10.0  # seconds; threads of HiGHS that were told to stop went on for up to five


class Work(Protocol):
    """Something that a thread of its own does."""

    def stop(self) -> None:
        """Tell it to end, without waiting."""

    def wait(self, seconds: float) -> bool:
        """Give it some time; True where it is over."""


exit_code: int | None = None
"""Set by a program that leaves with this code, at once, where work is still `busy`."""

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


def _end() -> None:
    """Stop all work and wait for its end, as long as `PATIENCE` or until Ctrl-C."""
    _ending.set()
    works = list(_busy)
    for work in works:
        work.stop()
    due = time.monotonic() + (PATIENCE if exit_code is None else 0.0)
    try:
        for work in works:
            work.wait(max(0.0, due - time.monotonic()))
    except KeyboardInterrupt:  # whoever is at the keyboard would rather not wait
        pass


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_busy.clear)  # the child has none of these threads
