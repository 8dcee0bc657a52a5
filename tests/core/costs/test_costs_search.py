"""Random problems with costs of outcomes against brute force: searches, good lists, the path."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from corels_page.others import path_lists
from corels_rule_list.explain.why import best_single_rule
from corels_rule_list.model import RuleList
from corels_rule_list.near import near
from corels_rule_list.path.path import regularization_path

from corels import Certificate, Problem, solve
from corels.errors import OptionError, OverflowRefusedError
from corels.problem.captures import unpack
from corels.problem.costs import UNABLE, Costs, classes_and
from corels.tables import TableOptions
from corels.tables.folds import subset
from corels.tables.labelled import table_dataset
from corels.testing import brute_force, check_result, random_dataset, random_problem, recorded

BACKENDS = ("c", "python")


def with_random_costs(rng, problem):
    """The same rows with 1 to 4 outcomes of random costs: classes, "don't know" and others, which
    sometimes the default rule alone may say."""
    classes, points = problem.weights.shape
    kinds = ("abstain", "defer")[: int(rng.integers(3))]
    further = [(f"more {kind}", kind) for kind in kinds]
    outcomes = classes_and(problem.classes, further, int(rng.choice([1, 2, 5, 100])))
    outcomes = replace(outcomes, default_only=bool(further) and rng.random() < 0.5)
    matrix = rng.integers(0, 1 + int(rng.choice([1, 3, 9, 200])), size=(len(outcomes), classes))
    amounts = matrix @ problem.weights
    if rng.random() < 0.5:  # costs by row, and sometimes below 0
        amounts = amounts + rng.integers(-5 * int(rng.integers(2)), 9, size=amounts.shape)
    right = np.vstack([problem.weights, np.zeros((len(further), points), dtype=np.int64)])
    return replace(problem, costs=Costs(outcomes, amounts.astype(np.int64), right).reduced())


def priced(seed, antecedents=4, rows=12):
    """(generator, a small random problem with costs)"""
    rng = np.random.default_rng([40, seed])
    sizes = {"antecedents": antecedents, "rows": rows, "classes": int(rng.integers(2, 4))}
    return rng, with_random_costs(rng, random_problem(rng, **sizes))


def all_lists(problem):
    """{antecedents in order: objective} of all lists whose rules capture something."""
    captures = unpack(problem.masks, problem.n_points)
    outcomes, found = problem.outcomes, {}

    def paid(cell, may):
        return int(problem.costs.amounts[:may, cell].sum(axis=1).min())

    def extend(rules, left, cost):
        whole = Fraction(cost + paid(left, None), problem.worth)
        found[rules] = whole + problem.regularization * len(rules)
        for r, captured in enumerate(captures):
            if (left & captured).any():
                more = cost + paid(left & captured, outcomes.for_rules)
                extend((*rules, r), left & ~captured, more)

    extend((), problem.weights.any(axis=0), 0)
    return found


def test_a_rule_may_cost_more_than_1_where_rows_do():
    for seed in range(12):
        _, problem = priced(seed)
        dear = problem.priced(problem.costs.amounts * 9, problem.outcomes.scale)
        for regularization in ("4/3", "7/2", 100):
            dear = dear.with_regularization(regularization)
            best = brute_force(dear, None)
            for backend in BACKENDS:
                result = solve(dear, backend=backend)
                assert result.certificate.objective == best, (seed, regularization, backend)
                check_result(dear, result)
        document = result.certificate.to_document()
        assert Certificate.from_document(document).regularization == 100
    with pytest.raises(OptionError, match="regularization is 2: expected a number from 0 to 1"):
        random_problem(np.random.default_rng(0)).with_regularization(2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_good_lists_are_all_of_them(backend):
    for seed in range(30):
        rng, problem = priced(seed)
        lists = all_lists(problem)
        slack = Fraction(int(rng.integers(0, 30)), 100)
        limit = min(lists.values()) + slack
        expected = sorted(
            (cost, len(rules), rules) for rules, cost in lists.items() if cost <= limit
        )
        with near(problem, within=slack, backend=backend) as found:
            assert found.certificate.complete
            assert [one.antecedents for one in found.lists()] == [rules for *_, rules in expected]
            assert [one.objective for one in found.lists()] == [cost for cost, *_ in expected]
            for one in found.lists(0, 5):
                assert one.rule_list.objective(problem.regularization) == one.objective


def test_the_path_is_the_least_of_all_lists():
    for seed in range(15):
        _, problem = priced(seed)
        lists = all_lists(problem)
        lines = [(len(r), c - problem.regularization * len(r)) for r, c in lists.items()]
        path = regularization_path(problem, "1/50")
        assert path.certified
        inside = {s.low for s in path} | {s.high for s in path}
        for at in inside | {(s.low + s.high) / 2 for s in path}:
            assert path.objective(at) == min(cost + at * rules for rules, cost in lines), seed


def test_no_policy_is_called_accurate_along_a_path():
    """Whether an action was right, no label says; a page shows its mean cost."""
    table = {"a": [0, 1] * 20, "given": [0, 1, 1, 0] * 10}
    table |= {"s0": [1.0, 0.0] * 20, "s1": [0.0, 1.0] * 20}
    data = table_dataset(table, "given", TableOptions(score={"wait": "s0", "treat": "s1"}))
    path = regularization_path(Problem.from_dataset(data), "0.01")
    assert {row["accuracy"] for row in path.to_rows()} == {None} and "  -  yes" in path.to_text()
    shown = path_lists(path.to_document())
    assert shown[0]["accuracy"] is None and shown[0]["cost"] == 0


def test_costs_of_one_each_are_no_costs():
    for seed in range(25):
        rng = np.random.default_rng([41, seed])
        plain = random_problem(rng, classes=3)
        same = plain.priced(7 * plain.amounts, 7)
        assert (same.unit, same.rule_cost, same.worth) == (plain.unit, plain.rule_cost, plain.total)
        one, other = recorded(plain), recorded(same)
        assert one[1].tobytes() == other[1].tobytes()
        assert one[0].certificate.objective == other[0].certificate.objective


def test_what_is_added_to_all_outcomes_of_a_point_is_added_to_the_objective():
    for seed in range(40):
        rng, problem = priced(seed)
        scale = problem.outcomes.scale
        moved = rng.integers(-9, 9, size=problem.n_points)
        other = problem.priced(problem.costs.amounts + moved, scale)
        more = Fraction(int(moved.sum()), problem.total * scale)
        one, two = solve(problem).certificate, solve(other).certificate
        assert one.objective + more == two.objective
        assert problem.objective(int(problem.scaled(one.objective))) == one.objective
        assert problem.data_hash != other.data_hash or not moved.any()


def test_costs_that_counts_cannot_hold_are_refused():
    _, problem = priced(3)
    with pytest.raises(OverflowRefusedError, match="the costs add up to"):
        problem.priced(np.full_like(problem.amounts, 2**40) + problem.amounts, 1)
    outcomes = classes_and((0, 1), (), 1)
    rows = Costs(outcomes, np.full((2, 4), 2**61), np.zeros((2, 4), dtype=np.int64))
    with pytest.raises(OverflowRefusedError, match="fewer digits"):
        rows.summed(np.zeros(4, dtype=np.intp), 1, None)


def costs_of_two(rows=60, **more):
    """Costs of the rows of two classes: 1 if they are wrong."""
    labels = np.arange(rows) % 3 % 2
    right = np.array([labels == 0, labels == 1]).astype(np.int64)
    return replace(Costs(classes_and((0, 1), (), 2), 1 - right, right), **more)


def test_kinds_of_costs_are_seen_in_rows_and_in_points():
    """Also if rows of both classes are a point, and a right answer costs nothing."""
    plain, random = costs_of_two(), np.random.default_rng(0)
    right, wrong = plain.right, 1 - plain.right
    abstain = classes_and((0, 1), [("?", "abstain")], 2)
    three = np.vstack([plain.amounts, np.ones((1, 60), np.int64)])
    none = np.zeros((1, 60), np.int64)
    cases = [
        ({}, set(), (Fraction(1, 2), Fraction(1, 2))),
        ({"amounts": wrong * np.array([[4], [6]])}, set(), (Fraction(3), Fraction(2))),
        ({"amounts": wrong * random.integers(1, 9, 60)}, {"rows"}, None),
        ({"amounts": wrong * 3 + right}, {"right"}, None),
        (
            {"outcomes": abstain, "amounts": three, "right": np.vstack([right, none])},
            {"abstain"},
            (Fraction(1, 2), Fraction(1, 2)),
        ),
        ({"outcomes": replace(plain.outcomes, kinds=("action",) * 2)}, {"action"}, None),
    ]
    point = random.integers(0, 5, 60)
    weights = random.integers(1, 9, 60)
    for given, kinds, prices in cases:
        costs = costs_of_two(**given)
        once = costs.summed(point, 5, weights)
        for one in (costs, once, once.summed(np.arange(5) // 2, 3, None)):
            assert one.kinds == {"mistakes", *kinds}, given
            assert one.of_mistakes == prices, given


@pytest.mark.parametrize("solver", ["falling", "softly-falling", "rule-set"])
def test_families_refuse_costs_that_they_do_not_know(solver):
    if solver == "rule-set":
        pytest.importorskip("highspy", reason="rule sets need the extra `rule-set`")
    for seed in range(40):
        _, problem = priced(seed)
        kinds = problem.costs.kinds
        known = {"mistakes", "rows"} if solver == "rule-set" else {"mistakes"}
        if kinds <= known:
            continue
        kind = next(kind for kind in UNABLE if kind in kinds - known)
        with pytest.raises(OptionError) as told:
            solve(problem, solver)
        able = "rule-list or rule-set" if kinds == {"mistakes", "rows"} else "rule-list"
        assert str(told.value) == f"solver '{solver}' {UNABLE[kind]}: expected {able}"


def test_costs_follow_the_rows():
    rng = np.random.default_rng(8)
    for _ in range(20):
        data = random_dataset(rng, rows=20)
        amounts = rng.integers(0, 9, size=(len(data.classes), data.n_rows))
        costs = Costs(classes_and(data.classes, (), 3), amounts, np.zeros_like(amounts))
        rows = np.flatnonzero(rng.random(data.n_rows) < 0.7)
        weights = np.ones(data.n_rows, int) if data.weights is None else data.weights
        if not len(rows) or not data.n_antecedents:
            continue
        problem = Problem.from_dataset(subset(replace(data, costs=costs), rows))
        expected = (amounts[:, rows] * weights[rows]).sum(axis=1) * problem.outcomes.scale
        assert (problem.costs.amounts.sum(axis=1) * 3 == expected).all()


def test_the_best_single_rule_says_only_what_rules_may_say():
    limited = 0
    for seed in range(120):
        _, problem = priced(seed)
        limited += problem.outcomes.for_rules < len(problem.outcomes)
        paid = [RuleList.of(problem, [r]).paid for r in range(problem.n_antecedents)]
        assert best_single_rule(problem).paid == min(paid), seed
    assert limited > 10
