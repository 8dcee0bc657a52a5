"""The path over what a row costs that is left undecided or handed over, against all lists."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations, product

import called
import numpy as np
import pytest
from corels_rule_list.path import bends, price
from corels_rule_list.path.bends import neighbours
from corels_rule_list.path.path import regularization_path
from corels_rule_list.path.price import price_path

from corels.cli import main
from corels.errors import OptionError
from corels.model import Stopped
from corels.problem import Problem
from corels.problem.costs import Costs, Outcomes
from corels.tables import TableOptions, load
from corels.testing.problems import dataset_of


def random_data(seed, kind):
    """Two classes and a further outcome that costs 1/2 a row, beside what its answers cost."""
    rng = np.random.default_rng([7, seed])
    rows = 25
    labels, right = rng.integers(0, 2, rows), np.zeros(rows, dtype=bool)
    if kind == "defer":
        right = rng.random(rows) < 0.8
    said = [2 * (labels != c) * rng.integers(1, 3, rows) for c in (0, 1)]
    said.append(1 + (2 * ~right if kind == "defer" else np.zeros(rows, dtype=int)))
    outcomes = Outcomes((0, 1, "?"), ("class", "class", kind), 2, default_only=seed % 3 == 2)
    counted = np.array([labels == 0, labels == 1, right], dtype=np.int64)
    captures = rng.random((3, rows)) < 0.4
    weights = rng.integers(1, 4, rows) if seed % 2 else None
    costs = Costs(outcomes, np.array(said), counted, {kind: Fraction(1, 2)})
    return dataset_of(captures, labels, weights=weights, costs=costs)


def all_lines(data, regularization):
    """(objective at price 0, share of rows that pay the price) of each list, row by row."""
    weights = np.ones(data.n_rows) if data.weights is None else data.weights
    total, captured = int(weights.sum()), data.captures.unpack()
    free = data.costs.amounts - np.array([0, 0, 1])[:, None]
    rules = range(data.costs.outcomes.for_rules)
    found = set()
    for length in range(4):
        for order in permutations(range(3), length):
            by = np.full(data.n_rows, length)
            for place in reversed(range(length)):
                by[captured[order[place]]] = place
            for outcomes in product(*[rules] * length, range(3)):
                said = np.array(outcomes)[by]
                paid = int((weights * free[said, np.arange(data.n_rows)]).sum())
                asked = Fraction(int(weights[said == 2].sum()), total)
                found.add((Fraction(paid, 2 * total) + regularization * length, asked))
    return found


@pytest.mark.parametrize("coarse", [False, True])
def test_every_price_has_its_best_list(monkeypatch, coarse):
    """coarse: 32 bits do not hold the breakpoints' prices, so those beside them are searched."""
    segments = rounded = open_ = 0
    for seed in range(12):
        kind, regularization = ("abstain", "defer")[seed % 2], Fraction(1 + seed % 3, 100)
        data = random_data(seed, kind)
        problem = Problem.from_dataset(data, regularization)
        if coarse:
            monkeypatch.setattr(price, "MOST", 40 * max(problem.worth, problem.most * 2))
        path = price_path(problem, "abstain" if kind == "abstain" else "defer-cost", high="0.9")
        lines = all_lines(data, regularization)
        ends = [segment.low for segment in reversed(path.segments)] + [path.high]
        for at in {*ends, *((a + b) / 2 for a, b in pairwise(ends)), Fraction(1, 3)}:
            best = min(flat + at * asked for flat, asked in lines)
            assert path.lower_bound(at) <= best == path.objective(at)
        assert path.certified and path.low == 0 and path.high == Fraction(9, 10)
        shown = [segment.rule_list.shares()["coverage"] for segment in path]
        assert shown == sorted(shown, reverse=True)
        segments += len(path)
        rounded += any(path.axis.near(at) != [at] for at in ends)
        open_ += len(path.slivers)
        if path.slivers:
            most = max(map(path.largest_gap, path))
            shown = f"another list may be better by at most {float(most):.1g}."
            stopped = tuple(replace(segment, certified=False) for segment in path)
            assert shown in path.to_text()
            assert shown in replace(path, segments=stopped).to_text()
    assert segments > 20 and (rounded > 5) == coarse and (open_ > 0) == coarse


def test_a_path_that_was_stopped_encloses_the_true_one():
    data = random_data(1, "defer")
    problem = Problem.from_dataset(data, "0.01")
    path = price_path(problem, "defer-cost", node_limit=1, preset="paper", start="none")
    lines = all_lines(data, Fraction(1, 100))
    for at in (Fraction(k, 20) for k in range(11)):
        best = min(flat + at * asked for flat, asked in lines)
        assert path.lower_bound(at) <= best <= path.objective(at)
    assert not path.certified and "no, gap" in path.to_text()


@pytest.mark.parametrize("over", ["lambda", "defer-cost"])
def test_ctrl_c_in_the_first_search_leaves_one_price(monkeypatch, over):
    solve = bends.solve

    def interrupted(*given, **options):
        found = solve(*given, **options)
        return replace(found, certificate=replace(found.certificate, stopped=Stopped.INTERRUPTED))

    monkeypatch.setattr(bends, "solve", interrupted)
    problem = Problem.from_dataset(random_data(1, "defer"), "0.01")
    if over == "lambda":
        path = regularization_path(problem, "0.01", "0.02")
    else:
        path = price_path(problem, over)
    assert path.interrupted and len(path.searches) == 1
    assert path.low == path.high and len(path.to_text().splitlines()) > 1
    assert path.lower_bound(path.low) <= path.objective(path.low)
    assert path.to_document() and path.figure()


def test_ctrl_c_in_any_search_is_the_end(monkeypatch):
    """Also in the first of two on either side of a breakpoint."""
    solve, data = bends.solve, random_data(1, "defer")
    problem, lines = Problem.from_dataset(data, "0.01"), all_lines(data, Fraction(1, 100))
    monkeypatch.setattr(price, "MOST", 40 * problem.most)
    for last in range(2, len(price_path(problem, "defer-cost").searches)):
        calls = []

        def interrupted(*given, last=last, calls=calls, **options):
            calls.append(solve(*given, **options))
            stopped = Stopped.INTERRUPTED if len(calls) == last else Stopped.CERTIFIED
            certificate = replace(calls[-1].certificate, stopped=stopped)
            return replace(calls[-1], certificate=certificate)

        monkeypatch.setattr(bends, "solve", interrupted)
        path = price_path(problem, "defer-cost")
        assert path.interrupted and len(path.searches) == last
        for at in (Fraction(k, 20) for k in range(11)):
            best = min(flat + at * asked for flat, asked in lines)
            assert path.lower_bound(at) <= best <= path.objective(at)
    assert last > 4


def test_prices_are_as_fine_as_the_costs_at_least(monkeypatch):
    """Prices in the unit of the costs can be searched, however little 32 bits leave beside."""
    for seed in range(4):
        data = random_data(seed, "defer")
        amounts = data.costs.amounts * 50 + np.array([1, 0, 0])[:, None]
        costs = replace(
            data.costs, outcomes=replace(data.costs.outcomes, scale=100), amounts=amounts
        )
        problem = Problem.from_dataset(replace(data, costs=costs), "0.02")
        monkeypatch.setattr(price, "MOST", 3 * problem.most)
        path = price_path(problem, "defer-cost")
        assert path.axis.finest < 4 and path.axis.grid == 100
        assert all(high - low <= Fraction(1, 100) for low, high in path.slivers)
        for at in (Fraction(k, 100) for k in range(51)):
            assert path.certified and path.lower_bound(at) <= path.objective(at)
            assert path.axis.near(at) == [at]


def test_neighbours_are_the_nearest_on_either_side():
    for at in (Fraction(17, 97), Fraction(1, 101), Fraction(355, 113), Fraction(99, 100)):
        for finest in (1, 2, 7, 30, 96):
            fractions = [Fraction(a, b) for b in range(1, finest + 1) for a in range(4 * b + 1)]
            below, above = max(f for f in fractions if f < at), min(f for f in fractions if f > at)
            assert neighbours(at, finest) == [below, above]
    assert neighbours(Fraction(1, 3), 3) == [Fraction(1, 3)]


def test_where_outcomes_have_costs_lambda_may_be_above_1(capsys):
    words = ["--over", "abstain", "--abstain", "20", "--cost", "fp=50,fn=90", "-r", "3/2"]
    ended = called.code("path", "--dataset", "titanic", "--quiet", *words)
    assert ended == 0 and "lambda 1.5:" in capsys.readouterr().out


def test_each_search_is_told_with_its_price(capsys):
    with pytest.raises(SystemExit):
        main(
            ["path", "--dataset", "titanic", "--over", "abstain", "--abstain", "0.25", "-r", "0.01"]
        )
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("price 0.250000: coverage ")
    assert told[1].startswith("price 0.000000: coverage 0.0000, objective 0.000000, certified, ")


def test_the_command_writes_table_picture_and_file(capsys, tmp_path):
    words = ["--over", "abstain", "--abstain", "0.5", "-r", "0.005", "--quiet", "--lists"]
    files = ["-o", str(tmp_path / "p.json"), "--plot", str(tmp_path / "p.svg")]
    ended = called.code("path", "--dataset", "titanic", *words, *files)
    out = capsys.readouterr().out
    assert ended == 0 and "Best lists by --abstain" in out and "don't know" in out
    document = json.loads((tmp_path / "p.json").read_text())
    assert document["certified"] and document["over"] == "abstain"
    assert (tmp_path / "p.svg").stat().st_size


def test_prices_outside_the_path():
    path = price_path(Problem.from_dataset(load("titanic", TableOptions(abstain="0.3"))), "abstain")
    with pytest.raises(OptionError, match="the path goes from 0 to"):
        path.at("0.4")
    with pytest.raises(OptionError, match="expected a number, 0 or more"):
        path.at("-1")
