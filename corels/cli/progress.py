"""Progress on stderr: a live panel on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from corels.cli.exits import clear_line, on_terminal, say
from corels.cli.progress_panel import Moment, cells, doing, panel, rows
from corels.clock import FIRST_LINE, LINE_SECONDS, Clock
from corels.errors import InfeasibleError
from corels.problem import Problem
from corels.run.certifying import best_so_far, objective_of
from corels.run.purpose import purpose
from corels.search import Kind, Progress, Search, Sink

if TYPE_CHECKING:
    from rich.live import Live

LIVE_SECONDS = 0.25  # between two pictures; a search that ends sooner shows none


def progress_sink(problem: Problem) -> Sink:
    """The display that suits stderr. Of one search of many only what takes long has a line."""
    return LiveDisplay(problem) if on_terminal() else PlainLines(problem, news=not purpose())


class _Timed(Sink):
    """What both displays count: time, and prefixes a second."""

    def __init__(self, problem: Problem, first: float, every: float) -> None:
        self._problem = problem
        self.clock = Clock(first=first, every=every)
        self._shown, self._children = 0.0, 0

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
        return Moment(now, snapshot, costs, rate)


class PlainLines(_Timed):
    """One line for each better model, one every few seconds. No control codes.

    first: seconds until the first line of the clock. news: whether better models have lines. What
    the search is for begins each line.
    """

    name = "progress lines"

    def __init__(self, problem: Problem, *, first: float = FIRST_LINE, news: bool = True) -> None:
        super().__init__(problem, first, LINE_SECONDS)
        self._news, self._before = news, f"{why}: " if (why := purpose()) else ""

    def events(self, records: NDArray[Any], search: Search) -> None:
        """A line for each incumbent."""
        for record in records[records["kind"] == Kind.INCUMBENT] if self._news else ():
            cost = float(objective_of(int(record["objective"]), self._problem, search))
            found = f"better: objective {cost:.5f}, length {int(record['length'])}"
            say(f"{self.clock.elapsed:8.2f} s  {found}")

    def progress(self, snapshot: Progress, search: Search) -> None:
        if self.clock.line_due():
            (_, seconds), *others = cells(self.moment(snapshot, search))
            say(f"{self._before}{seconds:>8} s  " + "  ".join(f"{t} {text}" for t, text in others))


class LiveDisplay(_Timed):
    """A panel that is redrawn in place, and is gone when the search ends."""

    name = "live display"

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, LIVE_SECONDS, LIVE_SECONDS)
        self._live: Live | None = None
        self._model: str | None = None
        self._purpose, self._rows = purpose(), list[tuple[str, str]]()

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
        self._rows = rows(self.moment(snapshot, search))
        if self._live is None:
            clear_line()
            self._live = _live()
        self._show(doing(snapshot, self._purpose))

    def _show(self, now: str) -> None:
        assert self._live is not None
        size = self._live.console.size
        shown = panel([("now", now), *self._rows], self._model or "", size.height)
        self._live.update(shown, refresh=True)

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
