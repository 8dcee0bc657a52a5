"""The records of a rule list's proof that only Python writes (docs/reference/proof-format.md)."""

from __future__ import annotations

from corels.problem import Problem
from corels.proof.records import claim, limit, record
from corels.search import Search, SetSearch
from corels_rule_list.proofcheck.reading import BESIDE, Proof


def beside_claims(proof: Proof) -> bytes:
    """What the claims of a proof lean on, and the most rules of its lists."""
    beside = sorted(proof.beside, key=lambda numbers: [*BESIDE].index(numbers[0]))
    records = [record(chr(kind), *numbers) for kind, *numbers in beside]
    return b"".join([*records, *([] if proof.limit is None else [limit(proof.limit)])])


def conclusion(problem: Problem, search: Search, lower_bound: int) -> bytes:
    """The end of a search's proof, after what it leaves open. lower_bound: of all lists, scaled."""
    if isinstance(search, SetSearch):
        search.tell_open_claims()
    least = max(0, lower_bound - problem.base)  # less if equivalent points are not counted
    return claim((), least) + end(least)


def end(bound: int) -> bytes:
    """No list costs less than this, beyond the base."""
    return record("e", bound)
