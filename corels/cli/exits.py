"""Exit codes, and how every mistake becomes one sentence on stderr.

docs/reference/exit-codes.md says the same for users; a test compares the two.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from enum import IntEnum

from corels.cli.streams import ReaderLeftError, clear_line, error, printing, say
from corels.clock import Clock
from corels.errors import CorelsError, NotWrittenError, OutputError, PluginError
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


def guarded(command: Callable[[], object]) -> int:
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
        code = _report(raised)
    finally:
        Clock.said = None
        clear_line()
    return 128 + came[0] if code == Exit.INTERRUPTED and came else code


def _report(raised: BaseException) -> int:
    from corels.plugins import at_fault, defect, show_traceback

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
        show_traceback(raised)
        error(raised)
        if isinstance(raised, PluginError):
            return Exit.PLUGIN_FAILED
        return Exit.NOT_WRITTEN if isinstance(raised, NotWrittenError) else Exit.BAD_INPUT
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
