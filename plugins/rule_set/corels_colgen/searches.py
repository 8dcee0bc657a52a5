"""The searches of all classes that get a set, as the one search that the core drives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InfeasibleError, OptionError
from corels.model.certificate_text import limited
from corels.problem import PlainRules, Problem
from corels.problem.captures import unpack
from corels.problem.constraints import constraints_text, documents
from corels.search import Kind, Progress, Search, Status, event_records
from corels_colgen.counting import rule_set
from corels_colgen.duals import Duals
from corels_colgen.instance import Clause, Instance, complexity, make_instance
from corels_colgen.ruleset import JOINED, RuleSet
from corels_colgen.search import CoverSearch
from corels_colgen.solver import PRICES, limits_of

FREE_NODES = 20_000  # of each pricing search without constraints, before that with them
FEW_LOOKS = 100_000_000  # cells of the table, in that search
LARGE = 20_000_000
"""Rows times antecedents from which the sampled pricing comes before the exact one."""


def _joined(form: str) -> tuple[tuple[str, str | None], ...]:
    """How sets of a form are put together; of a set without clauses nothing is joined."""
    quantity, join = JOINED[form]
    return (quantity, join), (quantity, None)


@dataclass
class Known:
    """What searches have found out that holds for those with tighter constraints. clauses: for each
    class that gets a set; least: no rule set has a smaller objective. looks: as of `CoverSearch`.
    """

    clauses: dict[int, list[Clause]] = field(default_factory=dict)
    least: Fraction = Fraction(0)
    looks: float = math.inf


@dataclass(eq=False)
class RuleSetSearch(Search):
    """The searches of all classes that get a set, one after the other, as one search.

    known: by earlier searches; what this one finds out is added. searches: by class that gets a
    set; what each has found and proved.

    Under constraints (of two classes) a search without them comes first: it says what they cost,
    and its bound and its clauses are good with them, too.
    """

    problem: Problem
    options: Mapping[str, Any]
    known: Known | None = None

    def __post_init__(self) -> None:
        problem, options = self.problem, self.options
        if len(problem.classes) > 2 and (problem.constraints or options["loss"] == "errors"):
            raise OptionError(
                f"the label has {len(problem.classes)} classes, and rule sets keep to constraints, "
                "and have ⟨loss⟩ 'errors', for two: each class gets a set of its own, and rates "
                "and errors are of what they say together"
            )
        self._prices = {name: str(options[name]) for name in PRICES}
        self._form = options["form"]
        self._limits = limits_of(options)
        large = problem.n_points * problem.n_antecedents > LARGE
        sampled = options["pricing"] == "sampled" or (options["pricing"] == "auto" and large)
        self._sampled = sampled and options["loss"] == "hamming"
        classes = len(problem.classes)
        targets = [classes - 1] if classes == 2 else list(range(classes))
        self.searches = {target: self._cover(target) for target in targets}
        self._free: CoverSearch | None = None
        self._aside: Iterator[bool] | None = None  # a look for rule sets that keep to them
        self._looked = 0  # rounds of the search without, then
        if problem.constraints and (self.known is None or not self.known.clauses):
            self._free = self._cover(targets[0], constrained=False)
        units = [search.instance.unit for search in self.searches.values()]
        self._scale = math.lcm(*(unit.denominator for unit in units))
        self._records = [self._record(Kind.START, problem.n_antecedents)]

    def _cover(self, target: int, *, constrained: bool = True) -> CoverSearch:
        options = self.options
        instance = make_instance(self.problem, options, target, constrained=constrained)
        known = self.known or Known()
        limit = options["pricing_limit"]
        if not constrained:
            limit = FREE_NODES if limit is None else min(limit, FREE_NODES)
        return CoverSearch(
            instance,
            known.clauses.get(target, ()),
            limit,
            self._sampled,
            options["seed"],
            math.ceil(known.least / instance.unit) if constrained else 0,
            known.looks if constrained else min(FEW_LOOKS, known.looks),
        )

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
        search = next(one for one in self._all if not one.finished)
        if self._aside is None or next(self._aside, None) is None:
            self._aside = None
            search.step(budget)
            if search is self._free:
                self._hand_over(search)
        if self._cost() < before:
            self._records.append(self._record(Kind.INCUMBENT, self._columns()))
        if not all(search.finished for search in self.searches.values()):
            return Status.RUNNING
        self._refuse_impossible()
        self._records.append(self._record(Kind.DONE, self._columns()))
        return Status.DONE if self._cost() == self._bound() else Status.ENDED

    @property
    def _all(self) -> list[CoverSearch]:
        first = [] if self._free is None else [self._free]
        return [*first, *self.searches.values()]

    def _hand_over(self, free: CoverSearch) -> None:
        """What a search without constraints has found and proved is good with them."""
        (search,) = self.searches.values()
        search.offer(free.incumbent.clauses)
        if free.evidence is not None:
            duals, short = free.evidence
            search.evidence = _over_all_points(duals, free.instance, search.instance), short
            if free.duals is not None and search.duals is None:  # an enumeration rests on these
                search.duals = _over_all_points(free.duals, free.instance, search.instance)
            search.raise_bound(free.lower_bound, free.bound_from)
        fresh = free.rounds > self._looked and free.rounds & (free.rounds - 1) == 0
        if free.finished or fresh:
            self._looked = free.rounds
            search.columns.add(free.columns.clauses)
            self._aside = search.search_locally(rounds=3)

    def _refuse_impossible(self) -> None:
        """Raises InfeasibleError if it is proved that no rule set keeps to the constraints."""
        for search in self.searches.values():
            if search.proved and not search.incumbent.known:
                within = limited(self._limits, "rule sets") if self._limits else "rule sets"
                asked = constraints_text(self.problem.constraints)
                raise InfeasibleError(f"none of the {within} of these antecedents keeps to {asked}")

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
        every = self._all
        active = next((s for s in every if not s.finished), searches[-1])
        memory = sum(s.memory for s in every)
        return Progress(
            expanded=sum(s.nodes for s in every),
            children=sum(s.children for s in every),
            cached=self._columns(),
            objective=self._cost(),
            lower_bound=self._bound(),
            memory=memory,
            peak_memory=memory,
            extra={
                **self._prices,
                **({} if self.options["loss"] == "hamming" else {"loss": self.options["loss"]}),
                **self._without_constraints(),
                "phase": "done" if active.finished else active.phase,
                "columns": self._columns(),
                "rounds": sum(s.rounds for s in every),
                "bound from": (searches[-1] if active is self._free else active).bound_from,
                "complexity": sum(complexity(s.incumbent.clauses) for s in searches),
                "seconds in the linear program": round(sum(s.master.seconds for s in every), 3),
                "seconds in pricing": round(sum(s.pricing_seconds for s in every), 3),
                "seconds in looks": round(sum(s.looking_seconds for s in every), 3),
            },
        )

    def _without_constraints(self) -> dict[str, str]:
        """The least objective of all rule sets, once it is proved."""
        if self._free is None or not self._free.proved:
            return {}
        cost = float(self._free.incumbent.cost * self._free.instance.unit)
        return {"objective_without_constraints": f"{cost:.6f}"}

    def constraints(self) -> tuple[Mapping[str, Any], ...]:
        if not self.problem.constraints:
            return ()
        return tuple(documents(self.problem.constraints, self._said()))

    def _said(self) -> NDArray[np.intp]:
        """intp[P]: what the best rule set says of each point of the problem."""
        ((_, search),) = self.searches.items()
        captures = unpack(self.problem.masks, self.problem.n_points)
        captures = captures if self._form == "dnf" else ~captures
        held = [captures[list(clause)].all(axis=0) for clause in search.incumbent.clauses]
        caught = np.any([np.zeros(self.problem.n_points, np.bool_), *held], axis=0)
        return np.asarray(caught == (self._form == "dnf"), dtype=np.intp)

    def model(self) -> RuleSet:
        """The best rule set; raises InfeasibleError if none is known."""
        if not all(search.incumbent.known for search in self.searches.values()):
            raise InfeasibleError(
                "no rule set that keeps to the constraints was found before the search ended"
            )
        chosen = {target: s.incumbent.clauses for target, s in self.searches.items()}
        return rule_set(self.problem, self._form, chosen)

    def describe(self) -> Mapping[str, str]:
        return {
            "form": self._form,
            "pricing": "sampled, then exact" if self._sampled else "exact",
            "highs": version("highspy"),
        }

    def clauses(self) -> dict[int, list[Clause]]:
        """All clauses made so far, for each class that gets a set."""
        return {target: s.columns.clauses for target, s in self.searches.items()}

    def close(self) -> None:
        for search in self._all:
            search.close()
        if self.known is not None:
            self.known.clauses = self.clauses()
            self.known.least = max(self.known.least, Fraction(self._bound(), self._scale))


def _over_all_points(duals: Duals, free: Instance, own: Instance) -> Duals:
    """Duals of an instance without constraints as those of the same one with constraints, which has
    more points."""
    mu = np.zeros(len(own.points), dtype=np.int64)
    mu[np.searchsorted(own.points, free.points)] = duals.mu
    return Duals.of(own, mu, duals.budget_price, duals.scale)
