"""The independent check of falling and softly falling rule lists: everything is counted again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from corels.model.recount import (
    Cells,
    Evidence,
    Finding,
    captured,
    certified,
    conditions_text,
    count_patterns,
    label,
    misnamed,
    not_refuted,
    price,
    short_enough,
    size,
)

MOST_PERMUTED = 6
DIGITS = 1e-9

Blocks = Sequence[tuple[int, int]]  # (positives, negatives) of each rule, the else last


def check_falling(document: Mapping[str, Any], evidence: Evidence) -> Iterator[Finding]:
    """The findings about one list."""
    rules = document["rules"]
    asked = [rule["if"] for rule in rules if rule["if"]]
    cells = count_patterns([one["conditions"] for one in asked], document["classes"], evidence)
    blocks = _blocks(captured(cells, range(len(rules) - 1)))
    learned = sum(r["positives"] + r["negatives"] for r in rules)
    yield size(document, evidence, learned, asked)
    yield from label(document, evidence)
    yield from misnamed(asked)
    yield from _rules(document, blocks)
    total = sum(map(sum, blocks))
    if "certificate" not in document or not total:
        return
    certificate = document["certificate"]
    yield from short_enough(certificate, len(asked))
    prices = _prices(document)
    found = None if prices is None else _objective(blocks, prices)
    if prices is None or found is None:
        yield from certified(certificate, None, "")
        return
    yield from certified(certificate, found, f"{len(rules) - 1} rules and {total} rows")
    yield from _own(document, blocks, prices, found)
    if len(asked) <= MOST_PERMUTED:
        yield _reordered(cells, prices, len(asked), certificate)


def _blocks(counted: Sequence[Counter[int]]) -> Blocks:
    return [(counts[1], counts[0]) for counts in counted]


def _rules(document: Mapping[str, Any], blocks: Blocks) -> Iterator[Finding]:
    """Counts, probability and prediction of each rule, and the order of the proportions."""
    classes, least, rises = document["classes"], Fraction(1), list[int]()
    threshold = 1 / (1 + price(document["positive_weight"]))
    for number, (rule, block) in enumerate(zip(document["rules"], blocks, strict=True), 1):
        positives, negatives = block
        raw = Fraction(positives, sum(block)) if sum(block) else Fraction(0)
        if sum(block) and raw > least:
            rises.append(number)
        least = min(least, raw) if sum(block) else least
        then = classes[int(least > threshold)]
        holds = [
            (rule["positives"], rule["negatives"]) == block,
            math.isclose(rule["probability"], least if sum(block) else raw, abs_tol=DIGITS)
            or not sum(block),
            math.isclose(rule["raw"], raw, abs_tol=DIGITS),
            rule["then"] == then,
        ]
        name = (
            f"rule {number}: {conditions_text(rule['if']['conditions'])}" if rule["if"] else "else"
        )
        detail = (
            f"captures {negatives} of {classes[0]}, {positives} of {classes[1]}, states "
            f"{float(least):.4f}, predicts {then}"
        )
        if not all(holds):
            detail += (
                f"; the model says {rule['negatives']}, {rule['positives']}, "
                f"{rule['probability']:.4f}, {rule['then']}"
            )
        yield Finding(name, all(holds), detail)
    if not document["soft"]:
        where = f"rule {rises[0]} is above an earlier one" if rises else "they never rise"
        yield Finding("order of the proportions", not rises, where)


Prices = tuple[Fraction, Fraction, Fraction | None]  # w, C, C1 (None: no rise is allowed)


def _prices(document: Mapping[str, Any]) -> Prices | None:
    cost, violation = document.get("rule_cost"), document.get("violation_cost")
    if cost is None or (document["soft"] and violation is None):
        return None
    rise = price(violation) if document["soft"] else None
    return price(document["positive_weight"]), price(cost), rise


def _objective(blocks: Blocks, prices: Prices) -> Fraction | None:
    """What the blocks cost; None where they rise and may not."""
    weight, cost, violation = prices
    total, least, rows = cost * (len(blocks) - 1), Fraction(1), sum(map(sum, blocks))
    for positives, negatives in blocks:
        total += min(weight * positives, Fraction(negatives)) / rows
        if not positives + negatives:
            continue
        raw = Fraction(positives, positives + negatives)
        if raw > least:
            if violation is None:
                return None
            total += violation * (raw - least)
        least = min(least, raw)
    return total


def _own(
    document: Mapping[str, Any], blocks: Blocks, prices: Prices, scored: Fraction
) -> Iterator[Finding]:
    """What the list costs by what it predicts, where the certificate says so."""
    stated = document["certificate"].get("extra", {}).get("objective_of_predictions")
    if stated is None:
        return
    weight, least, own = prices[0], Fraction(1), scored
    threshold, rows = 1 / (1 + weight), sum(map(sum, blocks))
    for positives, negatives in blocks:
        if positives + negatives:
            least = min(least, Fraction(positives, positives + negatives))
        cost = Fraction(negatives) if least > threshold else weight * positives
        own += (cost - min(weight * positives, Fraction(negatives))) / rows
    detail = f"{own}; the certificate says {stated}"
    yield Finding("objective of its own predictions", str(own) == stated, detail)


def _reordered(
    cells: Cells, prices: Prices, length: int, certificate: Mapping[str, Any]
) -> Finding:
    costs = [
        _objective(_blocks(captured(cells, order)), prices)
        for number in range(length + 1)
        for order in permutations(range(length), number)
    ]
    allowed = [cost for cost in costs if cost is not None]
    lower = Fraction(certificate["exact"]["lower_bound"])
    return not_refuted(lower, min(allowed), f"{len(costs)} lists of the same antecedents")
