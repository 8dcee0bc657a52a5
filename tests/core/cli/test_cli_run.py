"""`corels run` if nothing goes wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_program import leftovers

from corels import OptionError, learn
from corels.cli.exits import Exit

TITANIC = ("run", "--dataset", "titanic")


@pytest.mark.parametrize("backend", ["c", "python"])
def test_a_built_in_data_set_is_certified_at_once(corels, backend):
    ended = corels(*TITANIC, "--backend", backend)
    assert ended.code == Exit.CERTIFIED
    assert ended.out.splitlines()[0].startswith("if sex = Female")
    assert "Certified optimal: no rule list is better" in ended.err
    assert f"backend {backend}" in ended.err
    assert "exactly 51501/220100" in ended.err


def test_data_on_stdout_only(corels):
    ended = corels(*TITANIC, "--json")
    document = json.loads(ended.out)
    assert document["schema"] == "corels/rule-list"
    assert document["certificate"]["exact"]["objective"] == "51501/220100"
    assert document["data"]["rows"] == 2201


def test_quiet_says_nothing_but_the_model(corels):
    ended = corels(*TITANIC, "--quiet")
    assert ended.err == ""
    assert "survived = yes" in ended.out


def test_a_rule_file_finds_its_labels(corels, rules):
    beside = corels("run", rules, "-r", "0.1")
    named = corels("run", rules, rules.with_suffix(".label"), "-r", "0.1")
    assert beside.code == named.code == Exit.CERTIFIED
    assert beside.out == named.out
    assert "a:yes" in beside.out


def test_a_table_needs_its_label_column(corels, table):
    pytest.importorskip("polars")
    ended = corels("run", table, "--label", "ill", "-r", "0.05")
    assert ended.code == Exit.CERTIFIED
    assert "ill = yes" in ended.out
    assert "gender = m" in ended.out


def test_options_of_the_data_reach_the_reader(corels, table):
    pytest.importorskip("polars")
    plain = json.loads(corels("run", table, "--label", "ill", "--json").out)
    more = json.loads(
        corels(
            *("run", table, "--label", "ill", "--json", "--max-cardinality", 2),
            *("--negations", "--cuts", "quantile 1", "--ignore", "smoker"),
        ).out
    )
    assert plain["data"]["antecedents"] != more["data"]["antecedents"]
    assert "smoker" not in json.dumps({**more, "data": None})


def test_parts_are_chosen_by_name(corels):
    ended = corels(
        *(*TITANIC, "--json", "--policy", "dfs", "--map", "none"),
        *("--no-bound", "all", "--bound", "hierarchical", "--bound", "lookahead", "--seed", 7),
    )
    parts = json.loads(ended.out)["certificate"]["parts"]
    assert parts["policy"] == "dfs"
    assert parts["map"] == "none"
    assert parts["bounds"] == "hierarchical lookahead"
    assert parts["seed"] == "7"


def test_a_limit_ends_with_the_best_list_its_gap_and_its_own_code(corels, tmp_path):
    path = tmp_path / "m.json"
    ended = corels("run", "--dataset", "tic-tac-toe", "--node-limit", 3, "-o", path)
    assert ended.code == Exit.STOPPED
    assert "Stopped early (node limit): no rule list is better by more than the gap" in ended.err
    assert ended.out.startswith("if ")
    certificate = json.loads(path.read_text())["certificate"]
    assert not certificate["optimal"]
    assert certificate["stopped"] == "node limit"
    assert 0 < certificate["gap"] < certificate["objective"]


def test_every_output_is_written(corels, tmp_path):
    paths = [tmp_path / name for name in ("m.json", "m", "m.html")]
    corels(*TITANIC, "-q", *(word for path in paths for word in ("-o", path)))
    texts = [path.read_text() for path in paths]
    assert json.loads(texts[0]) == json.loads(texts[1])
    assert texts[2].lower().lstrip().startswith("<!doctype")
    assert leftovers(tmp_path) == []


def test_json_is_the_model_file(corels, tmp_path):
    path = tmp_path / "m.json"
    ended = corels(*TITANIC, "-q", "--json", "-o", path)
    assert path.read_text() == ended.out


def test_a_story_for_students(corels):
    stories = {}
    for backend in ("c", "python"):
        ended = corels(*TITANIC, "--backend", backend, "--explain", "--quiet")
        stories[backend] = ended.err
        assert ended.code == Exit.CERTIFIED
    assert stories["c"] == stories["python"]
    assert "Take the empty prefix" in stories["c"]
    assert "ruled out by lookahead (Lemma 2)" in stories["c"]
    assert corels(*TITANIC, "--explain-steps", "3").code == 2


def test_the_file_that_was_there_is_replaced_and_keeps_its_mode(corels, tmp_path):
    path = tmp_path / "m.json"
    path.write_text("old")
    path.chmod(0o640)
    corels(*TITANIC, "-q", "-o", path)
    assert json.loads(path.read_text())["schema"] == "corels/rule-list"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(corels, tmp_path):
    target = tmp_path / "real.json"
    link = tmp_path / "link.json"
    link.symlink_to(target)
    corels(*TITANIC, "-q", "-o", link)
    assert link.is_symlink()
    assert json.loads(target.read_text())["schema"] == "corels/rule-list"


def test_a_device_is_written_directly(corels):
    ended = corels(*TITANIC, "-q", "-o", "/dev/null", "--trace", "/dev/null")
    assert ended.code == Exit.CERTIFIED
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("solver", ["rule-list", "falling", "softly-falling", "rule-set"])
@pytest.mark.parametrize("level", ["coarse", "fine"])
def test_every_solver_is_traced_shown_and_applied(corels, tmp_path, solver, level):
    from corels.plugins import registry
    from corels.run.trace import read_trace

    if solver not in registry().names("solver"):
        pytest.skip(f"solver {solver!r} is not installed")
    if solver == "rule-set":
        pytest.importorskip("highspy")
    model, trace = tmp_path / "m.json", tmp_path / "t.jsonl"
    ended = corels(
        *(*TITANIC, "--solver", solver, "-o", model, "--time-limit", 20),
        *("--trace", trace, "--trace-level", level),
    )
    assert ended.code in (Exit.CERTIFIED, Exit.STOPPED)
    assert "warning" not in ended.err
    assert read_trace(trace).header["solver"] == solver
    assert corels("show", model).out.startswith(ended.out.rstrip())
    assert len(corels("predict", model, "--dataset", "titanic").out.splitlines()) == 2201


def test_what_is_called_like_an_option_is_left_alone(corels, tmp_path, monkeypatch):
    """Only the option that an error is about is written as it is typed."""
    monkeypatch.chdir(tmp_path)
    gone = corels("run", "max_rules.csv", "--label", "x")
    assert gone.error == "max_rules.csv: no such file"
    (tmp_path / "time_limit.csv").write_text("cost_matrix,y\n1,a\n2,b\n")
    missing = corels("run", "time_limit.csv", "--label", "max_rules")
    assert "time_limit.csv" in missing.error and "'max_rules'" in missing.error
    assert "--" not in missing.error.partition("expected")[0]
    wrong = corels("run", "time_limit.csv", "--label", "y", "--max-rules", "-1")
    assert wrong.error.startswith("--max-rules is '-1': expected a whole number")
    with pytest.raises(OptionError, match=r"^max_rules is -1: expected a whole number"):
        learn("time_limit.csv", "y", max_rules=-1)


def test_the_positive_class_is_asked_for_where_it_matters(corels, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,g,y\n" + "1,m,ja\n0,w,nein\n1,w,nein\n0,m,ja\n" * 5)
    words = ("run", table, "--label", "y")
    parity = ("--constraint",)
    weight = ("--solver", "falling", "--positive-weight", 2)
    asking = ("--cost", "fn=3,fp=1"), (*parity, "statistical-parity by g within 0.9"), weight
    for asked in asking:
        refused = corels(*words, *asked)
        assert refused.code == 2 and "error: --positive is not given, and " in refused.err
        assert "about the positive class: 'ja' or 'nein'" in refused.err
        assert corels(*words, *asked, "--positive", "ja").code == 0
    for asked in ((), (*parity, "accuracy-parity by g within 0.9"), ("--cost", "ja=3")):
        assert corels(*words, *asked).code == 0


def test_a_model_in_place_of_the_data_is_called_so(corels, tmp_path):
    model = tmp_path / "m.json"
    assert corels(*TITANIC, "-o", model).code == Exit.CERTIFIED
    for words in (("why", model, "people.csv"), ("near", model)):
        ended = corels(*words)
        assert ended.code == Exit.BAD_INPUT and "this is a model, which is not read" in ended.err


def test_groups_of_two_columns_are_set_apart(corels, tmp_path):
    table = tmp_path / "t.csv"
    rows = [
        f"{at % 3 > 0},{at % 3 == 0},{at % 5},{at % 2},{'yn'[at % 7 > 3]}" for at in range(1500)
    ]
    table.write_text("\n".join(["male,female,a,old,y", *rows]))
    words = ("run", table, "--label", "y")
    both = corels(*words, "--constraint", "statistical-parity by male, old within 0.1").err
    assert re.search(r"greatest and least of 4\): \((True|False), [01]\): ", " ".join(both.split()))
