"""The columns of the progress display: a table of (title, function). Adding one is one line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from corels.model.certificate_text import in_words
from corels.problem import Problem
from corels.run.solve import best_so_far
from corels.run.time_left import time_left_text
from corels.search import Progress, Search


class Moment(NamedTuple):
    """What a column can show. `rate`: prefixes evaluated a second since the moment before."""

    seconds: float
    progress: Progress
    problem: Problem
    pruned: Mapping[str, int]
    rate: float
    search: Search | None = None

    @property
    def objective(self) -> float:
        """What the best model so far costs."""
        return best_so_far(self.progress, self.problem, self.search)[0]

    @property
    def lower_bound(self) -> float:
        """What is proved that every model costs."""
        return best_so_far(self.progress, self.problem, self.search)[1]


UNKNOWN = "-"
COLUMNS: tuple[tuple[str, Callable[[Moment], str]], ...] = (
    ("seconds", lambda now: f"{now.seconds:.1f}"),
    ("objective", lambda now: f"{now.objective:.5f}"),
    ("lower bound", lambda now: f"{now.lower_bound:.5f}"),
    ("gap", lambda now: f"{now.objective - now.lower_bound:.5f}"),
    ("time left", lambda now: time_left_text(now.progress)),
    ("building tables", lambda now: share(now.progress.building)),
    ("queue", lambda now: short(now.progress.queued)),
    ("cache", lambda now: short(now.progress.cached)),
    ("evaluated/s", lambda now: short(now.rate)),
    ("log10 left", lambda now: decimal(now.progress.log10_remaining)),
    ("memory", lambda now: short(now.progress.memory) + "B"),
)


def cells(now: Moment) -> Iterator[tuple[str, str]]:
    """Title and text of each column; then what the solver adds in `Progress.extra`.

    A column is left out where the search does not know its number: it would be empty to the end.
    """
    for title, show in COLUMNS:
        text = show(now)
        if text != UNKNOWN:
            yield title, text
    for name, value in in_words(now.progress.extra):
        yield name, _shown(value)


def _shown(value: object) -> str:
    if isinstance(value, int) and abs(value) >= 10_000:
        return short(value)
    return value if isinstance(value, str) else decimal(float(str(value)))


def pruned_text(pruned: Mapping[str, int], merged: int) -> str:
    """'lookahead 12, support 3, symmetry 5': the bounds that did something, the busiest first."""
    counts = {**pruned, "symmetry map": merged}
    busy = sorted((n for n in counts if counts[n]), key=lambda name: -counts[name])
    return ", ".join(f"{name.replace('_', ' ')} {short(counts[name])}" for name in busy)


def short(number: float) -> str:
    """At most three digits and a prefix: 950, 12.3 k, 4.56 M."""
    for prefix in ("", " k", " M", " G", " T"):
        if abs(number) < 999.5:
            digits = 0 if not prefix or number >= 99.95 else 1 if number >= 9.995 else 2
            return f"{number:.{digits}f}{prefix or ''}"
        number /= 1000
    return f"{number:.3g} P"


def share(number: float) -> str:
    """0 to 1 as a percentage."""
    return UNKNOWN if math.isnan(number) else f"{number:.0%}"


def decimal(number: float) -> str:
    """A number that may not be known, or be the logarithm of nothing."""
    if math.isnan(number):
        return UNKNOWN
    return f"{number:.6g}" if abs(number) != math.inf else "0 left" if number < 0 else "inf"
