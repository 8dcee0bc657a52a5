"""Ctrl-C between two steps of a search, never within one.

An exception in the middle of a step could leave events that no sink has seen. So the first Ctrl-C
is only noted, and `corels.solve` looks between steps. A step takes a fraction of a second; a second
Ctrl-C does not wait for it.
"""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any


class CtrlC:
    """A context in which `pressed` tells whether Ctrl-C (SIGINT) has come.

    Does nothing outside the main thread, and where SIGINT is ignored or nobody's: then its owner
    decides, and KeyboardInterrupt may come from anywhere, as usual.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._before: Any = None

    def __enter__(self) -> CtrlC:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                self._before = signal.signal(signal.SIGINT, self._note)
            except ValueError:  # not the main thread
                self._before = None
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
