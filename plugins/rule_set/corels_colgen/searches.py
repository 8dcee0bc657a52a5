"""The searches of all classes that get a set, as the one search that the core drives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from numpy.typing import NDArray

from corels.errors import OptionError
from corels.problem import PlainRules, Problem
from corels.search import Kind, Progress, Search, Status, event_records
from corels_colgen.counting import rule_set
from corels_colgen.instance import Clause, complexity, make_instance
from corels_colgen.options import PRICES, limits_of
from corels_colgen.ruleset import JOINED, RuleSet
from corels_colgen.search import CoverSearch

SEARCHING = ("columns", "local search")
LARGE = 20_000_000
"""Rows times antecedents from which the sampled pricing comes before the exact one."""


def _joined(form: str) -> tuple[tuple[str, str | None], ...]:
    """How sets of a form are put together; of a set without clauses nothing is joined."""
    quantity, join = JOINED[form]
    return (quantity, join), (quantity, None)


@dataclass(eq=False)
class RuleSetSearch(Search):
    """The searches of all classes that get a set, one after the other, as one search.

    start: clauses to begin with, by the class that gets a set. searches: by that class, too; what
    each has found and proved.
    """

    comes_back = True

    problem: Problem
    options: Mapping[str, Any]
    start: Mapping[int, Sequence[Clause]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problem, options = self.problem, self.options
        self._prices = {name: str(options[name]) for name in PRICES}
        self._form = options["form"]
        self._limits = limits_of(options)
        self._sampled = options["pricing"] == "sampled" or (
            options["pricing"] == "auto" and problem.n_points * problem.n_antecedents > LARGE
        )
        classes = len(problem.classes)
        targets = [classes - 1] if classes == 2 else list(range(classes))
        self.searches = {
            target: CoverSearch(
                make_instance(problem, options, target),
                self.start.get(target, ()),
                options["pricing_limit"],
                self._sampled,
                options["seed"],
            )
            for target in targets
        }
        units = [search.instance.unit for search in self.searches.values()]
        self._scale = math.lcm(*(unit.denominator for unit in units))
        self._records = [self._record(Kind.START, problem.n_antecedents)]

    def scale(self) -> int:
        return self._scale

    def limits(self) -> Mapping[str, int | str]:
        return {"form": self._form, **self._limits}

    def offer(self, rules: PlainRules) -> bool:
        """Begin with a rule set of the same form, which is counted here. Raises OptionError for
        another form, another class, or a set beyond the limits of complexity and conditions."""
        before, classes = self._cost(), self.problem.classes
        *sets, _ = self.problem.count(rules).rules
        offered = {classes.index(one.outcome): one for one in sets}  # type: ignore[arg-type]
        if len(offered) < len(sets) or not offered.keys() <= self.searches.keys():
            raise OptionError("the model has other classes with a set than this search looks for")
        for target, one in offered.items():
            if (one.quantity, one.join if one.clauses else None) not in _joined(self._form):
                raise OptionError(f"the model is no rule set of form {self._form!r}")
            numbers = [map(self.problem.number_of, clause) for clause in one.clauses]
            self.searches[target].begin_with([tuple(sorted(set(clause))) for clause in numbers])
        return self._cost() < before

    def step(self, budget: int) -> Status:
        """Expand up to `budget` clauses, or do one other piece of work."""
        before = self._cost()
        for search in self.searches.values():
            if not search.finished:
                search.step(budget)
                break
        if self._cost() < before:
            self._records.append(self._record(Kind.INCUMBENT, self._columns()))
        if not all(search.finished for search in self.searches.values()):
            return Status.RUNNING
        self._records.append(self._record(Kind.DONE, self._columns()))
        return Status.DONE if self._cost() == self._bound() else Status.ENDED

    def _record(self, kind: Kind, count: int) -> dict[str, int]:
        clauses = sum(len(s.incumbent.clauses) for s in self.searches.values())
        costs = {"lower_bound": self._bound(), "objective": self._cost()}
        return {"kind": kind, "length": clauses, "count": count, **costs}

    def events(self) -> NDArray[Any]:
        records, self._records = self._records, []
        return event_records(*records)

    def _cost(self) -> int:
        return sum(s.incumbent.cost * self._unit(s) for s in self.searches.values())

    def _bound(self) -> int:
        return sum(s.lower_bound * self._unit(s) for s in self.searches.values())

    def _unit(self, search: CoverSearch) -> int:
        return int(search.instance.unit * self._scale)

    def _columns(self) -> int:
        return sum(len(s.columns) for s in self.searches.values())

    def progress(self) -> Progress:
        searches = list(self.searches.values())
        active = next((s for s in searches if not s.finished), searches[-1])
        memory = sum(s.memory for s in searches)
        return Progress(
            expanded=sum(s.nodes for s in searches),
            children=sum(s.children for s in searches),
            cached=self._columns(),
            objective=self._cost(),
            lower_bound=self._bound(),
            memory=memory,
            peak_memory=memory,
            extra={
                **self._prices,
                "phase": "done" if active.finished else active.phase,
                "columns": self._columns(),
                "rounds": sum(s.rounds for s in searches),
                "bound from": active.bound_from,
                "complexity": sum(complexity(s.incumbent.clauses) for s in searches),
                "seconds in the linear program": round(sum(s.master.seconds for s in searches), 3),
                "seconds in pricing": round(sum(s.pricing_seconds for s in searches), 3),
                "seconds in the integer program": round(
                    sum(s.integer_seconds for s in searches), 3
                ),
            },
        )

    def model(self) -> RuleSet:
        chosen = {target: s.incumbent.clauses for target, s in self.searches.items()}
        return rule_set(self.problem, self._form, chosen)

    def describe(self) -> Mapping[str, str]:
        return {
            "form": self._form,
            "pricing": "sampled, then exact" if self._sampled else "exact",
            "highs": version("highspy"),
        }

    @property
    def closing(self) -> bool:
        """Whether every search has its columns and is busy with the proof."""
        return all(s.finished or s.phase not in SEARCHING for s in self.searches.values())

    def clauses(self) -> dict[int, list[Clause]]:
        """All clauses made so far, for each class that gets a set."""
        return {target: s.columns.clauses for target, s in self.searches.items()}

    def polishing(self, clauses: Mapping[int, Sequence[Clause]], seconds: float) -> Iterator[bool]:
        """Look for a better rule set among further clauses, in each class one after the other.

        A local search, and then, for so many seconds, an integer program. Yields again and again,
        so that whoever drives it can leave off: the best so far is kept. May come after `close`.
        """
        for target, search in self.searches.items():
            if not search.proved:
                yield from search.polishing(clauses.get(target, ()), seconds)

    def close(self) -> None:
        for search in self.searches.values():
            search.close()
