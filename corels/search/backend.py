"""Where a search over rule lists runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from corels.errors import OptionError
from corels.problem.instance import Instance
from corels.problem.problem import Problem
from corels.search.parts import Parts
from corels.search.search import Search

if TYPE_CHECKING:
    from corels.search.good_lists import NearEngine, NearInstance, Wanted


class Backend(ABC):
    """Where a rule-list search runs. Every backend has both searches (see `searches.py`)."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """Why this combination cannot run here, naming what can; None if it can."""

    def near(
        self, instance: NearInstance, wanted: Wanted, memory: int = 0, seed: int = 0
    ) -> NearEngine:
        """The graph of all good lists, for `corels.near`; at most `memory` bytes (0: no limit).

        Raises OptionError where the backend has none.
        """
        raise OptionError(f"backend {self.name!r} does not count near-optimal lists")

    @abstractmethod
    def search(self, problem: Problem, instance: Instance, parts: Parts) -> Search:
        """A search that has not begun."""
