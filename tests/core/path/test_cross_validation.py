"""Lambda by cross-validation over the exact path: every step is known, and the choice is right."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from corels_rule_list.path.cross_validation import cross_validated, simplest

import corels
from corels.errors import OptionError
from corels.tables import TableOptions, load, table_dataset
from corels.tables.folds import stratified_folds, subset


@pytest.fixture(scope="module")
def found():
    return cross_validated(load("titanic"), "0.002", folds=3)


def test_the_simplest_fraction_has_the_smallest_denominator():
    rng = np.random.default_rng(0)
    for _ in range(300):
        low = Fraction(int(rng.integers(0, 50)), int(rng.integers(1, 60)))
        high = low + Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 900)))
        best = simplest(low, high)
        assert low < best < high
        for denominator in range(1, best.denominator):
            assert not low < Fraction(low * denominator // 1 + 1, denominator) < high
    assert simplest(Fraction(1, 7), Fraction(1, 7)) == Fraction(1, 7)


def test_pieces_cover_the_interval_and_each_score_is_that_of_a_search(found):
    data = load("titanic")
    for before, after in zip(found.pieces, found.pieces[1:], strict=False):
        assert before.low == after.high
    assert found.pieces[-1].low == Fraction(1, 500)
    for piece in found.pieces[:: max(1, len(found.pieces) // 4)]:
        at = (piece.low + piece.high) / 2
        for (train, test), accuracy in zip(
            stratified_folds(data.labels, 3, 0), piece.held_out, strict=True
        ):
            problem = corels.Problem.from_dataset(subset(data, train), at)
            model = corels.solve(problem).model
            held_out = subset(data, test)
            right = np.mean(model.predict_indices(held_out) == held_out.labels)
            assert accuracy == pytest.approx(right)


def test_beyond_its_path_a_fold_with_a_perfect_rule_has_no_rule():
    """One row of 40 does not follow the column: only without it a rule is perfect."""
    a = np.arange(40) % 2
    y = np.where(np.arange(40) == 0, 1, a)
    data = table_dataset({"a": a, "y": y}, "y")
    found = cross_validated(data, "0.01")
    checked = 0
    for piece in found.pieces:
        for (train, test), accuracy in zip(
            stratified_folds(data.labels, 5, 0), piece.held_out, strict=True
        ):
            at = (piece.low + piece.high) / 2
            model = corels.solve(corels.Problem.from_dataset(subset(data, train), at)).model
            held_out = subset(data, test)
            assert accuracy == np.mean(model.predict_indices(held_out) == held_out.labels)
            checked += 1
    assert checked > 10


def test_with_costs_held_out_rows_say_what_a_list_costs():
    """Numbers in tens, predicted by one column: the mean error is far above 1, and so may lambda
    be."""
    rng = np.random.default_rng(0)
    low = rng.random(120) < 0.5
    number = np.where(low, 10, 40) + 10 * rng.integers(0, 3, 120)
    table = {"low": low.astype(int), "odd": rng.integers(0, 2, 120), "number": number}
    data = table_dataset(table, "number", TableOptions(cost="absolute"))
    found = cross_validated(data, 2, folds=np.int64(3))
    assert found.costed and "the least mean cost is" in str(found)
    least = min(piece.mean for piece in found.pieces)
    assert found.best.mean == least and 2 <= found.regularization < 40
    assert found.chosen.mean <= least + found.best.error
    for (train, test), cost in zip(
        stratified_folds(data.labels, 3, 0), found.chosen.held_out, strict=True
    ):
        problem = corels.Problem.from_dataset(subset(data, train), found.regularization)
        said = corels.solve(problem).model.predict(subset(data, test))
        assert cost == pytest.approx(np.mean(np.abs(said.astype(int) - number[test])))
    chosen = corels.learn(table, "number", cost="absolute", regularization="auto:2")
    assert chosen.certificate.regularization > 2 and len(chosen.model) == 1


def test_one_standard_error(found):
    enough = found.best.mean - found.best.error
    assert found.chosen.mean >= enough
    larger = found.pieces[: found.pieces.index(found.chosen)]
    assert all(piece.mean < enough for piece in larger)
    assert found.chosen.low < found.chosen.regularization < found.chosen.high
    assert found.certified


def test_weights_count():
    data = load("titanic")
    weighted = replace(data, weights=np.full(data.n_rows, 3, dtype=np.int64))
    once = cross_validated(data, "0.05", folds=3)
    thrice = cross_validated(weighted, "0.05", folds=3)
    assert [p.mean for p in once.pieces] == pytest.approx([p.mean for p in thrice.pieces])


@pytest.mark.parametrize("folds", [1, 0, -1, 10_000, 2.0, True])
def test_folds_out_of_range(folds):
    with pytest.raises(OptionError, match="folds"):
        cross_validated(load("titanic"), folds=folds)


class TestCommands:
    def test_auto_learns_with_the_lambda_that_was_chosen(self, run):
        code, out, err = run("run", "--dataset", "titanic", "-r", "auto:0.05", "--json")
        assert code == 0
        chosen = cross_validated(load("titanic"), "0.05").chosen.regularization
        assert json.loads(out)["certificate"]["exact"]["regularization"] == str(chosen)
        assert "fold 5 of 5" in err
        assert f"chosen lambda is {chosen}," in err

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("-r", "autos"), "expected a number from 0 to 1"),
            (("-r", "auto:2"), "expected a number from 0 to 1"),
            (("-r", "auto", "--solver", "falling"), "falling"),
        ],
    )
    def test_what_auto_is_not(self, run, words, said):
        code, _, err = run("run", "--dataset", "titanic", *words)
        assert code == 2
        assert said in err

    def test_a_path_with_folds_is_shown_and_saved(self, run, tmp_path):
        path = tmp_path / "path.json"
        words = ("path", "--dataset", "titanic", "--low", "0.05", "--folds", 3, "-q")
        code, out, _ = run(*words, "--output", path)
        assert code == 0
        assert out.splitlines()[0].endswith("held out")
        assert "chosen lambda is" in out
        found = json.loads(path.read_text())
        assert all(0 <= segment["held_out"] <= 1 for segment in found["segments"])
        rows = tmp_path / "path.csv"
        run(*words, "--output", rows)
        assert rows.read_text().splitlines()[0].endswith("certified,gap,held_out,standard_error")

    @pytest.mark.parametrize("words", [("--folds", 1), ("--folds", -1), ("--output", "no/x.json")])
    def test_wrong_options(self, run, words, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        code, out, err = run("path", "--dataset", "titanic", *words)
        assert code in (2, 5)
        assert out == ""
        assert err.startswith("error: ")
