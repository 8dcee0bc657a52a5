"""How long a search will still take, by proportion: shown once three looks agree, else "not known".

It cannot be known. But if so much of the first level is settled after so much time, the rest is
likely to take in proportion, if three looks in a row, each some time after the one before, foretell
about the same end. An estimate that turns out wrong is withdrawn at once.
"""

from __future__ import annotations

import math

from corels.clock import span_text
from corels.search import Progress

LOOKS = 3
APART = 1.0, 0.1  # seconds between two looks at least, and as a share of the time so far
ALIKE = 2.0  # two estimates of what is left agree within this factor
NAN = math.nan


class TimeLeft:
    """Fed with every snapshot of one search; `seconds` is what is left, NaN if it is not known."""

    def __init__(self) -> None:
        self._before = NAN  # the share at the look before
        self._begin(0.0, NAN)

    def _begin(self, elapsed: float, settled: float) -> None:
        """Forget what was foretold; what is settled from now on counts."""
        self.seconds = NAN
        self._began = elapsed, settled
        self._looks: list[tuple[float, float, float]] = []  # seconds, share, the end foretold

    def look(self, elapsed: float, now: Progress) -> float:
        """What is left after `elapsed` seconds."""
        (began, before), share = self._began, now.settled
        fell, self._before = not share >= self._before, share
        if fell:  # another pass begins, or nothing is known
            self._begin(elapsed, share)
        elif share > before:
            left = (1 - share) * (elapsed - began) / (share - before)
            if self._alike(elapsed, left):
                self._note(elapsed, share, left)
            else:
                self._begin(elapsed, share)
        return self.seconds

    def _alike(self, elapsed: float, left: float) -> bool:
        """Whether every look so far has foretold about this end."""
        floor = max(APART[0], 0.02 * elapsed)  # near the end, a second more or less is nothing
        ends = [max(floor, end - elapsed) for _, _, end in self._looks]
        return max([left, *ends]) <= ALIKE * min([max(floor, left), *ends])

    def _note(self, elapsed: float, share: float, left: float) -> None:
        """One more look, if the share has risen since the one before, and some time has passed."""
        last, risen = self._looks[-1][:2] if self._looks else self._began
        if share > risen and elapsed - last >= max(APART[0], APART[1] * elapsed):
            self._looks.append((elapsed, share, elapsed + left))
        self.seconds = left if len(self._looks) >= LOOKS else NAN


def time_left_text(now: Progress) -> str:
    """'about 4 min', 'not known'; 'about 3 h, beyond the limit' if the limit comes first."""
    if math.isnan(now.seconds_left):
        return "not known"
    text = f"about {span_text(now.seconds_left)}"
    return f"{text}, beyond the limit" if now.seconds_left > now.limit_left else text
