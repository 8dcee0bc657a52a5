"""No command writes over what it reads, however the file is called and whoever opens it.

Readers say what they read (`reading`), outputs say what they are about to become (`writing`), each
at the one place where it is opened; whichever comes second is refused. So a command has nothing to
remember, and one that a plugin adds is guarded like the others.

A plugin may also write in its own way, by `open` or `Path.write_text`. So from the first file that
a command has read, Python itself is listened to (`sys.addaudithook`): to open one of those files
for writing, to cut it or to rename another to its name is refused before it happens. Listening
costs about 0.15 microseconds for each of the events that Python tells.

Outside a command nothing is refused: a program may read a file and write it anew as it likes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from corels.errors import OptionError

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_WRITTEN = {"os.rename": 1, "os.truncate": 0, "os.link": 1, "os.symlink": 1}  # event -> its path


class _Used:
    """The files of one command: those that it has read, and its outputs that are open."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.open: list[str] = []


class _Now:
    """What is so in this process: the command that runs, and whether Python is listened to."""

    command: _Used | None = None
    listening = False


@contextmanager
def one_command() -> Iterator[None]:
    """What is read in here is not written over in here."""
    before, _Now.command = _Now.command, _Used()
    try:
        yield
    finally:
        _Now.command = before


def reading(path: str | os.PathLike[str]) -> None:
    """A file is about to be read. Raises OptionError where it is an output of this command."""
    if _Now.command is None:
        return
    name = os.fspath(path)
    for output in _Now.command.open:
        _refuse_same(output, name)
    _Now.command.read.append(name)
    if not _Now.listening:
        _Now.listening = True
        sys.addaudithook(_heard)


def writing(path: str) -> None:
    """A file is about to be opened as an output, until `written`.

    Raises OptionError where this command has read it, or has it open as another output.
    """
    if _Now.command is None:
        return
    for other in (*_Now.command.read, *_Now.command.open):
        _refuse_same(path, other)
    _Now.command.open.append(path)


def written(path: str) -> None:
    """An output is closed: it may be read, or written again."""
    if _Now.command is not None and path in _Now.command.open:
        _Now.command.open.remove(path)


def _refuse_same(output: str, other: str) -> None:
    if _same_file(output, other):
        raise OptionError(f"{output} would be written over {other}: expected another name")


def _same_file(one: str, other: str) -> bool:
    """Links of both kinds, and other spellings of a path, lead to the same file."""
    try:
        if os.path.isfile(one) and os.path.isfile(other):
            return os.path.samefile(one, other)
        return not one.startswith("/dev/") and os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):  # no path at all: it is refused where it is opened
        return False


def _heard(event: str, about: tuple[Any, ...]) -> None:
    if _Now.command is None:
        return
    if event == "open":
        path, _, flags = about
        writes = isinstance(flags, int) and flags & _WRITING
    elif event in _WRITTEN:
        path, writes = about[_WRITTEN[event]], True
    else:
        return
    if writes and isinstance(path, (str, bytes, os.PathLike)):
        for read in _Now.command.read:
            _refuse_same(os.fsdecode(path), read)
