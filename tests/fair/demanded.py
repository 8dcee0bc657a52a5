"""Constraints by the definition: row by row, over all lists and all predictions; and a table."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from corels.problem import Problem
from corels.problem.constraints import Demands, Groups
from corels.problem.costs import Costs, Outcomes
from corels.problem.rates import NOTIONS, RATES, Demand, demands_of
from corels.tables import Dataset, TableOptions, table_dataset
from corels.tables.dataset import FirstRule
from corels.tables.directions import Direction
from corels.testing.problems import random_dataset

GROUPS = "abc"
FAIR = ("--label", "yes", "--constraint", "statistical-parity by region within 0.05")


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


def asking(*asked, **options):
    """`people` with what is demanded of rates."""
    return table_dataset(people(), "yes", TableOptions(constraints=asked, **options))


def of_groups(asked, column, names, members):
    """Demands, of texts or of what these are read as, about one column of groups."""
    return Demands(demands_of(asked), {column: Groups(tuple(names), members)})


def random_constrained(
    rng: np.random.Generator, most: int = 3, *, given: bool = False
) -> tuple[Problem, Dataset] | None:
    """A small problem with one constraint to three; None if a rate would be a share of
    nothing. given: perhaps with directions of columns, and rules that every list begins with."""
    classes = int(rng.choice([2, 2, 3]))
    data = random_dataset(rng, antecedents=4, rows=14, classes=classes)
    members = rng.integers(0, int(rng.choice([2, 2, 3])), size=data.n_rows)
    groups = tuple(GROUPS[: int(members.max()) + 1])
    if rng.random() < 0.4:
        data = replace(data, costs=_random_costs(rng, data))
    if given and rng.random() < 0.7:
        columns = [a.conditions[0].column for a in data.antecedents if rng.random() < 0.6]
        ways = tuple(Direction(name, str(rng.choice(["up", "down"]))) for name in columns)
        data = replace(data, directions=ways)
    if given and rng.random() < 0.6:
        may, first = may_say(data, range(len(data.classes))), []
        left = np.ones(data.n_rows, bool) if data.weights is None else data.weights > 0
        for number in rng.permutation(len(may))[: int(rng.integers(1, 3))].tolist():
            said = int(rng.choice(may[number])) if rng.random() < 0.5 else None
            if (left & data.captures[number]).any():
                first.append(FirstRule(number, said))
                left = left & ~data.captures[number]
        data = replace(data, first=tuple(first))
    asked = [random_demand(rng, len(groups) > 1) for _ in range(int(rng.integers(1, most + 1)))]
    data = replace(data, demands=of_groups(asked, "group", groups, members))
    lam = rng.choice([Fraction(0), Fraction(1, 3), Fraction(int(rng.integers(1, 30)), 200)])
    if data.costs is not None and classes > 2:
        return None
    try:
        return Problem.from_dataset(data, lam), data
    except ValueError as error:
        assert "is a share of nothing" in str(error)
        return None


def random_demand(rng: np.random.Generator, several: bool) -> Demand:
    """A difference between groups, or a bound, of groups or of all rows."""
    if several and rng.random() < 0.5:
        word = rng.choice([n for n, rates in NOTIONS.items() if "precision" not in rates])
        return Demand(str(word), ("group",), "within", Fraction(int(rng.integers(0, 60)), 100))
    how = str(rng.choice([">=", "<="]))
    bound = Fraction(int(rng.integers(0, 70)), 100)
    by = ("group",) if several and rng.random() < 0.4 else ()
    return Demand(str(rng.choice(list(RATES))), by, how, bound if how == ">=" else 1 - bound)


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


def rate_of(data: Dataset, said: np.ndarray, rows: np.ndarray, rate: str) -> Fraction | None:
    """A rate of some rows, row by row, by its definition in every textbook; None if it is a
    share of nothing. said: the outcome of each row."""
    positive = len(data.classes) - 1
    seen: Counter[str] = Counter()  # weights: "tp" and so on; "up": positive, and nothing is said
    of_class, right_of = [0] * len(data.classes), [0] * len(data.classes)
    for row in np.flatnonzero(rows).tolist():
        weight = 1 if data.weights is None else int(data.weights[row])
        outcome, truth = int(said[row]), int(data.labels[row])
        kind = "class" if data.costs is None else data.costs.outcomes.kinds[outcome]
        right = truth == outcome if data.costs is None else bool(data.costs.right[outcome, row])
        truly = truth == positive
        called = right is truly if kind == "defer" else outcome == positive
        cell = f"{'t' if called is truly else 'f'}{'p' if called else 'n'}"
        seen[cell if kind != "abstain" else f"u{'p' if truly else 'n'}"] += weight
        seen["decided"] += weight * (kind == "class")
        seen["right"] += weight * right
        seen["all"] += weight
        of_class[truth] += weight
        right_of[truth] += weight * right
    tp, fp, tn, fn, missed = (seen[name] for name in ("tp", "fp", "tn", "fn", "up"))
    shares = {
        "recall": (tp, tp + fn + missed),
        "false-positive-rate": (fp, fp + tn + seen["un"]),
        "positive-rate": (tp + fp, seen["all"]),
        "accuracy": (seen["right"], seen["all"]),
        "precision": (tp, tp + fp),
        "negative-predictive-value": (tn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn + missed),
        "coverage": (seen["decided"], seen["all"]),
    }
    if rate == "balanced-accuracy":
        if not all(of_class):
            return None
        pairs = zip(right_of, of_class, strict=True)
        return sum((Fraction(a, b) for a, b in pairs), Fraction(0)) / len(of_class)
    above, below = shares[rate]
    return Fraction(above, below) if below else None


def keeps(data: Dataset, said: np.ndarray) -> bool:
    """Whether predictions keep to all demands."""
    demands = data.demands
    assert demands is not None
    for one in demands.asked:
        of = demands.groups[one.column] if one.by else None
        everybody = np.ones(data.n_rows, dtype=bool)
        parts = [everybody] if of is None else [of.members == g for g in range(len(of.names))]
        for rate in one.rates:
            rates = [r for part in parts if (r := rate_of(data, said, part, rate)) is not None]
            if one.how == "within":
                held = max(rates) - min(rates) <= one.bound
            else:
                held = all(r >= one.bound if one.how == ">=" else r <= one.bound for r in rates)
            if not held:
                return False
    return True


def said_by(model: Any, data: Dataset) -> np.ndarray:
    """int[N]: what a list says of each row."""
    captured = dict(zip(data.antecedents, data.captures.unpack(), strict=True))
    said = np.full(data.n_rows, model.default.prediction)
    for rule in reversed(model.rules):
        said[captured[rule.antecedent]] = rule.prediction
    return said


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
    begun = [one.antecedent for one in data.first]
    for one in data.first:
        if one.outcome is not None:
            may[one.antecedent] = [one.outcome]
    rest = [number for number in range(len(captures)) if number not in begun]
    for length in range(len(begun), most + 1):
        for behind in itertools.permutations(rest, length - len(begun)):
            order = (*begun, *behind)
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
