"""The panel of a search on a terminal: names and values that stand still, and the best model.

Its rows are always the same ones in the same places, and it is never higher than the terminal: of a
long model the first lines are shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corels.run.time_left import time_left_text
from corels.search import Progress

if TYPE_CHECKING:
    from rich.text import Text

UNKNOWN = "-"
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
