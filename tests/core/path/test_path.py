"""The regularization path equals brute force at every lambda."""

import json
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from corels_rule_list.model import RuleList
from corels_rule_list.path.bends import hull, shown_by_all
from corels_rule_list.path.path import regularization_path
from seeds import seeds

import corels
from corels.errors import OptionError
from corels.problem import Problem
from corels.tables import load, table_dataset
from corels.testing.problems import dataset_of

BACKENDS = ["c", "python"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", seeds(25, 5))
def test_path_equals_brute_force(seed, classes, backend):
    problem = random_problem(seed, classes=classes, weighted=seed % 2 == 1)
    errors = least_errors(problem)
    path = regularization_path(problem, "1/1000", backend=backend)
    assert path.certified
    ends = {end for segment in path for end in (segment.low, segment.high)}
    middles = {(segment.low + segment.high) / 2 for segment in path}
    for at in ends | middles | {Fraction(1, 97), Fraction(3, 50), Fraction(1)}:
        best = optimum(problem, at, errors)
        assert path.objective(at) == best
        assert path.lower_bound(at) == best
        assert path.gap(at) == 0
        assert path.at(at).rule_list.errors == errors[len(path.at(at).rule_list)]


@pytest.mark.parametrize("seed", range(6))
def test_segments_join_and_bend(seed):
    path = regularization_path(random_problem(seed, antecedents=6), "0.001")
    assert path.low == Fraction(1, 1000)
    for one, following in zip(path.segments, path.segments[1:], strict=False):
        assert one.low == following.high
        assert one.low < one.high
        assert len(one.rule_list) < len(following.rule_list)
        assert one.rule_list.objective(one.low) == following.rule_list.objective(one.low)


@pytest.mark.parametrize("seed", range(6))
def test_few_searches_are_enough(seed):
    path = regularization_path(random_problem(seed, antecedents=6, rows=60), "0.001")
    assert len(path.searches) <= max(1, 2 * len(path) - 1)
    assert len(path.searches) + path.without_search >= len(path) - 1
    assert all(certificate.optimal for certificate in path.searches)


def test_titanic():
    path = regularization_path(corels.Problem.from_dataset(load("titanic")), "0.0005")
    assert [len(segment.rule_list) for segment in path] == [0, 1, 3]
    assert path.segments[1].high == Fraction(218, 2201)
    assert len(path.searches) < 4
    assert [row["errors"] for row in path.to_rows()] == [711, 493, 461]
    assert "0.099046 to 0.323035" in str(path)
    json.dumps(path.to_document())


def test_narrow_and_constant_paths():
    problem = corels.Problem.from_dataset(load("titanic"))
    whole = regularization_path(problem, "0.0005")
    part = regularization_path(problem, "0.005", "0.05")
    assert [len(segment.rule_list) for segment in part] == [1, 3]
    assert part.high == Fraction(1, 20) and part.low == Fraction(1, 200)
    for at in ("0.005", "0.01", "0.05"):
        assert part.objective(at) == whole.objective(at)
    point = regularization_path(problem, "0.01", "0.01")
    assert len(point) == 1 and point.certified
    constant = regularization_path(problem, "0.9")
    assert len(constant) == 1 and not constant.searches and constant.certified
    assert constant.at(1).rule_list.rules == ()
    with pytest.raises(OptionError, match="the path ends at 1/20"):
        regularization_path(problem, "0.05").at("0.01")


def test_where_a_perfect_rule_costs_as_much_as_no_rule_the_shorter_list_follows():
    columns = {"a": [0, 0, 1, 1], "y": [0, 0, 1, 1]}
    problem = corels.Problem.from_dataset(table_dataset(columns, "y"))
    path = regularization_path(problem, "0.1")
    half = Fraction(1, 2)
    assert [(one.low, one.high, len(one.rule_list)) for one in path] == [
        (half, half, 0),
        (Fraction(1, 10), half, 1),
    ]
    assert path.certified and path.objective("3/4") == path.lower_bound("3/4") == half


def test_wrong_options():
    problem = random_problem(0)
    with pytest.raises(OptionError, match="below its least"):
        regularization_path(problem, "0.1", "0.01")
    with pytest.raises(OptionError, match="expected a number from 0 to 1"):
        regularization_path(problem, -1)
    with pytest.raises(OptionError, match="no option 'polcy'"):
        regularization_path(problem, "0.01", polcy="bfs")


def test_limits_leave_proven_bounds():
    problem = random_problem(3, antecedents=12, rows=200)
    exact = regularization_path(problem, "0.002")
    cut = regularization_path(problem, "0.002", node_limit=3)
    assert exact.certified and not cut.certified
    for k in range(60):
        at = Fraction(1, 500) + k * (exact.high - Fraction(1, 500)) / 59
        assert cut.lower_bound(at) <= exact.objective(at) <= cut.objective(at)
        assert cut.gap(at) >= 0
    for segment in cut:
        if segment.certified:
            assert segment.rule_list.objective(segment.low) == exact.objective(segment.low)


def test_ctrl_c_keeps_what_was_found(monkeypatch):
    from corels_c.search import CSearch

    def interrupted(self, budget):
        raise KeyboardInterrupt

    monkeypatch.setattr(CSearch, "step", interrupted)
    path = regularization_path(random_problem(1), "0.001")
    assert path.interrupted and not path.certified
    assert path.segments[0].rule_list.rules == ()


def test_a_search_without_memory_costs_its_proof_alone(monkeypatch):
    """The second one: what the others have found and proved is there, with a gap."""
    from corels_c.search import CSearch

    problem = corels.Problem.from_dataset(load("titanic"), "0.002")
    step, searches = CSearch.step, []

    def refused(self, budget):
        if self not in searches:
            searches.append(self)
        if searches.index(self) == 1:
            raise MemoryError
        return step(self, budget)

    monkeypatch.setattr(CSearch, "step", refused)
    path = regularization_path(problem, "1/500", backend="c")
    assert len(searches) > 1 and not path.certified and not path.interrupted
    for at in ("1/500", "1/50", "1/10", "1/4"):
        exact = Fraction(at)
        best = corels.solve(problem.with_regularization(at), backend="python")
        assert path.lower_bound(exact) <= best.certificate.objective <= path.objective(exact)


def test_report_and_warm_start():
    seen = []
    problem = random_problem(4, antecedents=8, rows=100)
    path = regularization_path(
        problem, "0.002", report=lambda found, certificate: seen.append((found, certificate))
    )
    assert [certificate for _, certificate in seen] == list(path.searches)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", range(3))
def test_an_offered_list_is_kept_or_beaten(seed, backend):
    problem = random_problem(seed, antecedents=7, rows=120, regularization="0.004")
    cold = corels.solve(problem, backend=backend)
    warm = corels.solve(problem, backend=backend, incumbent=cold.model)
    assert warm.model == cold.model
    assert warm.certificate.objective == cold.certificate.objective
    assert warm.certificate.optimal
    poor = corels.solve(problem.with_regularization("0.08"), backend=backend).model
    again = corels.solve(problem, backend=backend, incumbent=poor)
    assert again.certificate.objective == cold.certificate.objective
    assert again.model.objective(problem.regularization) == cold.certificate.objective


@pytest.mark.parametrize("seed", range(4))
def test_offered_lists_give_equal_searches_on_both_backends(seed):
    problem = random_problem(seed, antecedents=7, rows=120, regularization="0.004")
    known = corels.solve(problem.with_regularization("0.03")).model
    one, other = (
        corels.solve(problem, backend=b, policy="lower_bound", incumbent=known) for b in BACKENDS
    )
    assert one.model == other.model
    assert one.certificate.expanded == other.certificate.expanded
    pruned = [  # by the bounds that both backends have
        {name: n for name, n in found.certificate.pruned.items() if n} for found in (one, other)
    ]
    assert pruned[0] == pruned[1]


def testhull():
    lines = [(0, 100), (1, 60), (2, 59), (3, 20), (4, 20), (5, 19)]
    assert hull(lines) == [(0, 100), (1, 60), (3, 20), (5, 19)]
    lowest = {}
    for numerator in range(1, 600):
        at = Fraction(numerator, 10)
        best = min(errors + at * rules for rules, errors in lines)
        for line in lines:
            if line[1] + at * line[0] == best:
                lowest.setdefault(line, 0)
    assert set(hull(lines)) <= set(lowest)
    for numerator in range(1, 600):
        at = Fraction(numerator, 10)
        assert min(e + at * k for k, e in hull(lines)) == min(e + at * k for k, e in lines)


def test_plot():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    path = regularization_path(corels.Problem.from_dataset(load("titanic")), "0.005")
    above, below = path.plot()
    line, marks = above.get_lines()
    ends = [float(at) for at in (path.low, *[s.high for s in path][::-1])]
    assert np.allclose(marks.get_xdata(), ends)
    for one in (line, marks):
        found = [float(path.objective(at)) for at in one.get_xdata()]
        assert np.allclose(one.get_ydata(), found)
    assert below.get_xlabel().startswith("lambda") and above.get_xscale() == "log"
    whole = regularization_path(corels.Problem.from_dataset(load("titanic")), "0").plot()
    assert whole[0].get_xscale() == "linear"  # there is no logarithm of 0
    cut = regularization_path(
        random_problem(3, antecedents=12, rows=200), "0.002", node_limit=3
    ).plot()
    assert len(cut[0].get_lines()) == 3


def test_no_bound_stays_below_what_others_have_shown():
    """F is the least of random lines; what the bounds say together is never above it."""
    rng = np.random.default_rng(5)
    raised = 0
    for _ in range(300):
        lines = rng.integers(0, 12, size=(4, 2))  # rules and errors of 20 rows
        proofs = []
        for at in sorted({Fraction(int(k), 40) for k in rng.integers(1, 40, size=5)}):
            best = min(Fraction(int(errors), 20) + at * int(rules) for rules, errors in lines)
            proofs.append((at, best * int(rng.integers(0, 5)) / 4))
        shown = shown_by_all(proofs)
        for (at, bound), (place, told) in zip(proofs, shown, strict=True):
            best = min(Fraction(int(errors), 20) + at * int(rules) for rules, errors in lines)
            assert at == place and bound <= told <= best
            raised += told > bound
        slopes = [(y1 - y0) / (x1 - x0) for (x0, y0), (x1, y1) in pairwise(shown)]
        assert slopes == sorted(slopes, reverse=True) and all(slope >= 0 for slope in slopes)
    assert raised > 100


def random_problem(
    seed, *, antecedents=4, rows=25, classes=2, weighted=False, regularization="0.1"
):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 5, rows) if weighted else None
    captures, labels = rng.random((antecedents, rows)) < 0.4, rng.integers(0, classes, rows)
    return Problem.from_dataset(dataset_of(captures, labels, classes, weights), regularization)


def least_errors(problem):
    """Fewest errors for each number of rules, over all lists."""
    best = {}
    for length in range(problem.n_antecedents + 1):
        found = [
            RuleList.of(problem, order).errors
            for order in permutations(range(problem.n_antecedents), length)
        ]
        best[length] = min(found)
    return best


def optimum(problem, regularization, errors=None):
    """The optimal objective at one lambda, by trying every list."""
    errors = least_errors(problem) if errors is None else errors
    return min(Fraction(e, problem.total) + regularization * k for k, e in errors.items())
