"""Mining as in the paper: conjunctions frequent within the positives or within the negatives.

The core's miner (Apriori) is run on the rows of each class; an antecedent that is frequent in one
of them is kept, with its captures on all rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from corels.options import exact_within
from corels.problem.captures import Captures
from corels.tables import Antecedent
from corels.tables.mining import UNBOUNDED, Mined, frequent
from corels.tables.options import SupportLimits


def mine_by_class(
    antecedents: Sequence[Antecedent],
    captures: Captures,
    labels: NDArray[np.int64],
    *,
    max_cardinality: int = 2,
    min_support: float = 0.1,
    weights: NDArray[np.int64] | None = None,
) -> Mined:
    """Conjunctions of at most `max_cardinality` antecedents, frequent within some class.

    antecedents: M single conditions; captures: M sets of the N rows. labels: (N,) class indices.
    weights: (N,) how many rows each stands for, or None. min_support: least share of a class's rows
    that an antecedent holds for. Raises OptionError if `min_support` is not a share, or the
    result would not fit in memory.
    """
    share = _share(min_support)
    captures = Captures.of(captures)
    counts = np.ones(len(labels), dtype=np.int64) if weights is None else weights
    found: dict[Antecedent, None] = {}
    for label in np.unique(labels):
        rows = np.flatnonzero(labels == label)
        total = int(counts[rows].sum())
        limits = SupportLimits(max(1, math.ceil(share * total)), total)
        of_class, own = captures.columns(rows), counts[rows]
        mined = frequent(
            antecedents, of_class, max_cardinality, limits, own, max_antecedents=UNBOUNDED
        )
        found |= dict.fromkeys(mined.antecedents)
    return _evaluated(sorted(found, key=lambda a: len(a.conditions)), antecedents, captures)


def _evaluated(
    found: Sequence[Antecedent], antecedents: Sequence[Antecedent], captures: Captures
) -> Mined:
    """With their captures on all rows; those that hold nowhere or everywhere are left out."""
    single = {a.conditions[0]: captures.words[j] for j, a in enumerate(antecedents)}
    every = Captures.empty(len(found), captures.length)
    for words, antecedent in zip(every.words, found, strict=True):
        words[:] = np.bitwise_and.reduce([single[c] for c in antecedent.conditions])
    held = every.supports()
    useful = np.flatnonzero((held > 0) & (held < captures.length))
    return Mined(tuple(found[j] for j in useful), every.take(useful))


def frequent_in_a_class(
    masks_by_class: NDArray[np.int64], totals: NDArray[np.int64], min_support: float
) -> NDArray[np.intp]:
    """Which antecedents hold for at least that share of some class's weight.

    masks_by_class: int64[M, C], weight of each class that an antecedent captures; totals: int64[C].
    """
    share = _share(min_support)
    least = [max(1, math.ceil(share * int(total))) for total in totals]
    return np.flatnonzero((masks_by_class >= np.array(least)).any(axis=1))


def _share(value: float) -> Fraction:
    return exact_within(
        value, f"⟨min_support⟩ is {value!r}, expected a share of a class from 0 to 1", 1
    )
