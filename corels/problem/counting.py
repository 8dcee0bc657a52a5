"""Rules without numbers, and what they capture and cost on the problem at hand.

A model that is handed in (a warm start, a saved file, a list of a search on other rows) carries
counts of the data that it was made from. None of them is believed: what it asks and says is taken
as plain rules, and `Problem.count` counts these on its own points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.problem.costs import UNJUDGED, Name

if TYPE_CHECKING:
    from corels.problem.problem import Problem
    from corels.tables import Antecedent


class PlainRule(NamedTuple):
    """What one rule of a model asks and says, as of a `corels.model.Decider`, without its numbers.

    outcome: the name of what it says; None: what costs least. clauses: of each its antecedents.
    """

    outcome: Name | None
    clauses: tuple[tuple[Antecedent, ...], ...] = ()
    quantity: Literal["", "any", "all", "points"] = ""
    join: Literal["and", "or"] = "and"
    points: tuple[int, ...] = ()
    threshold: int = 0

    @property
    def always(self) -> bool:
        """Whether it holds for every row, as a default rule does."""
        return not self.clauses and self.quantity not in ("any", "points")


PlainRules = Sequence[PlainRule]


class Cell(NamedTuple):
    """Rows of a problem, and what costs least for them: without costs the majority.

    counts, costs, right: as of a `Decider`.
    """

    outcome: int
    counts: tuple[int, ...]
    costs: tuple[int, ...] = ()
    right: int | None = None

    @classmethod
    def of(
        cls,
        problem: Problem,
        points: NDArray[np.bool_],
        may: NDArray[np.bool_] | None = None,
        said: int | None = None,
    ) -> Cell:
        """The rows of these points (bool[P]). may: what may be said of them, bool[O]; all, as by
        the default rule, if None. said: what is; if not given, of what may be said that which costs
        least, of equal outcomes the first one."""
        counts = tuple(problem.weights.sum(axis=1, where=points).tolist())
        allowed = range(len(problem.outcomes)) if may is None else np.flatnonzero(may).tolist()
        if problem.costs is None:
            outcome = max(allowed, key=lambda one: counts[one]) if said is None else said
            return cls(outcome, counts)
        costs = tuple(problem.costs.amounts.sum(axis=1, where=points).tolist())
        outcome = min(allowed, key=lambda one: costs[one]) if said is None else said
        if problem.outcomes.kinds[outcome] in UNJUDGED:
            return cls(outcome, counts, costs)
        return cls(outcome, counts, costs, int(problem.costs.right[outcome, points].sum()))

    @property
    def paid(self) -> int:
        """What the outcome costs for these rows: the errors, if there are no costs."""
        return (
            self.costs[self.outcome] if self.costs else sum(self.counts) - self.counts[self.outcome]
        )


@dataclass(frozen=True)
class Counted:
    """A model on the problem at hand. rules: with the problem's own antecedents; cells: what each
    captures; cost: scaled, of a model that pays lambda for each clause."""

    rules: tuple[PlainRule, ...]
    cells: tuple[Cell, ...]
    cost: int


def captured_in_order(
    problem: Problem, antecedents: Sequence[int], said: Sequence[int | None] | None = None
) -> list[tuple[Antecedent | None, Cell]]:
    """What each rule of a list captures: antecedents in this order, the rest last. said: what each
    says; what costs least if not given."""
    outcomes = [None] * (len(antecedents) + 1) if said is None else said
    free, found = np.ones(problem.n_points, dtype=np.bool_), []
    for index, outcome in zip(antecedents, outcomes[:-1], strict=True):
        captured = problem.captures[index]
        cell, free = free & captured, free & ~captured
        found.append(
            (problem.antecedents[index], Cell.of(problem, cell, problem.says([index]), outcome))
        )
    return [*found, (None, Cell.of(problem, free, said=outcomes[-1]))]


def counted(problem: Problem, rules: PlainRules) -> Counted:
    """`Problem.count`."""
    if not rules or not rules[-1].always:
        raise OptionError("the model has no default rule: expected one, the last")
    free, own, cells = np.ones(problem.n_points, dtype=np.bool_), [], []
    for number, rule in enumerate(rules, 1):
        place = f"rule {number} of the model"
        clauses = [[problem.number_of(a, place) for a in clause] for clause in rule.clauses]
        _refuse_other_first(problem, number, clauses)
        captured = free & _held(problem, clauses, rule)
        may = problem.says(chain.from_iterable(clauses)) if number < len(rules) else None
        said, free = _outcome(problem, rule, place, may), free & ~captured
        cells.append(Cell.of(problem, captured, may, said))
        asked = tuple(tuple(problem.antecedents[n] for n in clause) for clause in clauses)
        own.append(rule._replace(clauses=asked))
    paid = sum(cell.paid for cell in cells) - problem.offset
    clauses_in_all = sum(len(rule.clauses) for rule in rules)
    cost = problem.unit * paid + problem.rule_cost * clauses_in_all
    return Counted(tuple(own), tuple(cells), cost)


def _refuse_other_first(problem: Problem, number: int, clauses: Sequence[Sequence[int]]) -> None:
    """Raise OptionError unless rule `number`, from 1, is the one that is given in its place."""
    if number > len(problem.first):
        return
    given = problem.first[number - 1]
    if [list(clause) for clause in clauses] != [[given]]:
        raise OptionError(
            f"the model does not begin with the first rules: its rule {number} is not "
            f"'if {problem.antecedents[given]}'"
        )


def _held(problem: Problem, clauses: Sequence[Sequence[int]], rule: PlainRule) -> NDArray[np.bool_]:
    """bool[P]: where a rule holds; clauses: its antecedents by number."""
    join = np.logical_and if rule.join == "and" else np.logical_or
    held = [join.reduce([problem.captures[number] for number in clause]) for clause in clauses]
    none = np.zeros(problem.n_points, dtype=np.bool_)
    if rule.quantity == "points":
        pairs = zip(rule.points, held, strict=True)
        return np.asarray(sum((worth * one for worth, one in pairs), none) >= rule.threshold)
    return np.asarray(
        np.any([none, *held], axis=0) if rule.quantity == "any" else np.all([~none, *held], axis=0)
    )


def _outcome(
    problem: Problem, rule: PlainRule, place: str, may: NDArray[np.bool_] | None
) -> int | None:
    names = problem.outcomes.names
    allowed = range(len(names)) if may is None else np.flatnonzero(may).tolist()
    if not allowed:
        raise OptionError(f"{place} asks columns with directions for both sides")
    if rule.outcome is None:
        return None
    wanted = (rule.outcome, isinstance(rule.outcome, bool))
    found = [n for n in allowed if (names[n], isinstance(names[n], bool)) == wanted]
    if not found:
        asked = " and ".join(str(one) for clause in rule.clauses for one in clause)
        behind = f" if {asked}" if asked else ""
        listed = ", ".join(repr(names[n]) for n in allowed)
        raise OptionError(f"{place} says {rule.outcome!r}{behind}: expected one of {listed}")
    return found[0]


def shortened(rules: PlainRules, most: int | None) -> PlainRules:
    """At most so many of the rules, the first ones; the default rule then says what costs least."""
    if most is None or len(rules) <= most + 1:
        return rules
    return [*rules[:most], PlainRule(None)]
