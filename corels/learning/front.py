"""The front: the best model for every difference between groups that may be allowed, certified.

First the best model of all, then again and again the best one whose greatest difference is smaller
than that of the one before, down to what is demanded. The searches share what they find out
(`Solver.sharing`): a model that is known is known for all, and what no model with a difference
costs less than, none with a smaller one does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.errors import InfeasibleError, OptionError
from corels.learning.along import ModelsAlong
from corels.model import Model
from corels.plots.figure import Figure, Panel, Series
from corels.plugins import DEFAULT_SOLVER, registry
from corels.problem import Problem, check_problem
from corels.problem.constraints import Constraint
from corels.run.able import check_able
from corels.run.interrupts import CtrlC
from corels.run.result import Result
from corels.run.sinks import Chosen
from corels.run.solve import solve
from corels.search import Solver

Report = Callable[["Point"], None]


@dataclass(frozen=True)
class Point:
    """The best model whose rates differ by at most `difference`, and by less than the `allowed`
    one.

    lower_bound: no model with a smaller difference than allowed costs less; allowed: None: any.
    seconds: of its search.
    """

    difference: Fraction
    allowed: Fraction | None
    objective: Fraction
    lower_bound: Fraction
    model: Model
    seconds: float = 0.0

    @property
    def certified(self) -> bool:
        """Whether no model with such a difference is better."""
        return self.objective == self.lower_bound

    @property
    def accuracy(self) -> Fraction | None:
        """On the training rows, of those for which a class is said; None if there is no such."""
        shares = self.model.shares()
        of = 1 - Fraction(self.model.errors, max(1, self.model.training_weight))
        return shares.get("accuracy") if shares else of

    def line(self, of: str) -> str:
        """A line for a screen: "recall 0.800000: objective 0.220000, certified". of: what
        `difference` is."""
        state = "certified" if self.certified else "not certified"
        return f"{of} {float(self.difference):.6f}: objective {float(self.objective):.6f}, {state}"


@dataclass(frozen=True)
class Front(ModelsAlong[Point]):
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
                "accuracy": None if point.accuracy is None else float(point.accuracy),
                **self._sizes(point.model),
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
            **{name: f"{{{name}}}" for name in self._sizes(self.points[0].model)},
            "certified": "{certified}",
        }
        what = self.points[0].model.schema.rpartition("-")[2]
        head = f"Best {what}s by {', '.join(self.rates)} of {self.column}:"
        lines = [head, self._table(columns)]
        if not self.whole:
            lines += ["", f"Stopped early: {what}s with smaller differences were not looked for."]
        return "\n".join(lines)

    def _sizes(self, model: Model) -> dict[str, int]:
        """What a row has of a model's size."""
        complexity = getattr(model, "complexity", None)
        return {"rules": len(model)} if complexity is None else {"complexity": complexity}

    def _model(self, piece: Point) -> Model:
        return piece.model

    def _place(self, piece: Point) -> str:
        return f"difference {float(piece.difference):.6f}"

    def figure(self) -> Figure:
        """Objective and accuracy over the difference."""
        rising = sorted(self.to_rows(), key=lambda row: float(row["difference"]))
        series = []
        for name in ("objective", "accuracy"):
            known = [row for row in rising if row[name] is not None]
            x, y = ([row[of] for row in known] for of in ("difference", name))
            series.append(Series(name, x, y, "step"))
        across = f"greatest difference between groups of {self.column}"
        return Figure("", [Panel(f"What {', '.join(self.rates)} costs", across, "", series)])


def parity_path(
    problem: Problem,
    solver: str | Solver = DEFAULT_SOLVER,
    *,
    report: Report | None = None,
    sinks: Sequence[Chosen] = (),
    time_limit: float | None = None,
    **options: Any,
) -> Front:
    """The best models for all differences from any down to those of the problem's constraints.

    Args:
        problem: with constraints between groups; the greatest difference of one is where it ends.
        report: called with each point. sinks: listen to each search.
        solver: the family, or its name. time_limit: seconds for everything. options: of the solver.

    Raises OptionError for a problem without such constraints and for a wrong option,
    InfeasibleError if no model keeps to the other constraints, or none is known at a limit.
    """
    check_problem(problem, "parity_path")
    fair = [one for one in problem.constraints if len(one.rates) > 1]
    if not fair:
        raise OptionError(
            "a path over parity is one of models that keep groups alike: name a rate, the groups, "
            "and the least difference, where it ends: 'positive-rate by COLUMN within 0'"
        )
    family = solver if isinstance(solver, Solver) else registry().get("solver", solver)()
    costs = () if problem.costs is None else problem.costs.kinds
    check_able(family, constrained=True, costs=costs)
    family, clock = family.sharing(), Clock(time_limit)
    least = max(one.most for one in fair)

    def best(allowed: Fraction | None) -> Point:
        constraints = tuple(_within(one, allowed) for one in problem.constraints)
        narrowed = replace(problem, constraints=constraints)
        result = solve(narrowed, family, sinks=sinks, time_limit=clock.left(), **options)
        return _point(result, allowed)

    points, whole, interrupted = tightened(best, lambda allowed: allowed <= least, clock, report)
    rates = tuple(dict.fromkeys(one.rate for one in fair))
    return Front(points, rates, fair[0].column, whole, interrupted)


def tightened(
    best: Callable[[Fraction | None], Point],
    ends: Callable[[Fraction], bool],
    clock: Clock,
    report: Report | None,
) -> tuple[tuple[Point, ...], bool, bool]:
    """The best models for ever tighter bounds: the points, whether they are all that there are, and
    whether Ctrl-C ended the walk.

    best: the best model beyond the place of the point before (None: anywhere); it raises
    InfeasibleError if there is none, or none was found; so does this if the first one does. ends:
    whether nothing lies beyond a place. Of models that are equally good, the last one stays: it
    goes furthest.
    """
    points, bound, whole = list[Point](), None, False
    with CtrlC() as ctrl_c:
        while not whole:
            try:
                found = best(bound)
            except InfeasibleError:
                if not points:
                    raise
                whole = not (ctrl_c.pressed or clock.expired())
                break
            if points and points[-1].objective == found.objective:
                points.pop()
            points.append(found)
            if report is not None:
                report(found)
            if ctrl_c.pressed or not found.certified:
                break
            bound = found.difference
            whole = ends(bound)
    return tuple(points), whole, ctrl_c.pressed


def _within(one: Constraint, allowed: Fraction | None) -> Constraint:
    """A constraint that allows any difference, or only smaller ones than those allowed."""
    if len(one.rates) == 1:
        return one
    if allowed is None:
        most = Fraction(1)
    else:  # the greatest value below `allowed`, which may be no value of this constraint
        most = Fraction(math.ceil(allowed * one.scale) - 1, one.scale)
    return replace(one, least=-most, most=most)


def _point(result: Result, allowed: Fraction | None) -> Point:
    model, proof = result.model, result.certificate
    values = [abs(Fraction(one["value"])) for one in proof.constraints if len(one["groups"]) > 1]
    costs = proof.objective, proof.lower_bound
    return Point(max(values), allowed, *costs, model, proof.seconds)
