"""Thresholds: where to cut a column of numbers.

A cut t splits the rows into "x <= t" and "x > t". Only its place between two neighbouring values
of the data matters, so each cut is first moved to such a gap and then given the shortest decimal
in it: a reader sees "glucose <= 127" or "score <= 0.14" rather than 0.13749999. A column of few
distinct values is cut in every gap, so nothing is lost.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Number = int | float


def quantile_cuts(
    values: NDArray[np.generic], n_cuts: int, weights: NDArray[np.int64] | None = None
) -> list[Number]:
    """At most `n_cuts` cuts, each group between them as equal in rows as ties allow.

    Args:
        values: (N,) present values.
        weights: (N,) how many rows each stands for, None for one each.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    gaps = _gaps(ordered)
    if len(gaps) <= n_cuts:
        return _cuts_in(gaps)
    passed = np.cumsum(np.ones_like(order) if weights is None else weights[order])
    places = [int(passed[-1]) * k // (n_cuts + 1) for k in range(1, n_cuts + 1)]
    at = np.minimum(np.searchsorted(passed, np.maximum(places, 1)), len(ordered) - 1)
    wanted = ordered[at].astype(np.float64).tolist()
    return _nearest_cuts(gaps, wanted)


def uniform_cuts(values: NDArray[np.generic], n_cuts: int) -> list[Number]:
    """At most `n_cuts` cuts that split the range of the values into equal lengths.

    Args:
        values: (N,) present values.
    """
    ordered = np.sort(values)
    gaps = _gaps(ordered)
    if len(gaps) <= n_cuts:
        return _cuts_in(gaps)
    low, high = float(ordered[0]), float(ordered[-1])
    steps = [k / (n_cuts + 1) for k in range(1, n_cuts + 1)]
    return _nearest_cuts(gaps, [low * (1 - step) + high * step for step in steps])


def given_cuts(values: NDArray[np.generic], wanted: list[float]) -> list[Number]:
    """The gaps of the values that hold the wanted cuts, each with its shortest decimal."""
    return _nearest_cuts(_gaps(np.sort(values)), wanted)


def _gaps(ordered: NDArray[np.generic]) -> NDArray[np.generic]:
    """(G, 2) neighbouring distinct values; a cut t belongs to the gap low <= t < high."""
    distinct = np.unique(ordered)
    return np.stack([distinct[:-1], distinct[1:]], axis=1)


def _nearest_cuts(gaps: NDArray[np.generic], wanted: list[float]) -> list[Number]:
    """The gap in which each wanted cut lies (the first or last if outside), without repeats."""
    at = np.searchsorted(gaps[:, 0], np.asarray(wanted), side="right") - 1
    return _cuts_in(gaps[np.unique(np.clip(at, 0, len(gaps) - 1))]) if len(gaps) else []


def _cuts_in(gaps: NDArray[np.generic]) -> list[Number]:
    return [shortest_between(low, high) for low, high in gaps.tolist()]


def shortest_between(low: Number, high: Number) -> Number:
    """The number t with low <= t < high that is shortest to write; `low` if that is whole."""
    if float(low).is_integer():
        return low
    width = high - low
    start = -math.floor(math.log10(width)) - 1 if math.isfinite(width) and width > 0 else 0
    for digits in range(max(0, start - 1), 18):
        nearest = round(low, digits)
        for candidate in (nearest, round(nearest + 10.0**-digits, digits)):
            if low <= candidate < high:
                return candidate
    return low
