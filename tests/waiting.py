"""Waiting for another process or thread, on a machine that may be busy, or stop for a while."""

import time
from collections.abc import Callable

PATIENCE = 120.0  # seconds; far more than any wait takes, and less than a test may


def until(true: Callable[[], object]) -> None:
    """Return as soon as this is true; an AssertionError if it does not come true.

    Looks are counted, not seconds: nothing happens while the machine stops.
    """
    for _ in range(round(PATIENCE / 0.02)):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError(f"not within {PATIENCE:g} s")
