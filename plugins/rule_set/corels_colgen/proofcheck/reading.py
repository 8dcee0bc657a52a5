"""The records of a proof of this family. The format: docs/reference/proof-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from corels.check.opening import Numbers, unknown_record

FAMILY = "rule-set"
SET, PRICES, DUALS, BOUND, END = map(ord, "spdue")

Clause = tuple[int, ...]


@dataclass(frozen=True)
class Duals:
    """For one class: `mu` of its positive points and the price of complexity, in units of 1/scale.
    short: by how much the reduced cost of a clause may be below 0. prices: of the constraints, in
    units of 1/(scale * parts); () if all are 0."""

    scale: int
    price: int
    short: int
    mu: tuple[int, ...]
    prices: tuple[int, ...] = ()
    parts: int = 1


@dataclass
class RuleSetProof:
    """What a file says, not yet believed, by the number of the class that gets a set.

    sets: the last one that was found. prices: those that the next duals of the class are of.
    duals: none if no bound rests on them. bounds: what is proved, and what the search claims beyond
    it. ended: False if the file was cut off.
    """

    header: Mapping[str, Any]
    sets: dict[int, list[Clause]] = field(default_factory=dict)
    prices: dict[int, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    duals: dict[int, Duals] = field(default_factory=dict)
    bounds: dict[int, tuple[int, int]] = field(default_factory=dict)
    ended: bool = False


def read_rule_sets(header: Mapping[str, Any], records: bytes, name: str) -> RuleSetProof:
    """Raises InputError for records that cannot be; one that is cut off at the end is left out."""
    proof, numbers = RuleSetProof(header), Numbers(records, name)
    with suppress(IndexError):  # cut off
        while numbers.left and not proof.ended:
            _record(proof, numbers)
    if proof.ended:
        numbers.end()
    return proof


def _record(proof: RuleSetProof, numbers: Numbers) -> None:
    kind, classes = numbers.next(), len(proof.header["classes"])
    features = len(proof.header["antecedents"])
    if kind == END:
        proof.ended = True
    elif kind == SET:
        target, size = numbers.below(classes, "a class"), numbers.next()
        clauses = []
        for _ in range(size):
            length = numbers.below(features + 1, "the conditions of a clause")
            clauses.append(tuple(numbers.below(features, "an antecedent") for _ in range(length)))
        proof.sets[target] = clauses
    elif kind == PRICES:
        target = numbers.below(classes, "a class")
        parts, count = numbers.next(), numbers.next()
        pairs = [(numbers.below(2, "a sign"), numbers.next()) for _ in range(count)]
        proof.prices[target] = tuple(size * (1 - 2 * sign) for sign, size in pairs), parts
    elif kind == DUALS:
        target = numbers.below(classes, "a class")
        scale, price, short, count = (numbers.next() for _ in range(4))
        mu = tuple(numbers.next() for _ in range(count))
        proof.duals[target] = Duals(scale, price, short, mu, *proof.prices.get(target, ()))
    elif kind == BOUND:
        target = numbers.below(classes, "a class")
        proof.bounds[target] = numbers.next(), numbers.next()
    else:
        raise unknown_record(proof.header, kind, numbers.name)
