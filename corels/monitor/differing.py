"""What differs between new rows and those before, more than chance allows: exact tests of shares,
Holm's correction, and the population stability index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np

from corels.model.weighing import LEVEL, wilson
from corels.monitor.counting import Counts, Share

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
    """The probability of a value below, which is above 0: the incomplete gamma function's series,
    whose further terms are next to nothing."""
    half, x = degrees / 2, value / 2
    terms = range(int(x + 20 * x**0.5) + 100)
    return sum(exp((half + k) * log(x) - x - lgamma(half + k + 1)) for k in terms)


FEW = 10  # rows: a window with fewer, or of no weight, is counted and not tested


@dataclass
class Compared:
    """A share now and before. p: of Fisher's test, None without one; adjusted: with all others."""

    now: Share
    before: Share
    p: float | None = None
    adjusted: float | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share on the new rows."""
        held, of = self.now.counts
        return wilson(held, of, LEVEL)

    def test(self) -> None:
        """Whether both shares may be one."""
        self.p = fisher(*self.now.counts, *self.before.counts)


@dataclass(frozen=True)
class Line:
    """A window and a decider (None: all of them): its rows, or what they weigh, its share
    of all, and its errors."""

    window: str
    decider: int | None
    rows: float
    share: Compared | None
    errors: Compared | None


@dataclass(frozen=True)
class Window:
    """A window: its lines, its PSI, and what that is by chance."""

    name: str
    rows: int
    lines: tuple[Line, ...]
    psi: float
    by_chance: float
    tested: bool

    @property
    def tests(self) -> Iterator[tuple[Line, str, Compared]]:
        """Each test: the line, "share" or "errors", and what was found."""
        for line in self.lines:
            for kind, one in (("share", line.share), ("errors", line.errors)):
                if one is not None and one.p is not None:
                    yield line, kind, one


def compared(
    parts: Sequence[Counts], before: Counts, *, fair: bool, test: bool = True
) -> list[Window]:
    """Each window against the same counts, and all p values adjusted together.

    fair: whether the reference took no part in learning, so that errors may be tested.
    test: whether anything is.
    """
    many = [one.counted >= FEW and bool(one.weights.any()) for one in parts]
    found = [
        _window(one, before, fair, test and here) for one, here in zip(parts, many, strict=True)
    ]
    tests = [one for window in found for _, _, one in window.tests]
    for one, adjusted in zip(tests, holm([one.p or 0.0 for one in tests]), strict=True):
        one.adjusted = adjusted
    return found


def _window(now: Counts, before: Counts, fair: bool, tested: bool) -> Window:
    lines = []
    for decider in (*range(len(now.weights)), None):
        own, other = now.errors(decider), before.errors(decider)
        errors = None if own is None or other is None else Compared(own, other)
        share = None
        if decider is not None:
            share = Compared(now.share(decider), before.share(decider))
            if tested and len(now.weights) > 1:
                share.test()
            if errors and tested and fair and errors.now.of and errors.before.of:
                errors.test()
        lines.append(Line(now.name, decider, now.weight(decider), share, errors))
    scale = [one.counted / max(1, one.weights.sum()) for one in (now, before)]
    index = psi((now.weights * scale[0]).tolist(), (before.weights * scale[1]).tolist())
    chance = psi_by_chance(len(now.weights), now.rows_in_all, before.rows_in_all)
    return Window(now.name, now.counted, tuple(lines), index, chance, tested)
