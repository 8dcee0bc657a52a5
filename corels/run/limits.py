"""The limits of a run: by time, by expansions, by memory, and by a signal; and of one step.

Without a limit of memory a search may hold half of what this machine has: one that runs into the
machine's limits loses everything, and other people's work with it. So one that can forget does so
at half of the memory, and any other one stops there with its best model and the proven gap.

A step of an engine is given so much work that it takes about a twentieth of a second: short enough
for Ctrl-C, limits and the display, and long enough that the looks in between cost nothing. Every
loop that drives an engine in steps asks `Steps`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from corels.clock import Clock
from corels.model import Stopped
from corels.options import Option
from corels.run.interrupts import CtrlC
from corels.search import Progress, Search

MEMORY_LIMIT = Option.whole(
    "memory_limit",
    "megabytes of memory that the search may use (default: half of the machine's memory)",
    low=1,
    high=2**40,
    unit="megabytes",
)
LIMITS = (
    Option.time_limit("stop after this many seconds"),
    Option.whole("node_limit", "stop after expanding this many prefixes", low=0),
    MEMORY_LIMIT,
    Option.whole("cache_limit", "the most prefixes kept in memory", low=0, python_only=True),
)
MEGABYTE = 10**6
STATM = Path("/proc/self/statm")  # in pages: the second number is what is held now
CONTAINER = Path("/sys/fs/cgroup/memory.max")  # "max" or bytes
STEP_SECONDS = 0.05
MOST_BUDGET = 1 << 40  # units of work that one step may be given
SOON = 0.01  # seconds after the time limit, and between two calls then

Outcome = TypeVar("Outcome")


class Limits:
    """What a run may take. asked: the values of `LIMITS`. memory: bytes, if a limit was asked for.

    Time and signals are looked at before every step; what only a snapshot knows is looked at with
    each snapshot (`counted`), and before every step if a limit was asked for.
    """

    def __init__(self, asked: Mapping[str, Any], clock: Clock, ctrl_c: CtrlC) -> None:
        megabytes = asked["memory_limit"]
        self.memory = None if megabytes is None else megabytes * MEGABYTE
        self.nodes, self._cached = asked["node_limit"], asked["cache_limit"]
        self._clock, self._ctrl_c = clock, ctrl_c
        self._memory = self.memory or default_memory()
        self._before = process_memory()
        self.counting = any(n is not None for n in (self.memory, self.nodes, self._cached))

    @contextmanager
    def waking(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """A signal calls `interrupt`, which is harmless at any time, and so does a thread from the
        time limit on; without room for one, the limit waits for the end of a step."""
        ended, before, self._ctrl_c.wake = threading.Event(), self._ctrl_c.wake, interrupt

        def watch() -> None:
            while not ended.wait(SOON + (self._clock.left() or 0.0)):
                interrupt()

        thread = threading.Thread(target=watch, name="corels limit", daemon=True)
        try:
            if self._clock.limit is not None:
                with suppress(RuntimeError):
                    thread.start()
            yield
        finally:
            self._ctrl_c.wake = before
            ended.set()
            if thread.is_alive():
                thread.join()

    def affordable(self, budget: int, search: Search, n_antecedents: int) -> int:
        """At most what the limits leave, so that a limited run repeats exactly."""
        if self.nodes is not None:
            budget = min(budget, self.nodes - search.progress().expanded)
        if self._cached is not None:  # one expansion adds at most a child for each antecedent
            room = self._cached - search.progress().cached
            budget = min(budget, max(1, room // n_antecedents))
        return budget

    def over(self) -> Stopped | None:
        """Whether a signal came, or the time is up."""
        if self._ctrl_c.pressed:
            return Stopped.INTERRUPTED
        return Stopped.TIME_LIMIT if self._clock.expired() else None

    def counted(self, snapshot: Progress) -> Stopped | None:
        """Which limit a snapshot has reached."""
        if self.nodes is not None and snapshot.expanded >= self.nodes:
            return Stopped.NODE_LIMIT
        if self._memory is not None and self._held(snapshot) > self._memory:
            return Stopped.MEMORY_LIMIT
        if self._cached is not None and snapshot.cached >= self._cached:
            return Stopped.CACHE_LIMIT
        return None

    def _held(self, snapshot: Progress) -> int:
        """Bytes of the search; by how much the process has grown, if the search does not say."""
        if snapshot.memory or self._before is None:
            return snapshot.memory
        return (process_memory() or 0) - self._before


class Steps:
    """The budget of the next step, by what the ones before it took."""

    def __init__(self) -> None:
        self._budget = 1

    def take(self, step: Callable[[int], Outcome]) -> Outcome:
        """One step of the budget."""
        clock = Clock()
        outcome = step(self._budget)
        took = clock.elapsed
        if took < STEP_SECONDS / 8:  # the first steps are short: a small search takes three
            self._budget = min(8 * self._budget, MOST_BUDGET)
        elif took < STEP_SECONDS / 2:
            self._budget = min(2 * self._budget, MOST_BUDGET)
        elif took > STEP_SECONDS * 2:
            self._budget = max(1, self._budget // 2)
        return outcome


def process_memory() -> int | None:
    """Bytes that this process holds; None if the system does not say, as only Linux does."""
    try:
        return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError, IndexError):
        return None


@cache
def default_memory() -> int | None:
    """Bytes; None if the system does not say how much it has."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not a POSIX system
        return None
    with suppress(OSError, ValueError):  # no container, or one without a limit
        total = min(total, int(CONTAINER.read_text(encoding="ascii")))
    return total // 2 if total > 0 else None
