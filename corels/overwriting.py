"""No command writes over what it reads, however the file is called.

Readers and outputs say which file they are about to open (`opening`), each at the one place where
it is opened; the one that comes second is refused. Outside a command nothing is refused: a program
may read a file and write it anew as it likes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from corels.errors import OptionError

_used: list[tuple[str, bool]] | None = None  # by the command that runs: paths; if they are outputs


@contextmanager
def one_command() -> Iterator[None]:
    """What is read in here is not written over in here."""
    global _used  # noqa: PLW0603 - of this process
    before, _used = _used, []
    try:
        yield
    finally:
        _used = before


def opening(path: str | os.PathLike[str], *, output: bool = False) -> None:
    """A file is about to be read, or, as an output, written until it is `closed`.

    Raises OptionError if this command has it open as an output, or has read what it would write.
    """
    if _used is not None:
        own = os.fspath(path)
        for other, written in _used:
            if (output or written) and _same_file(own, other):
                names = (own, other) if output else (other, own)
                raise OptionError(
                    "{} would be written over {}: expected another name".format(*names)
                )
        _used.append((own, output))


def closed(path: str) -> None:
    """An output is closed: it may be read, or written again."""
    if _used is not None and (path, True) in _used:
        _used.remove((path, True))


def _same_file(one: str, other: str) -> bool:
    """Links of both kinds, and other spellings of a path, lead to the same file."""
    try:
        if os.path.exists(one) and os.path.exists(other):
            return os.path.isfile(one) and os.path.samefile(one, other)
        return os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):  # no path at all: it is refused if it is opened
        return False
