"""What lists predict, some of them at a time; and those in which every rule matters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corels.search.good_lists import (
    Antecedents,
    Level,
    NearEngine,
    NearGraph,
    NearProgress,
    OneByOne,
)

CELLS = 1 << 20  # predictions that are made at once
Piece = tuple[int, NDArray[np.uint64], NDArray[np.bool_]]


def gone_through(engine: NearEngine) -> Iterator[Piece]:
    """Of all lists, some at a time: the number of the first; what they predict, and whether every
    rule of each matters, as of `OneByOne.predicted`."""
    one_by_one, total = OneByOne(engine.instance), engine.count
    at_once = max(1, CELLS // max(1, engine.instance.bits))
    for start in range(0, total, at_once):
        lists = engine.lists(start, min(at_once, total - start))
        said = [engine.said(start + at) for at in range(len(lists))]
        yield start, *one_by_one.predicted(lists, said)


@dataclass(eq=False)
class EveryRuleMatters(NearEngine):
    """Of the lists of another engine those in which leaving any rule out, the others as they are,
    changes some prediction."""

    every: NearEngine

    def __post_init__(self) -> None:
        self.instance, self.memory = self.every.instance, self.every.memory

    def begin(self, budget: int) -> None:
        self.every.begin(budget)
        self._numbers = list[int]()  # there, from 0
        self._pieces: Iterator[Piece] | None = None

    def step(self, sets: int) -> bool:
        if self._pieces is None:
            self._pieces = gone_through(self.every) if self.every.step(sets) else None
            return False
        piece = next(self._pieces, None)
        if piece is None:
            return True
        start, _, matter = piece
        self._numbers += (start + np.flatnonzero(matter)).tolist()
        return False

    def progress(self) -> NearProgress:
        return replace(self.every.progress(), lists=len(self._numbers))

    def levels(self) -> list[Level]:
        """Levels without a list stay, too: the first one has the least cost of all lists."""
        return [
            replace(level, upto=bisect_left(self._numbers, level.upto))
            for level in self.every.levels()
        ]

    def lists(self, start: int, count: int) -> list[Antecedents]:
        numbers = self._numbers[start : start + count]
        return [self.every.lists(number, 1)[0] for number in numbers]

    def said(self, number: int) -> tuple[int, ...] | None:
        return self.every.said(self._numbers[number])

    def graph(self) -> NearGraph:
        """That of the other engine, which has more lists."""
        return self.every.graph()

    def close(self) -> None:
        self.every.close()
