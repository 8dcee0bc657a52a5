"""joblib's processes, in which cells run: no Ctrl-C reaches them, and none outlives its parent.

The program that has started them answers Ctrl-C and ends them. Without that, each would show where
it was interrupted while it still started. A parent that is killed ends nobody, so they look.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import resource_tracker
from typing import Any

LOOK = 0.5  # seconds between two looks at the parent
_starting = threading.Lock()


@contextmanager
def starting() -> Iterator[None]:
    """Around what starts processes: they, and what they start, get no Ctrl-C, which comes here when
    they have started; nor does `end_processes` miss any."""
    with _starting:
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        from joblib.externals.loky.backend import resource_tracker as of_loky

        for tracker in (resource_tracker, of_loky):
            tracker.ensure_running()  # each lets Ctrl-C in again when it starts
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def watching() -> Any:
    """loky as a backend of joblib, whose processes watch their parent from their beginning: one to
    which a cell is being sent when the parent dies would wait for the rest of it for ever."""
    from joblib.parallel import LokyBackend

    class Watching(LokyBackend):  # type: ignore[misc]
        def configure(self, *sizes: Any, **more: Any) -> Any:
            return super().configure(*sizes, initializer=end_with_the_parent, **more)

    return Watching()


@cache
def end_with_the_parent() -> None:
    """In a process that loky started: watch the process that did, and end with it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.pid,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


def end_processes() -> None:
    """End those that cells run in: they would compute on when this one has ended."""
    with _starting:
        for process in multiprocessing.active_children():
            process.terminate()
