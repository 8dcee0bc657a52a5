"""How much memory a search may hold if no limit is given: half of what this machine has.

A search that runs into the machine's limits loses everything, and other people's work with it. So
one that can forget does so at half of the memory, and any other one stops there with its best
model and the proven gap.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

STATM = Path("/proc/self/statm")  # in pages: the second number is what is held now
CONTAINER = Path("/sys/fs/cgroup/memory.max")  # "max" or bytes


def process_memory() -> int | None:
    """Bytes that this process holds; None if the system does not say."""
    try:
        return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError, IndexError):
        return _most_held()


def _most_held() -> int | None:
    """Bytes that this process has held at most; None if the system does not say."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return None
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


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
