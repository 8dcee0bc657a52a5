"""Small random tables whose columns have directions, and what may be said by the definition.

Here nothing is asked of the product: a row of values is moved up in one column, and a list keeps to
the directions if no prediction of the positive class is lost.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from corels import Problem
from corels.problem.costs import Costs, classes_and
from corels.tables import Antecedent, Condition, Dataset
from corels.tables.dataset import FirstRule
from corels.tables.directions import Direction, may_say

VALUES = 4  # of each column: 0 to 3


def random_conditions(rng, columns):
    """Cuts on both sides, some of them in pairs, and conditions without a direction."""
    names = [f"x{j}" for j in range(columns)]
    cuts = [
        Condition(name, operator, value)
        for name in names
        for operator in ("<=", ">")
        for value in range(VALUES - 1)
    ]
    free = [Condition("colour", "==", colour) for colour in "rg"]
    single = [Antecedent.of(one) for one in (*cuts, *free)]
    pairs = [
        Antecedent.of(one, other)
        for one in cuts
        for other in (*cuts, *free)
        if one.column != other.column or (one.operator, other.operator) == (">", "<=")
    ]
    return single, pairs


def random_rows(rng, columns, rows):
    table = {f"x{j}": rng.integers(0, VALUES, rows) for j in range(columns)}
    return {**table, "colour": rng.choice(list("rgb"), rows)}


def random_costs(rng, labels, classes):
    """Costs of wrong answers by class, and perhaps "don't know", handing over, or both."""
    kinds = [(), ("abstain",), ("defer",), ("abstain", "defer")][int(rng.integers(4))]
    outcomes = classes_and(range(classes), [(kind, kind) for kind in kinds], 4)
    matrix = rng.integers(0, 9, size=(len(outcomes), classes))
    amounts = matrix[:, labels] + rng.integers(0, 3, size=(len(outcomes), len(labels)))
    return Costs(outcomes, amounts, np.zeros_like(amounts))


def random_directed(seed, antecedents=6, rows=14):
    """(columns of values, the data set): 2 or 3 classes, costs in a third, weights in a third."""
    rng = np.random.default_rng([66, seed])
    columns, classes = int(rng.integers(1, 4)), 3 if seed % 4 == 3 else 2
    table = random_rows(rng, columns, rows)
    single, pairs = random_conditions(rng, columns)
    from_pairs = int(rng.integers(0, antecedents // 2 + 1))
    chosen = [single[j] for j in rng.permutation(len(single))[: antecedents - from_pairs]]
    chosen += [pairs[j] for j in rng.permutation(len(pairs))[:from_pairs]]
    signal = sum(table[f"x{j}"] * rng.integers(-1, 2) for j in range(columns))
    labels = np.digitize(signal + rng.normal(0, 1.2, rows), [0.0, 1.5][: classes - 1])
    labels[:classes] = range(classes)
    ways = {f"x{j}": str(rng.choice(["up", "down"])) for j in range(columns) if rng.random() < 0.8}
    data = Dataset(
        tuple(chosen),
        np.array([one.evaluate(table) for one in chosen]),
        labels,
        tuple(range(classes)),
        name="directed",
        weights=rng.integers(1, 5, rows) if seed % 3 == 0 else None,
        costs=random_costs(rng, labels, classes) if seed % 3 == 1 else None,
        directions=tuple(Direction(name, way) for name, way in ways.items()),
    )
    return table, data


def problem_of(data, seed):
    return Problem.from_dataset(data, Fraction(int(1 + seed % 7), 60))


def predicted(model, table):
    """What a list says of each row, by number."""
    rows = len(next(iter(table.values())))
    said = np.full(rows, model.default.prediction)
    for rule in reversed(model.rules):
        said[rule.antecedent.evaluate(table)] = rule.prediction
    return said


def side_kept(model, data):
    """The side rule, once more: by the text of the conditions."""
    positive = len(data.classes) - 1
    for rule in model.rules:
        for one in rule.antecedent.conditions:
            for way in data.directions:
                if one.column == way.column:
                    towards = (one.operator == ">") == (way.way == "up")
                    if rule.prediction >= len(data.classes):
                        return False
                    if towards != (rule.prediction == positive):
                        return False
    return True


def is_towards(antecedent, directions):
    """Whether a rule for the positive class may have it, by the text of its conditions."""
    ways = {one.column: one.way for one in directions}
    return all(
        one.column not in ways or (one.operator == ">") == (ways[one.column] == "up")
        for one in antecedent.conditions
    )


def is_monotone(model, data, rng, pairs=200):
    """Whether no prediction of the positive class is lost as one directed column is raised."""
    columns = [one.column for one in data.directions]
    if not columns:
        return True
    all_columns = {c.column for a in data.antecedents for c in a.conditions} | set(columns)
    low = {name: rng.integers(0, VALUES, pairs) for name in all_columns if name != "colour"}
    low["colour"] = rng.choice(list("rgb"), pairs)
    before, positive = predicted(model, low), len(data.classes) - 1
    for way in data.directions:
        up = np.minimum(low[way.column] + rng.integers(0, 3, pairs), VALUES - 1)
        after = predicted(model, {**low, way.column: up})
        one, other = (before, after) if way.way == "up" else (after, before)
        if ((one == positive) & (other != positive)).any():
            return False
    return True


def with_first(data, seed):
    """The data set with one or two rules that every list begins with, none of the wrong side."""
    rng = np.random.default_rng([67, seed])
    kinds = ["class"] * len(data.classes) if data.costs is None else data.costs.outcomes.kinds
    may = may_say(data.antecedents, data.directions, kinds)
    may = np.ones((data.n_antecedents, len(kinds)), bool) if may is None else may
    some, first = np.flatnonzero(may.any(axis=1)), []
    for number in rng.permutation(some)[: int(rng.integers(1, 3))].tolist():
        given = int(rng.choice(np.flatnonzero(may[number]))) if rng.random() < 0.6 else None
        first.append(FirstRule(number, given))
    return replace(data, first=tuple(first))
