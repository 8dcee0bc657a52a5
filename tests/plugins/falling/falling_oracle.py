"""Brute force over all falling and softly falling lists, in exact fractions.

Shares no code with the plugin: it scores every arrangement of antecedents, as the definitions say.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np


@dataclass(frozen=True)
class Instance:
    """Small data: captures[j][i], labels[i] in {0, 1}, weight of row i, and the three costs."""

    captures: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    w: Fraction
    C: Fraction
    C1: Fraction | None


def blocks(instance: Instance, rules: tuple[int, ...]) -> list[tuple[int, int]]:
    free = np.ones(len(instance.labels), dtype=bool)
    out = []
    for rule in [*rules, None]:
        cell = free if rule is None else free & instance.captures[rule]
        free = free & ~cell
        weight = instance.weights[cell]
        positives = int(weight[instance.labels[cell] == 1].sum())
        out.append((positives, int(weight.sum()) - positives))
    return out


def objective(instance: Instance, rules: tuple[int, ...]) -> Fraction | None:
    """L or L~ of a list; None where it has a rule without rows, or a rise."""
    counts = blocks(instance, rules)
    if any(p + q == 0 for p, q in counts):
        return None
    n = int(instance.weights.sum())
    alphas = [Fraction(p, p + q) for p, q in counts]
    tau = 1 / (1 + instance.w)
    total = instance.C * len(rules)
    for (p, q), alpha in zip(counts, alphas, strict=True):
        total += Fraction(q, n) if alpha > tau else instance.w * p / n
    if instance.C1 is None:
        if any(a < b for a, b in pairwise(alphas)):
            return None
        return total
    least = Fraction(1)
    for alpha in alphas:
        total += instance.C1 * max(Fraction(0), alpha - least)
        least = min(least, alpha)
    return total


def optimum(instance: Instance, max_rules: int | None = None) -> Fraction:
    m = len(instance.captures)
    longest = m if max_rules is None else min(max_rules, m)
    values = (
        objective(instance, rules)
        for k in range(longest + 1)
        for rules in permutations(range(m), k)
    )
    return min(value for value in values if value is not None)


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
