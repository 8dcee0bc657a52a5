"""How a check fails. Whoever prints it makes a sentence of it (verdict.py)."""

from __future__ import annotations

from typing import NamedTuple


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
