"""The solver `rule-set`: its options, and the search as the core drives it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.errors import OptionError
from corels.events import EVENT, Kind
from corels.interfaces import Progress, Search, Solver, Status
from corels.options import Option
from corels_colgen.instance import DEFAULT_BUDGET, make_instance
from corels_colgen.ruleset import FORMS, RuleSet, rule_set
from corels_colgen.search import CoverSearch, Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corels.data import Dataset
    from corels.problem import Problem
    from corels_colgen.instance import Clause
    from corels_colgen.path import RuleSetPath

SEARCHING = ("columns", "local search")
LARGE = 20_000_000
"""Rows times antecedents from which the sampled pricing comes before the exact one."""

OPTIONS = (
    Option("form", "text", "dnf", "or of ands (dnf), or and of ors (cnf)", choices=FORMS),
    Option(
        "complexity",
        "int",
        None,
        "budget: 1 a clause and 1 a condition, for each class that gets a set "
        f"(without a budget and a penalty: {DEFAULT_BUDGET})",
        low=2,
        high=10_000,
        optional=True,
    ),
    Option("max_conditions", "int", None, "most conditions of a clause", low=1, optional=True),
    Option("penalty_clause", "fraction", 0, "cost of a clause, a share of the rows", low=0, high=1),
    Option(
        "penalty_condition",
        "fraction",
        0,
        "cost of a condition, a share of the rows",
        low=0,
        high=1,
    ),
    Option(
        "positive_weight",
        "fraction",
        1,
        "cost of a missed positive row, where a false one costs 1",
        low=0,
        high=1_000_000,
    ),
    Option(
        "pricing_limit",
        "int",
        None,
        "clauses expanded in one pricing search; it then proves less",
        low=1,
        optional=True,
    ),
    Option(
        "pricing",
        "text",
        "auto",
        "sampled: a heuristic on samples before the exact search (auto: on large data)",
        choices=("auto", "exact", "sampled"),
    ),
    Option("seed", "int", 0, "seed of everything random", low=0, high=2**63 - 1),
)


PATH_OPTIONS = (
    Option("budgets", "text", "3,5,8,11,15,20,25,32", "budgets of complexity, with commas"),
    Option("folds", "int", 0, "held-out folds for the accuracy; 0 for none", low=0, high=1000),
)


def _need_highs() -> None:
    if find_spec("highspy") is None:
        raise OptionError("the solver 'rule-set' needs HiGHS: pip install 'corels[rule-set]'")


class RuleSetSolver(Solver):
    """Boolean rule sets: minimise Hamming loss under a budget or penalties, with a proven gap."""

    name = "rule-set"
    summary = "Boolean rule sets (DNF, CNF) by column generation, with a proven gap"
    options = OPTIONS
    regularized = False
    path_options = PATH_OPTIONS

    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """One search for the positive class, or one for each of several classes."""
        _need_highs()
        return RuleSetSearch(problem, options)

    def path(
        self, data: Dataset, settings: Mapping[str, Any], report: Callable[[str], None] | None
    ) -> RuleSetPath:
        """The best rule set for each budget, and its accuracy on held-out folds."""
        from corels_colgen.path import solver_path

        _need_highs()
        return solver_path(data, settings, report)

    def load(self, document: Mapping[str, Any]) -> RuleSet:
        """A rule set from its JSON document."""
        return RuleSet.from_document(document)


class RuleSetSearch(Search):
    """The searches of all classes that get a set, one after the other, as one search."""

    def __init__(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        start: Mapping[int, Sequence[Clause]] | None = None,
    ) -> None:
        self._problem = problem
        start = start or {}
        self._form = options["form"]
        self._sampled = options["pricing"] == "sampled" or (
            options["pricing"] == "auto" and problem.n_points * problem.n_antecedents > LARGE
        )
        settings = Settings(
            pricing_limit=options["pricing_limit"], heuristic=self._sampled, seed=options["seed"]
        )
        classes = len(problem.classes)
        targets = [classes - 1] if classes == 2 else list(range(classes))
        self._searches = {
            target: CoverSearch(
                make_instance(problem, options, target), settings, start.get(target, ())
            )
            for target in targets
        }
        units = [search.instance.unit for search in self._searches.values()]
        self._scale = math.lcm(*(unit.denominator for unit in units))
        self._reported = (self._cost(), self._bound())
        self._records = [self._record(Kind.START, problem.n_antecedents)]

    def scale(self) -> int:
        """Objective = reported cost / scale."""
        return self._scale

    def step(self, budget: int) -> Status:
        """Expand up to `budget` clauses, or do one other piece of work."""
        for search in self._searches.values():
            if not search.finished:
                search.step(budget)
                self._report()
                break
        if not all(search.finished for search in self._searches.values()):
            return Status.RUNNING
        self._records.append(self._record(Kind.DONE, self._columns()))
        return Status.DONE if self._cost() == self._bound() else Status.ENDED

    def _report(self) -> None:
        now = (self._cost(), self._bound())
        if now[0] < self._reported[0]:
            self._records.append(self._record(Kind.INCUMBENT, self._columns()))
        self._reported = now

    def _record(self, kind: Kind, count: int) -> tuple[int, ...]:
        clauses = sum(len(s.incumbent.clauses) for s in self._searches.values())
        return (kind, -1, -1, clauses, 0, count, self._bound(), self._cost())

    def events(self) -> NDArray[Any]:
        records = np.array(self._records, dtype=EVENT)
        self._records = []
        return records

    def _cost(self) -> int:
        return sum(
            s.incumbent.cost * int(s.instance.unit * self._scale) for s in self._searches.values()
        )

    def _bound(self) -> int:
        return sum(
            s.lower_bound * int(s.instance.unit * self._scale) for s in self._searches.values()
        )

    def _columns(self) -> int:
        return sum(len(s.columns) for s in self._searches.values())

    def progress(self) -> Progress:
        searches = list(self._searches.values())
        active = next((s for s in searches if not s.finished), searches[-1])
        return Progress(
            expanded=sum(s.nodes for s in searches),
            children=sum(s.children for s in searches),
            cached=self._columns(),
            objective=self._cost(),
            lower_bound=self._bound(),
            memory=sum(s.memory for s in searches),
            peak_memory=sum(s.memory for s in searches),
            extra={
                "phase": "done" if active.finished else active.phase,
                "columns": self._columns(),
                "rounds": sum(s.rounds for s in searches),
                "bound from": active.bound_from,
                "complexity": sum(
                    1 + len(clause) for s in searches for clause in s.incumbent.clauses
                ),
                "seconds in the linear program": round(sum(s.clock.program for s in searches), 3),
                "seconds in pricing": round(sum(s.clock.pricing for s in searches), 3),
                "seconds in the integer program": round(sum(s.clock.integer for s in searches), 3),
            },
        )

    def pruned(self) -> Mapping[str, int]:
        return {}

    def model(self) -> RuleSet:
        chosen = {target: s.incumbent.clauses for target, s in self._searches.items()}
        return rule_set(self._problem, self._form, chosen)

    def describe(self) -> Mapping[str, str]:
        return {
            "form": self._form,
            "pricing": "sampled, then exact" if self._sampled else "exact",
            "highs": version("highspy"),
        }

    @property
    def closing(self) -> bool:
        """Whether every search has its columns and is busy with the proof."""
        return all(s.finished or s.phase not in SEARCHING for s in self._searches.values())

    def clauses(self) -> dict[int, list[Clause]]:
        """All clauses made so far, for each class that gets a set."""
        return {target: s.columns.clauses for target, s in self._searches.items()}

    def polish(self, clauses: Mapping[int, Sequence[Clause]], seconds: float) -> None:
        """Look for a better rule set among further clauses, so many seconds for each class."""
        for target, search in self._searches.items():
            if not search.proved:
                search.polish(clauses.get(target, ()), seconds)

    def close(self) -> None:
        for search in self._searches.values():
            search.close()
