"""What is special to the check of falling lists: their order, probabilities and prices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from corels.check.finding import Finding
from corels.check.points import price
from corels.check.recount import Counts, certified, not_refuted, wrong_costs

DIGITS = 1e-9

Blocks = Sequence[tuple[int, int]]  # (positives, negatives) of each rule, the else last


def recounted(document: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """The findings about probabilities, their order, and the certificate."""
    blocks = _blocks(counts.decided)
    yield from _rules(document, blocks, counts)
    if counts.outcomes is not None:
        yield from wrong_costs(counts)
    if "certificate" not in document or not counts.total:
        return
    certificate, prices = document["certificate"], _prices(document)
    found = None if prices is None else _objective(blocks, prices)
    if prices is None or found is None:
        return
    yield certified(certificate, found, f"{len(blocks) - 1} rules and {counts.size}")
    stated = certificate.get("extra", {}).get("objective_of_predictions")
    if stated is not None:
        own = _objective(blocks, prices, predicted=True)
        detail = f"{own}; the certificate says {stated}"
        settles = ("extra.objective_of_predictions",)
        yield Finding(
            "objective of its own predictions", str(own) == stated, detail, settles=settles
        )
    costs = [_objective(_blocks(decided), prices) for _, decided in counts.reordered()]
    if costs:
        best = min(cost for cost in costs if cost is not None)
        yield not_refuted(certificate, best, f"{len(costs)} lists of the same antecedents")


def _blocks(counted: Sequence[Sequence[int]]) -> Blocks:
    return [(counts[1], counts[0]) for counts in counted]


def _rules(document: Mapping[str, Any], blocks: Blocks, counts: Counts) -> Iterator[Finding]:
    """Probability and prediction of each rule, and the order of the proportions."""
    classes, least, rises = document["classes"], Fraction(1), list[int]()
    threshold = 1 / (1 + price(document, "positive_weight"))
    for number, (rule, block) in enumerate(zip(document["rules"], blocks, strict=True)):
        raw = Fraction(block[0], sum(block)) if sum(block) else Fraction(0)
        if sum(block) and raw > least:
            rises.append(number + 1)
        least = min(least, raw) if sum(block) else least
        then = classes[int(least > threshold)]
        close = math.isclose(rule["probability"], least, abs_tol=DIGITS) or not sum(block)
        if not (close and math.isclose(rule["raw"], raw, abs_tol=DIGITS) and rule["then"] == then):
            detail = (
                f"states {float(least):.4f}, raw {float(raw):.4f}, predicts {then}; the model says "
                f"{rule['probability']:.4f}, {rule['raw']:.4f}, {rule['then']}"
            )
            yield Finding(counts.name(number), False, detail)
    if not document["soft"]:
        where = f"rule {rises[0]} is above an earlier one" if rises else "they never rise"
        yield Finding("order of the proportions", not rises, where)


# f, w, C, C1 (None: no rise is allowed)
Prices = tuple[Fraction, Fraction, Fraction, Fraction | None]


def _prices(document: Mapping[str, Any]) -> Prices | None:
    cost, violation = document.get("rule_cost"), document.get("violation_cost")
    if cost is None or (document["soft"] and violation is None):
        return None
    rise = price(document, "violation_cost") if document["soft"] else None
    own = "false_positive_cost"
    false = price(document, own) if own in document else Fraction(1)
    return false, price(document, "positive_weight"), price(document, "rule_cost"), rise


def _objective(blocks: Blocks, prices: Prices, *, predicted: bool = False) -> Fraction | None:
    """What the blocks cost, each called what is cheaper or what the list predicts; None if they
    rise and may not."""
    false, weight, cost, violation = prices
    threshold, rows = 1 / (1 + weight), sum(map(sum, blocks))
    total, least = cost * (len(blocks) - 1), Fraction(1)
    for positives, negatives in blocks:
        if positives + negatives:
            raw = Fraction(positives, positives + negatives)
            if raw > least:
                if violation is None:
                    return None
                total += violation * (raw - least)
            least = min(least, raw)
        wrong = min(weight * positives, Fraction(negatives))
        if predicted:
            wrong = Fraction(negatives) if least > threshold else weight * positives
        total += false * wrong / rows
    return total
