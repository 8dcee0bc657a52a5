"""What the check of a proof shows, for every family; and how a check fails, which the checker
prints as a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

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

    sentence: what is proved, in words. checker: which one has looked. claims, antecedents: how many
    were looked at. objective, lower_bound: exact, what the proof's own numbers say; None if the
    file ends early. claimed: a bound above the proved one that rests on a statement without a
    proof. found: the model, as JSON of the header's conditions; None if the proof has none. Of a
    list: of each rule's antecedent its conditions, in order. Of sets: class, as text -> clauses ->
    antecedents -> conditions; if sets have an order, a list with such a mapping for each. prices:
    of the problem, as texts. limits: of its models, by the names that a certificate has for them;
    None if there is no limit. constraints: the bound is of models that keep to these, with the
    entries of a certificate. rest: on whose word `claimed` is above the proved bound. plugins:
    those from outside this distribution whose checkers have looked at it, and where they are from.
    """

    failure: str | None
    sentence: str
    checker: str
    claims: int
    antecedents: int
    objective: Fraction | None
    lower_bound: Fraction | None
    claimed: Fraction | None = None
    found: Any = None
    prices: Mapping[str, str | None] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    constraints: Sequence[Mapping[str, Any]] = ()
    rest: str = ""
    plugins: tuple[str, ...] = ()
