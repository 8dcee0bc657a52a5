"""`--cost f1`: the greatest F1, in which a rule counts as lambda N mistakes, by brute force."""

import json
from fractions import Fraction

import called
import numpy as np
import pytest
from every_list import every_list

import corels
from corels import RuleListClassifier
from corels.learning.flow import ratio_of
from corels.learning.ratio import Ratio
from corels.problem import Problem
from corels.tables import load, load_columns
from corels.testing.problems import random_dataset


def by_force(data, lam, beta):
    """The least E/TP of all lists with all predictions; None if none has a true positive."""
    weights = np.ones(data.n_rows, np.int64) if data.weights is None else data.weights
    total, best = int(weights.sum()), None
    for length, said in every_list(data.captures.unpack(), range(2), range(2)):
        tp, fp, fn = (
            int((weights * (said == s) * (data.labels == t)).sum())
            for s, t in ((1, 1), (1, 0), (0, 1))
        )
        if tp:
            ratio = (fp + beta**2 * fn + lam * total * length) / tp
            best = ratio if best is None else min(best, ratio)
    return best


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("word", ["f1", "f2", "f0.5"])
def test_the_ratio_is_the_least_of_all_lists(word, backend):
    checked = 0
    for seed in range(12):
        rng = np.random.default_rng([11, seed])
        data = random_dataset(rng, antecedents=3, rows=14, classes=2)
        lam = Fraction(int(rng.integers(1, 20)), 100)
        ratio = ratio_of(word, "rule-list")
        expected = by_force(data, lam, ratio.beta)
        if expected is None:
            continue

        def run(rows, known, lam=lam):
            return corels.solve(Problem.from_dataset(rows, lam), incumbent=known, backend=backend)

        found = ratio.maximised(data, lam, run, options={"backend": backend}, left=lambda: None)
        assert found.certificate.optimal
        assert ratio.of_model(found.model, lam) == expected
        assert not any("at most" in name for name in found.certificate.extra)
        checked += 1
    assert checked > 7


def test_what_searches_prove_that_end_early_is_above_the_best_ratio(monkeypatch):
    short = below = 0
    for seed in range(40):
        rng = np.random.default_rng([12, seed])
        data = random_dataset(rng, antecedents=4, rows=40, classes=2)
        lam, ratio = Fraction(int(rng.integers(1, 9)), 200), ratio_of("f1", "rule-list")
        if (expected := by_force(data, lam, ratio.beta)) is None:
            continue

        def run(rows, known, lam=lam):
            return corels.solve(Problem.from_dataset(rows, lam), incumbent=known, node_limit=1)

        found = ratio.maximised(data, lam, run, options={"node_limit": 1}, left=lambda: None)
        extra = found.certificate.extra
        most = extra.get("f1 with rules as mistakes is at most")
        if not found.certificate.optimal and most is not None:
            assert float(most) >= float(ratio.value(expected)) - 1e-6
            short, below = short + 1, below + (float(most) < 1)
    assert short > 4 and below > 2


def test_ratios_that_are_rounded_leave_a_gap_that_is_said(monkeypatch):
    monkeypatch.setattr("corels.learning.ratio.MOST", 40_000)
    columns, label = load_columns("titanic")
    table = {name: list(column.cells()) for name, column in columns.items()}
    found = corels.learn(table, label, regularization="0.005", cost="f1")
    assert found.certificate.optimal
    most = float(found.certificate.extra["f1 with rules as mistakes is at most"])
    assert float(found.certificate.extra["f1 with rules as mistakes"]) < most
    assert 0.5919 < most < 0.7  # that of the best list


def test_the_command_line_its_proof_and_the_estimator_agree(tmp_path, capsys, monkeypatch):

    monkeypatch.chdir(tmp_path)
    words = ["run", "--dataset", "titanic", "-r", "0.005", "--cost", "f1", "-q", "-o", "m.json"]
    assert called.code(*words, "--proof", "p") == 0
    document = json.loads((tmp_path / "m.json").read_text())
    assert document["data"]["reading"]["cost"] == "fp=1,fn=204603/86000"
    ended = called.code("check", "m.json", "--dataset", "titanic", "--proof", "p")
    assert ended == 0 and "is optimal" in capsys.readouterr().out
    data = load("titanic")
    X, y = data.captures.unpack().T.astype(int), data.labels
    model = RuleListClassifier(0.005, cost="f1", min_support=0).fit(X, y)
    assert model.optimal_ and model.certificate_.extra["f1"] == "0.6056"
    assert model.score(X, y) == pytest.approx(-document["certificate"]["objective"] + 0.015)
    assert RuleListClassifier("auto:0.01", cost="f1").fit(X, y).optimal_


def test_more_than_two_classes_are_refused():
    with pytest.raises(corels.OptionError, match="is for two classes"):
        corels.learn({"a": [0, 1, 1] * 5, "y": [0, 1, 2] * 5}, "y", cost="f1")


def test_costs_of_further_outcomes_are_refused_in_python():
    X, y = [[0], [1], [1]] * 5, [0, 1, 1] * 5
    for cost in ("f1", "f2"):
        model = RuleListClassifier(0.1, cost=cost, abstain=0.3)
        with pytest.raises(corels.OptionError, match="counts mistakes alone"):
            model.fit(X, y)


def test_a_ratio_says_what_it_maximises():
    assert Ratio("f1", Fraction(1)).value(Fraction(2)) == Fraction(1, 2)
