"""Where the best list changes along a price, exactly: of a rule (`path.py`), or a row (`price.py`).

At the price x a list costs flat/units + x steep/per, with whole numbers flat and steep: a line. The
optimal objective F is the least of finitely many lines, hence concave and piecewise linear, and
its bends are found by looking only if something can happen:

1. Certify the optimum at both ends.
2. Two neighbouring optimal lines cross at one price. If F is not below them there, the crossing is
   a breakpoint, and F follows the two lines on either side of it. Otherwise the search there
   finds a third line, and both halves are treated alike.
3. A third line has a whole steepness strictly between theirs and a whole flat part, and must not
   undercut what is certified on either side; if no such pair of numbers lies below the crossing,
   no search is needed.

If 32 bits do not hold the costs of a crossing's price, the nearest prices on either side that
they do hold are searched instead; what is certified there mostly leaves no room in between, by 3.
Otherwise a *sliver* between the two stays open, a billionth of the price or so.
Proofs are in docs/internals/path.md. Prices and objectives are exact fractions throughout.

A search that a limit stops leaves a proven lower bound. F is concave and rises, so it lies above
the chords between any proven points and above what is proven at a smaller price: the path still
has a lower bound, and a gap, everywhere, and no search stays below what the others have shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import InitVar, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from corels.clock import Clock
from corels.errors import OptionError, ResourceError
from corels.model import Certificate, Stopped
from corels.problem import Problem
from corels.run.interrupts import CtrlC
from corels.run.result import Result
from corels.run.solve import solve
from corels_rule_list.model import RuleList

Report = Callable[[Fraction, RuleList, Certificate], None]  # the price first
Line = tuple[int, int]  # steep, flat
Proof = tuple[Fraction, Fraction]  # a price, and what every list costs there at least
Proofs = tuple[Proof, ...]
SHARE = 0.5  # of the time that is left for all searches, for one: others are mostly easier


@dataclass(frozen=True)
class Axis:
    """What a price is paid for.

    units, per: a list costs flat/units + x steep/per. problem: what is to be solved at a price.
    line: of a list. known: a list as one of the problem at a price, to begin a search with. finest:
    a problem can have prices that are, in parts of 1/grid, fractions of denominators up to this;
    None: any. attainable: the least flat part that a list can have, of those that are at least so
    great; None: any whole number.
    """

    units: int | Fraction
    per: int
    problem: Callable[[Fraction], Problem]
    line: Callable[[RuleList], Line]
    known: Callable[[RuleList, Fraction], RuleList]
    finest: int | None = None
    grid: int | Fraction = 1
    attainable: Callable[[int], int] | None = None

    def cost(self, line: Line, at: Fraction) -> Fraction:
        """The objective of a line at a price."""
        return Fraction(line[1], self.units) + at * line[0] / self.per

    def crossing(self, one: Line, other: Line) -> Fraction:
        """The price at which both cost the same."""
        return Fraction((one[1] - other[1]) * self.per, self.units * (other[0] - one[0]))

    def near(self, at: Fraction) -> list[Fraction]:
        """The price itself, or those on either side of it that a problem can have."""
        if self.finest is None:
            return [at]
        return [part / self.grid for part in neighbours(at * self.grid, self.finest)]


@dataclass(frozen=True)
class Segment:
    """Where one list is the best: every price from `low` to `high`.

    certified: proven at both ends, and so in between; but for slivers around its ends. line: what
    the list costs, by the path's `Axis`.
    """

    low: Fraction
    high: Fraction
    rule_list: RuleList
    certified: bool
    line: Line

    @property
    def accuracy(self) -> Fraction:
        """Share of the training weight that the list gets right; if outcomes have costs, of
        the rows for which it says a class or another model's answer."""
        return self.rule_list.accuracy


@dataclass(frozen=True)
class Bends:
    """What was found, as a `Path` has it. slivers: (low, high) prices between which nothing could
    be searched: another list may be better there, by very little."""

    segments: tuple[Segment, ...]
    proofs: Proofs
    searches: tuple[Certificate, ...]
    without_search: int
    interrupted: bool = False
    slivers: tuple[tuple[Fraction, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class _Point:
    """The best list found at one price."""

    at: Fraction
    found: RuleList
    line: Line


@dataclass
class Builder:
    """Searches where the path may bend, and keeps what they prove. known: lists."""

    axis: Axis
    known: InitVar[Sequence[RuleList]]
    report: Report | None
    options: dict[str, Any]
    total_time: InitVar[float | None]

    def __post_init__(self, known: Sequence[RuleList], total_time: float | None) -> None:
        self._clock = Clock(total_time)
        self._lists = {self.axis.line(found): found for found in known}
        self._proofs: dict[Fraction, Fraction] = {}
        self._points: dict[Fraction, _Point] = {}
        self._out_of_time: set[Fraction] = set()
        self._searches: list[Certificate] = []
        self._without_search = 0
        self._slivers = set[tuple[Fraction, Fraction]]()
        self._interrupted = False

    def build(self, low: Fraction, high: Fraction, last: RuleList | None = None) -> Bends:
        """The path from `low` to `high`, or of `high` alone if that is interrupted already.

        last: the best list at `high`, if that is known.
        """
        if high < low:
            raise OptionError(f"the path's largest price, {high}, is below its least, {low}")
        if last is None:
            right = self._search(high)
        else:
            line = self.axis.line(last)
            right = self._prove(_Point(high, last, line), self.axis.cost(line, high))
        if self._interrupted:
            low = high  # nothing is proven elsewhere
        if low < high:
            self._bend(self._search(low), right)
            while self._again():
                self._bend(self._points[low], self._points[high])
        proofs = tuple(sorted(self._proofs.items()))
        return Bends(
            tuple(self._segments(low, high, proofs)),
            proofs,
            tuple(self._searches),
            self._without_search,
            self._interrupted,
            tuple(sorted(self._slivers)),
        )

    def _bend(self, left: _Point, right: _Point) -> None:
        """Find all breakpoints between two points; an explicit stack, as paths may be long."""
        waiting = [(left, right)]
        while waiting and not self._interrupted:
            left, right = waiting.pop()
            if left.line[0] <= right.line[0]:
                continue
            at = self.axis.crossing(left.line, right.line)
            if not left.at < at < right.at:
                continue
            if at not in self._points and self._nothing_fits(left, right, at):
                self._without_search += 1
                self._prove(_Point(at, left.found, left.line), self.axis.cost(left.line, at))
                continue
            places = [place for place in self.axis.near(at) if left.at < place < right.at]
            middle = [self._search(place) for place in places if not self._interrupted]
            if not (places or self._open(left) or self._open(right)):
                self._slivers.add((left.at, right.at))
            cost = self.axis.cost
            if middle and (places != [at] or cost(middle[0].line, at) < cost(left.line, at)):
                waiting += pairwise([left, *middle, right])

    def _again(self) -> bool:
        """Search once more if the time for all ran short, with what is left; whether any was."""
        if self._clock.limit is None or self.options.get("time_limit") is not None:
            return False
        waiting = sorted(self._out_of_time, reverse=True)
        for number, at in enumerate(waiting):
            if self._interrupted or self._clock.expired():
                return False
            self._search(at, 1 / (len(waiting) - number))
        return bool(waiting) and not self._interrupted

    def _nothing_fits(self, left: _Point, right: _Point, at: Fraction) -> bool:
        """Whether no whole numbers lie below the crossing of two lines, and not below what is
        certified at their points; False if the time to find out is over."""
        if self._open(left) or self._open(right):
            return False
        axis, most = self.axis, self.axis.cost(left.line, at)
        ends = [(end.at, self._proofs[end.at]) for end in (left, right)]
        for steep in range(right.line[0] + 1, left.line[0]):  # tens of thousands of rows
            if self._clock.expired():
                return False
            least = [-(-(proof - x * steep / axis.per) * axis.units // 1) for x, proof in ends]
            flat = int(max(least))
            if axis.attainable is not None and axis.cost((steep, flat), at) < most:
                flat = axis.attainable(flat)
            if axis.cost((steep, flat), at) < most:
                return False
        return True

    def _open(self, point: _Point) -> bool:
        return self.axis.cost(point.line, point.at) > self._proofs[point.at]

    def _search(self, at: Fraction, share: float = SHARE) -> _Point:
        """Certify the optimum at one price, starting from the best list known there."""
        if at in self._points and not self._open(self._points[at]):
            return self._points[at]
        known = None
        if self._lists:
            line = min(self._lists, key=lambda one: (self.axis.cost(one, at), one[0]))
            known = self.axis.known(self._lists[line], at)
        options = {
            **self.options,
            "time_limit": self._clock.within(self.options.get("time_limit"), share),
        }
        try:
            result = solve(self.axis.problem(at), "rule-list", incumbent=known, **options)
        except ResourceError as error:  # what it has found is a part of the path all the same
            if not isinstance(kept := getattr(error, "result", None), Result):
                raise
            result = kept
        found, certificate = result.model, result.certificate
        assert isinstance(found, RuleList)
        self._searches.append(certificate)
        line = self.axis.line(found)
        self._lists.setdefault(line, found)
        if self.report is not None:
            self.report(at, found, certificate)
        running = CtrlC.running()
        pressed = running is not None and running.pressed  # also in a search's last step
        self._interrupted = pressed or certificate.stopped is Stopped.INTERRUPTED
        self._out_of_time.discard(at)
        if certificate.stopped is Stopped.TIME_LIMIT:
            self._out_of_time.add(at)
        return self._prove(_Point(at, found, line), certificate.lower_bound)

    def _prove(self, point: _Point, bound: Fraction) -> _Point:
        self._proofs[point.at] = max(bound, self._proofs.get(point.at, bound))
        self._proofs = dict(shown_by_all(sorted(self._proofs.items())))
        self._points[point.at] = point
        return point

    def _segments(self, low: Fraction, high: Fraction, proofs: Proofs) -> Iterator[Segment]:
        """The lower envelope of the lines of all lists found, from high to low. Of two that cost
        the same at `high` itself, the shorter one, the best beyond, has this price alone."""
        cost = self.axis.cost

        def proven(line: Line, end: Fraction) -> bool:
            inside = any(one < end < other for one, other in self._slivers)
            return inside or between(proofs, end) == cost(line, end)

        if low == high:
            line = min(self._lists, key=lambda one: (cost(one, low), one[0]))
            yield Segment(low, high, self._lists[line], proven(line, low), line)
            return
        lines, upper = hull(sorted(self._lists)), high
        for line, following in zip(lines, [*lines[1:], None], strict=True):
            lower = low
            if following is not None:
                lower = max(low, self.axis.crossing(line, following))
            if lower < upper or lower == upper == high:
                whole = proven(line, lower) and proven(line, upper)
                yield Segment(lower, upper, self._lists[line], whole, line)
                upper = lower


def hull(lines: Sequence[Line]) -> list[Line]:
    """Of (steep, flat), sorted, those that are the least for some price."""
    found: list[Line] = []
    for steep, flat in lines:
        if found and flat >= found[-1][1]:
            continue  # not cheaper with as much to pay for, or more
        while len(found) > 1 and (found[-2][1] - found[-1][1]) * (steep - found[-1][0]) <= (
            found[-1][1] - flat
        ) * (found[-1][0] - found[-2][0]):
            found.pop()
        found.append((steep, flat))
    return found


def between(proofs: Sequence[Proof], at: Fraction) -> Fraction:
    """The chord between the neighbouring proofs; beyond the last, its value."""
    place = bisect_right([point for point, _ in proofs], at)
    if place == len(proofs):
        return proofs[-1][1]
    (x0, y0), (x1, y1) = proofs[place - 1], proofs[place]
    return y0 + (y1 - y0) * (at - x0) / (x1 - x0)


def shown_by_all(proofs: Sequence[Proof]) -> list[Proof]:
    """What the proofs together say at each of their prices, which rise: F is concave and rises."""
    found: list[Proof] = []
    for at, bound in proofs:
        raised = max(bound, found[-1][1]) if found else bound
        while len(found) > 1 and between([found[-2], (at, raised)], found[-1][0]) >= found[-1][1]:
            found.pop()
        found.append((at, raised))
    return [(at, between(found, at)) for at, _ in proofs]


def neighbours(at: Fraction, finest: int) -> list[Fraction]:
    """The number itself, if its denominator is at most `finest`; else the nearest two numbers, one
    below and one above, with such denominators (neighbours in the Farey sequence)."""
    nearest = at.limit_denominator(finest)
    if nearest == at:
        return [at]
    a, b = nearest.numerator, nearest.denominator
    sign = 1 if nearest < at else -1  # b c - a d = sign, with the largest d
    least = -sign * pow(a, -1, b) % b
    d = finest - (finest - least) % b
    return sorted([nearest, Fraction((sign + a * d) // b, d)])


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the smallest denominator in the interior; `low` if that is empty.

    A walk down the Stern-Brocot tree, by whole parts.
    """
    if low >= high:
        return low
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    rest_low, rest_high = low - whole, high - whole
    if rest_low == 0:  # 1/k with 1/k < high, and the smallest k
        return whole + Fraction(1, rest_high.denominator // rest_high.numerator + 1)
    return whole + 1 / simplest(1 / rest_high, 1 / rest_low)
