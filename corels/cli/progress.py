"""Progress of a search on stderr: a line for each better model, and one that says how far it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from corels.cli.exits import on_terminal, say
from corels.clock import FIRST_LINE, Clock
from corels.problem import Problem
from corels.run.certifying import best_so_far, objective_of
from corels.run.purpose import purpose
from corels.run.time_left import time_left_text
from corels.search import Context, Kind, Progress, Search, Sink

TERMINAL_SECONDS = 0.25  # between two lines on a terminal, each in the place of the one before
MOST_PRICES = 6  # that a line names
UNKNOWN = "-"


class Moment(NamedTuple):
    """What a line can say. costs: of the best model so far, and what is proved that every model
    costs. rate: prefixes evaluated a second since the moment before."""

    progress: Progress
    costs: tuple[float, float]
    rate: float


CELLS: tuple[tuple[str, Callable[[Moment], str]], ...] = (
    ("objective", lambda now: f"{now.costs[0]:.5f}"),
    ("lower bound", lambda now: f"{now.costs[1]:.5f}"),
    ("time left", lambda now: time_left_text(now.progress)),
    ("gap", lambda now: f"{now.costs[0] - now.costs[1]:.5f}"),
    ("settled", lambda now: share(now.progress.settled)),
    ("open", lambda now: short(now.progress.queued)),
    ("evaluated/s", lambda now: short(now.rate)),
    ("log10 left", lambda now: decimal(now.progress.log10_remaining)),
    ("memory", lambda now: f"{now.progress.memory / 1e6:.1f} MB"),
    ("building tables", lambda now: share(now.progress.building)),
)


class PlainLines(Sink):
    """A line for each better model, and one every few seconds; on a terminal the latter are one
    line that is written over.

    news: whether better models have lines. What the search is for begins each other line.
    """

    name = "progress lines"

    def __init__(self, problem: Problem, *, news: bool = True) -> None:
        self._problem, self._news = problem, news
        quick = on_terminal()
        self.clock = Clock(first=TERMINAL_SECONDS, every=TERMINAL_SECONDS) if quick else Clock()
        self._due = self.clock.due if quick else self.clock.line_due
        self._shown, self._children = 0.0, 0  # when the last line came, and what it counted
        self._before = f"{why}: " if (why := purpose()) else ""
        self._prices: list[float] = []  # of the constraints, in the search that is under way

    def preparing(self) -> None:
        if self._due():
            say(f"preparing {self._problem.n_points:,} points for the search", passing=True)

    def start(self, search: Search) -> None:
        self.clock.restart()

    def events(self, records: NDArray[Any], search: Search) -> None:
        """A line for each incumbent, and for what a search at prices gave that took a while."""
        for record in records if self._news else ():
            said = self._said(record, search)
            if said:
                say(f"{self.clock.elapsed:8.2f} s  {said}")

    def _said(self, record: Any, search: Search) -> str:
        kind = int(record["kind"])
        if kind == Kind.PRICE:  # one record a constraint, the first one begins anew
            self._prices = [*self._prices[: int(record["part"])], int(record["count"]) / 10**6]
            return ""
        cost, bound = (
            float(objective_of(int(record[name]), self._problem, search))
            for name in ("objective", "lower_bound")
        )
        if kind == Kind.INCUMBENT:
            return f"better: objective {cost:.5f}, length {int(record['length'])}"
        if kind == Kind.PRICED and self.clock.elapsed >= FIRST_LINE:
            ended = "done" if record["length"] else "left"
            prices = f"constraint prices {', '.join(f'{price:.4f}' for price in self._prices)}"
            if len(self._prices) > MOST_PRICES:
                prices = f"{len(self._prices)} constraint prices"
            return f"search {int(record['node'])} at {prices} {ended}: lower bound {bound:.5f}"
        return ""

    def progress(self, snapshot: Progress, search: Search) -> None:
        if self._due():
            now = self.clock.elapsed
            rate = (snapshot.children - self._children) / max(now - self._shown, 1e-9)
            self._shown, self._children = now, snapshot.children
            costs = best_so_far(snapshot, self._problem, search)
            self._say("  ".join(cells(Moment(snapshot, costs, rate))))

    def still(self, seconds: float) -> None:
        if self._due():
            self._say(f"one step of the search has taken {seconds:.0f} s so far, and goes on")

    def _say(self, text: str) -> None:
        say(f"{self._before}{self.clock.elapsed:8.2f} s  {text}", passing=True)


class SearchProgress(Sink):
    """The lines for one search of many: nothing is said of a search that ends soon."""

    name = "search progress"
    summary = "shows a long search on stderr"

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        return PlainLines(context.problem, news=False)  # the path reports each search's best


def cells(now: Moment) -> Iterator[str]:
    """Title and value of what a search knows."""
    for title, show in CELLS:
        if (text := show(now)) != UNKNOWN:
            yield f"{title} {text}"


def short(number: float) -> str:
    """At most three digits and a prefix: 950, 12.3 k, 4.56 M."""
    for prefix in ("", " k", " M", " G", " T"):
        if abs(number) < 999.5:
            digits = 0 if not prefix or number >= 99.95 else 1 if number >= 9.995 else 2
            return f"{number:.{digits}f}{prefix}"
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
