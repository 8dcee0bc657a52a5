"""The records of a proof of this family. The format: docs/reference/proof-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from corels.check.opening import Numbers, unknown_record

FAMILY = "falling-rule-list"
EXPANDED, LIST, OPTIMAL, END = map(ord, "xloe")


@dataclass
class FallingProof:
    """What a file says, not yet believed. Rules are numbers of antecedents of the header.

    prefixes: each as (how many rules it shares with the one before, its last rule). lists: those
    that were found, the last one is the proof's. optimal: no list costs less than that one. bound:
    or, no list costs less than this, in units of the header. Neither: the file ends early.
    """

    header: Mapping[str, Any]
    prefixes: list[tuple[int, int]] = field(default_factory=list)
    lists: list[tuple[int, ...]] = field(default_factory=list)
    optimal: bool = False
    bound: int | None = None

    @property
    def concluded(self) -> bool:
        return self.optimal or self.bound is not None


def read_falling(header: Mapping[str, Any], records: bytes, name: str) -> FallingProof:
    """Raises InputError for records that cannot be; one that is cut off at the end is left out."""
    proof, numbers = FallingProof(header), Numbers(records, name)
    antecedents, length = len(header["antecedents"]), 0
    with suppress(IndexError):  # cut off
        while numbers.left and not proof.concluded:
            kind = numbers.next()
            if kind == EXPANDED:
                shared = numbers.below(length + 1, "a prefix that shares rules with the last one:")
                proof.prefixes.append((shared, numbers.below(antecedents, "an antecedent")))
                length = shared + 1
            elif kind == LIST:
                size = numbers.below(antecedents + 1, "the rules of a list")
                rules = [numbers.below(antecedents, "an antecedent") for _ in range(size)]
                proof.lists.append(tuple(rules))
            elif kind == OPTIMAL:
                proof.optimal = True
            elif kind == END:
                proof.bound = numbers.next()
            else:
                raise unknown_record(header, kind, name)
    if proof.concluded:
        numbers.end()
    return proof
