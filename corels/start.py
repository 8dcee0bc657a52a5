"""Where the program `corels` begins: Ctrl-C is one line and exit code 130, also while it loads.

To import numpy and the rest takes a few tenths of a second, in which Python would answer Ctrl-C
with a traceback from the middle of somebody's library. So this module imports nothing but the
standard library's smallest modules, and looks after Ctrl-C until the first search does
(`corels.run.interrupts`). Nothing has been written by then but temporary folders, and what removes
these is in `tidying`, so the program may end at once. SIGTERM and SIGHUP take the same way.
"""

import atexit
import gc
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

LINE = b"error: interrupted before there was a result\n"
tidying: list[Callable[[], object]] = []  # what removes temporary folders
_process = os.getpid()


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """End the process here and now; no library gets to say anything."""
    try:
        if os.getpid() == _process:  # and not a process that this one has begun
            os.write(2, LINE)
            for tidy in tidying:
                tidy()
    finally:
        os._exit(128 + number)


leave.until_a_search = True  # type: ignore[attr-defined]  # a search may take signals over

_ours = {  # the signals that nobody ignores, as under nohup -> what they did
    number: before
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None))
    and (before := signal.getsignal(number)) in (signal.default_int_handler, signal.SIG_DFL)
}
for _number in _ours:
    signal.signal(_number, leave)


def _leave_work_behind() -> None:
    """End the process here and now where a C++ library is still at work in a thread.

    Python would abort. Everything was printed and saved, and all others have tidied up by now.
    """
    leaving = sys.modules.get("corels.run.leaving")
    code = None if leaving is None else leaving.exit_code()
    if leaving is not None and code is not None and leaving.busy():
        leaving.at_once(code)


atexit.register(_leave_work_behind)  # the first to be registered is the last to be called


def _stand_in_for_closed_streams() -> None:
    """A program that is started without standard output (>&-) has none: let it write nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - as long as the program


# Commands that multiply no large matrices. NumPy starts its threads for that when it is imported,
# one a core: a tenth to a fifth of the whole time of an easy search.
_NO_MATRICES = ("run", "predict", "show", "explain-row", "antecedents", "near", "why")


# Python looks for garbage after so many new objects, by default 700: thirty times while modules are
# imported, of which nothing is garbage. That takes a fifteenth of the time of an easy search.
_OBJECTS_BETWEEN_COLLECTIONS = 100_000


def main() -> None:
    """The program `corels`. Always raises SystemExit."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    _stand_in_for_closed_streams()
    if sys.argv[1:2] and sys.argv[1] in _NO_MATRICES:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from corels.cli import main as program

        program()
    except MemoryError:  # while modules are loaded; later, a command says so itself
        os.write(2, b"error: there is not enough memory\n")
        raise SystemExit(1) from None
    except SystemExit as end:
        leaving = sys.modules.get("corels.run.leaving")
        if leaving is not None and isinstance(end.code, int):
            leaving.leave_with(end.code, sys._getframe(1))
        raise
    finally:
        if sys.exc_info()[0] in (SystemExit, None):  # everything is said: Python tidies up
            for number, before in _ours.items():
                ctrl_c = number == signal.SIGINT
                signal.signal(number, signal.SIG_IGN if ctrl_c else before)
