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
from corels.errors import ResourceError
from corels.threads import started

STILL = 0.5  # seconds between two looks whether anything is shown


class Watch:
    """A context in which, once begun, `interrupt` is called at the deadline and after each signal.

    interrupt: called from another thread; harmless at any time. still: called from there every
    `STILL` seconds. clock: of the run, with or without a limit. Signals wake the watch in the main
    thread only, and only if nothing else (an event loop, say) is woken by them.
    """

    def __init__(
        self, interrupt: Callable[[], None], clock: Clock, still: Callable[[], None]
    ) -> None:
        self._interrupt, self._still = interrupt, still
        self._clock: Clock | None = clock
        self._over = self._owns_wakeup = False
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
        self._thread = threading.Thread(target=self._watch, name="corels watch", daemon=True)
        with suppress(ValueError):  # not the main thread
            before = signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
            self._owns_wakeup = before == -1
            if not self._owns_wakeup:
                signal.set_wakeup_fd(before)
        with suppress(ResourceError):
            started(self._thread)
        return True

    def _watch(self) -> None:
        while not self._over:
            left = None if self._clock is None else self._clock.left()
            ends = left is not None and left <= STILL
            heard, _, _ = select.select([self._ear], [], [], left if ends else STILL)
            if heard:
                self._ear.recv(4096)
            elif ends:
                self._clock = None  # once is enough: the driver looks at the clock, too
            else:
                self._still()
                continue
            self._interrupt()

    def __exit__(self, *error: object) -> None:
        if self._thread is None:
            return
        self._over = True
        if self._owns_wakeup:
            signal.set_wakeup_fd(-1)
        self._mouth.send(b"x")
        if self._thread.is_alive():
            self._thread.join()
        self._ear.close()
        self._mouth.close()
