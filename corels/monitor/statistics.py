"""Exact tests of two shares, Holm's correction, and the population stability index."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log

import numpy as np

CHANCE = 0.95  # the quantile beside a PSI


def fisher(held: int, of: int, held_before: int, of_before: int) -> float:
    """The two-sided p value of Fisher's exact test that two shares are one: all tables with these
    margins that are at most as likely as the one at hand."""
    every, held_all = of + of_before, held + held_before
    low, high = max(0, held_all - of_before), min(of, held_all)
    k = np.arange(low, high, dtype=np.float64)
    steps = np.log((held_all - k) * (of - k) / ((k + 1) * (every - held_all - of + k + 1)))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    chance = np.exp(logs - logs.max())
    own = chance[held - low] * (1 + 1e-7)  # equally likely ones, whatever the rounding
    return float(min(1.0, chance[chance <= own].sum() / chance.sum()))


def holm(values: Sequence[float]) -> list[float]:
    """The p values of several tests, adjusted together (Holm 1979): below a level, a difference
    among all of them is wrongly found at most that often."""
    found, most = [0.0] * len(values), 0.0
    for place, number in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        most = max(most, min(1.0, values[number] * (len(values) - place)))
        found[number] = most
    return found


def psi(now: Sequence[float], before: Sequence[float]) -> float:
    """The sum of (s - s0) ln(s / s0) over bins, 1/2 added to every count."""
    ours, theirs = np.array(now, np.float64) + 0.5, np.array(before, np.float64) + 0.5
    shares, others = ours / ours.sum(), theirs / theirs.sum()
    return float(((shares - others) * np.log(shares / others)).sum())


def psi_by_chance(bins: int, rows: float, rows_before: float) -> float:
    """What a PSI stays below in 95 of 100 tables of the same distribution: about a chi-squared
    value with a degree less than bins, times 1/n + 1/n0."""
    if bins < 2:
        return 0.0
    return chi_squared(CHANCE, bins - 1) * (1 / max(rows, 1) + 1 / max(rows_before, 1))


def chi_squared(share: float, degrees: int) -> float:
    """The value that a chi-squared variable stays below with this probability."""
    low, high = 0.0, 10.0 * degrees + 100
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, degrees) < share else (low, middle)
    return (low + high) / 2


def _below(value: float, degrees: int) -> float:
    """The probability of a value below: the incomplete gamma function's series."""
    half, x = degrees / 2, value / 2
    if x <= 0:
        return 0.0
    term = total = 1 / half
    place = half
    while term > total * 1e-15:
        place += 1
        term *= x / place
        total += term
    return min(1.0, total * exp(half * log(x) - x - lgamma(half)))
