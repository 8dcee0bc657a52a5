"""Calls in a process of their own, which is ended when their time is up.

For what looks at no clock, such as other packages, and for what may end its process. The process is
loky's, and is kept for the next call. It ignores Ctrl-C, and what it prints goes to stderr.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

NOT_ENDED = "did not end in"
_kept: list[Any] = []  # a pool of one process, or none


def within(
    limit: float | None, task: Callable[[], Any], ready: Callable[[], Any] = os.getpid
) -> Any:
    """What a task returns, if it does within so many seconds; `ready` imports before what it needs.

    Raises TimeoutError, RuntimeError if the process dies, and what the task raises.
    """
    pool, done = _kept.pop() if _kept else _new_pool(), False
    try:
        pool.submit(ready).result()
        called = pool.submit(task)
        while not (called.running() or called.done()):  # loky's thread has yet to take it, which
            time.sleep(0.001)  # would fail with a traceback if the pool were ended before
        done = bool(wait([called], limit).done)
        if not done:
            raise TimeoutError(f"{NOT_ENDED} {limit:.3g} s")
        return called.result()
    except BrokenProcessPool as error:
        done = False
        raise RuntimeError(f"its process died: {error}") from None
    finally:
        if done:
            _kept.append(pool)
        else:
            pool.shutdown(kill_workers=True)  # it, and what it has started


def _new_pool() -> Any:
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(max_workers=1, initializer=_begin)


def _begin() -> None:
    ignore_ctrl_c()
    os.dup2(2, 1)  # what packages print is no answer of ours


def ignore_ctrl_c() -> None:
    """In a process that cells run in: Ctrl-C is for the program, which ends its processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
