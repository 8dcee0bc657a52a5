"""Brute force over all falling and softly falling lists, in exact fractions.

Shares no code with the plugin: it scores every arrangement of antecedents, as the definitions say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np


@dataclass(frozen=True)
class Instance:
    """Small data: captures[j][i], labels[i] in {0, 1}, weight of row i, and the three costs.

    f: what a false positive costs, if that is said by costs of outcomes; a false negative then
    costs f w."""

    captures: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    w: Fraction
    C: Fraction
    C1: Fraction | None
    f: Fraction | None = None


def counted(instance: Instance, cell: np.ndarray) -> tuple[int, int]:
    positives = int(instance.weights[cell & (instance.labels == 1)].sum())
    return positives, int(instance.weights[cell].sum()) - positives


def blocks(instance: Instance, rules: tuple[int, ...]) -> list[tuple[int, int]]:
    free = np.ones(len(instance.labels), dtype=bool)
    out = []
    for rule in [*rules, None]:
        cell = free if rule is None else free & instance.captures[rule]
        free = free & ~cell
        out.append(counted(instance, cell))
    return out


def objective(instance: Instance, rules: tuple[int, ...]) -> Fraction | None:
    """L or L~ of a list; None if it has a rule without rows, or a rise."""
    counts = blocks(instance, rules)
    if any(p + q == 0 for p, q in counts):
        return None
    return scored(instance, counts)


def scored(instance: Instance, counts: list[tuple[int, int]]) -> Fraction | None:
    """The same of (positives, negatives) of each block, the last one without a rule."""
    rises = any(p * (r + s) < r * (p + q) for (p, q), (r, s) in pairwise(counts))
    if instance.C1 is None and rises:
        return None
    above = 1 + instance.w  # a block is called positive if its proportion is above 1 / (1 + w)
    called = [p * above.numerator > (p + q) * above.denominator for p, q in counts]
    false = sum(q for (_, q), positive in zip(counts, called, strict=True) if positive)
    missed = sum(p for (p, _), positive in zip(counts, called, strict=True) if not positive)
    paid = (1 if instance.f is None else instance.f) * (false + instance.w * missed)
    total = instance.C * (len(counts) - 1) + paid / int(instance.weights.sum())
    if instance.C1 is None or not rises:
        return total
    least = Fraction(1)
    for p, q in counts:
        alpha = Fraction(p, p + q)
        total += instance.C1 * max(Fraction(0), alpha - least)
        least = min(least, alpha)
    return total


def optimum(instance: Instance, max_rules: int | None = None) -> Fraction:
    m = len(instance.captures)
    longest = m if max_rules is None else min(max_rules, m)
    everywhere = np.ones(len(instance.labels), dtype=bool)
    values = (scored(instance, counts) for counts in lists(instance, everywhere, range(m), longest))
    return min(value for value in values if value is not None)


def lists(
    instance: Instance, free: np.ndarray, unused: Collection[int], longest: int
) -> Iterator[list[tuple[int, int]]]:
    """The blocks of all arrangements in which each rule, and what is left, has rows."""
    rest = counted(instance, free)
    if not sum(rest):
        return
    yield [rest]
    for rule in unused if longest else ():
        block = counted(instance, free & instance.captures[rule])
        if sum(block):
            left, others = free & ~instance.captures[rule], [r for r in unused if r != rule]
            for counts in lists(instance, left, others, longest - 1):
                yield [block, *counts]


def random_instance(rng: np.random.Generator, *, soft: bool, most: int = 5) -> Instance:
    rows = int(rng.integers(1, 40))
    m = int(rng.integers(1, most + 1))
    density = rng.uniform(0.1, 0.8)
    captures = rng.random((m, rows)) < density
    signal = captures[0] if rng.random() < 0.7 else np.zeros(rows, bool)
    labels = (rng.random(rows) < np.where(signal, rng.uniform(0.4, 1), rng.uniform(0, 0.6))).astype(
        int
    )
    if rng.random() < 0.3:
        captures = captures[:, rng.integers(0, rows, rows)]
    weights = rng.integers(1, 6, rows) if rng.random() < 0.4 else np.ones(rows, int)
    w = rng.choice(
        [Fraction(1), Fraction(3), Fraction(7), Fraction(1, 2), Fraction(7, 3), Fraction(5)]
    )
    C = rng.choice(
        [Fraction(0), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 10), Fraction(1, 37)]
    )
    C1 = rng.choice(
        [
            Fraction(0),
            Fraction(1, 200),
            Fraction(1, 20),
            Fraction(1, 2),
            Fraction(1, 7),
            Fraction(2),
        ]
    )
    return Instance(captures, labels, weights, w, C, C1 if soft else None)
