"""What differs between new rows and those before, more than chance allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corels.model.weighing import LEVEL, wilson
from corels.monitor.counting import Counts, Share
from corels.monitor.statistics import fisher, holm, psi, psi_by_chance

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
