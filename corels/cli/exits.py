"""Exit codes, and how every mistake becomes one sentence on stderr.

docs/reference/exit-codes.md says the same for users; a test compares the two.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import Any, TextIO

from corels.clock import Clock
from corels.errors import (
    CorelsError,
    NotWrittenError,
    OutputError,
    PluginError,
    not_written,
    shortened,
    worded,
)
from corels.options import flag_of
from corels.run.interrupts import came


class Exit(IntEnum):
    """What a process of `corels` ends with."""

    CERTIFIED = 0  # proven optimal; for other commands: done
    UNEXPECTED = 1  # a defect of this program
    BAD_INPUT = 2
    STOPPED = 3  # a limit: the model is the best so far, the gap is open
    PLUGIN_FAILED = 4
    NOT_WRITTEN = 5  # found, printed, but an output could not be written
    CHECK_FAILED = 6  # `corels check`: something contradicts the model file
    DIFFERS = 7  # `corels monitor`: something differs more than chance allows
    NOT_PROVED = 8  # `corels check --proof`: the stated bound rests on records that prove nothing
    INTERRUPTED = 130


def ended(*, certified: bool, interrupted: bool) -> Exit:
    """The exit code of a search that ended so; `guarded` says which signal it was."""
    if certified:
        return Exit.CERTIFIED
    return Exit.INTERRUPTED if interrupted else Exit.STOPPED


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


def guarded(command: Callable[[], object], *, debug: bool = False) -> int:
    """Run a command; turn what it raises into a message and an exit code."""
    came.clear()
    Clock.said = time.perf_counter()
    try:
        code = command()
        with printing():
            sys.stdout.flush()
        code = code if isinstance(code, int) else Exit.CERTIFIED
    except ReaderLeftError:
        code = Exit.CERTIFIED
    except SystemExit:
        raise
    except KeyboardInterrupt:
        error("interrupted before there was a result")
        code = Exit.INTERRUPTED
    except BaseException as raised:  # also one that a plugin has made
        if debug and isinstance(raised, CorelsError):  # the traceback of a defect is logged
            traceback.print_exc()
        code = _report(raised)
    finally:
        Clock.said = None
        clear_line()
    return 128 + came[0] if code == Exit.INTERRUPTED and came else code


def _report(raised: BaseException) -> int:
    usage = getattr(raised, "format_message", None)  # typer's own errors, of any of its versions
    if usage is not None:
        message = usage().strip().removesuffix(".")
        if message:  # there is none if no command was given: the help is the answer
            error(message[:1].lower() + message[1:])
        return Exit.BAD_INPUT
    if isinstance(raised, MemoryError):
        error(str(raised) or "there is not enough memory")
        return Exit.UNEXPECTED
    if isinstance(raised, CorelsError):
        error(raised)
        if isinstance(raised, PluginError):
            return Exit.PLUGIN_FAILED
        return Exit.NOT_WRITTEN if isinstance(raised, NotWrittenError) else Exit.BAD_INPUT
    from corels.plugins import at_fault, defect

    plugin = at_fault(raised)
    error(defect(raised))
    of = "" if plugin is None else f" of {plugin}"
    say(
        f"This is a defect{of}: run again with --debug (or CORELS_DEBUG=1) for the traceback to "
        "report."
    )
    return Exit.UNEXPECTED if plugin is None else Exit.PLUGIN_FAILED


def written(*writes: Callable[[], object]) -> bool:
    """Write every output; whether none was lost. What was is said, and ends nothing."""
    done = True
    for write in writes:
        try:
            write()
        except OutputError as failed:
            error(failed)
            done = False
    return done


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
