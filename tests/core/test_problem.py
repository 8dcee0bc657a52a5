"""The problem: exact costs, lossless collapsing, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

import corels
from corels.errors import InputError, OptionError, OverflowRefusedError
from corels.problem.captures import unpack
from corels.problem.problem import MAX_WEIGHT
from corels.problem.regularization import MAX_COST, exact_regularization
from corels.tables import load
from corels.testing import random_dataset, random_problem
from corels.testing.problems import dataset_of


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ("0.005", Fraction(1, 200)),
        (0.005, Fraction(1, 200)),
        (0.1, Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (Fraction(2, 7), Fraction(2, 7)),
        ("1e-3", Fraction(1, 1000)),
        (0, Fraction(0)),
        (1, Fraction(1)),
    ],
)
def test_regularization_means_what_is_written(value, exact):
    assert exact_regularization(value) == exact


@pytest.mark.parametrize(
    "value", ["x", "", None, float("nan"), float("inf"), "1/0", -0.1, 1.1, "2"]
)
def test_wrong_regularization_is_named(value):
    with pytest.raises(OptionError, match="expected a number from 0 to 1"):
        exact_regularization(value)


def test_costs_order_lists_as_the_objective_does():
    rng = np.random.default_rng(0)
    for _ in range(200):
        problem = random_problem(rng)
        errors, length = int(rng.integers(0, 20)), int(rng.integers(0, 5))
        cost = problem.unit * errors + problem.rule_cost * length
        exact = Fraction(errors, problem.total) + problem.regularization * length
        assert problem.objective(cost) == exact
        assert np.gcd(problem.unit, problem.rule_cost) == 1 or problem.rule_cost == 0


def test_equal_rows_become_one_point_and_equal_antecedents_one():
    captures = [[1, 1, 0, 0, 1], [1, 1, 0, 0, 1], [0, 0, 1, 0, 0]]
    problem = corels.Problem.from_dataset(dataset_of(captures, [1, 0, 1, 0, 1]), "0.1")
    assert (problem.n_points, problem.n_antecedents, problem.total, problem.rows) == (3, 2, 5, 5)
    assert problem.merged == (("a1", "a0"),)
    assert unpack(problem.masks, 3).tolist() == [[True, False, False], [False, True, False]]
    assert problem.weights.tolist() == [[1, 0, 1], [2, 1, 0]]


def test_collapsing_changes_no_list():
    rng = np.random.default_rng(1)
    for _ in range(100):
        data = random_dataset(rng, classes=3)
        problem = corels.Problem.from_dataset(data, "0.1")
        weights = np.ones(data.n_rows, dtype=int) if data.weights is None else data.weights
        model = corels.RuleList.of(problem, rng.permutation(problem.n_antecedents)[:3].tolist())
        assert model.errors == weights[model.predict_indices(data) != data.labels].sum()


def test_weights_count_as_rows():
    data = dataset_of([[1, 0]], [1, 0], weights=np.array([3, 2]))
    assert corels.Problem.from_dataset(data, "0.1").total == 5


def test_too_much_weight_is_refused():
    half = MAX_WEIGHT // 2 + 1
    data = dataset_of([[1, 0]], [1, 0], weights=np.array([half, half]))
    with pytest.raises(OverflowRefusedError, match=f"total weight is {2 * half}"):
        corels.Problem.from_dataset(data, "0.1")


def test_costs_that_do_not_fit_are_refused():
    with pytest.raises(OverflowRefusedError, match="smaller denominator"):
        corels.Problem.from_dataset(load("titanic"), Fraction(1, 10**17))
    assert MAX_COST < 10**17 * 2201


def test_the_largest_costs_that_fit_are_searched_exactly():
    data = dataset_of([[1, 1, 0, 0, 0]], [1, 1, 0, 0, 1])
    lam = Fraction(10**17 + 1, 10**18 - 1)  # costs near 2^62 / 5
    problem = corels.Problem.from_dataset(data, lam)
    for backend in ("c", "python"):
        result = corels.solve(problem, backend=backend)
        assert result.certificate.objective == min(Fraction(2, 5), Fraction(1, 5) + lam)


def test_empty_data_is_refused():
    with pytest.raises(InputError, match="no rows"):
        dataset_of(np.zeros((1, 0)), np.zeros(0, dtype=int))
    with pytest.raises(InputError, match="no antecedents"):
        corels.Problem.from_dataset(dataset_of(np.zeros((0, 3)), [0, 1, 0]), "0.1")


def test_the_hash_is_of_what_the_result_depends_on():
    base = corels.Problem.from_dataset(load("titanic"), "0.01")
    same = corels.Problem.from_dataset(load("titanic"), "0.01")
    assert base.data_hash == same.data_hash
    assert base.data_hash == base.with_regularization("0.1").data_hash, "lambda is not data"
    assert base.data_hash != corels.Problem.from_dataset(load("tic-tac-toe"), "0.01").data_hash


def test_with_regularization_keeps_the_data():
    problem = corels.Problem.from_dataset(load("titanic"), "0.01")
    other = problem.with_regularization("1/7")
    assert other.regularization == Fraction(1, 7)
    assert other.masks is problem.masks


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (1 / 569, Fraction(1, 569)),
        (0.8 / 7214, Fraction(2, 18035)),
        ("0.0017574692442882249", Fraction(1, 569)),
        (np.float64(1 / 3), Fraction(1, 3)),
        (0.005, Fraction(1, 200)),
        (1 / 569 + 1e-9, None),
        *((value, None) for value in np.logspace(-4, -0.5, 8)),
    ],
)
def test_a_computed_lambda_is_rounded_to_a_fraction_that_fits(value, exact):
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), value)
    assert abs(problem.regularization - Fraction(str(value))) < Fraction(1, 10**12)
    if exact is not None:
        assert problem.regularization == exact
    assert problem.with_regularization(value).regularization == problem.regularization
    certificate = corels.solve(problem, time_limit=0).certificate
    assert certificate.regularization == problem.regularization


def test_text_and_fractions_stay_exact_or_are_refused():
    for value in ("1/569", Fraction(1, 569)):
        assert corels.Problem.from_dataset(load("titanic"), value).regularization == Fraction(
            1, 569
        )
    for value in ("1/10000000000000000000", Fraction(1, 10**19), "0.00000000000000000001"):
        with pytest.raises(OverflowRefusedError, match="smaller denominator"):
            corels.Problem.from_dataset(load("titanic"), value)
    assert 0 < corels.Problem.from_dataset(load("titanic"), 1e-20).regularization < 1e-12
