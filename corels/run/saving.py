"""The best model so far, on disk: a run that is killed has lost nothing but what was not found."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

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
        self._began = self._saved = time.perf_counter()
        self._better = False

    def start(self, search: Search) -> None:
        """The clock starts with the search."""
        self._began = time.perf_counter()
        self._saved = float("-inf")

    def events(self, records: NDArray[Any], search: Search) -> None:
        """Note an improvement."""
        self._better |= bool((records["kind"] == Kind.INCUMBENT).any())
        self._save_if_due(search)

    def progress(self, snapshot: Progress, search: Search) -> None:
        """Save what was held back."""
        self._save_if_due(search)

    def _save_if_due(self, search: Search) -> None:
        now = time.perf_counter()
        if self._better and now - self._saved >= EVERY:
            self._save(search, now - self._began)
            self._saved, self._better = time.perf_counter(), False
