"""The front: the best list for every difference between groups that may be allowed, certified.

First the best list of all, then again and again the best one whose greatest difference is smaller
than that of the one before, down to what is demanded. The searches share what they find out: least
costs at prices do not depend on how much difference is allowed, a list that is known is known for
all, and what no list with a difference costs less than, none with a smaller one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.errors import InfeasibleError, OptionError
from corels.model.printable import aligned
from corels.plots.figure import Drawn, Figure, Panel, Series
from corels.problem import Problem, check_problem
from corels.problem.constraints import COVERAGE, Constraint
from corels.run.interrupts import CtrlC
from corels.search import Status
from corels_rule_list.fair.search import Known
from corels_rule_list.model import RuleList
from corels_rule_list.solver import RuleListSolver

Report = Callable[["Point"], None]
Look = Callable[[Fraction, Fraction], None]
DIGITS = (("difference", 6), ("objective", 6), ("accuracy", 4))  # of a table


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
class Front(Drawn):
    """Points from the greatest difference to the least; `notions`: what must not differ."""

    points: tuple[Point, ...]
    notions: tuple[str, ...]
    column: str
    whole: bool
    interrupted: bool

    @property
    def certified(self) -> bool:
        """Whether every point is, and none is missing."""
        return self.whole and all(point.certified for point in self.points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __str__(self) -> str:
        return self.to_text()

    def to_rows(self) -> list[dict[str, Any]]:
        """One dictionary a point."""
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
            "notions": list(self.notions),
            "column": self.column,
            "points": [
                {
                    **row,
                    "exact": {
                        "difference": str(point.difference),
                        "objective": str(point.objective),
                        "lower_bound": str(point.lower_bound),
                    },
                    "rule_list": point.rule_list.to_document(),
                }
                for row, point in zip(self.to_rows(), self.points, strict=True)
            ],
        }

    def to_text(self) -> str:
        """A table, a point a line."""
        rows = [["difference", "objective", "accuracy", "rules", "certified"]]
        rows += [
            [
                *(f"{row[name]:.{digits}f}" for name, digits in DIGITS),
                str(row["rules"]),
                "yes" if row["certified"] else f"no, gap {row['gap']:.6f}",
            ]
            for row in self.to_rows()
        ]
        lines = [
            f"Best lists by {', '.join(self.notions)} of {self.column}:",
            aligned(rows, ">>>><"),
        ]
        if not self.whole:
            lines += ["", "Stopped early: lists with smaller differences were not looked for."]
        return "\n".join(lines)

    def models_text(self) -> str:
        """Every list."""
        return "\n\n".join(f"difference {float(p.difference):.6f}:\n{p.rule_list}" for p in self)

    def figure(self) -> Figure:
        """Objective and accuracy over the difference."""
        rising = sorted(self.points, key=lambda point: point.difference)
        x = [float(point.difference) for point in rising]
        series = [
            Series(name, x, [float(getattr(point, name)) for point in rising], "step")
            for name in ("objective", "accuracy")
        ]
        across = f"greatest difference between groups of {self.column}"
        return Figure("", [Panel(f"What {', '.join(self.notions)} costs", across, "", series)])


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
    fair = [one for one in problem.constraints if one.notion != COVERAGE]
    if not fair:
        raise OptionError(
            "a path over parity is one of lists that keep groups alike: name the groups "
            "(--group COLUMN) and the least difference, where it ends (--fair NOTION:LEAST)"
        )
    return _Builder(problem, report, look, Clock(time_limit), options).build()


class _Builder:
    """Searches with less and less difference allowed."""

    def __init__(
        self,
        problem: Problem,
        report: Report | None,
        look: Look | None,
        clock: Clock,
        options: Mapping[str, Any],
    ) -> None:
        from corels.options import check_all

        self._problem, self._report, self._look, self._clock = problem, report, look, clock
        self._family = RuleListSolver()
        self._options = check_all(self._family.options, options, "parity_path")
        self._known, self._ctrl_c = Known(), CtrlC()

    def build(self) -> Front:
        points, allowed, whole = list[Point](), None, False
        with self._ctrl_c:
            while not whole:
                found = self._best(allowed)
                if found is None:
                    whole = not self._stopped
                    break
                if points and points[-1].objective == found.objective:
                    points.pop()  # as good, with a smaller difference
                points.append(found)
                if self._report is not None:
                    self._report(found)
                if not found.certified:
                    break
                allowed = found.difference
                whole = allowed <= max(one.most for one in self._fair)
        notions = tuple(dict.fromkeys(one.notion for one in self._fair))
        column = self._fair[0].column
        return Front(tuple(points), notions, column, whole, self._ctrl_c.pressed)

    @property
    def _fair(self) -> list[Constraint]:
        return [one for one in self._problem.constraints if one.notion != COVERAGE]

    @property
    def _stopped(self) -> bool:
        return self._ctrl_c.pressed or self._clock.expired()

    def _within(self, one: Constraint, allowed: Fraction | None) -> Constraint:
        """A constraint that allows any difference, or only smaller ones than those allowed."""
        if one.notion == COVERAGE:
            return one
        most = Fraction(1) if allowed is None else allowed - Fraction(1, 2 * one.scale)
        return replace(one, least=-most, most=most)

    def _best(self, allowed: Fraction | None) -> Point | None:
        """The best list with a smaller difference; None where there is none, or none was found."""
        constraints = tuple(self._within(one, allowed) for one in self._problem.constraints)
        problem = replace(self._problem, constraints=constraints)
        search = self._family.constrained_search(problem, self._options, known=self._known)
        try:
            looks = Clock()
            while search.step(1 << 40) is Status.RUNNING and not self._stopped:
                if self._look is not None and looks.line_due():
                    now = search.progress()
                    self._look(*(problem.objective(c) for c in (now.objective, now.lower_bound)))
            model, now, kept = search.model(), search.progress(), search.constraints()
        except InfeasibleError:
            return None
        finally:
            search.close()
        assert isinstance(model, RuleList)
        values = [abs(Fraction(one["value"])) for one in kept if one["column"]]
        objective, bound = (problem.objective(c) for c in (now.objective, now.lower_bound))
        return Point(max(values), allowed, objective, bound, model)
