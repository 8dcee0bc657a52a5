"""The best lists for all bounds on a rate: recall, the share flagged, and so on.

First the best list of all, then again and again the best one with more of the rate than that before
(of a share flagged or of false positives: with less), until there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.errors import OptionError
from corels.learning.front import Front, Point, tightened
from corels.options import flag_of
from corels.plots.figure import Figure
from corels.problem import Problem
from corels.problem.constraints import Constraint, Demands
from corels.problem.rates import Demand
from corels.run.result import Result
from corels.run.solve import solve
from corels.tables import Dataset
from corels.tables.positive import refuse_unsaid_of
from corels_rule_list.path.plot import COLUMNS, curve, figures
from corels_rule_list.solver import RuleListSolver

CEILINGS = ("positive rate", "false positive rate")  # less of these is better


@dataclass(frozen=True)
class RateFront(Front):
    """Lists of ever more of a rate, or ever less. A point's `difference` is the rate."""

    def _option(self, point: Point) -> str | None:
        """What makes a search find the list of a point; None if no constraints do.

        A list that calls no row positive keeps to any precision, one that calls none negative to
        any negative predictive value; so beyond the first point a constraint excludes these.
        """
        name = self.rates[0].replace(" ", "-")
        bounds = [f"{name} {'<=' if self.rates[0] in CEILINGS else '>='} {point.difference}"]
        rows, outcomes = point.model.training_weight, point.model.outcomes
        if name == "precision" and point.allowed is not None:
            bounds.append(f"positive-rate >= 1/{rows}")
        elif name == "negative-predictive-value" and point.allowed is not None:
            if outcomes is not None and "abstain" in outcomes.kinds:
                return None
            bounds.append(f"positive-rate <= {rows - 1}/{rows}")
        return " ".join(f'{flag_of("constraints")} "{bound}"' for bound in bounds)

    def to_rows(self) -> list[dict[str, Any]]:
        found = []
        for point in self.points:
            name = self.rates[0].replace(" ", "_")
            row: dict[str, Any] = {name: 0.0, **figures(point.model)}
            nothing = row[name] is None and not point.difference and name == "precision"
            row[name] = None if nothing else float(point.difference)
            row |= {"objective": float(point.objective), "certified": point.certified}
            row |= {"gap": float(point.objective - point.lower_bound)}
            found.append({**row, "option": self._option(point)})
        return found

    def to_document(self) -> dict[str, Any]:
        found = super().to_document()
        del found["column"]
        return {**found, "schema": "corels/rate-front"}

    def to_text(self) -> str:
        columns = {"objective": "{objective:.6f}", **COLUMNS}
        if self.rates[0] not in columns:
            own = self.rates[0].replace(" ", "_")
            columns = {self.rates[0]: f"{{{own}:.4f}}", **columns}
        lines = [f"Best lists by {self.rates[0]}:", self._table(columns)]
        if not self.whole:
            lines += ["", "Stopped early: lists beyond were not looked for."]
        return "\n".join(lines)

    def _place(self, piece: Point) -> str:
        return f"{self.rates[0]} {float(piece.difference):.6f}"

    def figure(self) -> Figure:
        return curve(self.to_rows(), f"The best lists for all bounds on {self.rates[0]}")


def rate_path(
    problem: Problem,
    *,
    report: Callable[[Point], None] | None = None,
    sinks: Sequence[Any] = (),
    total_time: float | None = None,
    **options: Any,
) -> RateFront:
    """The best lists for all bounds on a rate, from none to the tightest that a list keeps to.

    problem: its last constraint is of the rate, and any list keeps to it. report: called with each
    point. sinks: listen to each search. total_time: seconds for everything. options: of the solver
    "rule-list". Raises InfeasibleError if no list keeps to the other constraints, or none is
    known at a limit.
    """
    *others, rate = problem.constraints
    ceiling, clock = rate.rate in CEILINGS, Clock(total_time)
    end = Fraction(0) if ceiling else Fraction(1)
    # If what a rate counts depends on the bound, a search knows nothing for the next one.
    shared = RuleListSolver().sharing() if isinstance(rate.rates[0].of, int) else None

    def best(bound: Fraction | None) -> Point:
        narrowed = _beyond(rate, bound, ceiling=ceiling)
        narrower = replace(problem, constraints=(*others, narrowed))
        family = shared or RuleListSolver().sharing()
        how: dict[str, Any] = {"sinks": sinks, "time_limit": clock.left()}
        return _point(solve(narrower, family, **how, **options), bound)

    points, whole, interrupted = tightened(best, lambda bound: bound == end, clock, report)
    return RateFront(points, (rate.rate,), "", whole, interrupted)


def _beyond(rate: Constraint, bound: Fraction | None, *, ceiling: bool) -> Constraint:
    if bound is None:
        return replace(rate, least=Fraction(0), most=Fraction(1))
    if ceiling:  # of rows that the data decides, so in steps of 1/scale
        return replace(rate, least=Fraction(0), most=bound - Fraction(1, 2 * rate.scale))
    return replace(rate, least=bound, most=Fraction(1), strict=True)


def _point(result: Result, bound: Fraction | None) -> Point:
    proof = result.certificate
    reached = Fraction(proof.constraints[-1]["value"] or 0)
    costs = proof.objective, proof.lower_bound
    return Point(reached, bound, *costs, result.model, proof.seconds)


def with_rate(problem: Problem, data: Dataset, rate: str) -> Problem:
    """The problem with one more constraint, which any list keeps to. Raises OptionError if the
    rate speaks of a positive class and it was not said which it is, and if all rows are covered."""
    demand = Demand(rate, (), ">=", Fraction(0))
    if len(problem.classes) != 2:
        raise OptionError(f"a path over {rate} is for two classes, here are {len(problem.classes)}")
    if rate == "coverage" and set(problem.outcomes.kinds) == {"class"}:
        raise OptionError(
            "a path over coverage is one of lists that may leave rows undecided: give "
            "⟨abstain⟩ or ⟨defer⟩"
        )
    if demand.of_positive:
        refuse_unsaid_of(f"a path over {rate}", problem)
    demands = Demands((demand,))
    if data.demands is not None:
        demands = replace(data.demands, asked=(*data.demands.asked, demand))
    return Problem.from_dataset(replace(data, demands=demands), problem.regularization)
