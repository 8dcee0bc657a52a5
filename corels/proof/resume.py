"""Going on from an earlier proof: its claims enter the memo, its list is the first incumbent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corels.data.files import read_raw
from corels.errors import InputError, OptionError
from corels.model.rulelist import rule_list
from corels.proof.records import claim, found_list, header_of, limit, partition, prices, symmetry
from corels.proofcheck.reading import Proof, read_proof

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.search import Search

SAME = {
    "family": "the family of models",
    "data_hash": "the data",
    "regularization": "lambda",
    "classes": "the classes",
    "max_rules": "max_rules",
}


def resumed(path: str, problem: Problem, search: Search) -> Proof:
    """Teach a search that has not begun what the file `path` proves; the proof that it holds.

    The claims are believed: `corels check --proof` is for those who do not. Raises InputError where
    the file is no proof or one of another problem, OptionError where the search has no memo.
    """
    proof = read_proof(read_raw(path), path)
    header = header_of(problem, search.max_rules)
    for name, what in SAME.items():
        if proof.header.get(name) != header.get(name):
            raise InputError(f"{path}: the proof of another problem: {what} is not the same")
    if proof.lists:  # first: what a claim rules out depends on what is to be beaten
        search.offer(rule_list(problem, proof.lists[-1][0]))
    for rules, value in _claims(proof):
        if not search.learn(
            rules, value, None if proof.limit is None else proof.limit - len(rules)
        ):
            raise OptionError(
                "only a search that remembers sets can be resumed: search 'depth-first' with map "
                "'memo', or 'best-first' with map 'captured', on backend 'c'"
            )
    search.hurry(max(len(proof.partitions), len(proof.prices)))
    return proof


def _claims(proof: Proof) -> list[tuple[tuple[int, ...], int]]:
    """Claims that say something; those of a best-first search at the bound that was reached."""
    found = []
    for number, stated in enumerate(proof.values.tolist()):
        value = (proof.bound or 0) - stated if proof.relative[number] else stated
        if value > 0:
            found.append((proof.claim(number), value))
    return found


def carried(proof: Proof) -> bytes:
    """The records of a proof as the beginning of the next one."""
    blocks = b"".join(map(partition, proof.partitions))
    blocks += b"".join(prices(shift, cells) for shift, cells in proof.prices)
    blocks += b"".join(symmetry(*move) for move in proof.symmetries)
    blocks += b"" if proof.limit is None else limit(proof.limit)
    lists = b"".join(found_list(rules, cost) for rules, cost in proof.lists[-1:])
    return blocks + b"".join(claim(rules, value) for rules, value in _claims(proof)) + lists
