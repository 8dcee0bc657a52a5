"""A search that can tell of itself no more: the result is made from what it last told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import OF_PLUGINS
from corels.model import Model
from corels.run.interrupts import of_a_handler
from corels.search import Progress, Search


class Remembered:
    """Stands for a search that failed. told: its last snapshot. model: the best one by then.

    What it says of its parts and prunings is left out where that fails; all else is the search's.
    """

    def __init__(self, search: Search, told: Progress, model: Model) -> None:
        self._search, self._told, self._model = search, told, model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)

    def progress(self) -> Progress:
        """The last snapshot."""
        return self._told

    def model(self) -> Model:
        """Of that snapshot."""
        return self._model

    def pruned(self) -> Mapping[str, int]:
        """How many children each bound has removed, if that can be told."""
        return self._if_told("pruned")

    def describe(self) -> Mapping[str, str]:
        """The parts by name, if that can be told."""
        return self._if_told("describe")

    def _if_told(self, what: str) -> Mapping[str, Any]:
        try:
            return dict(getattr(self._search, what)())
        except OF_PLUGINS as error:
            if of_a_handler(error) is not None:
                raise
            return {}
