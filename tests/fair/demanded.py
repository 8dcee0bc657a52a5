"""Constraints by the definition: row by row, over all lists and all predictions; and a table."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from corels.problem import Problem
from corels.problem.constraints import NOTIONS, Demands
from corels.problem.costs import Costs, Outcomes
from corels.tables import Dataset
from corels.tables.directions import Direction
from corels.testing.problems import random_dataset

GROUPS = "abc"
FAIR = ("--label", "yes", "--group", "region", "--fair", "statistical-parity:0.05")


def people(rows=400, seed=0):
    """A table in which the label follows two columns, one of which goes with the group."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["north", "south"], size=rows)
    one = rng.random(rows) < np.where(group == "north", 0.7, 0.3)
    two, three = rng.random((2, rows)) < 0.5
    label = np.where(rng.random(rows) < 0.15, rng.random(rows) < 0.5, one & two | ~one & three)
    flags = {"one": one, "two": two, "three": three}
    columns = {name: flag.astype(int).tolist() for name, flag in flags.items()}
    return {**columns, "region": group.tolist(), "yes": label.astype(int).tolist()}


def random_constrained(rng: np.random.Generator) -> tuple[Problem, Dataset] | None:
    """A small problem with one constraint or two; None where a rate would be a share of nothing."""
    classes = int(rng.choice([2, 2, 3]))
    data = random_dataset(rng, antecedents=4, rows=14, classes=classes)
    members = rng.integers(0, int(rng.choice([2, 2, 3])), size=data.n_rows)
    groups = tuple(GROUPS[: int(members.max()) + 1])
    if rng.random() < 0.4:
        data = replace(data, costs=_random_costs(rng, data))
    if rng.random() < 0.3:
        columns = [a.conditions[0].column for a in data.antecedents if rng.random() < 0.6]
        ways = tuple(Direction(name, str(rng.choice(["up", "down"]))) for name in columns)
        data = replace(data, directions=ways)
    chosen = rng.choice(list(NOTIONS), size=int(rng.choice([1, 1, 2])), replace=False)
    bounds = [Fraction(int(b), 100) for b in rng.integers(0, 60, size=len(chosen))]
    coverage = Fraction(int(rng.integers(0, 11)), 10) if rng.random() < 0.4 else None
    fair = tuple(zip(map(str, chosen), bounds, strict=True))
    if rng.random() < 0.2 and coverage is not None:
        fair = ()
    data = replace(data, demands=Demands(fair, "group", groups, members, coverage))
    lam = rng.choice([Fraction(0), Fraction(1, 3), Fraction(int(rng.integers(1, 30)), 200)])
    if (len(groups) < 2 and fair) or (data.costs is not None and classes > 2):
        return None
    try:
        return Problem.from_dataset(data, lam), data
    except ValueError as error:
        assert "is a share of nothing" in str(error)
        return None


def _random_costs(rng: np.random.Generator, data: Dataset) -> Costs:
    """Of two classes, sometimes "don't know", sometimes another model, for each row."""
    rows = np.arange(data.n_rows)
    kinds: list[Any] = ["class"] * len(data.classes)
    right = [data.labels == c for c in range(len(kinds))]
    if rng.random() < 0.6:
        kinds.append("abstain")
        right.append(np.zeros(len(rows), dtype=bool))
    if rng.random() < 0.4:
        kinds.append("defer")
        right.append(rng.random(len(rows)) < 0.8)
    amounts = rng.integers(0, 9, size=(len(kinds), len(rows)))
    amounts[np.array(right)] //= 4
    names = tuple(range(len(kinds)))
    outcomes = Outcomes(names, tuple(kinds), 3, default_only=bool(rng.random() < 0.3))
    return Costs(outcomes, amounts, np.array(right).astype(np.int64))


def rate_of(data: Dataset, said: np.ndarray, rows: np.ndarray, what: str) -> Fraction:
    """The share of some rows, row by row. said: the outcome of each row."""
    counted = whole = 0
    positive = len(data.classes) - 1
    for row in np.flatnonzero(rows).tolist():
        weight = 1 if data.weights is None else int(data.weights[row])
        outcome, truth = int(said[row]), int(data.labels[row])
        kind = "class" if data.costs is None else data.costs.outcomes.kinds[outcome]
        right = truth == outcome if data.costs is None else bool(data.costs.right[outcome, row])
        if what == "right":
            holds = right
        elif what == "decided":
            holds = kind == "class"
        elif kind == "defer":
            holds = right if truth == positive else not right
        else:
            holds = kind == "class" and outcome == positive
        counted, whole = counted + weight * holds, whole + weight
    return Fraction(counted, whole)


def keeps(data: Dataset, said: np.ndarray) -> bool:
    """Whether predictions keep to all demands."""
    demands = data.demands
    assert demands is not None
    if demands.coverage is not None:
        everybody = np.ones(data.n_rows, dtype=bool)
        if rate_of(data, said, everybody, "decided") < demands.coverage:
            return False
    positive = data.labels == len(data.classes) - 1
    among = {"all": positive | True, "positives": positive, "negatives": ~positive}
    for notion, most in demands.fair:
        for rows, what in NOTIONS[notion]:
            rates = [
                rate_of(data, said, among[rows] & (demands.members == g), what)
                for g in range(len(demands.groups))
            ]
            if max(rates) - min(rates) > most:
                return False
    return True


def cost_of(data: Dataset, said: np.ndarray) -> Fraction:
    """Errors, or the mean cost, without the rules."""
    weights = np.ones(data.n_rows, dtype=np.int64) if data.weights is None else data.weights
    rows = np.arange(data.n_rows)
    if data.costs is None:
        return Fraction(int((weights * (said != data.labels)).sum()), int(weights.sum()))
    paid = int((weights * data.costs.amounts[said, rows]).sum())
    return Fraction(paid, int(weights.sum()) * data.costs.outcomes.scale)


def may_say(data: Dataset, of_rules: range) -> list[list[int]]:
    """What a rule with each antecedent, a column of 0 and 1, may say by the directions."""
    ways = {one.column: one.way for one in data.directions}
    classes, found = len(data.classes), []
    for antecedent in data.antecedents:
        way = ways.get(antecedent.conditions[0].column)
        kept = {"up": [classes - 1], "down": list(range(classes - 1))}
        found.append(kept.get(way, list(of_rules)))
    return found


def best_by_force(
    data: Dataset, problem: Problem, max_rules: int | None = None, fits: Any = keeps
) -> Fraction | None:
    """The least objective of all lists, with all predictions, that keep to the demands. fits: asks
    of a data set and the outcomes of its rows whether they do."""
    captures = data.captures.unpack()
    outcomes = range(len(problem.outcomes))
    may = may_say(data, range(problem.outcomes.for_rules))
    best: Fraction | None = None
    known: dict[bytes, tuple[Fraction, bool]] = {}
    most = len(captures) if max_rules is None else min(max_rules, len(captures))
    for length in range(most + 1):
        for order in itertools.permutations(range(len(captures)), length):
            by = np.full(data.n_rows, length)
            for place in reversed(range(length)):
                by[captures[order[place]]] = place
            for outcome in itertools.product(*[may[one] for one in order], outcomes):
                said = np.array(outcome)[by]
                key = said.tobytes()
                if key not in known:
                    known[key] = cost_of(data, said), fits(data, said)
                cost, fine = known[key]
                value = cost + problem.regularization * length
                if fine and (best is None or value < best):
                    best = value
    return best
