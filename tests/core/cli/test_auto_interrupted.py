"""Ctrl-C while lambda is chosen: a model all the same, and its file."""

import json
import signal

from corels_rule_list.path import cross_validation


def test_it_ends_with_the_best_model_so_far_and_its_file(corels, tmp_path, monkeypatch):
    search, begun = cross_validation.regularization_path, []

    def pressed(*given, **options):
        begun.append(given)
        if len(begun) == 2:
            signal.raise_signal(signal.SIGINT)
        return search(*given, **options)

    monkeypatch.setattr(cross_validation, "regularization_path", pressed)
    model = tmp_path / "m.json"
    ended = corels("run", "--dataset", "titanic", "-r", "auto:0.02", "-o", model)
    assert ended.code == 130 and len(begun) == 2
    said = ended.err.splitlines()
    assert said[0].startswith("lambda is chosen first, on folds of the rows")
    assert "fold 1 of 5: " in said[1] and "fold 2 of 5: " in said[2]
    assert "2 held-out folds: " in said[3] and "it rests on these folds only" in said[3]
    assert "then survived = " in ended.out
    assert json.loads(model.read_text())["rules"]
