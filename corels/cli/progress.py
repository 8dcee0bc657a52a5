"""Progress on stderr: a live display on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from corels.cli.exits import say
from corels.clock import FIRST_LINE, LINE_SECONDS, Clock
from corels.errors import InfeasibleError
from corels.problem import Problem
from corels.run.certifying import best_so_far, objective_of
from corels.run.time_left import time_left_text
from corels.search import Context, Kind, Progress, Search, Sink

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live

LIVE_SECONDS = 0.25  # between two pictures; a search that ends sooner shows none
MOST_PRICES = 6  # that a line names
CELL = 11  # characters that a column takes at least


def progress_sink(problem: Problem, *, news: bool = True, before: str = "") -> Sink:
    """The display that suits stderr. news, before: of `PlainLines`."""
    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return LiveDisplay(problem) if terminal else PlainLines(problem, news=news, before=before)


class _Timed(Sink):
    """What both displays count: time, and prefixes a second."""

    def __init__(self, problem: Problem, first: float, every: float) -> None:
        self._problem = problem
        self.clock = Clock(first=first, every=every)
        self._shown, self._children = 0.0, 0

    def refining(self, rounds: int, objective: float | None) -> None:
        if self.clock.line_due():
            best = "" if objective is None else f", best objective {objective:.5f}"
            say(f"refining cuts: {rounds} rounds done{best}")

    def preparing(self) -> None:
        if self.clock.line_due():
            say(f"preparing {self._problem.n_points:,} points for the search")

    def start(self, search: Search) -> None:
        self.clock.restart()

    def moment(self, snapshot: Progress, search: Search) -> Moment:
        """What is to be shown now."""
        now = self.clock.elapsed
        rate = (snapshot.children - self._children) / max(now - self._shown, 1e-9)
        self._shown, self._children = now, snapshot.children
        costs = best_so_far(snapshot, self._problem, search)
        return Moment(now, snapshot, costs, search.pruned(), rate)


class PlainLines(_Timed):
    """One line for each better model, one every few seconds. No control codes.

    first: seconds until the first line of the clock. news: whether better models are told of.
    before: what the search is for, at the beginning of each line.
    """

    name = "progress lines"

    def __init__(
        self, problem: Problem, *, first: float = FIRST_LINE, news: bool = True, before: str = ""
    ) -> None:
        super().__init__(problem, first, LINE_SECONDS)
        self._news, self._before = news, before
        self._prices: list[float] = []  # of the constraints, in the search that is under way

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
        if self.clock.line_due():
            (_, seconds), *others = cells(self.moment(snapshot, search))
            say(f"{self._before}{seconds:>8} s  " + "  ".join(f"{t} {text}" for t, text in others))

    def still(self, seconds: float) -> None:
        if self.clock.line_due():
            say(f"{self._before}{self.clock.elapsed:8.2f} s  {still_text(seconds)}")


class SearchProgress(Sink):
    """The display for one search of many: nothing is said of a search that ends soon."""

    name = "search progress"
    summary = "shows a long search on stderr"

    @classmethod
    def open(cls, context: Context, options: Mapping[str, Any]) -> Sink:
        """The live display on a terminal, a line every few seconds elsewhere."""
        return progress_sink(context.problem, news=False)  # the path tells each search's best


class LiveDisplay(_Timed):
    """A picture that is redrawn in place, and is gone when the search ends."""

    name = "live display"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, LIVE_SECONDS, LIVE_SECONDS)
        self._live: Live | None = None
        self._model: str | None = None

    def events(self, records: NDArray[Any], search: Search) -> None:
        """A better model is asked for when the next picture is drawn."""
        if (records["kind"] == Kind.INCUMBENT).any():
            self._model = None

    def progress(self, snapshot: Progress, search: Search) -> None:
        if not self.clock.due():
            return
        if self._model is None:
            try:
                self._model = search.model().to_text()
            except InfeasibleError:
                self._model = "no model that keeps to the constraints is known yet"
        self._picture_shown = self._picture(self.moment(snapshot, search))
        if self._live is None:
            self._live = _live()
        self._live.update(self._picture_shown, refresh=True)

    def still(self, seconds: float) -> None:
        """The last picture, with a line below it; the line alone where there is no picture."""
        from rich.console import Group
        from rich.text import Text

        live = self._live
        if live is not None:
            said = Text(still_text(seconds), style="dim")
            live.update(Group(self._picture_shown, said), refresh=True)
        elif self.clock.line_due():
            say(still_text(seconds))

    def _picture(self, now: Moment) -> Group:
        from rich.columns import Columns
        from rich.console import Group
        from rich.text import Text

        shown = [
            Text.assemble((f"{title:>{CELL}}", "bold"), f"\n{text}", justify="right")
            for title, text in cells(now)
        ]
        pruned = pruned_text(now.pruned, now.progress.merged) or "nothing yet"
        return Group(
            Columns(shown, padding=(0, 2)),
            Text(f"pruned by {pruned}", style="dim"),
            Text(""),
            Text(self._model or ""),
            Text("Ctrl-C stops the search and keeps the best so far", style="dim"),
        )

    def close(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.stop()


def _live() -> Live:
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False, markup=False)
    live = Live(console=console, auto_refresh=False, transient=True)
    live.start()
    return live


class Moment(NamedTuple):
    """What a column can show. costs: of the best model so far, and what is proved that every model
    costs. rate: prefixes evaluated a second since the moment before."""

    seconds: float
    progress: Progress
    costs: tuple[float, float]
    pruned: Mapping[str, int]
    rate: float


def still_text(seconds: float) -> str:
    """What is shown while nothing changes."""
    return f"one step of the search has taken {seconds:.0f} s so far, and goes on"


UNKNOWN = "-"
COLUMNS: tuple[tuple[str, Callable[[Moment], str]], ...] = (
    ("seconds", lambda now: f"{now.seconds:.1f}"),
    ("objective", lambda now: f"{now.costs[0]:.5f}"),
    ("lower bound", lambda now: f"{now.costs[1]:.5f}"),
    ("gap", lambda now: f"{now.costs[0] - now.costs[1]:.5f}"),
    ("settled", lambda now: share(now.progress.settled)),
    ("time left", lambda now: time_left_text(now.progress)),
    ("building tables", lambda now: share(now.progress.building)),
    ("open", lambda now: short(now.progress.queued)),
    ("stored", lambda now: short(now.progress.cached)),
    ("evaluated/s", lambda now: short(now.rate)),
    ("log10 left", lambda now: decimal(now.progress.log10_remaining)),
    ("memory", lambda now: f"{now.progress.memory / 1e6:.1f} MB"),
)


def cells(now: Moment) -> Iterator[tuple[str, str]]:
    """Title and text of each column; none where the search does not know its number."""
    for title, show in COLUMNS:
        text = show(now)
        if text != UNKNOWN:
            yield title, text


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
