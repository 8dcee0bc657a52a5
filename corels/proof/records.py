"""The bytes of a proof: its header, and records of whole numbers (docs/reference/proof-format.md).

The engines write claims themselves, in these bytes; Python writes the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from corels.problem import Problem

FORMAT, VERSION = "corels/proof", 1


def header_of(problem: Problem, max_rules: int | None) -> dict[str, Any]:
    """The problem as a proof states it, JSON-ready. max_rules: of a list; None: any number."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "family": "rule-list",
        "name": problem.name,
        "label": problem.label_name,
        "classes": list(problem.classes),
        "regularization": str(problem.regularization),
        "unit": problem.unit,
        "rule_cost": problem.rule_cost,
        "base": base_of(problem),
        "total": problem.total,
        "data_hash": problem.data_hash,
        **({} if max_rules is None else {"max_rules": max_rules}),
        "antecedents": [antecedent.to_json() for antecedent in problem.antecedents],
    }


def base_of(problem: Problem) -> int:
    """What every list costs: at each point the classes but the most frequent one are wrong."""
    weights = problem.weights
    return problem.unit * int(weights.sum() - weights.max(axis=0).sum())


def header_line(header: Mapping[str, Any]) -> bytes:
    return json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def number(value: int) -> bytes:
    """Seven bits a byte, the low ones first; the eighth is set where more follow."""
    octets = bytearray()
    while value > 127:
        octets.append(value & 127 | 128)
        value >>= 7
    octets.append(value)
    return bytes(octets)


def record(kind: str, *parts: int) -> bytes:
    return kind.encode() + b"".join(map(number, parts))


def claim(rules: Iterable[int], value: int, kind: str = "c") -> bytes:
    """Behind rules with these antecedents, in any order, whatever follows costs at least `value`.

    kind "x": a prefix of this cost was expanded, so what follows costs at least the bound less it.
    """
    ordered = sorted(rules)
    steps = [after - before for before, after in zip([0, *ordered], ordered, strict=False)]
    return record(kind, len(ordered), *steps, value)


def found_list(rules: Sequence[int], cost: int) -> bytes:
    """A list that was found, its antecedents in order, and its cost beyond the base."""
    return record("l", len(rules), *rules, cost)


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


def limit(most: int) -> bytes:
    """All claims of the file are about lists of at most so many rules in all."""
    return record("m", most)


def end(bound: int) -> bytes:
    """No list costs less than this, beyond the base."""
    return record("e", bound)
