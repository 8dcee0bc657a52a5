"""What the check of a proof shows, for every family; how a check fails, which the checker prints as
a sentence; how far it is, and when it has to end.

A check may take longer than one cares to wait, and what it has looked at until then is worth
saying. So a checker reports to a `Watch`, often, what it does and how much of it is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from corels.clock import Clock, Report
from corels.errors import InputError


class Failure(NamedTuple):
    """Where a proof fails: the claim (-1: none is about all lists and says the bound), what it
    says, what it would cost to stop there, and the antecedent that is not shown to cost so much
    (-1: to stop costs less)."""

    claim: int
    value: int
    antecedent: int = -1
    stop: int = 0


class FalseDataError(Exception):
    """What the proof gives as data, such as a partition, is not what it must be."""


class UnknownRecordError(InputError):
    """A proof has a record that no installed checker knows. kind: its letter. plugin: the one that
    the proof's header names for it."""

    def __init__(self, name: str, kind: str, plugin: str) -> None:
        super().__init__(
            f"{name} has records {kind!r} of the plugin {plugin}, and no checker of them is "
            "installed"
        )
        self.kind, self.plugin = kind, plugin


CHECKERS = ("python", "c")


@dataclass(frozen=True)
class Verdict:
    """`failure`: the first thing that does not hold, in a sentence; None if all does.

    sentence: what is proved, in words. checker: which one has looked. objective, lower_bound:
    exact, what the proof's own numbers say; None if the file ends early. claimed: a bound above the
    proved one that rests on a statement without a proof. found: the model, as JSON of the header's
    conditions; None if the proof has none. Of a list: of each rule's antecedent its conditions, in
    order. Of sets: class, as text -> clauses -> antecedents -> conditions; if sets have an order, a
    list with such a mapping for each. prices: of the problem, as texts. limits: of its models, by
    the names that a certificate has for them; None if there is no limit. constraints: the bound is
    of models that keep to these, with the entries of a certificate. rest: on whose word `claimed`
    is above the proved bound. plugins: those from outside this distribution whose checkers have
    looked at it, and where they are from.
    """

    failure: str | None
    sentence: str
    checker: str
    objective: Fraction | None
    lower_bound: Fraction | None
    claimed: Fraction | None = None
    found: Any = None
    prices: Mapping[str, str | None] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    constraints: Sequence[Mapping[str, Any]] = ()
    rest: str = ""
    plugins: tuple[str, ...] = ()


Item = TypeVar("Item")


class EndedError(Exception):
    """The time for a check is up."""


class Watch(Clock):
    """The clock of a check. held: what was checked to its end, in words."""

    def __init__(self, seconds: float | None = None, report: Report | None = None) -> None:
        super().__init__(seconds, report)
        self._now: tuple[str, int, int] | None = None
        self.held: list[str] = []

    def tell(self, what: str, done: int, total: int = 0) -> None:
        """Note progress. Raises EndedError if the time is up."""
        self._now = what, done, total
        if self.expired():
            raise EndedError(f"the time limit of {self.limit:g} s was reached")
        super().tell(what, done, total)

    def over(self, what: str, items: Sequence[Item]) -> Iterator[Item]:
        """Each item, with a look at the clock before it. Raises EndedError."""
        for number, item in enumerate(items):
            self.tell(what, number, len(items))
            yield item

    def holds(self, what: str) -> None:
        """Something was checked to its end."""
        self.held.append(what)
        self._now = None

    def summary(self) -> str:
        """What was checked, and what was not finished, in words."""
        parts = [f"checked: {'; '.join(self.held)}"] if self.held else []
        if self._now is not None:
            what, done, total = self._now
            parts.append(f"not finished: {what}, {done:,}" + (f" of {total:,}" if total else ""))
        return "; ".join(parts) or "nothing was checked yet"


UNWATCHED = Watch()
