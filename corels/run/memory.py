"""How much memory a search may hold if nobody says: half of what this machine, or container, has.

A search that runs into the machine's limits loses everything, and other people's work with it. So
one that can forget does so at half of the memory, and any other one stops there with its best
model and the proven gap.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

CONTAINER = Path("/sys/fs/cgroup/memory.max")  # "max" or bytes


@cache
def default_memory() -> int | None:
    """Bytes; None where the system does not say how much it has."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not a POSIX system
        return None
    with suppress(OSError, ValueError):  # no container, or one without a limit
        total = min(total, int(CONTAINER.read_text(encoding="ascii")))
    return total // 2 if total > 0 else None
