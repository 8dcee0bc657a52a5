"""The regularization path: the optimal objective for every lambda of an interval, exactly.

A list with E errors and K rules costs E/n + lambda K: a line over lambda. The optimal objective
F(lambda) is the least of finitely many lines, hence concave and piecewise linear, and the path is
found by looking only where something can happen:

1. Certify the optimum at the least lambda. At lambda = E0/n, where E0 are the errors of the list
   without rules, that list is optimal: one rule alone costs as much as it could ever save.
2. Two neighbouring optimal lines cross at one lambda. If F is not below them there, the crossing is
   a breakpoint, and F follows the two lines on either side of it. Otherwise the search there
   finds a third line, and both halves are treated alike.
3. Between lines of K and K + 1 rules no third line fits. More generally, a third line has a whole
   number of rules strictly between theirs, whole errors, and must not undercut what is certified
   on either side; if no such pair of numbers lies below the crossing, no search is needed.

So a path of s segments takes at most 2s - 1 searches, most of them at larger lambdas and therefore
easier than the first. Every search begins with the best list known at its lambda. Proofs are in
docs/internals/path.md. Lambdas and objectives are exact fractions throughout.

A search that a limit stops leaves a proven lower bound. F is concave and rises, so it lies above
the chords between any proven points and above what is proven at a smaller lambda: the path still
has a lower bound, and a gap, everywhere, and no search stays below what the others have shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.clock import Clock
from corels.errors import OptionError
from corels.model import Certificate, Stopped
from corels.model.certificate_text import limited
from corels.problem import Problem, exact_regularization
from corels.problem.problem import fitting_regularization
from corels.run.solve import solve
from corels_rule_list.model import RuleList

if TYPE_CHECKING:
    from corels.plots.figure import Figure
    from corels_rule_list.path.cross_validation import CrossValidation

Proof = tuple[Fraction, Fraction]  # a lambda, and what every list costs there at least
Report = Callable[[RuleList, Certificate], None]
SHARE = 0.5  # of the time that is left for all searches, for one: others are mostly easier


@dataclass(frozen=True)
class Segment:
    """Where one list is the best: every lambda from `low` to `high`.

    certified: proven at both ends, and so in between.
    """

    low: Fraction
    high: Fraction
    rule_list: RuleList
    certified: bool

    @property
    def accuracy(self) -> Fraction:
        """Share of the training weight that the list gets right; where outcomes have costs, of
        the rows for which it says a class or another model's answer."""
        return self.rule_list.accuracy


@dataclass(frozen=True)
class Path:
    """A regularization path, from the shortest list (largest lambda) to the longest.

    Attributes:
        segments: where each list is the best.
        proofs: (lambda, proven lower bound of the optimal objective), by rising lambda.
        searches: the certificate of each search, in the order in which they were run.
        without_search: breakpoints that whole numbers alone have proven.
        interrupted: Ctrl-C ended it; what is missing shows as a gap.
        held_out: accuracies of held-out folds, where they were asked for.
    """

    segments: tuple[Segment, ...]
    proofs: tuple[Proof, ...]
    searches: tuple[Certificate, ...]
    without_search: int
    interrupted: bool = False
    held_out: CrossValidation | None = None

    @property
    def low(self) -> Fraction:
        """The least lambda of the path."""
        return self.segments[-1].low

    @property
    def high(self) -> Fraction:
        """The largest lambda of the path; above it, the first list stays the best."""
        return self.segments[0].high

    @property
    def max_rules(self) -> int | None:
        """The path is that of lists of at most so many rules; None: of all."""
        return self.searches[0].max_rules if self.searches else None

    @property
    def certified(self) -> bool:
        """Whether the whole path is proven, and that of each fold."""
        return all(segment.certified for segment in self.segments) and (
            self.held_out is None or self.held_out.certified
        )

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def at(self, regularization: object) -> Segment:
        """The segment of one lambda; at a breakpoint, that of the shorter list.

        Raises OptionError below `low`.
        """
        exact = exact_regularization(regularization)
        for segment in self.segments:
            if exact >= segment.low:
                return segment
        raise OptionError(f"regularization is {regularization}: the path ends at {self.low}")

    def objective(self, regularization: object) -> Fraction:
        """The objective of the best list found at one lambda."""
        return self.at(regularization).rule_list.objective(exact_regularization(regularization))

    def lower_bound(self, regularization: object) -> Fraction:
        """Proven: no list costs less at this lambda. Linear between the proofs (F is concave)."""
        exact = exact_regularization(regularization)
        self.at(exact)
        return _between(self.proofs, exact)

    def gap(self, regularization: object) -> Fraction:
        """Objective - lower bound; 0 where the list is proven optimal."""
        return self.objective(regularization) - self.lower_bound(regularization)

    def largest_gap(self, segment: Segment) -> Fraction:
        """The largest gap of a segment: at one of its ends, since the bound is concave."""
        ends = (segment.low, segment.high)
        return max(segment.rule_list.objective(at) - _between(self.proofs, at) for at in ends)

    def evaluate(self, data: Any, labels: Any) -> list[float]:
        """Accuracy of each segment's list on other rows.

        Args:
            data: rows as `RuleList.predict` takes them.
            labels: (N,) the true classes.
        """
        truth = np.asarray(labels)
        return [float(np.mean(s.rule_list.predict(data) == truth)) for s in self.segments]

    def to_rows(self) -> list[dict[str, Any]]:
        """One dictionary a segment, for tables and data frames."""
        return [
            {
                "low": float(segment.low),
                "high": float(segment.high),
                "rules": len(segment.rule_list),
                "errors": segment.rule_list.errors,
                "accuracy": float(segment.accuracy),
                **_costs(segment.rule_list),
                "objective_low": float(segment.rule_list.objective(segment.low)),
                "objective_high": float(segment.rule_list.objective(segment.high)),
                "certified": segment.certified,
                "gap": float(self.largest_gap(segment)),
                **self._outside(segment),
            }
            for segment in self.segments
        ]

    def _outside(self, segment: Segment) -> dict[str, float]:
        """Held-out accuracy in the middle of a segment, and its standard error."""
        if self.held_out is None:
            return {}
        piece = self.held_out.at((segment.low + segment.high) / 2)
        return {"held_out": piece.mean, "standard_error": piece.error}

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; exact fractions beside the decimals, and every list."""
        return {
            "schema": "corels/path",
            "version": 1,
            "certified": self.certified,
            **({} if self.max_rules is None else {"max_rules": self.max_rules}),
            "without_search": self.without_search,
            "segments": [
                {
                    **row,
                    "exact": {"low": str(segment.low), "high": str(segment.high)},
                    "rule_list": segment.rule_list.to_document(),
                }
                for row, segment in zip(self.to_rows(), self.segments, strict=True)
            ],
            "proofs": [[str(at), str(bound)] for at, bound in self.proofs],
            "searches": [certificate.to_document() for certificate in self.searches],
        }

    def to_text(self) -> str:
        """A table, one segment a line; a segment that is not certified has its largest gap."""
        proven = ["yes" if s.certified else self._open(s) for s in self.segments]
        width = max(len("certified"), *map(len, proven))
        held = [self._held_out(s) for s in self.segments]
        title = "" if self.held_out is None else "held out"
        priced = self.segments[0].rule_list.outcomes is not None
        what = f"{'mean cost':>10}  {'coverage':>8}" if priced else f"{'errors':>8}"
        lines = [
            f"{'lambda':>23}  {'rules':>5}  {what}  {'accuracy':>8}  "
            f"{'certified':<{width}}  {title}"
        ]
        for s, says, outside in zip(self.segments, proven, held, strict=True):
            found = f"{s.rule_list.errors:>8}"
            if priced:
                own = _costs(s.rule_list)
                found = f"{own['mean_cost']:>10.6f}  {own['coverage']:>8.4f}"
            lines.append(
                f"{float(s.low):>10.6f} to {float(s.high):<9.6f} {len(s.rule_list):>5}  "
                f"{found}  {float(s.accuracy):>8.4f}  {says:<{width}}  {outside}"
            )
        if self.max_rules is not None:
            lines += ["", f"Each is the best among {limited(self.max_rules)}."]
        if self.held_out is not None:
            lines += ["", self.held_out.to_text()]
        return "\n".join(line.rstrip() for line in lines)

    def models_text(self) -> str:
        """Every list, and for which lambda it is the best."""
        return "\n\n".join(
            f"lambda {float(s.low):.6f} to {float(s.high):.6f}:\n{s.rule_list}" for s in self
        )

    def _open(self, segment: Segment) -> str:
        return f"no, gap {float(self.largest_gap(segment)):.6f}"

    def _held_out(self, segment: Segment) -> str:
        outside = self._outside(segment)
        return "{held_out:.4f} +- {standard_error:.4f}".format(**outside) if outside else ""

    def figure(self) -> Figure:
        """Objective, accuracy and length over lambda, as data of a picture."""
        from corels_rule_list.path.plot import figure

        return figure(self)

    def plot(self, axes: Any = None) -> Any:
        """Draw it on two axes of matplotlib's, or on new ones; returns them."""
        from corels_rule_list.path.plot import plot

        return plot(self, axes)


def _costs(found: RuleList) -> dict[str, float]:
    """What a list costs on average, and the share of rows of which it says a class; nothing where
    mistakes cost one each."""
    if found.outcomes is None:
        return {}
    mean = float(found.objective(Fraction(0)))
    return {"mean_cost": mean, "coverage": float(found.shares().get("coverage", Fraction(1)))}


def _between(proofs: Sequence[Proof], at: Fraction) -> Fraction:
    """The chord between the neighbouring proofs; beyond the last, its value."""
    place = bisect_right([point for point, _ in proofs], at)
    if place == len(proofs):
        return proofs[-1][1]
    (x0, y0), (x1, y1) = proofs[place - 1], proofs[place]
    return y0 + (y1 - y0) * (at - x0) / (x1 - x0)


def shown_by_all(proofs: Sequence[Proof]) -> list[Proof]:
    """What the proofs together say at each of their lambdas, which rise: F is concave and rises."""
    hull: list[Proof] = []
    for at, bound in proofs:
        raised = max(bound, hull[-1][1]) if hull else bound
        while len(hull) > 1 and _between([hull[-2], (at, raised)], hull[-1][0]) >= hull[-1][1]:
            hull.pop()
        hull.append((at, raised))
    return [(at, _between(hull, at)) for at, _ in proofs]


def regularization_path(
    problem: Problem,
    low: object = "0.01",
    high: object | None = None,
    *,
    report: Report | None = None,
    total_time: float | None = None,
    **options: Any,
) -> Path:
    """The certified path of a problem from `low` upwards.

    Args:
        problem: its own regularization is not read.
        low: the least lambda: the hardest search.
        high: the largest lambda; by default, and at most, that from which on no rule pays.
        report: called after each search.
        total_time: seconds for all searches together; what is not proved by then shows as a gap.
        options: of the solver "rule-list" and of `corels.solve`; limits count for each search.

    Raises:
        OptionError: for an option or a lambda out of range.
    """
    if problem.constraints:
        raise OptionError("the problem has constraints: the path over lambda is one without any")
    size = (problem.most, problem.n_antecedents)
    return _Builder(problem, report, options, total_time).build(
        fitting_regularization(low, *size),
        None if high is None else fitting_regularization(high, *size),
    )


@dataclass(frozen=True, slots=True)
class _Point:
    """The best list found at one lambda."""

    at: Fraction
    found: RuleList

    @property
    def line(self) -> tuple[int, int]:
        return len(self.found), self.found.paid


class _Builder:
    """Searches where the path may bend, and keeps what they prove."""

    def __init__(
        self,
        problem: Problem,
        report: Report | None,
        options: dict[str, Any],
        total_time: float | None,
    ) -> None:
        self._problem = problem
        self._clock = Clock(total_time)
        self._report = report
        self._options = options
        constant = RuleList.of(problem, [])
        self._lists = {(0, constant.paid): constant}
        self._proofs: dict[Fraction, Fraction] = {}
        self._points: dict[Fraction, _Point] = {}
        self._out_of_time: set[Fraction] = set()
        self._searches: list[Certificate] = []
        self._without_search = 0
        self._interrupted = False

    def build(self, low: Fraction, high: Fraction | None) -> Path:
        (constant,) = self._lists.values()
        top = Fraction(constant.paid - self._problem.offset, self._problem.worth)
        if high is not None and high < low:
            raise OptionError(f"the path's largest lambda, {high}, is below its least, {low}")
        if high is None:
            high = min(max(top, low), Fraction(1))  # costs of more than 1 may pay for more
        if high >= top:
            high = max(top, low)
            right = self._prove(_Point(high, constant), constant.objective(high))
        else:
            right = self._search(high)
        if low < high and not self._interrupted:
            self._bend(self._search(low), right)
            while self._again():
                self._bend(self._points[low], right)
        proofs = tuple(sorted(self._proofs.items()))
        return Path(
            self._segments(low, high, proofs),
            proofs,
            tuple(self._searches),
            self._without_search,
            self._interrupted,
        )

    def _bend(self, left: _Point, right: _Point) -> None:
        """Find all breakpoints between two points; an explicit stack, as paths may be long."""
        waiting = [(left, right)]
        while waiting and not self._interrupted:
            left, right = waiting.pop()
            (rules, errors), (fewer, more) = left.line, right.line
            if rules <= fewer:
                continue
            at = Fraction(more - errors, self._problem.worth * (rules - fewer))
            if not left.at < at < right.at:
                continue
            if at not in self._points and self._nothing_fits(left, right, at):
                self._without_search += 1
                self._prove(_Point(at, left.found), left.found.objective(at))
                continue
            middle = self._search(at)
            if middle.found.objective(at) < left.found.objective(at):
                waiting += [(left, middle), (middle, right)]

    def _again(self) -> bool:
        """Search once more where the time for all ran short, with what is left; whether any was."""
        if self._clock.limit is None or self._options.get("time_limit") is not None:
            return False
        waiting = sorted(self._out_of_time, reverse=True)
        for number, at in enumerate(waiting):
            if self._interrupted or self._clock.expired():
                return False
            self._search(at, 1 / (len(waiting) - number))
        return bool(waiting) and not self._interrupted

    def _nothing_fits(self, left: _Point, right: _Point, at: Fraction) -> bool:
        """Whether no whole numbers of rules and errors lie below the crossing of two lines."""
        if self._open(left) or self._open(right):
            return False
        n, crossing = self._problem.worth, left.found.objective(at)
        for rules in range(right.line[0] + 1, left.line[0]):
            least = max(
                -(-(self._proofs[end.at] - end.at * rules) * n // 1) for end in (left, right)
            )
            if Fraction(least, n) + at * rules < crossing:
                return False
        return True

    def _open(self, point: _Point) -> bool:
        return point.found.objective(point.at) > self._proofs[point.at]

    def _search(self, at: Fraction, share: float = SHARE) -> _Point:
        """Certify the optimum at one lambda, starting from the best list known there."""
        if at in self._points and not self._open(self._points[at]):
            return self._points[at]
        known = min(self._lists.values(), key=lambda found: (found.objective(at), len(found)))
        problem = replace(self._problem, regularization=at)
        result = solve(problem, "rule-list", incumbent=known, **self._limited(share))
        found, certificate = result.model, result.certificate
        assert isinstance(found, RuleList)
        self._searches.append(certificate)
        self._lists.setdefault((len(found), found.paid), found)
        if self._report is not None:
            self._report(found, certificate)
        self._interrupted = certificate.stopped is Stopped.INTERRUPTED
        self._out_of_time.discard(at)
        if certificate.stopped is Stopped.TIME_LIMIT:
            self._out_of_time.add(at)
        return self._prove(_Point(at, found), certificate.lower_bound)

    def _limited(self, share: float) -> dict[str, Any]:
        """The options of the next search: of the time that is left for all no more than `share`."""
        left = self._clock.left()
        if left is None:
            return self._options
        left *= share
        own = self._options.get("time_limit")
        return {**self._options, "time_limit": left if own is None else min(left, float(own))}

    def _prove(self, point: _Point, bound: Fraction) -> _Point:
        self._proofs[point.at] = max(bound, self._proofs.get(point.at, bound))
        self._proofs = dict(shown_by_all(sorted(self._proofs.items())))
        self._points[point.at] = point
        return point

    def _segments(
        self, low: Fraction, high: Fraction, proofs: tuple[Proof, ...]
    ) -> tuple[Segment, ...]:
        """The lower envelope of the lines of all lists found, from high to low lambda."""
        hull = _hull(sorted(self._lists))
        if low == high:
            best = min(self._lists.values(), key=lambda found: (found.objective(low), len(found)))
            return (Segment(low, high, best, _between(proofs, low) == best.objective(low)),)
        segments: list[Segment] = []
        upper = high
        for line, following in zip(hull, [*hull[1:], None], strict=True):
            lower = low if following is None else max(low, self._crossing(line, following))
            if lower < upper:
                found = self._lists[line]
                ends = (lower, upper)
                proven = all(_between(proofs, end) == found.objective(end) for end in ends)
                segments.append(Segment(lower, upper, found, proven))
                upper = lower
        return tuple(segments)

    def _crossing(self, one: tuple[int, int], other: tuple[int, int]) -> Fraction:
        return Fraction(one[1] - other[1], self._problem.worth * (other[0] - one[0]))


def _hull(lines: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of (rules, errors), sorted, those that are the least for some lambda."""
    hull: list[tuple[int, int]] = []
    for rules, errors in lines:
        if hull and errors >= hull[-1][1]:
            continue  # not fewer errors with as many rules or more
        while len(hull) > 1 and (hull[-2][1] - hull[-1][1]) * (rules - hull[-1][0]) <= (
            hull[-1][1] - errors
        ) * (hull[-1][0] - hull[-2][0]):
            hull.pop()
        hull.append((rules, errors))
    return hull
