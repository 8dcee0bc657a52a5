"""What ends a step that runs: the time limit, and a signal.

Python runs a signal handler between two of its own instructions only. While an engine computes
there are none, so a thread sleeps until the time limit or until the signal has woken it (through
the pipe of `signal.set_wakeup_fd`, to which the signal writes at once), and interrupts the search.
"""

from __future__ import annotations

import select
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from corels.clock import Clock

SOON = 0.01  # seconds between two looks about the time limit, at least


class Watch:
    """A context in which, once begun, `interrupt` is called after each signal and from the deadline
    on.

    It is called from another thread, and harmless at any time. clock: of the run, with or without a
    limit. Signals wake the watch of the main thread only.
    """

    def __init__(self, interrupt: Callable[[], None], clock: Clock) -> None:
        self._interrupt, self._clock = interrupt, clock
        self._over, self._woken = False, -1  # woken: what a signal woke before
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Watch:
        return self

    def begin(self) -> bool:
        """Watch from now on; False if it does so already. True: a signal may have come before.

        Without room for a thread, limits and signals wait for the end of a step.
        """
        if self._thread is not None:
            return False
        self._ear, self._mouth = socket.socketpair()
        self._mouth.setblocking(False)
        with suppress(ValueError):  # not the main thread
            self._woken = signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._watch, name="corels watch", daemon=True)
        with suppress(RuntimeError):
            self._thread.start()
        return True

    def _watch(self) -> None:
        while not self._over:
            left = self._clock.left()
            wait = None if left is None else max(left, SOON)
            heard, _, _ = select.select([self._ear], [], [], wait)
            if heard:
                self._ear.recv(4096)
            self._interrupt()

    def __exit__(self, *error: object) -> None:
        if self._thread is None:
            return
        self._over = True
        with suppress(ValueError):
            signal.set_wakeup_fd(self._woken)
        self._mouth.send(b"x")
        if self._thread.is_alive():
            self._thread.join()
        self._ear.close()
        self._mouth.close()
