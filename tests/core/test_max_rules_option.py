"""`max_rules` as people give it: bad input, certificates, known lists."""

import json

import pytest

import corels
from corels.model import Certificate
from corels.model.certificate_text import verdict
from corels.tables import load

PROBLEM = corels.Problem.from_dataset(load("tic-tac-toe"), "0.001")


@pytest.mark.parametrize("backend", ["c", "python"])
def test_certificate_and_document_say_among_which_lists(backend, tmp_path):
    for most, words in (
        (0, "lists without rules"),
        (1, "of at most 1 rule"),
        (2, "at most 2 rules"),
    ):
        result = corels.solve(PROBLEM, backend=backend, max_rules=most)
        assert len(result.model) <= most and result.certificate.max_rules == most
        assert words in verdict(result.certificate, "rule list") and words in str(result)
        document = json.loads(json.dumps(result.certificate.to_document()))
        assert Certificate.from_document(document) == result.certificate
    assert "limits" not in corels.solve(PROBLEM, node_limit=1).certificate.to_document()


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("search", ["depth-first", "best-first"])
def test_a_known_list_that_is_too_long_is_cut(backend, search):
    known = corels.solve(PROBLEM, max_rules=3).model
    for most in (1, 2):
        options = {"backend": backend, "search": search, "max_rules": most}
        plain = corels.solve(PROBLEM, **options).certificate
        warm = corels.solve(PROBLEM, incumbent=known, **options)
        assert len(warm.model) <= most and warm.certificate.objective == plain.objective
        stopped = corels.solve(PROBLEM, incumbent=known, node_limit=0, **options).model
        assert len(stopped) <= most and stopped.rules in (known.rules[:most], ())
        assert stopped.errors <= 332
    assert stopped.rules, "the first two rules are better than none"


def test_a_list_that_is_too_long_and_a_proof_about_shorter_ones_are_refused(run, tmp_path):
    model, proof = tmp_path / "m.json", tmp_path / "p"
    typed = ("--dataset", "tic-tac-toe", "-r", "0.001", "--max-rules", "2", "--quiet")
    assert run("run", *typed, "--output", model, "--proof", proof).code == 0
    document = json.loads(model.read_text())
    for stated, said in (
        ({"max_rules": 2}, ""),
        ({}, "WRONG  proof's limits"),
        ({"max_rules": 3}, "WRONG  proof's limits"),
        ({"max_rules": 1}, "WRONG  limits: max_rules 1: the model has 2"),
    ):
        document["certificate"]["limits"] = stated
        model.write_text(json.dumps(document))
        checked = run("check", model, "--dataset", "tic-tac-toe", "--proof", proof)
        assert (checked.code == 6) == bool(said) and said in checked.out
