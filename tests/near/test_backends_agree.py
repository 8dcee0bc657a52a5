"""Problems too large to try all sequences: the C engine against its twin, and against itself."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from brute import random_dataset
from corels_rule_list.near import near
from seeds import seeds

import corels
from corels.errors import CorelsError
from corels.search.good_lists import OneByOne, TooManyListsError
from corels.tables import load
from corels.testing.problems import dataset_of

CBackend = pytest.importorskip("corels_c.backend").CBackend


def compare(problem, **options):
    result = corels.solve(problem)
    with (
        near(problem, backend="c", result=result, **options) as ours,
        near(problem, backend="python", result=result, **options) as twin,
    ):
        assert ours.count == twin.count > 0
        assert ours._levels == twin._levels
        assert ours.lengths() == twin.lengths()
        rng = np.random.default_rng(0)
        for index in {0, ours.count - 1, *rng.integers(0, min(ours.count, 10**6), 3).tolist()}:
            assert ours[index].antecedents == twin[index].antecedents
        if ours.count < 3000:
            assert [one.antecedents for one in ours] == [one.antecedents for one in twin]
            assert ours.usage() == twin.usage()
            assert ours.classes() == twin.classes()
            assert list(ours.predicted_numbers()) == list(twin.predicted_numbers())
            scores = rng.integers(-9, 9, (len(problem.classes), ours.instance.bits))
            least, most, *attaining = ours.score_range(scores)
            assert (least, most) == twin.score_range(scores)[:2]
            labels = [OneByOne(ours.instance).labels(rules) for rules in attaining]
            at = np.flatnonzero(ours.instance.point >= 0)
            gaps = np.delete(scores, at, axis=1).min(axis=0).sum()  # bits without a point
            assert [scores[one[at], at].sum() + gaps for one in labels] == [least, most]
    return ours


def test_the_engine_refuses_scores_below_zero():
    """`score_range` lifts them before it asks; the counter of scores would never end."""
    with near(corels.Problem.from_dataset(correlated(1, 5, 40), "0.02"), backend="c") as found:
        scores = np.zeros((2, found.instance.bits), dtype=np.int32)
        scores[1, 3] = -1
        with pytest.raises(CorelsError):
            found._engine.range(scores)


def correlated(seed, antecedents, rows, classes=2):
    """Antecedents that say something about the label, so that good lists stand out."""
    rng = np.random.default_rng(seed)
    hidden = rng.random((4, rows)) < 0.5
    captures = np.array(
        [hidden[rng.integers(4)] ^ (rng.random(rows) < 0.3) for _ in range(antecedents)]
    )
    labels = (hidden[0] * 1 + hidden[1] * (classes > 2)) ^ (rng.random(rows) < 0.15)
    return dataset_of(captures, labels, max(classes, int(labels.max()) + 1))


@pytest.mark.parametrize("seed", seeds(6, 3))
def test_more_antecedents(seed):
    data = correlated(seed, 8 + seed, 60 + 20 * seed, classes=2 + (seed == 5))
    compare(corels.Problem.from_dataset(data, "0.05"), within="25%")


@pytest.mark.parametrize("seed", seeds(4, 2))
def test_filters(seed):
    data = correlated(seed, 9, 80)
    problem = corels.Problem.from_dataset(data, "0.03")
    best = corels.solve(problem).model
    name = best.rules[0].antecedent.name if best.rules else "a0"
    compare(problem, within="25%", must_use=["a1"], avoid=["a3"])
    compare(problem.beginning([name]), within="25%", must_use=["a2", "a5"])
    compare(problem, within="25%", max_rules=3, must_use=["a2"])


@pytest.mark.parametrize("most", [2, 3])
def test_lists_of_at_most_so_many_rules_are_among_all(most):
    problem = corels.Problem.from_dataset(correlated(3, 12, 150), "0.03")
    with near(problem, within="25%", max_rules=most) as found:
        short, threshold = [one.antecedents for one in found], found.certificate.threshold
    best = corels.solve(problem)
    with near(problem, within=threshold - best.certificate.objective, result=best) as every:
        assert every.count > len(short) > 0
        assert short == [one.antecedents for one in every if len(one.antecedents) <= most]


def test_threads_change_no_result():
    problem = corels.Problem.from_dataset(correlated(3, 18, 300), "0.01")
    result = corels.solve(problem)
    with (
        near(problem, within="20%", result=result) as one,
        near(problem, within="20%", result=result, threads=3) as three,
    ):
        assert one.count == three.count > 1000
        assert one._levels == three._levels
        assert one.usage() == three.usage()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads is 0: expected a whole number from 1 to 256"),
        ({"threads": 2, "backend": "python"}, "backend 'python' runs on one thread, not 2"),
    ],
)
def test_wrong_threads_are_refused(options, message):
    with pytest.raises(CorelsError, match=message):
        near(corels.Problem.from_dataset(load("titanic"), "0.01"), **options)


@pytest.mark.parametrize("data", ["titanic", "tic-tac-toe"])
def test_built_in_data(data):
    regularization = {"titanic": "0.002", "tic-tac-toe": "0.05"}[data]
    problem = corels.Problem.from_dataset(load(data), regularization)
    compare(problem, within={"titanic": "2%", "tic-tac-toe": "6%"}[data])


def test_many_points_and_few_antecedents_have_closures_as_keys():
    rng = np.random.default_rng(3)
    data = random_dataset(5, antecedents=9, rows=2500, classes=2, weights=False)
    labels = (data.captures[0] & ~data.captures[1]) ^ (rng.random(2500) < 0.2)
    data = replace(data, labels=labels.astype(int))
    compare(corels.Problem.from_dataset(data, "0.02"), within="15%")


@pytest.mark.parametrize(("seed", "antecedents", "rows"), [(0, 20, 300), (1, 16, 200)])
def test_parts_add_up_where_tables_and_claims_prune(seed, antecedents, rows):
    """With and without an antecedent; by first rule. Each count has a graph of its own."""
    problem = corels.Problem.from_dataset(correlated(seed, antecedents, rows), "0.02")
    result = corels.solve(problem)

    def count(**options):
        with near(problem, within="26%", result=result, backend="c", **options) as found:
            return found.count

    total = count()
    assert total > 500
    for name in ("a1", "a7", "a12"):
        assert count(must_use=[name]) + count(avoid=[name]) == total
    with near(problem, within="26%", result=result, backend="c") as found:
        threshold = found.certificate.threshold

        def beginning(name):
            own = corels.solve(problem, first=[name])
            slack = threshold - own.certificate.objective
            if slack < 0:
                return 0
            with near(problem, within=slack, result=own, first=[name], backend="c") as lists:
                return lists.count

        firsts = [beginning(antecedent.name) for antecedent in problem.antecedents]
        assert sum(firsts) == total
        assert [found.first_rules().get(a.name, 0) for a in problem.antecedents] == firsts
        n = min(total, 20_000)
        assert len(set(found._engine.lists(total - n, n))) == n


def test_parts_add_up_where_prices_prune():
    """The same of many points."""
    problem = corels.Problem.from_dataset(correlated(3, 18, 5000), "0.004")
    result = corels.solve(problem)

    def count(**options):
        with near(problem, within="3%", result=result, backend="c", **options) as found:
            return found.count, found._engine.progress().stages["prices"]

    total, prices = count()
    assert total > 20 and prices > 0
    assert count(must_use=["a7"])[0] + count(avoid=["a7"])[0] == total


def all_subsets(n):
    """Every set of n points is an antecedent, so that many lists leave the same few sets."""
    return dataset_of([[j >> i & 1 for i in range(n)] for j in range(1, 2**n)], np.arange(n) % 2)


def lists_over_all_subsets(n, captured=0):
    """A rule takes some of the points that are left, and any of those that are captured."""
    left = n - captured
    return 1 + sum(
        math.comb(left, more) * 2**captured * lists_over_all_subsets(n, captured + more)
        for more in range(1, left + 1)
    )


def test_counts_beyond_64_bits_are_exact():
    problem = corels.Problem.from_dataset(all_subsets(10), "0")
    with near(problem, within=1, backend="c") as found:
        assert found.count == lists_over_all_subsets(10) > 2**64
        assert sum(found.lengths().values()) == found.count
        last = found[found.count - 1]
        assert last.number == found.count
        assert last.objective == Fraction(1, 2)
        assert sum(found.first_rules().values()) == found.count - 1  # one has no rule
        drawn = list(found.sample(50, seed=1))
        assert drawn == list(found.sample(50, seed=1))
        assert max(one.number for one in drawn) > 2**63


def test_the_twin_counts_the_same_over_all_subsets():
    problem = corels.Problem.from_dataset(all_subsets(4), "0")
    with near(problem, within=1, backend="python") as found:
        assert found.count == lists_over_all_subsets(4)


def test_more_lists_than_128_bits_hold_are_refused():
    from corels_c import near as engine

    with pytest.raises(TooManyListsError, match="more than 2\\^128 lists"):
        engine._check(engine.lib.CORELS_NEAR_TOO_MANY)
