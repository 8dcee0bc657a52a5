"""No command writes over what it reads, however the file is called.

Readers say what they read (`reading`), outputs say what they are about to become (`writing`), each
at the one place where it is opened; the one that comes second is refused. Outside a command nothing
is refused: a program may read a file and write it anew as it likes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from corels.errors import OptionError

_read: list[str] | None = None  # by the command that runs; None: none runs
_open: list[str] = []  # its outputs that are open


@contextmanager
def one_command() -> Iterator[None]:
    """What is read in here is not written over in here."""
    global _read  # noqa: PLW0603 - of this process
    before, _read = _read, []
    _open.clear()
    try:
        yield
    finally:
        _read = before


def reading(path: str | os.PathLike[str]) -> None:
    """A file is about to be read. Raises OptionError if it is an output of this command."""
    if _read is not None:
        _refuse_same([(output, os.fspath(path)) for output in _open])
        _read.append(os.fspath(path))


def writing(path: str) -> None:
    """A file is about to be opened as an output, until `written`.

    Raises OptionError if this command has read it, or has it open as another output.
    """
    if _read is not None:
        _refuse_same([(path, other) for other in (*_read, *_open)])
        _open.append(path)


def written(path: str) -> None:
    """An output is closed: it may be read, or written again."""
    if path in _open:
        _open.remove(path)


def _refuse_same(pairs: list[tuple[str, str]]) -> None:
    for output, other in pairs:
        if _same_file(output, other):
            raise OptionError(f"{output} would be written over {other}: expected another name")


def _same_file(one: str, other: str) -> bool:
    """Links of both kinds, and other spellings of a path, lead to the same file."""
    try:
        if os.path.exists(one) and os.path.exists(other):
            return os.path.isfile(one) and os.path.samefile(one, other)
        return os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):  # no path at all: it is refused where it is opened
        return False
