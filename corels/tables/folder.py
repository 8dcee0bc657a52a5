"""The temporary folder of a table that need not fit memory, and waiting for work that nobody can
look into. TMPDIR says where the folder is; it lives as long as the columns that are read from it.
"""

from __future__ import annotations

import os
import shutil
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from corels.errors import CorelsError, InputError, OutputError

T = TypeVar("T")
TICK = 0.25  # seconds between two looks at the clock, where something else works


class TemporaryFolder:
    """A temporary folder; it goes with this object, and with the process."""

    def __init__(self) -> None:
        import tempfile  # most tables need no folder

        self.path = tempfile.mkdtemp(prefix="corels-")
        self.remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def file(self, number: int) -> str:
        """Of the piece of this number."""
        return os.path.join(self.path, f"{number:06d}.arrow")

    def size(self) -> int:
        """The bytes of its files."""
        return sum(entry.stat().st_size for entry in os.scandir(self.path))


@contextmanager
def spilling(folder: TemporaryFolder, where: str) -> Iterator[None]:
    """Around what writes to a temporary folder: one sentence where that, or a query, fails."""
    try:
        yield
    except Exception as error:
        text = str(error)
        folder.remove()
        if isinstance(error, CorelsError):
            raise
        unread = isinstance(error, FileNotFoundError)  # what the query reads
        full = isinstance(error, OSError) and not unread
        if full or "space left" in text or "File too large" in text:
            raise OutputError(
                f"{folder.path}: the columns of {where} cannot be kept there ({text}): set TMPDIR "
                "to a folder with more room"
            ) from error
        raise InputError(f"{where}: cannot be read ({text.partition(chr(10))[0]})") from error


def beside(work: Callable[[], T], tick: Callable[[], None]) -> T:
    """What `work` gives, in a thread; `tick` is called meanwhile, and may raise to end the wait.

    So that Ctrl-C, limits and progress do not wait for a call that nobody can look into.
    """
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(TICK)
        if thread.is_alive():
            tick()
    if failed:
        raise failed[0]
    return done[0]
