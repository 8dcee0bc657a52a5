"""Calls in a process of their own, which is ended when their time is up.

For what looks at no clock: other packages. The process is kept for the next call. It ends when its
standard input does, so none outlives the process that started it, and no Ctrl-C reaches it.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from corels.clock import Clock

NOT_ENDED = "did not end in"
BEGIN = """import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from corels_workbench.apart import serve
serve()
"""
Task = Callable[[], Any]
_idle: list[Apart] = []


class Apart:
    """A process that calls what it is sent, one after the other."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._send(sys.path)

    def call(self, task: Task, limit: float | None = None) -> Any:
        """What it returns. Raises what it raises, TimeoutError after so many seconds, and
        RuntimeError where the process dies; the process has ended in the last two cases."""
        clock = Clock(limit)
        timer = None if limit is None else threading.Timer(limit, self._kill)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            self._send(pickle.dumps(task))  # whatever it is, what goes through the pipe can be read
            raised, found = pickle.load(self._process.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError):  # it is over, and so are its pipes
            self._process.wait()
            self.end()
            if clock.expired():
                raise TimeoutError(f"{NOT_ENDED} {limit:.3g} s") from None
            raise RuntimeError(f"its process died with {self._process.returncode}") from None
        except BaseException:
            self.end()
            raise
        finally:
            if timer is not None:
                timer.cancel()
            if clock.expired():  # by now, if not before, the timer has ended it
                self.end()
        if raised:
            raise found
        return found

    def end(self) -> None:
        """End the process."""
        self._kill()
        self._process.communicate()

    def _kill(self) -> None:
        """It, and what it has started."""
        if self._process.poll() is None and hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    @property
    def ended(self) -> bool:
        """Whether there is no process any more."""
        return self._process.poll() is not None

    def _send(self, what: Any) -> None:
        assert self._process.stdin is not None
        pickle.dump(what, self._process.stdin)
        self._process.stdin.flush()


def within(limit: float, ready: Task, task: Task) -> Any:
    """What a task returns, if it does within so many seconds; `ready` imports before what it needs.

    Raises TimeoutError, RuntimeError where the process dies, and what the task raises.
    """
    apart = _taken()
    try:
        apart.call(ready)
        return apart.call(task, limit)
    finally:
        if not apart.ended:
            _idle.append(apart)


def _taken() -> Apart:
    """A process that waits, or a new one."""
    with suppress(IndexError):
        while True:
            if not (one := _idle.pop()).ended:
                return one
    return Apart()


@atexit.register
def _end_idle() -> None:
    for one in _idle:
        one.end()


def serve() -> None:
    """In the process: call what comes, and send back what it returns or raises."""
    answers, tasks = os.fdopen(os.dup(1), "wb"), SimpleQueue[bytes]()
    os.dup2(2, 1)  # what packages print is no answer
    threading.Thread(target=_read, args=(tasks,), daemon=True).start()
    while True:
        answers.write(_answer(tasks.get()))
        answers.flush()


def _read(tasks: SimpleQueue[bytes]) -> None:
    try:
        while True:
            tasks.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)


def _answer(task: bytes) -> bytes:
    try:
        found: tuple[bool, Any] = (False, pickle.loads(task)())
    except BaseException as error:
        found = (True, error)
    try:
        text = pickle.dumps(found)
        pickle.loads(text)  # some errors cannot be made again
    except Exception:
        return pickle.dumps((True, RuntimeError(f"{type(found[1]).__name__}: {found[1]}")))
    return text
