"""The best model so far, on disk: a run that is killed has lost nothing but what was not found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from corels.clock import Clock
from corels.search import Kind, Progress, Search, Sink

EVERY = 0.1  # seconds between two saves; the first improvements come in quick succession


class SavingSink(Sink):
    """Calls `save` with the running search at each improvement, at most ten times a second.

    save: writes the model and its certificate so far. Its errors end the saving on the way (the
    run names them as a warning), not the search.
    """

    name = "saving on the way"

    def __init__(self, save: Callable[[Search, float], None]) -> None:
        self._save = save
        self._clock = Clock(first=0.0, every=EVERY)
        self._better = False

    def start(self, search: Search) -> None:
        """The clock starts with the search."""
        self._clock.restart()

    def events(self, records: NDArray[Any], search: Search) -> None:
        """Note an improvement."""
        self._better |= bool((records["kind"] == Kind.INCUMBENT).any())
        self._save_if_due(search)

    def progress(self, snapshot: Progress, search: Search) -> None:
        """Save what was held back."""
        self._save_if_due(search)

    def _save_if_due(self, search: Search) -> None:
        if self._better and self._clock.due():
            self._better = False
            self._save(search, self._clock.elapsed)
