"""Where the program `corels` begins: Ctrl-C is one line and exit code 130, also while it loads.

To import numpy and the rest takes a few tenths of a second, in which Python would answer Ctrl-C
with a traceback from the middle of somebody's library. So this module imports nothing but the
standard library's smallest modules, and looks after Ctrl-C until the first search does
(`corels.run.interrupts`). Nothing has been written by then, so the program may end at once.
"""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
LINE = b"error: interrupted before there was a result\n"


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """End the process here and now; no library gets to say anything."""
    try:
        os.write(2, LINE)
    finally:
        os._exit(INTERRUPTED)


leave.until_a_search = True  # type: ignore[attr-defined]  # a search may take Ctrl-C over

_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not ignored, as under nohup
if _ours:
    signal.signal(signal.SIGINT, leave)


def main() -> None:
    """The program `corels`. Always raises SystemExit."""
    try:
        from corels.cli import main as program

        program()
    finally:
        if _ours and sys.exc_info()[0] in (SystemExit, None):
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # everything is said: Python tidies up
