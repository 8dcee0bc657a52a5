"""Mining by class against all conjunctions, through the solver's option and the estimator."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from corels_falling import FallingRuleListClassifier
from corels_falling.search import begin
from corels_falling.solver import FallingSolver

from corels import Problem, solve
from corels.options import check_all
from corels.tables import TableOptions, table_dataset


def expected(table, labels, weights, support):
    """The rows that conjunctions of at most two columns hold for, if enough of a class."""
    found = set()
    for k in (1, 2):
        for chosen in combinations(range(table.shape[1]), k):
            held = table[:, list(chosen)].all(axis=1)
            inside = [weights[held & (labels == label)].sum() for label in (0, 1)]
            of = [weights[labels == label].sum() for label in (0, 1)]
            enough = [one and one >= support * total for one, total in zip(inside, of, strict=True)]
            if any(enough) and not held.all():
                found.add(bytes(held))
    return found


@pytest.mark.parametrize("weighted", [False, True])
def test_all_conjunctions_that_are_frequent_in_a_class_take_part(weighted):
    rng = np.random.default_rng(4)
    for _ in range(30):
        rows, columns = int(rng.integers(12, 40)), int(rng.integers(2, 6))
        table = rng.random((rows, columns)) < rng.uniform(0.2, 0.8)
        labels = (rng.random(rows) < 0.4).astype(np.int64)
        labels[:2] = 0, 1
        weights = rng.integers(1, 4, rows) if weighted else np.ones(rows, dtype=np.int64)
        support = float(rng.choice([0.125, 0.25, 0.5]))
        wanted = expected(table, labels, weights, support)
        if not wanted:  # refused in a sentence
            continue
        named = {f"x{j}": table[:, j].astype(int) for j in range(columns)}
        options = TableOptions(weight="w", min_support=0, max_support=1.0, max_cardinality=2)
        data = table_dataset({**named, "y": labels, "w": weights}, "y", options)
        problem = Problem.from_dataset(data, 0)
        given = {"min_class_support": support}
        checked = check_all(FallingSolver.options, given, "falling")
        search = begin(problem, checked, soft=False, memory_limit=None)
        used = [problem.antecedents[j] for j in search.origin()]
        held = {bytes(data.captures[data.antecedents.index(one)]) for one in used}
        assert held - {bytes(np.ones(rows, bool))} == wanted


def test_an_estimator_mines_as_the_option_does():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (80, 5)), rng.integers(0, 2, 80)
    model = FallingRuleListClassifier(rule_cost=0.01, min_class_support=0.3).fit(X, y)
    assert model.certificate_.limits["min_class_support"] == "0.3"
    data = table_dataset(
        {**{f"x{j}": X[:, j] for j in range(5)}, "y": y}, "y", TableOptions(max_cardinality=2)
    )
    typed = {"rule_cost": "0.01", "min_class_support": 0.3}
    again = solve(Problem.from_dataset(data, 0), "falling", **typed)
    assert again.certificate.objective == model.certificate_.objective
