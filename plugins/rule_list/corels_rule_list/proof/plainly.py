"""A proof as the plain checker takes it."""

from __future__ import annotations

from corels_rule_list.proofcheck.plain import FAR, Given, Priced
from corels_rule_list.proofcheck.reading import Proof


def most_of(proof: Proof) -> int:
    """The most rules of the lists that its claims are about."""
    return FAR if proof.limit is None else proof.limit


def plainly(proof: Proof) -> tuple[Priced, Given]:
    """Its claims, those of a best-first search with what they say in the end, and its cells."""
    values = proof.values.copy()
    values[proof.relative] = (proof.bound or 0) - values[proof.relative]
    claims = [(list(proof.claim(i)), value) for i, value in enumerate(values.tolist())]
    given: Given = [(None, [(block, []) for block in blocks]) for blocks in proof.partitions]
    return claims, [*given, *proof.prices]
