"""What commands write: answers on standard output, everything else in lines on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from corels.clock import Clock
from corels.errors import CorelsError, NotWrittenError, not_written, shortened, worded
from corels.options import flag_of

ERASE = "\r\x1b[2K"
_passing: list[str] = []  # the line on the terminal that the next one takes the place of


def say(message: str, *, passing: bool = False) -> None:
    """One line on stderr, whatever becomes of stderr; on a terminal it breaks at words.

    passing: it says how far something is: on a terminal, what is written next takes its place.
    """
    Clock.speak()
    clear_line()
    with suppress(OSError, ValueError):
        if passing and on_terminal():
            _passing.append(_cropped(message))
            sys.stderr.write(_passing[0])
        else:
            one = "\n" not in message
            sys.stderr.write((fitted(message, sys.stderr, indent="") if one else message) + "\n")
        sys.stderr.flush()


def on_terminal() -> bool:
    """Whether what stands on stderr can be written over."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def clear_line() -> None:
    """Take a passing line away, before something else is written."""
    if _passing:
        _passing.clear()
        with suppress(OSError, ValueError):
            sys.stderr.write(ERASE)
            sys.stderr.flush()


def _cropped(line: str) -> str:
    """What fits into one line of the terminal."""
    import shutil

    width = shutil.get_terminal_size().columns - 3  # beside it, a terminal shows ^C
    return line if len(line) <= width else f"{line[: width - 3]}..."


def notice(kind: str, text: object) -> None:
    """A line "note: ..." or "warning: ..." on stderr, its options as they are typed."""
    say(f"{kind}: {worded(str(text), as_typed)}")


arguments: set[str] = set()  # of the command that runs, which are typed without a flag


def as_typed(name: str) -> str:
    """An option, or an argument, as the command line writes it."""
    return name.upper() if name in arguments else flag_of(name)


def error(message: object) -> None:
    """The sentence of an error: a single line, whatever the message holds."""
    from corels.model.printable import printable  # not to start with

    text = message.said(as_typed) if isinstance(message, CorelsError) else str(message)
    say("error: " + printable(shortened(" ".join(text.split()))))


class ReaderLeftError(Exception):
    """Nobody reads standard output any more (`corels ... | head`), which is no mistake."""


@contextmanager
def printing() -> Iterator[None]:
    """Around what writes to stdout. Raises ReaderLeftError and NotWrittenError."""
    try:
        yield
    except NotWrittenError:  # of what has written by itself
        raise
    except OSError as failed:
        with suppress(OSError, ValueError):  # what is buffered: Python would complain of it at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(failed, BrokenPipeError):
            raise ReaderLeftError from None
        raise not_written("standard output", failed, NotWrittenError) from None


def emit(text: str) -> bool:
    """Data for stdout, flushed, so that a full disk is noticed here and not at exit.

    Raises NotWrittenError as `printing` does; if the reader has left, what is to be done goes
    on, and the answer is False.
    """
    clear_line()
    try:
        with printing():
            sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
            sys.stdout.flush()
    except ReaderLeftError:
        return False
    return True


def fitted(text: str, stream: TextIO | None = None, indent: str = " " * 6) -> str:
    """Text whose lines break at words where a terminal would break them anywhere; what has no
    blanks, which people copy, stays whole. indent: of what goes on in the next line."""
    import shutil
    from textwrap import wrap

    if not (stream or sys.stdout).isatty():
        return text
    width = shutil.get_terminal_size().columns
    how: dict[str, Any] = {"break_on_hyphens": False, "break_long_words": False}
    found = []
    for line in text.splitlines():
        fits = len(line) <= width
        words = line if fits else " ".join(line.split())
        found += [line] if fits else wrap(words, width, subsequent_indent=indent, **how)
    return "\n".join(found)
