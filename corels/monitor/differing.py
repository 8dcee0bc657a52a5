"""What differs between new rows and those before, more than chance allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from corels.model.intervals import LEVEL, wilson
from corels.monitor.counting import Counts, Share
from corels.monitor.statistics import fisher, holm, psi, psi_by_chance

FEW = 10  # rows: a window with fewer is counted and not tested


@dataclass(frozen=True)
class Compared:
    """A share now and before. p: of Fisher's test, None without one; adjusted: with all others.

    low, high: the ends of Wilson's interval of the share now."""

    now: Share
    before: Share
    p: float | None = None
    adjusted: float | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share on the new rows."""
        held, of = self.now.counts
        return wilson(held, of, LEVEL)


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


def compared(
    parts: Sequence[Counts], before: Counts, *, fair: bool, test: bool = True
) -> list[Window]:
    """Each window against the same counts, and all p values adjusted together.

    fair: whether the reference took no part in learning, so that errors may be tested.
    test: whether anything is.
    """
    found = [_window(one, before, fair, test and one.counted >= FEW) for one in parts]
    tests = [
        (w, n, kind)
        for w, window in enumerate(found)
        for n, line in enumerate(window.lines)
        for kind in ("share", "errors")
        if (one := getattr(line, kind)) is not None and one.p is not None
    ]
    values = [getattr(found[w].lines[n], kind).p for w, n, kind in tests]
    for (w, n, kind), adjusted in zip(tests, holm(values), strict=True):
        lines = list(found[w].lines)
        own = replace(getattr(lines[n], kind), adjusted=adjusted)
        lines[n] = replace(lines[n], **{kind: own})
        found[w] = replace(found[w], lines=tuple(lines))
    return found


def _window(now: Counts, before: Counts, fair: bool, tested: bool) -> Window:
    lines = []
    for decider in range(len(now.weights)):
        own, other = now.errors(decider), before.errors(decider)
        share = Compared(now.share(decider), before.share(decider))
        if tested and len(now.weights) > 1:
            share = _tested(share)
        errors = None if own is None or other is None else Compared(own, other)
        if errors is not None and tested and fair and errors.now.of and errors.before.of:
            errors = _tested(errors)
        lines.append(Line(now.name, decider, now.weight(decider), share, errors))
    own, other = now.errors(), before.errors()
    errors = None if own is None or other is None else Compared(own, other)
    lines.append(Line(now.name, None, now.weight(), None, errors))
    scale = [one.counted / max(1, one.weights.sum()) for one in (now, before)]
    index = psi((now.weights * scale[0]).tolist(), (before.weights * scale[1]).tolist())
    chance = psi_by_chance(len(now.weights), now.rows_in_all, before.rows_in_all)
    return Window(now.name, now.counted, tuple(lines), index, chance, tested)


def _tested(one: Compared) -> Compared:
    return replace(one, p=fisher(*one.now.counts, *one.before.counts))
