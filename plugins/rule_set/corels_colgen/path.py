"""The Pareto path: the best rule set for each of several budgets of complexity.

One budget is solved after another, each search beginning with the clauses of those before. Accuracy
against complexity comes from held-out folds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from corels.clock import Clock, span_text
from corels.errors import InfeasibleError, OptionError
from corels.learning.along import ModelsAlong
from corels.learning.front import Front, parity_path
from corels.model.weighing import number_in, unit_of
from corels.plots.figure import Figure, Panel, Series
from corels.problem import Problem
from corels.run.interrupts import CtrlC
from corels.run.limits import LIMITS
from corels.run.result import Result
from corels.run.solve import solve
from corels.tables import Dataset
from corels.tables.folds import stratified_folds, subset
from corels_colgen.ruleset import RuleSet
from corels_colgen.searches import Known
from corels_colgen.solver import BUDGETS, OPTIONS, RuleSetSolver


@dataclass(frozen=True)
class PathPoint:
    """The best rule set found within a budget, and what is proved about it. difference: the
    greatest one between groups, if constraints are about such."""

    budget: int
    model: RuleSet
    objective: Fraction
    lower_bound: Fraction
    seconds: float
    difference: Fraction | None = None

    @classmethod
    def of(cls, budget: int, result: Result) -> PathPoint:
        """What a search has found."""
        proof, model = result.certificate, result.model
        assert isinstance(model, RuleSet)
        kept = [one for one in proof.constraints if len(one["groups"]) > 1]
        apart = max((abs(Fraction(one["value"])) for one in kept), default=None)
        return cls(budget, model, proof.objective, proof.lower_bound, proof.seconds, apart)

    @property
    def optimal(self) -> bool:
        return self.objective == self.lower_bound

    def line(self) -> str:
        """After the search."""
        return (
            f"budget {self.budget}: objective {float(self.objective):.5f}, lower bound "
            f"{float(self.lower_bound):.5f}, {self.seconds:.1f} s"
        )


@dataclass(frozen=True)
class HeldOut:
    """Accuracy on held-out folds with one budget: a value for each fold. costs: what the rows of a
    fold cost on average, if classes have costs."""

    budget: int
    accuracies: tuple[float, ...]
    complexities: tuple[int, ...]
    costs: tuple[float, ...] = ()

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.accuracies))

    def to_row(self) -> dict[str, float]:
        """What a path's row has of them."""
        found = {"accuracy": self.accuracy, "spread": float(np.std(self.accuracies))}
        if self.costs:
            found["held_out_cost"] = float(np.mean(self.costs))
            found["cost_spread"] = float(np.std(self.costs))
        return {**found, "complexity_in_folds": float(np.mean(self.complexities))}


@dataclass(frozen=True)
class RuleSetPath(ModelsAlong[PathPoint]):
    """The path as `corels path --solver rule-set` shows it: points, and held-out accuracies.
    statement: of the problem, in short."""

    points: tuple[PathPoint, ...]
    held_out: tuple[HeldOut, ...] = ()
    interrupted: bool = False
    statement: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pieces(self) -> tuple[PathPoint, ...]:
        return self.points

    def _model(self, piece: PathPoint) -> RuleSet:
        return piece.model

    def _place(self, piece: PathPoint) -> str:
        return f"budget {piece.budget}"

    @property
    def certified(self) -> bool:
        """Whether every budget has a rule set that is proved to be the best."""
        return not self.interrupted and all(point.optimal for point in self.points)

    def to_rows(self) -> list[dict[str, Any]]:
        """One dictionary a budget, for tables and data frames."""
        outside = {entry.budget: entry for entry in self.held_out}
        return [
            {
                "budget": point.budget,
                "complexity": point.model.complexity,
                "clauses": len(point.model),
                "hamming": number_in(point.model.hamming, unit_of(point.model)),
                "errors": number_in(point.model.errors, unit_of(point.model)),
                "objective": float(point.objective),
                "lower_bound": float(point.lower_bound),
                "certified": point.optimal,
                "gap": float(point.objective - point.lower_bound),
                "seconds": point.seconds,
                "training_accuracy": 1 - point.model.errors / max(1, point.model.total),
                **_mean_cost(point.model),
                **({} if point.difference is None else {"difference": float(point.difference)}),
                **(outside[point.budget].to_row() if point.budget in outside else {}),
            }
            for point in self.points
        ]

    def to_document(self) -> dict[str, Any]:
        """JSON-ready, with every rule set."""
        return {
            "schema": "corels/rule-set-path",
            "version": 1,
            "certified": self.certified,
            "statement": dict(self.statement),
            "points": self._documents("objective", "lower_bound"),
        }

    @property
    def _measured(self) -> tuple[str, str, str, str]:
        """What tables and pictures show beside the complexity, and what it is called in rows: of
        training, of held-out folds, and how much it differs between these."""
        if any(point.model.outcomes for point in self.points):
            return "mean cost", "mean_cost", "held_out_cost", "cost_spread"
        return "accuracy", "training_accuracy", "accuracy", "spread"

    def to_text(self) -> str:
        """A table, one budget a line."""
        heading, training, outside, spread = self._measured
        names = ("budget", "complexity", "clauses", "errors", "hamming")
        columns = {name: f"{{{name}}}" for name in names}
        columns |= {"certified": "{certified}", heading: f"{{{training}:.4f}}"}
        if any(point.difference is not None for point in self.points):
            columns["difference"] = "{difference:.4f}"
        if self.held_out:
            columns["held out"] = f"{{{outside}:.4f}} +- {{{spread}:.4f}}"
        return self._table(columns)

    def figure(self) -> Figure:
        """Accuracy, or mean cost, against complexity: training, and held-out folds with their
        spread."""
        what, training, outside, spread = self._measured
        rows, folds = self.to_rows(), [entry.to_row() for entry in self.held_out]
        sizes, right = ([row[name] for row in rows] for name in ("complexity", training))
        series = [Series("training", sizes, right, dashed=True, marks=True)]
        if folds:
            names = ("complexity_in_folds", outside, spread)
            sizes, right, around = ([entry[name] for entry in folds] for name in names)
            label = "held-out folds (mean and standard deviation)"
            series.append(Series(label, sizes, right, marks=True, spread=around))
        return Figure("", [Panel("", "complexity (clauses + conditions)", what, series)])


def _mean_cost(model: RuleSet) -> dict[str, float]:
    """What its predictions cost on average in training; nothing if classes have no costs."""
    if model.outcomes is None:
        return {}
    return {"mean_cost": float(model.paid / (model.outcomes.scale * max(1, model.total)))}


def rule_set_path(
    problem: Problem,
    budgets: Sequence[int],
    *,
    prove: bool = True,
    report: Callable[[str], None] | None = None,
    **options: Any,
) -> list[PathPoint]:
    """The best rule set for each budget, in rising order; after Ctrl-C, for those that were begun.

    prove: also close the gaps; without, a search ends with its columns and its local search.
    report: called with a line after each search. options: those of the solver `rule-set` other than
    `complexity`, and of `corels.solve`; limits count for each budget. Budgets for which no rule set
    is known that keeps to the constraints are left out. Raises OptionError on a wrong option,
    InfeasibleError if all are.
    """
    if not budgets or min(budgets) < 2:
        raise OptionError("⟨budgets⟩ are whole numbers of at least 2, and one at least")
    problem, family = replace(problem.one_sided(), directions=()), RuleSetSolver()
    family.known = known = Known(looks=math.inf if prove else 0)
    points, why_none, left = list[PathPoint](), None, sorted(set(budgets))
    with CtrlC() as ctrl_c:
        while left and not ctrl_c.pressed:
            budget, known.least = left.pop(0), Fraction(0)  # what is proved is of smaller rule sets
            try:
                result = solve(problem, family, complexity=budget, **options)
            except InfeasibleError as error:
                why_none = error
                continue
            points.append(PathPoint.of(budget, result))
            if report is not None:
                report(points[-1].line())
    if why_none is not None and not points:
        raise why_none
    return points


def dataset_held_out(
    data: Dataset,
    budgets: Sequence[int],
    folds: int,
    *,
    report: Callable[[str], None] | None = None,
    **options: Any,
) -> list[HeldOut]:
    """Learn on all folds of the rows but one, score on that one; antecedents stay as they are. No
    gap is closed.

    report: called with a line after each fold. options: those of `rule_set_path`. Raises
    KeyboardInterrupt after Ctrl-C.
    """
    clock, found = Clock(), dict[int, list[tuple[float, ...]]]()
    dealt = stratified_folds(data.labels, folds, options.get("seed", 0))
    for done, (train, test) in enumerate(dealt):
        if report is not None and done:
            left = clock.pieces_left(done, folds)
            report(f"fold {done} of {folds} done, about {span_text(left)} left")
        problem, part = Problem.from_dataset(subset(data, train), 0), subset(data, test)
        points = rule_set_path(problem, budgets, prove=False, **options)
        if (running := CtrlC.running()) is not None and running.pressed:
            raise KeyboardInterrupt
        for point in points:
            said = point.model.predict_indices(part)
            right = np.average(said == part.labels, weights=part.weights)
            entry = (float(right), point.model.complexity)
            if part.costs is not None:
                entry += (float(np.average(part.costs.paid(said), weights=part.weights)),)
            found.setdefault(point.budget, []).append(entry)
    return [HeldOut(budget, *zip(*of, strict=True)) for budget, of in sorted(found.items())]


def solver_path(
    problem: Problem,
    data: Dataset,
    settings: Mapping[str, Any],
    report: Callable[[str], None] | None = None,
    sinks: Sequence[Any] = (),
) -> RuleSetPath | Front:
    """What `corels path` asks for: all rows first, then the folds. Ctrl-C keeps what is done."""
    if settings["over"] == "parity":
        return _front(problem, settings, report, sinks)
    if settings["complexity"] is not None:
        raise OptionError("⟨complexity⟩ does not go with a path over complexity: give ⟨budgets⟩")
    budgets = _budgets(settings["budgets"])
    options = {o.name: settings[o.name] for o in OPTIONS if o.name != "complexity"}
    options |= {option.name: settings[option.name] for option in LIMITS}
    outside, folds = list[HeldOut](), settings["folds"]
    with CtrlC() as ctrl_c:
        points = rule_set_path(problem, budgets, report=report, sinks=sinks, **options)
        if folds and not ctrl_c.pressed:
            if report is not None:
                report(f"{len(points)} budgets solved; {folds} held-out folds follow")
            with suppress(KeyboardInterrupt):  # the path is whole
                outside = dataset_held_out(data, budgets, folds, report=report, **options)
    stated = problem.statement(regularized=False, short=True)
    return RuleSetPath(tuple(points), tuple(outside), ctrl_c.pressed, stated)


def _front(
    problem: Problem,
    settings: Mapping[str, Any],
    report: Callable[[str], None] | None,
    sinks: Sequence[Any],
) -> Front:
    """The best rule set for every difference between groups."""
    for name, default in (("budgets", BUDGETS), ("folds", 0)):
        if settings[name] != default:
            raise OptionError(f"⟨{name}⟩ does not go with a path over parity")
    options = {option.name: settings[option.name] for option in OPTIONS}
    options |= {option.name: settings[option.name] for option in LIMITS}
    point = None if report is None else lambda found: report(found.line("difference"))
    return parity_path(problem, "rule-set", report=point, sinks=sinks, **options)


def _budgets(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise OptionError(f"⟨budgets⟩ is {text!r}: expected whole numbers, as in 5,10") from None
