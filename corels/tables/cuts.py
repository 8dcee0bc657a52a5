"""Where columns are cut, decided on their different values and the rows that have each.

**Numbers.** A cut t splits the rows into "x <= t" and "x > t". Only its place between two
neighbouring values matters, so each cut is first moved to such a gap and then given the shortest
decimal in it: a reader sees "glucose <= 127" or "score <= 0.14" rather than 0.13749999. A column of
few different values is cut in every gap, so nothing is lost, except if the labels choose.

**Groups of categories**, "city in {Bonn, Graz, Linz}", for columns of many values: few of a hundred
values hold for enough rows to be an antecedent each. The values are put in the order of their share
of the positive class, and that order is cut like numbers: of all ways to part the values in two,
the one that tells the classes apart best is a cut of this order (Breiman et al. 1984, theorem 4.5).
With more classes the order is that of the first principal component of the values' class shares,
which is nearly as good (Coppersmith, Hong and Hosking 1999). Values can be ordered by chance, and
many rare values always can: a cut is made only if what it tells of the classes pays for naming
the values on one side of it, one of 2^(k-1) - 1 ways to part k values (minimum description length,
as for `entropy` cuts). Values of fewer than `FEWEST` rows are in no group, and of more than
`MOST_VALUES` those of most rows are grouped: a value that a model has hardly seen is in no group.

Entropy cuts and groups look at the labels: an honest experiment makes them from training rows.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.tables.column import Scalar

Number = int | float
Weights = NDArray[np.float64]
LARGEST_OF_32_BITS = float(np.finfo(np.float32).max)
FEWEST = 10  # rows of a value that joins a group
MOST_VALUES = 100  # of one column


def quantile_cuts(values: NDArray[Any], counts: NDArray[Any], n_cuts: int) -> list[Number]:
    """At most `n_cuts` cuts, each group between them as equal in rows as ties allow.

    values: (K,) the different ones, rising. counts: (K,) how many rows have each.
    """
    if len(values) - 1 <= n_cuts:
        return nearest_cuts(values, values)
    passed = np.cumsum(counts)
    places = [max(1, int(passed[-1]) * k // (n_cuts + 1)) for k in range(1, n_cuts + 1)]
    at = np.searchsorted(passed, places)
    return nearest_cuts(values, values[np.minimum(at, len(values) - 1)])


def uniform_cuts(values: NDArray[Any], n_cuts: int) -> list[Number]:
    """At most `n_cuts` cuts that split the range of the values, (K,) rising, into equal lengths."""
    if len(values) - 1 <= n_cuts:
        return nearest_cuts(values, values)
    low, high = float(values[0]), float(values[-1])
    steps = [k / (n_cuts + 1) for k in range(1, n_cuts + 1)]
    return nearest_cuts(values, [low * (1 - step) + high * step for step in steps])


def entropy_cuts(values: NDArray[Any], counts: Weights, n_cuts: int) -> list[Number]:
    """At most `n_cuts` cuts where the classes differ most on both sides.

    Fayyad and Irani (1993), "Multi-interval discretization of continuous-valued attributes": a part
    of the values is cut where the entropy of the classes falls most, if that pays for describing
    the cut (minimum description length); the part where it falls most is cut first. If not even
    the first cut pays, it is made all the same: such a column may matter beside others. A column
    of few values is cut in every gap.

    values: (K,) the different ones, rising. counts: (K, C) how many rows of each class have each.
    """
    if len(values) - 1 <= n_cuts:
        return nearest_cuts(values, values)
    # A cut is one of the gaps between the rows (Fayyad and Irani).
    by = added_up(counts)
    chosen = cut_places(by, n_cuts, lambda _, rows: math.log2(rows - 1), anyway=True)
    return nearest_cuts(values, [values[place - 1] for place in chosen])


def groups_of(
    values: Sequence[Scalar], counts: Weights, n_cuts: int
) -> list[tuple[tuple[Scalar, ...], tuple[Scalar, ...]]]:
    """Both sides of each cut of the values' order, at most `n_cuts` pairs; none if none pays.

    values: K different ones. counts: (K, C) how many rows of each class have each.
    """
    held = counts.sum(axis=1)
    common = np.flatnonzero(held >= FEWEST)
    common = np.sort(common[np.argsort(-held[common], kind="stable")[:MOST_VALUES]])
    if len(common) < 2:
        return []
    order = common[np.argsort(_scores(counts[common]), kind="stable")]
    named = [values[code] for code in order.tolist()]
    return [
        (_sorted(named[:place]), _sorted(named[place:]))
        for place in cut_places(added_up(counts[order]), n_cuts, _bits_of_naming)
    ]


def _bits_of_naming(n_values: int, total: float) -> float:
    """Bits that say which of the ways to part so many values in two is meant."""
    return math.log2(max(1, 2 ** (n_values - 1) - 1))


def _scores(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(K,) the place of each value in the order: class shares along the line on which they differ
    most. With two classes that is the share of the last one."""
    held = counts.sum(axis=1)
    shares = counts / held[:, None]
    if counts.shape[1] == 2:
        return np.asarray(shares[:, 1])
    apart = shares - counts.sum(axis=0) / held.sum()
    axes = np.linalg.eigh((apart * held[:, None]).T @ apart)[1]
    axis = axes[:, -1]
    sign = 1 if axis[int(np.abs(axis).argmax())] > 0 else -1
    return np.asarray(np.round(sign * apart @ axis, 9))


def _sorted(values: list[Scalar]) -> tuple[Scalar, ...]:
    return tuple(sorted(values, key=in_order))


def in_order(value: Scalar) -> tuple[bool, float, str]:
    """Numbers by value, then text."""
    return (True, 0.0, value) if isinstance(value, str) else (False, value, "")


def cut_places(
    below: NDArray[np.float64],
    n_cuts: int,
    naming: Callable[[int, float], float],
    *,
    anyway: bool = False,
) -> list[int]:
    """At most `n_cuts` places, rising, at which to cut an order of values; the best cuts first.

    below: (G + 1, C) weight of each class among the first 0, 1, ..., G values. naming: the bits
    that it takes to name a cut of so many values of such a weight. anyway: make the first cut even
    if it does not pay.
    """
    parts: list[tuple[float, int, int, int]] = []

    def consider(first: int, last: int) -> None:
        found = _best_split(below[first : last + 1], naming)
        whole = anyway and (first, last) == (0, len(below) - 1)
        if found is not None and (found[2] or whole):
            heapq.heappush(parts, (-found[0], first, first + found[1], last))

    consider(0, len(below) - 1)
    chosen: list[int] = []
    while parts and len(chosen) < n_cuts:
        _, first, middle, last = heapq.heappop(parts)
        chosen.append(middle)
        consider(first, middle)
        consider(middle, last)
    return sorted(chosen)


def added_up(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(G + 1, C): the weight of each class among the first 0, 1, ..., G values."""
    return np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])


def _best_split(
    below: NDArray[np.float64], naming: Callable[[int, float], float]
) -> tuple[float, int, bool] | None:
    """The best cut: information gained in all, place, whether it pays for itself.

    below: (K + 1, C) cumulated class weights of K neighbouring distinct values.
    """
    if len(below) < 3:
        return None
    left = below[1:-1] - below[0]
    whole = below[-1] - below[0]
    total = float(whole.sum())
    if total < 2:
        return None
    inside = _information(left) + _information(whole - left)
    at = int(inside.argmin())
    gain = float(_information(whole[None, :])[0]) - float(inside[at])
    parts = np.stack([whole, left[at], whole - left[at]])
    classes = np.count_nonzero(parts, axis=1)
    entropies = classes * _information(parts) / np.maximum(1.0, parts.sum(axis=1))
    described = math.log2(3 ** int(classes[0]) - 2) - float(entropies[0] - entropies[1:].sum())
    return gain, at + 1, gain > naming(len(below) - 1, total) + described


def _information(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(K,) bits that name the classes of K groups, (K, C) weights: n times the entropy."""
    totals = counts.sum(axis=1)

    def logs(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return x * np.log2(np.where(x > 0, x, 1))

    return np.asarray(logs(totals) - logs(counts).sum(axis=1))


def nearest_cuts(distinct: NDArray[np.generic], wanted: Any) -> list[Number]:
    """A cut in the gap of rising values in which each wanted cut lies (the first or the last gap if
    it is outside), without repeats; the values themselves are cuts in all gaps."""
    if len(distinct) < 2:
        return []
    at = np.searchsorted(distinct, np.asarray(wanted), side="right") - 1
    at = np.array(sorted({*np.clip(at, 0, len(distinct) - 2).tolist()}), dtype=np.intp)
    gaps = zip(distinct[at].tolist(), distinct[at + 1].tolist(), strict=True)
    return [shortest_between(low, high) for low, high in gaps]


def shortest_between(low: Number, high: Number) -> Number:
    """The number t with low <= t < high that is shortest to write; `low` if that is whole.

    Of numbers of 32 bits it also lies between their decimals, since 0.3 as such a number is a
    little more than 0.3, and some files, databases and programs have the one, some the other.
    """
    if float(low).is_integer():
        return low
    narrow = max(low, _of_32_bits(low)), min(high, _of_32_bits(high))
    low, high = narrow if narrow[0] < narrow[1] else (low, high)
    width = high - low
    start = -math.floor(math.log10(width)) - 1 if math.isfinite(width) and width > 0 else 0
    for digits in range(max(0, start - 1), 18):
        nearest = round(low, digits)
        for candidate in (nearest, round(nearest + 10.0**-digits, digits)):
            if low <= candidate < high:
                return candidate
    return low


def _of_32_bits(number: Number) -> Number:
    """The decimal that a number writes as one of 32 bits, if it is one; else the number."""
    if abs(number) > LARGEST_OF_32_BITS or (short := np.float32(number)) != number:
        return number
    return float(str(short))
