"""Lists one by one: those in which every rule matters, and how many predict differently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corels.search.good_lists import NearEngine

AT_ONCE = 2048


@dataclass(frozen=True)
class Kept:
    """numbers: of the lists that count, among all of the graph, in order. classes: how many
    different predictions they make."""

    numbers: list[int]
    classes: int


def keep_those_that_matter(engine: NearEngine, pause: Callable[[], None]) -> Kept:
    """Go through all lists; `pause` is called now and then and may raise."""
    numbers = list[int]()
    classes = 0
    for start, found in _through(engine, matters=True, pause=pause):
        numbers += [start + i for i, fresh in enumerate(found) if fresh]
        classes += found.count(2)
    return Kept(numbers, classes)


def count_classes(engine: NearEngine, pause: Callable[[], None]) -> int:
    """How many different predictions all lists make."""
    return sum(found.count(2) for _, found in _through(engine, matters=False, pause=pause))


def _through(
    engine: NearEngine, *, matters: bool, pause: Callable[[], None]
) -> list[tuple[int, bytes]]:
    engine.begin_classes(matters)
    levels, found = engine.levels(), list[tuple[int, bytes]]()
    total = levels[-1].upto if levels else 0
    for start in range(0, total, AT_ONCE):
        found.append((start, engine.classes(start, min(AT_ONCE, total - start))))
        pause()
    return found
