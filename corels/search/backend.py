"""Where a search over prefixes and sets of points runs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from corels.errors import OptionError
from corels.options import Option
from corels.plugins import Part
from corels.problem.captures import WorkInPieces, worked_on
from corels.problem.instance import Instance
from corels.problem.problem import Problem
from corels.search.parts import Parts
from corels.search.search import Search

if TYPE_CHECKING:
    from corels.search.good_lists import NearEngine, NearInstance, Wanted


class SetSearch(Search):
    """A search over sets of points, as backends make it: it can begin with what is known.

    preparation: makes the search that takes the place of this one, for a problem that takes long
    to collapse and reorder. Until then this one, of the list without rules, says what remains to
    say of a run that has not begun.
    """

    preparation: WorkInPieces[SetSearch] | None = None
    max_rules: int | None = None  # of the lists among which it searches; None: any number

    def prepare(self, seconds: float) -> Search | None:
        """Work on the preparation; the search that is ready is offered what this one knows."""
        if self.preparation is None:
            return self
        ready = worked_on(self.preparation, seconds)
        if ready is not None:
            ready.offer(self.model().plain_rules())
            self.close()
        return ready

    def limits(self) -> Mapping[str, int | str]:
        return {} if self.max_rules is None else {"max_rules": self.max_rules}

    def learn(self, rules: Sequence[int], value: int, left: int | None = None) -> bool:
        """What follows these antecedents of the problem costs at least `value`.

        left: if it has at most so many rules; None: any number.

        Called before the first step; whether the search could use it.
        """
        return False

    def build_tables_now(self, stages: int) -> None:
        """Build the first stages of all tables before the walk.

        What an earlier search ruled out by such tables is not a claim: without them it would be
        searched again.
        """

    def tell_open_claims(self) -> None:
        """The search has ended or stops here: tell the log what is known of what it leaves open."""


class Backend(Part):
    """Where such a search runs. Every backend has both searches (see `SEARCHES` in `parts.py`).

    Attributes:
        builds_tables: whether a search here builds the tables of bounds (`Bound.tables`).
    """

    builds_tables: ClassVar[bool] = False

    @abstractmethod
    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """Why this combination cannot run here, naming what can; None if it can."""

    def tuning(self) -> tuple[Option, ...]:
        """The numbers by which a search here decides when, how much and in which order.

        Nothing is proved by them: any values within the ranges give the same optimum. A search
        finds those that were changed in `Parts.tune`.
        """
        return ()

    def near(
        self, instance: NearInstance, wanted: Wanted, parts: Parts, memory: int = 0
    ) -> NearEngine:
        """The graph of all good lists, for `corels.near`; at most `memory` bytes (0: no limit).

        parts: of the search that may be asked which sets lead to such lists; no result depends on
        them. Raises OptionError if the backend has none.
        """
        raise OptionError(f"backend {self.name!r} does not count near-optimal lists")

    @abstractmethod
    def search(self, problem: Problem, instance: Instance, parts: Parts) -> SetSearch:
        """A search that has not begun."""
