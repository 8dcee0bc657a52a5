"""The bytes of a proof: its header, and records of whole numbers (docs/reference/proof-format.md).

`claim` and `found_list` are what searches over sets of points say, whichever backend runs them. The
C engine writes its claims itself, in these bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corels.problem import Problem


def header_line(header: Mapping[str, Any]) -> bytes:
    """The first line of a proof, JSON in UTF-8."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"  # as JSON writes half a letter


def number(value: int) -> bytes:
    """Seven bits a byte, the low ones first; the eighth is set if more follow."""
    octets = bytearray()
    while value > 127:
        octets.append(value & 127 | 128)
        value >>= 7
    octets.append(value)
    return bytes(octets)


def record(kind: str, *parts: int) -> bytes:
    """A record: the letter of its kind, then its numbers."""
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


def limit(most: int) -> bytes:
    """All claims of the file are about models of at most so many rules in all."""
    return record("m", most)


def list_record(problem: Problem, model: Any) -> bytes:
    """A list of rules of this problem, with their antecedents behind the first rules, and its
    cost."""
    rules = [problem.numbers[rule.antecedent] for rule in model.rules if rule.antecedent]
    return found_list(
        rules[len(problem.first) :], problem.count(model.plain_rules()).cost - problem.base
    )
