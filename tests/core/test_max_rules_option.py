"""`max_rules` as people give it: bad input, certificates, known lists."""

import json

import pytest
from called import code as run

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


def test_check_refuses_a_list_that_is_too_long(tmp_path, capsys):
    path = tmp_path / "m.json"
    typed = ("--dataset", "tic-tac-toe", "-r", "0.001", "--max-rules", "2", "--quiet")
    assert run("run", *typed, "--output", str(path)) == 0
    assert run("check", str(path), "--dataset", "tic-tac-toe") == 0
    document = json.loads(path.read_text())
    document["certificate"]["limits"]["max_rules"] = 1
    path.write_text(json.dumps(document))
    capsys.readouterr()
    assert run("check", str(path), "--dataset", "tic-tac-toe") == 6
    assert "WRONG  limits: max_rules 1: the model has 2" in capsys.readouterr().out


def test_a_proof_about_short_lists_does_not_prove_more(tmp_path, capsys):
    model, proof = tmp_path / "m.json", tmp_path / "p"
    typed = ("--dataset", "tic-tac-toe", "-r", "0.001", "--max-rules", "2", "--quiet")
    assert run("run", *typed, "--output", str(model), "--proof", str(proof)) == 0
    document = json.loads(model.read_text())
    for stated, code in ((2, 0), (None, 6), (3, 6)):
        document["certificate"]["limits"] = {} if stated is None else {"max_rules": stated}
        model.write_text(json.dumps(document))
        command = ("check", str(model), "--dataset", "tic-tac-toe", "--proof", str(proof))
        assert run(*command) == code
    assert "WRONG  proof's limits" in capsys.readouterr().out
