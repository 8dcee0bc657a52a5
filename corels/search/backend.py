"""Where a search over rule lists runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from corels.problem.instance import Instance
from corels.problem.problem import Problem
from corels.search.parts import Parts
from corels.search.search import Search


class Backend(ABC):
    """Where a rule-list search runs. Every backend has both searches (see `searches.py`)."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """Why this combination cannot run here, naming what can; None if it can."""

    @abstractmethod
    def search(self, problem: Problem, instance: Instance, parts: Parts) -> Search:
        """A search that has not begun."""
