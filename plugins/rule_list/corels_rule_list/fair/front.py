"""The front: the best list for every difference between groups that may be allowed, certified.

First the best list of all, then again and again the best one whose greatest difference is smaller
than that of the one before, down to what is demanded. The searches share what they find out: least
costs at prices do not depend on how much difference is allowed, a list that is known is known for
all, and what no list with a difference costs less than, none with a smaller one does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.errors import InfeasibleError, OptionError
from corels.plots.figure import Figure, Panel, Series
from corels.problem import Problem, check_problem
from corels.problem.constraints import Constraint
from corels.run.interrupts import CtrlC
from corels.run.result import Result
from corels.run.solve import solve
from corels.search import Progress, Search, Sink
from corels_rule_list.fair.search import Known
from corels_rule_list.model import RuleList
from corels_rule_list.path.shown import ListsAlong
from corels_rule_list.solver import RuleListSolver

Report = Callable[["Point"], None]
Look = Callable[[Fraction, Fraction], None]


@dataclass(frozen=True)
class Point:
    """The best list whose rates differ by at most `difference`, and by less than the `allowed` one.

    lower_bound: no list with a smaller difference than allowed costs less; allowed: None: any.
    """

    difference: Fraction
    allowed: Fraction | None
    objective: Fraction
    lower_bound: Fraction
    rule_list: RuleList

    @property
    def certified(self) -> bool:
        """Whether no list with such a difference is better."""
        return self.objective == self.lower_bound

    @property
    def accuracy(self) -> Fraction:
        """On the training rows, of those for which a class is said."""
        return self.rule_list.accuracy


@dataclass(frozen=True)
class Front(ListsAlong[Point]):
    """Points from the greatest difference to the least; `rates`: what must not differ."""

    points: tuple[Point, ...]
    rates: tuple[str, ...]
    column: str
    whole: bool
    interrupted: bool

    @property
    def certified(self) -> bool:
        """Whether every point is, and none is missing."""
        return self.whole and all(point.certified for point in self.points)

    @property
    def pieces(self) -> tuple[Point, ...]:
        return self.points

    def to_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "difference": float(point.difference),
                "objective": float(point.objective),
                "accuracy": float(point.accuracy),
                "rules": len(point.rule_list),
                "certified": point.certified,
                "gap": float(point.objective - point.lower_bound),
            }
            for point in self.points
        ]

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; exact fractions beside the decimals, and every list."""
        return {
            "schema": "corels/front",
            "version": 1,
            "certified": self.certified,
            "rates": list(self.rates),
            "column": self.column,
            "points": self._documents("difference", "objective", "lower_bound"),
        }

    def to_text(self) -> str:
        columns = {
            "difference": "{difference:.6f}",
            "objective": "{objective:.6f}",
            "accuracy": "{accuracy:.4f}",
            "rules": "{rules}",
            "certified": "{certified}",
        }
        lines = [f"Best lists by {', '.join(self.rates)} of {self.column}:", self._table(columns)]
        if not self.whole:
            lines += ["", "Stopped early: lists with smaller differences were not looked for."]
        return "\n".join(lines)

    def _place(self, piece: Point) -> str:
        return f"difference {float(piece.difference):.6f}"

    def figure(self) -> Figure:
        """Objective and accuracy over the difference."""
        rising = sorted(self.points, key=lambda point: point.difference)
        x = [float(point.difference) for point in rising]
        series = [
            Series(name, x, [float(getattr(point, name)) for point in rising], "step")
            for name in ("objective", "accuracy")
        ]
        across = f"greatest difference between groups of {self.column}"
        return Figure("", [Panel(f"What {', '.join(self.rates)} costs", across, "", series)])


def parity_path(
    problem: Problem,
    *,
    report: Report | None = None,
    look: Look | None = None,
    time_limit: float | None = None,
    **options: Any,
) -> Front:
    """The best lists for all differences from any down to those of the problem's constraints.

    Args:
        problem: with constraints between groups; the greatest difference of one is where it ends.
        report: called with each point. look: with objective and lower bound of the search for the
            next one, now and then.
        time_limit: seconds for everything. options: of the solver "rule-list".

    Raises OptionError for a problem without such constraints and for a wrong option.
    """
    check_problem(problem, "parity_path")
    fair = [one for one in problem.constraints if len(one.rates) > 1]
    if not fair:
        raise OptionError(
            "a path over parity is one of lists that keep groups alike: name a rate, the groups, "
            "and the least difference, where it ends: 'positive-rate by COLUMN within 0'"
        )
    family, clock = RuleListSolver(), Clock(time_limit)
    family.known = Known()
    points, allowed, whole = list[Point](), None, False
    with CtrlC() as ctrl_c:
        sinks = [_Looks(problem, look)]
        while not whole:
            constraints = tuple(_within(one, allowed) for one in problem.constraints)
            narrowed = replace(problem, constraints=constraints)
            try:
                result = solve(narrowed, family, sinks=sinks, time_limit=clock.left(), **options)
            except InfeasibleError:  # there is none, or none was found
                whole = not (ctrl_c.pressed or clock.expired())
                break
            found = _point(result, allowed)
            if points and points[-1].objective == found.objective:
                points.pop()  # as good, with a smaller difference
            points.append(found)
            if report is not None:
                report(found)
            if ctrl_c.pressed or not found.certified:
                break
            allowed = found.difference
            whole = allowed <= max(one.most for one in fair)
    rates = tuple(dict.fromkeys(one.rate for one in fair))
    return Front(tuple(points), rates, fair[0].column, whole, ctrl_c.pressed)


def _within(one: Constraint, allowed: Fraction | None) -> Constraint:
    """A constraint that allows any difference, or only smaller ones than those allowed."""
    if len(one.rates) == 1:
        return one
    most = Fraction(1) if allowed is None else allowed - Fraction(1, 2 * one.scale)
    return replace(one, least=-most, most=most)


def _point(result: Result, allowed: Fraction | None) -> Point:
    model, proof = result.model, result.certificate
    assert isinstance(model, RuleList)
    values = [abs(Fraction(one["value"])) for one in proof.constraints if len(one["groups"]) > 1]
    return Point(max(values), allowed, proof.objective, proof.lower_bound, model)


class _Looks(Sink):
    """Tells how far the search for the next point is, now and then."""

    name = "looks"

    def __init__(self, problem: Problem, look: Look | None) -> None:
        self._problem, self._look = problem, look
        self._clock = Clock()

    def progress(self, snapshot: Progress, search: Search) -> None:
        if self._look is not None and self._clock.line_due():
            costs = snapshot.objective, snapshot.lower_bound
            self._look(*map(self._problem.objective, costs))
