"""One time for all searches of a path: the hardest search, which comes first, leaves some of it."""

import called
from corels_rule_list.path import bends as path_module
from corels_rule_list.path.cross_validation import cross_validated
from corels_rule_list.path.path import regularization_path

from corels.model import Stopped
from corels.problem import Problem
from corels.tables import load

PROBLEM = Problem.from_dataset(load("titanic"))


def watch(monkeypatch, *limits):
    """Note lambda and time limit of each search; the first ones have other limits."""
    searched, solve = [], path_module.solve

    def noted(problem, *words, time_limit, **options):
        searched.append((problem.regularization, time_limit))
        limit = limits[len(searched) - 1] if len(searched) <= len(limits) else time_limit
        return solve(problem, *words, time_limit=limit, **options)

    monkeypatch.setattr(path_module, "solve", noted)
    return searched


def test_the_first_search_leaves_half_of_the_time(monkeypatch):
    searched = watch(monkeypatch)
    assert regularization_path(PROBLEM, "0.001", total_time=1000).certified
    assert 400 < searched[0][1] <= 500


def test_what_time_has_stopped_is_searched_again_with_what_is_left(monkeypatch):
    searched = watch(monkeypatch, 0.0)
    path = regularization_path(PROBLEM, "0.001", total_time=1000)
    assert path.searches[0].stopped is Stopped.TIME_LIMIT
    assert path.certified
    assert [at for at, _ in searched].count(searched[0][0]) == 2


def test_uncertified_folds_are_told_of():
    held_out = cross_validated(load("titanic"), "0.01", folds=2, total_time=0)
    assert "the choice may change with more time" in held_out.to_text()
    assert "more time" not in cross_validated(load("titanic"), "0.05", folds=2).to_text()


def test_a_best_lambda_at_the_end_of_what_was_tried_is_told_of():
    at_its_end = cross_validated(load("titanic"), "0.15", folds=2).to_text()
    assert "0.15 is the least lambda that was tried: a smaller one may be better." in at_its_end
    inner = cross_validated(load("blood-donors"), "0.0005", folds=3)
    assert inner.best is not inner.pieces[-1] and "was tried" not in inner.to_text()


def test_uncertified_folds_are_in_the_exit_code(monkeypatch, capsys):
    def short(*words, total_time, **options):
        return cross_validated(*words, total_time=0, **options)

    monkeypatch.setattr("corels_rule_list.path.request.cross_validated", short)
    words = ["path", "--dataset", "titanic", "--low", "0.05", "--folds", "2", "--quiet"]
    assert called.code(*words) == 3
    assert "the choice may change with more time" in capsys.readouterr().out
