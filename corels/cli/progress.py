"""Progress on stderr: a live panel on a terminal, a plain line now and then elsewhere.

The panel has names and values that stand still, and the best model. Its rows are always the same
ones in the same places, and it is never higher than the terminal: of a long model the first lines
are shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from corels.cli.streams import clear_line, on_terminal, say
from corels.clock import FIRST_LINE, LINE_SECONDS, Clock
from corels.errors import InfeasibleError
from corels.problem import Problem
from corels.run.certifying import best_so_far, objective_of
from corels.run.sinks import purpose
from corels.run.time_left import time_left_text
from corels.search import Kind, Progress, Search, Sink

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

UNKNOWN = "-"
LIVE_SECONDS = 0.25  # between two pictures; a search that ends sooner shows none
LONG = 3600.0  # seconds: a display of a longer wait says what would help
HELP = "; a larger --regularization ends sooner"
STOPPING = "Ctrl-C stops the search and keeps the best so far"


class Moment(NamedTuple):
    """What a row can show. costs: of the best model so far, and what is proved that every model
    costs. rate: prefixes evaluated a second since the moment before."""

    seconds: float
    progress: Progress
    costs: tuple[float, float]
    rate: float


def doing(now: Progress, what: str) -> str:
    """What a search does now. what: it is for."""
    done = share(now.building)
    building = "" if done == UNKNOWN else f"building tables, {done}"
    return ": ".join(filter(None, [what, building])) or "searching"


ROWS: tuple[tuple[str, Callable[[Moment], str]], ...] = (
    ("seconds", lambda now: f"{now.seconds:.1f}"),
    ("objective", lambda now: f"{now.costs[0]:.5f}"),
    ("lower bound", lambda now: f"{now.costs[1]:.5f}"),
    ("gap", lambda now: f"{now.costs[0] - now.costs[1]:.5f}"),
    ("settled", lambda now: share(now.progress.settled)),
    ("time left", lambda now: time_left_text(now.progress)),
    ("open", lambda now: short(now.progress.queued)),
    ("evaluated/s", lambda now: short(now.rate)),
    ("log10 left", lambda now: decimal(now.progress.log10_remaining)),
    ("memory", lambda now: f"{now.progress.memory / 1e6:.1f} MB"),
)
NAME = 2 + max(len(title) for title, _ in ROWS)  # characters of the first column


def rows(now: Moment) -> list[tuple[str, str]]:
    """Name and value of each row; with a long time left, what would help."""
    return [(t, show(now) + (_help(now) if t == "time left" else "")) for t, show in ROWS]


def _help(now: Moment) -> str:
    left, limit = now.progress.seconds_left, now.progress.limit_left
    return HELP if left > LONG and limit == math.inf else ""


def cells(now: Moment) -> Iterator[tuple[str, str]]:
    """Title and text of what a search knows, for a line; also how far it is with its tables."""
    building = ("building tables", share(now.progress.building))
    for title, text in (*((title, show(now)) for title, show in ROWS), building):
        if text != UNKNOWN:
            yield title, text


def panel(shown: Sequence[tuple[str, str]], model: str, height: int) -> Text:
    """Rows of name and value, how to stop, and of the model what a terminal of this height has room
    for; no line is broken."""
    from rich.text import Text

    lines = model.splitlines()
    room = max(1, height - len(shown) - 3)
    if len(lines) > room:
        lines = [*lines[: room - 1], f"... and {len(lines) - room + 1} more lines"]
    found = Text(no_wrap=True, overflow="ellipsis")
    for name, value in shown:
        found.append(f"{name:<{NAME}}", "bold").append(f"{value}\n")
    return found.append(f"{STOPPING}\n\n", "dim").append("\n".join(lines))


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
            length = int(record["length"]) + len(self._problem.first)
            found = f"better: objective {cost:.5f}, length {length}"
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
        if self._live is None:
            clear_line()
            self._live = _live()
        shown = [("now", doing(snapshot, purpose())), *rows(self.moment(snapshot, search))]
        height = self._live.console.size.height
        self._live.update(panel(shown, self._model, height), refresh=True)

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
