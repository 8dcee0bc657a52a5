"""The records of a rule list's proof that only Python writes (docs/reference/proof-format.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from corels.problem import Problem
from corels.proof.records import base_of, claim, limit, record
from corels.search import Search, SetSearch
from corels_rule_list.proofcheck.plain import Weights
from corels_rule_list.proofcheck.reading import Proof


def partition(blocks: Iterable[Sequence[Sequence[int]]]) -> bytes:
    """Blocks of items: the point's number, then its weight for each class."""
    listed = list(blocks)
    body = chain.from_iterable((len(items), *chain.from_iterable(items)) for items in listed)
    return record("b", len(listed), *body)


def prices(shift: int, cells: Iterable[tuple[Any, Any]]) -> bytes:
    """Cells: items as those of a block, and cuts, an antecedent and its price for every class."""
    listed = list(cells)
    rows = ((len(part), *chain.from_iterable(part)) for cell in listed for part in cell)
    return record("p", shift + 64, len(listed), *chain.from_iterable(rows))


def symmetry(points: Sequence[int], images: Sequence[int]) -> bytes:
    """Points that a symmetry of the table takes elsewhere, and where it takes each."""
    return record("s", len(points), *points, *images)


def leaves(weights: Weights) -> bytes:
    """Weights of points that bound what leaves gain."""
    listed = chain.from_iterable(weights.rows)
    return record("w", *weights[:3], len(weights.rows), *listed)


def beside_claims(proof: Proof) -> bytes:
    """What the claims of a proof lean on, and the most rules of its lists."""
    told = [*map(partition, proof.partitions), *(prices(*of) for of in proof.prices)]
    told += [symmetry(*move) for move in proof.symmetries]
    told += map(leaves, proof.weights)
    return b"".join([*told, *([] if proof.limit is None else [limit(proof.limit)])])


def conclusion(problem: Problem, search: Search, lower_bound: int) -> bytes:
    """The end of a search's proof, after what it leaves open. lower_bound: of all lists, scaled."""
    if isinstance(search, SetSearch):
        search.tell_open_claims()
    least = max(0, lower_bound - base_of(problem))  # less where equivalent points are not counted
    return claim((), least) + end(least)


def end(bound: int) -> bytes:
    """No list costs less than this, beyond the base."""
    return record("e", bound)
