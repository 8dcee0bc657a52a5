"""The Pareto path: the best rule set for each of several budgets of complexity.

One budget is solved after another, each search beginning with the clauses of those before. Accuracy
against complexity comes from held-out folds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from corels.clock import FIRST_LINE, Clock, span_text
from corels.errors import InfeasibleError, OptionError
from corels.learning.along import ModelsAlong
from corels.learning.front import Front, parity_path
from corels.model.weighing import number_in, unit_of
from corels.options import check_all
from corels.plots.figure import Figure, Panel, Series
from corels.problem import Problem
from corels.run.limits import LIMITS
from corels.search import Status
from corels.tables import Dataset
from corels.tables.folds import stratified_folds, subset
from corels_colgen.instance import Clause
from corels_colgen.options import BUDGETS, OPTIONS
from corels_colgen.ruleset import RuleSet
from corels_colgen.searches import RuleSetSearch

STEP = 4096


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

    @property
    def optimal(self) -> bool:
        return self.objective == self.lower_bound


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


class InterruptedPathError(KeyboardInterrupt):
    """Ctrl-C, with a point of each budget that was begun: its best rule set by then."""

    def __init__(self, points: list[PathPoint]) -> None:
        super().__init__()
        self.points = points


def rule_set_path(
    problem: Problem,
    budgets: Sequence[int],
    *,
    time_limit: float | None = None,
    prove: bool = True,
    report: Callable[[str], None] | None = None,
    **options: Any,
) -> list[PathPoint]:
    """The best rule set for each budget, in rising order.

    time_limit: seconds for each budget; None: until it is proved or nothing is left to try. prove:
    also close the gaps; without, a search ends with its columns and its local search. report:
    called with a line now and then. options: those of the solver `rule-set` other than
    `complexity`. Budgets for which no rule set is known that keeps to the constraints are left out.
    Raises OptionError on a wrong option; InfeasibleError if all are; InterruptedPathError on
    Ctrl-C, with a point of each budget that was begun.
    """
    if not budgets or min(budgets) < 2:
        raise OptionError("budgets are whole numbers of at least 2, and one at least")
    checked, problem = check_all(OPTIONS, options, "solver 'rule-set'"), problem.one_sided()
    pool: dict[int, list[Clause]] = {}
    done: list[_Done] = []
    wanted = sorted(set(budgets))
    try:
        for number, budget in enumerate(wanted, 1):
            search = RuleSetSearch(problem, {**checked, "complexity": budget}, pool)
            head = f"budget {budget} ({number} of {len(wanted)})"
            done.append(_Done(budget, search, head, report))
            done[-1].solve(time_limit, prove)
            pool = {
                target: list(dict.fromkeys([*pool.get(target, ()), *found]))
                for target, found in search.clauses().items()
            }
    except KeyboardInterrupt:
        if not done:
            raise
        raise InterruptedPathError([one.point() for one in done if one.known]) from None
    found = [one.point() for one in done if one.known]
    return found or [done[-1].point()]


@dataclass
class _Done:
    """What has been done for one budget so far; lines about it begin with `head`."""

    budget: int
    search: RuleSetSearch
    head: str
    report: Callable[[str], None] | None
    seconds: float = 0.0
    clock: Clock = field(default_factory=Clock)

    def solve(self, time_limit: float | None, prove: bool) -> None:
        """Search until the budget is proved, or as long as it may take."""
        limit = Clock(time_limit)
        with suppress(InfeasibleError):
            self._solve(limit, prove=prove)
        self._say(over=True)

    def _solve(self, limit: Clock, *, prove: bool) -> None:
        try:
            while self.search.step(STEP) is Status.RUNNING:
                self._say()
                if limit.expired() or (self.search.closing and not prove):
                    break
        finally:
            self.search.close()
            self.seconds = limit.elapsed

    @property
    def known(self) -> bool:
        """Whether there is a rule set that keeps to the constraints."""
        return all(one.incumbent.known for one in self.search.searches.values())

    def point(self) -> PathPoint:
        """The best rule set so far, and what is proved."""
        now, scale = self.search.progress(), self.search.scale()
        objective, bound = Fraction(now.objective, scale), Fraction(now.lower_bound, scale)
        model = self.search.model()
        kept = [one for one in self.search.constraints() if len(one["groups"]) > 1]
        apart = max((abs(Fraction(one["value"])) for one in kept), default=None)
        return PathPoint(self.budget, model, objective, bound, self.seconds, apart)

    def _say(self, *, over: bool = False) -> None:
        """A line: after a second, then every two, and at the end of what took a second."""
        due = self.clock.elapsed >= FIRST_LINE if over else self.clock.due()
        if self.report is not None and due:
            now, scale = self.search.progress(), self.search.scale()
            self.report(
                f"{self.head}: {self.clock.elapsed:.1f} s, objective {now.objective / scale:.5f}, "
                f"lower bound {now.lower_bound / scale:.5f}" + (": done" if over else "")
            )


def dataset_held_out(
    data: Dataset,
    budgets: Sequence[int],
    folds: int,
    *,
    report: Callable[[str], None] | None = None,
    **options: Any,
) -> list[HeldOut]:
    """Learn on all folds of the rows but one, score on that one; antecedents stay as they are.

    report: called with a line after each fold. options: those of `rule_set_path`.
    """
    clock, found = Clock(), dict[int, list[tuple[float, ...]]]()
    dealt = stratified_folds(data.labels, folds, options.get("seed", 0))
    for done, (train, test) in enumerate(dealt):
        if report is not None and done:
            left = clock.pieces_left(done, folds)
            report(f"fold {done} of {folds} done, about {span_text(left)} left")
        problem, part = Problem.from_dataset(subset(data, train), 0), subset(data, test)
        for point in rule_set_path(problem, budgets, **options):
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
    options["time_limit"] = settings["time_limit"]
    points: list[PathPoint] = []
    outside: list[HeldOut] = []
    interrupted = False
    try:
        points = rule_set_path(problem, budgets, report=report, **options)
        if settings["folds"]:
            if report is not None:
                report(f"{len(points)} budgets solved; {settings['folds']} held-out folds follow")
            outside = dataset_held_out(
                data, budgets, settings["folds"], prove=False, report=report, **options
            )
    except InterruptedPathError as stopped:
        points, interrupted = points or stopped.points, True  # not those of a fold
    except KeyboardInterrupt:
        if not points:
            raise
        interrupted = True
    stated = problem.statement(regularized=False, short=True)
    return RuleSetPath(tuple(points), tuple(outside), interrupted, stated)


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
        budgets = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        budgets = []
    if not budgets or min(budgets) < 2:
        raise OptionError(f"budgets is {text!r}: expected whole numbers of at least 2, as in 5,10")
    return budgets
