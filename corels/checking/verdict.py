"""What the check of a proof shows, for every family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

CHECKERS = ("python", "c")


@dataclass(frozen=True)
class Verdict:
    """`failure`: the first thing that does not hold, in a sentence; None where all does.

    sentence: what is proved, in words. checker: which one has looked. claims, antecedents: how many
    were looked at. objective, lower_bound: exact, what the proof's own numbers say; None where the
    file ends early. claimed: a bound above the proved one that rests on somebody's word. found: the
    model, as conditions of its rules or of the clauses of its sets, in order; None where the proof
    has none. prices: of the problem, as texts. limits: of its models, by the names that a
    certificate has for them; None where there is no limit.
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
