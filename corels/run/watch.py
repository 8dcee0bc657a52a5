"""Telling a running step to return: at the time limit, and as soon as a signal arrives; and telling
people that it goes on, where it takes long.

Python runs a signal handler between two of its own instructions only. While an engine computes
there are none, so a thread of its own sleeps until the time limit or until the signal has woken it
(through the pipe of `signal.set_wakeup_fd`, which the signal writes to at once), and then
interrupts the search.
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

LATE = 3.0  # seconds after which somebody is told that a step has not returned
STILL = 0.5  # seconds between two looks whether anything is shown


class Watch:
    """A context in which, once begun, `interrupt` is called at the deadline and after each signal.

    interrupt: called from another thread; harmless at any time. late: called from there where the
    step goes on for `LATE` seconds all the same, as the code of a plugin may. still: called from
    there every `STILL` seconds, whatever the step does. clock: of the run, with or without a limit.
    Signals wake the watch in the main thread only, and only where nobody
    else has asked to be woken (an event loop, for one): then the deadline alone counts.
    """

    def __init__(
        self,
        interrupt: Callable[[], None],
        clock: Clock,
        late: Callable[[], None],
        still: Callable[[], None] = lambda: None,
    ) -> None:
        self._interrupt, self._late, self._still = interrupt, late, still
        self._clock: Clock | None = clock
        self._over = False
        self._owns_wakeup = False
        self._begun = False
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Watch:
        return self

    def begin(self) -> bool:
        """Watch from now on; False where it does so already. True: nobody saw a signal before.

        Without room for a thread, limits and signals wait for the end of a step.
        """
        if self._begun:
            return False
        self._begun = True
        self._ear, self._mouth = socket.socketpair()
        self._ear.setblocking(False)
        self._mouth.setblocking(False)
        with suppress(ValueError):  # not the main thread
            before = signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
            self._owns_wakeup = before == -1
            if not self._owns_wakeup:
                signal.set_wakeup_fd(before)
        with suppress(ResourceError):
            self._thread = started(
                threading.Thread(target=self._watch, name="corels watch", daemon=True)
            )
        return True

    def _watch(self) -> None:
        while not self._over:
            left = None if self._clock is None else self._clock.left()
            ends = left is not None and left <= STILL
            heard, _, _ = select.select([self._ear], [], [], left if ends else STILL)
            if heard:
                self._ear.recv(4096)
            if self._over:
                return
            if not heard and not ends:
                self._still()
                continue
            if not heard:
                self._clock = None  # once is enough: the driver looks at the clock, too
            self._interrupt()
            if not select.select([self._ear], [], [], LATE)[0] and not self._over:
                self._late()

    def __exit__(self, *error: object) -> None:
        if not self._begun:
            return
        self._over = True
        if self._owns_wakeup:
            signal.set_wakeup_fd(-1)
        self._mouth.send(b"x")
        if self._thread is not None:
            self._thread.join()
        self._ear.close()
        self._mouth.close()
