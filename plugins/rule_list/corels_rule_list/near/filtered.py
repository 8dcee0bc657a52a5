"""Lists one by one: those in which every rule matters, and how many predict differently."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from corels.search.good_lists import NearEngine, NearInstance, NearLimitError, OneByOne

Pause = Callable[[int, int], None]
"""Is called now and then with how many lists were gone through, and of how many; it may raise."""

CELLS = 1 << 20  # predictions that are made at once
SEEN_BYTES = 100  # what one of a set takes in CPython beside its own bytes


@dataclass(frozen=True)
class Kept:
    """numbers: of the lists that count, among all of the graph, in order. classes: how many
    different predictions they make."""

    numbers: list[int] = field(default_factory=list)
    classes: int = 0


def number_of(kept: Kept | None, index: int) -> int:
    """The number, among all lists of the graph, of one of those that count; None: all do."""
    return index if kept is None else kept.numbers[index]


def how_many(kept: Kept | None, upto: int) -> int:
    """How many of the first so many lists of the graph count."""
    return upto if kept is None else bisect_left(kept.numbers, upto)


def gone_through(
    engine: NearEngine, instance: NearInstance, pause: Pause, *, matters: bool
) -> Kept:
    """What all lists predict. matters: those in which every rule matters are kept, and their
    predictions counted. Raises NearLimitError."""
    one_by_one, numbers, seen = OneByOne(instance), list[int](), set[bytes]()
    levels, at_once = engine.levels(), max(1, CELLS // max(1, instance.bits))
    total = levels[-1].upto if levels else 0
    for start in range(0, total, at_once):
        lists = engine.lists(start, min(at_once, total - start))
        said = [engine.said(start + at) for at in range(len(lists))]
        found, needed = one_by_one.predicted(lists, said)
        if matters:
            found = found[needed]
            numbers += (start + np.flatnonzero(needed)).tolist()
        seen.update(row.tobytes() for row in found)
        held = engine.progress().memory + len(seen) * (found[:1].nbytes + SEEN_BYTES)
        if engine.memory and held > engine.memory:
            raise NearLimitError("the predictions of the lists need more memory than the limit")
        pause(min(start + at_once, total), total)
    return Kept(numbers, len(seen))
