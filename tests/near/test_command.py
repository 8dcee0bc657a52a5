"""`corels near`, run as a user runs it."""

import gzip
import json
import os
import signal
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from called import ended as corels
from corels_rule_list.commands import near as near_command
from corels_rule_list.near import near
from corels_rule_list.near.growth import Growth
from corels_rule_list.near.result import NearOptimal
from written_pipes import written_pipe

from corels.clock import Clock
from corels.problem import Problem
from corels.tables import load, load_columns

WORDS = ("near", "--dataset", "titanic", "-r", "0.01")


def test_text(capsys):
    code, out, err = corels(capsys, *WORDS, "--within", "5%")
    assert code == 0 and err == ""
    assert out.startswith(
        "The best of them:\n\n1. objective 0.233989, 1 rule, 493 errors\nif sex = "
    )
    whole = "22 rule lists within 0.0116995 of the optimum 0.233989: an objective of at most 0.2456"
    assert out.splitlines()[-2].startswith(whole), "what is said last is on the screen"
    assert out.endswith("None is missing.\n")
    assert "lists by length: 2 of 1 rule, 16 of 2 rules, 4 of 3 rules" in out
    assert "antecedents in all of them: none" in out
    assert out.count(". objective ") == 10


def test_equal_antecedents_are_named(capsys, tmp_path):
    rows = ["1,x,0,no", "1,x,1,no", "0,z,0,yes", "0,z,1,yes", "1,x,1,no", "0,z,0,no"]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,c,y", *rows]) + "\n")
    words = "near", str(tmp_path / "t.csv"), "--label", "y", "-r", "0.1", "--quiet"
    code, out, err = corels(capsys, *words, "--within", "50%")
    assert code == 0 and err == ""
    assert "antecedents of the same rows, under one name: b = x as a\n" in out
    assert "1. objective 0.266667, 1 rule, 1 error\n" in out


def test_only_the_default_rule_may_capture_nothing(capsys):
    out = corels(capsys, *WORDS, "--within", "5%", "--lists", "22", "--quiet")[1]
    empty = [line for line in out.splitlines() if "(0 of 0," in line]
    assert len(empty) == 2 and all(line.startswith("else  ") for line in empty)


def test_count_and_best(capsys):
    code, out, err = corels(capsys, *WORDS, "--within", "0.02", "--count")
    assert (code, out) == (0, "132\n") and "None is missing" in err
    out = corels(capsys, *WORDS, "--best", "3", "--quiet")[1]
    assert "\nThe best 5 rule lists (3 asked for, the others tie with the last): an" in out
    python = corels(capsys, *WORDS, "--best", "3", "--quiet", "--backend", "python")[1]
    assert python == out


@pytest.mark.parametrize("within", ["1e300", "1e299%", "100"])
def test_a_tolerance_beyond_every_list_is_all_lists(capsys, within):
    words = ("--count", "--quiet", "--max-rules", "2", "--within", within)
    assert corels(capsys, *WORDS, *words)[:2] == (0, "64\n")


def listed_by(capsys, folder, *words):
    """The lists that a file of --output has."""
    path = folder / "listed.jsonl"
    assert corels(capsys, *words, "--output", path)[0] == 0
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_filters(capsys):
    words = (*WORDS, "--within", "0.03", "--lists", "1", "--quiet")
    out = corels(capsys, *words, "--must-use", "age = Child", "--avoid", "sex = Female")[1]
    assert "using age = Child and without sex = Female" in out
    assert "antecedents in all of them: sex = Male, age = Child" in out
    out = corels(capsys, *words, "--first", "class = 3rd", "--every-rule-matters")[1]
    assert "beginning with class = 3rd and without a rule that could be left out" in out
    assert "first rule: class = 3rd (100.0%)" in out


def test_lines_for_other_programs(capsys, tmp_path):
    words = (*WORDS, "--within", "5%", "--quiet")
    lines = listed_by(capsys, tmp_path, *words)
    assert [line["number"] for line in lines] == list(range(1, 23))
    assert lines[0]["antecedents"] == ["sex = Female"]
    assert lines[0]["predictions"] == ["yes", "no"] and lines[0]["exact"] == "51501/220100"
    paths = [tmp_path / name for name in ("a.jsonl", "a.jsonl.gz")]
    options = [word for path in paths for word in ("--output", path)]
    assert corels(capsys, *words, *options, "--count")[1] == "22\n"
    assert [json.loads(x) for x in paths[0].read_text().splitlines()] == lines
    assert gzip.decompress(paths[1].read_bytes()) == paths[0].read_bytes()


def test_json(capsys):
    found = json.loads(corels(capsys, *WORDS, "--within", "5%", "--json", "--quiet")[1])
    assert found["count"] == 22 and found["lengths"] == {"1": 2, "2": 16, "3": 4}
    assert found["usage"][0]["antecedent"] == "sex = Female"
    proof = found["certificate"]
    assert proof["complete"] and proof["exact"]["optimum"] == "51501/220100"
    assert proof["search"]["optimal"]


def test_a_saved_list_stands_for_the_search(capsys, tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    assert corels(capsys, "run", *WORDS[1:], "-o", path, "-q")[0] == 0
    words = ("near", "--dataset", "titanic", "--model", path, "--within", "5%")
    searched = corels(capsys, *WORDS, "--within", "5%")
    monkeypatch.setattr("corels_rule_list.near.run.solve", None)  # nothing is searched
    assert corels(capsys, *words) == searched
    for more, said in (
        (("-r", "0.01"), "--regularization does not go with --model"),
        (("--max-cardinality", "2"), "--max-cardinality does not go with --model"),
    ):
        code, out, err = corels(capsys, *words, *more)
        assert (code, out, err.count("\n")) == (2, "", 1) and said in err


def test_a_saved_list_of_a_table_says_how_it_was_read(capsys, tmp_path):
    table, path = tmp_path / "t.csv", tmp_path / "model.json"
    table.write_text("a,b,y\n" + "1,2,no\n2,3,yes\n3,9,no\n4,1,yes\n5,5,yes\n" * 6)
    read = ("--label", "y", "--max-cardinality", "2", "--negations")
    assert corels(capsys, "run", table, *read, "-r", "0.03", "-o", path, "-q")[0] == 0
    expected = corels(capsys, "near", table, *read, "-r", "0.03")
    assert corels(capsys, "near", table, "--model", path) == expected
    table.write_text(table.read_text().replace("5,5,yes", "5,5,no"))
    code, _, err = corels(capsys, "near", table, "--model", path)
    assert code == 2 and "of another problem: the rows are stated as 30, sha256" in err


def test_a_saved_rule_file_model(capsys, tmp_path):
    rules, labels, path = (tmp_path / n for n in ("d.out", "d.label", "model.json"))
    rules.write_text("{a} 1 0 1 0 1 1\n{b} 0 0 1 1 1 0\n")
    labels.write_text("{y=0} 1 1 0 1 0 1\n{y=1} 0 0 1 0 1 0\n")
    assert corels(capsys, "run", rules, "-r", "0.1", "-o", path, "-q")[0] == 0
    expected = corels(capsys, "near", rules, "-r", "0.1")
    assert corels(capsys, "near", rules, labels, "--model", path) == expected


def test_samples_repeat(capsys, tmp_path):
    words = (*WORDS, "--within", "0.1", "--sample", "5", "--quiet")
    first = listed_by(capsys, tmp_path, *words, "--seed", "7")
    assert first == listed_by(capsys, tmp_path, *words, "--seed", "7")
    assert len(first) == 5
    assert first != listed_by(capsys, tmp_path, *words, "--seed", "8")


def test_a_sample_has_a_limit_and_tells_how_far_it_is(capsys, monkeypatch, tmp_path):
    words = (*WORDS, "--within", "0.1", "--sample")
    code, _, err = corels(capsys, *words, 10**12)
    assert code == 2 and "--sample is '1000000000000': expected a whole number from 1 to" in err
    monkeypatch.setattr(Clock, "line_due", lambda self: True)
    code, _, err = corels(capsys, *words, 3, "--output", tmp_path / "lists.jsonl")
    assert code == 0 and "lists.jsonl: 2 of 3 lists" in err


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_what_is_known_is_printed_before_the_lists_are_drawn(capsys, monkeypatch, sent):
    def drawn(self, n, seed):
        yield self[0]
        os.kill(os.getpid(), sent)
        yield self[1]

    monkeypatch.setattr(NearOptimal, "sample", drawn)
    code, out, err = corels(capsys, *WORDS, "--sample", 9)
    assert (code, err) == (128 + sent, "error: the rest is not printed (interrupted)\n")
    assert "None is missing." in out and "\n1. objective" in out and "\n2. objective" not in out


def test_time_for_a_fair_list_counts_from_the_start(capsys, monkeypatch):
    words = (*WORDS, "--constraint", "predictive-parity by class within 0")
    assert corels(capsys, *words)[0] == 0
    find = near_command.all_lists

    def slow(*asked, **named):
        found = find(*asked, **named)
        monkeypatch.setattr(Clock, "elapsed", 70)
        return found

    monkeypatch.setattr(near_command, "all_lists", slow)
    code, out, _ = corels(capsys, *words, "--time-limit", 60)
    assert code == 3 and "none of the first 1 is fair enough; the look ended early" in out


def test_ranges(capsys, tmp_path):
    words = (*WORDS, "--within", "10%", "--lists", "0", "--quiet")
    out = corels(capsys, *words, "--range", "false-positive-rate", "--group", "class")[1]
    assert "range of the false positive rate over all of them:" in out
    assert "  3rd   0.0000 to 0.2670  (528 rows)" in out
    out = corels(capsys, *words, "--range", "accuracy", "--group", "sex = Male")[1]
    assert "  True  " in out and "  False  " in out
    table = tmp_path / "t.csv"
    table.write_text("a,b,who,y\n" + "x,u,1,no\ny,u,2,yes\nx,v,1,no\ny,v,2,no\n" * 5)
    words = ("near", table, "--label", "y", "--ignore", "who", "--quiet", "--lists", "0")
    out = corels(capsys, *words, "--range", "accuracy", "--group", "who")[1]
    assert "  1  1.0000 to" in out


def test_ranges_of_weighted_rows_name_the_weight_that_was_given(capsys, tmp_path):
    rows = "".join(f"{at % 2},{'fm'[at % 3 > 0]},{at % 2},0.{at % 4}\n" for at in range(30))
    (table := tmp_path / "t.csv").write_text("a,g,y,w\n" + rows)
    words = ("near", table, "--label", "y", "--weight", "w", "-r", "0.1", "--group", "g", "--quiet")
    out = corels(capsys, *words, "--lists", "0")[1]
    assert "  f  1.0000 to 1.0000  (weight 1.5)\n  m  1.0000 to 1.0000  (weight 2.8)\n" in out
    found = json.loads(corels(capsys, *words, "--range", "precision", "--json")[1])["ranges"]
    assert [one["weight"] for one in found["precision"].values()] == [1.5, 2.8]


def test_groups_are_of_the_rows_that_were_counted(capsys, tmp_path):
    table, folder, model = (tmp_path / name for name in ("t.csv", "parts", "m.json"))
    lines = "x,u,1,no\ny,u,2,yes\nx,v,-,no\ny,v,2,no\n" * 5
    table.write_text("a,b,who,y\n" + lines + "x,u,1,\n")
    folder.mkdir()
    for part in "12":
        (folder / f"{part}.csv").write_text("a,b,who,y\n" + lines)
    read = ("--label", "y", "--ignore", "who", "--drop-unlabelled", "--missing", "-")
    shown = ("--range", "accuracy", "--group", "who", "--quiet", "--lists", "0")
    assert corels(capsys, "run", table, *read, "-o", model, "-q")[0] == 0
    for words in ((table, *read), (table, "--model", model), (folder, *read)):
        code, out, _ = corels(capsys, "near", *words, *shown)
        assert code == 0 and out.count(" rows)") == 3  # 1, 2, none
        assert f"({10 if words[0] == folder else 5} rows)" in out
    assert corels(capsys, "run", folder, *read, "-o", model, "-q")[0] == 0
    assert "ok     problem" in corels(capsys, "check", model, folder)[1]
    (folder / "2.csv").write_text("a,b,who,y\n" + lines.replace(",u,", ",w,"))
    out = corels(capsys, "check", model, folder)[1]
    assert "WRONG  problem" in out
    rules = tmp_path / "d.out"
    rules.write_text("{a} 1 0 1 0 1 1\n{b} 0 0 1 1 1 0\n")
    (tmp_path / "d.label").write_text("{y=0} 1 1 0 1 0 1\n{y=1} 0 0 1 0 1 0\n")
    out = corels(capsys, "near", rules, "-r", "0.1", "--range", "accuracy", "--group", "a", "-q")[1]
    assert "  True   " in out and "  False  " in out


def test_names_of_groups_cannot_move_the_cursor(capsys, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,who,y\n" + "x,\x1b[2Jm,no\ny,中国,yes\n" * 9, encoding="utf-8")
    words = ("--label", "y", "--ignore", "who", "--group", "who", "--range", "accuracy", "-q")
    out = corels(capsys, "near", table, *words)[1]
    assert "\n  \\x1b[2Jm  " in out and "\n  中国     " in out and "\x1b" not in out


def test_a_pipe_is_not_read_again(capsys, tmp_path):
    words = ("--label", "y", "--ignore", "b", "--group", "b", "--quiet")
    with written_pipe(tmp_path / "pipe", "a,b,y\n" + "x,u,no\ny,v,yes\n" * 9) as pipe:
        code, _, err = corels(capsys, "near", pipe, *words)
    assert code == 2 and "pipe is read once, and --group reads the table again: name a file" in err


def test_rates_by_group(capsys, tmp_path):
    words = (*WORDS, "--within", "10%", "--group", "class", "--quiet")
    out = corels(capsys, *words, "--lists", "0")[1]
    for rate in ("accuracy", "positive rate", "recall", "false positive rate"):
        assert f"range of the {rate} over all of them:" in out
    lines = listed_by(capsys, tmp_path, *words)
    found = json.loads(corels(capsys, *words, "--json")[1])
    assert found["group"] == "class" and list(found["ranges"]["accuracy"]) == list(
        lines[0]["rates"]
    )
    for metric, by_group in found["ranges"].items():
        for group, one in by_group.items():
            listed = [line["rates"][group][metric] for line in lines]
            assert (min(listed), max(listed)) == (one["low"], one["high"])


def test_a_limit_has_its_exit_code(capsys, monkeypatch):
    words = ("near", "--dataset", "tic-tac-toe", "-r", "0.001", "--time-limit", "0", "--quiet")
    code, _, err = corels(capsys, *words)
    assert code == 2 and "while the data was reduced" in err
    monkeypatch.setattr("corels_rule_list.commands.saved.during", lambda deadline: lambda: None)
    code, out, _ = corels(capsys, *words)
    assert code == 3 and out.startswith("Nothing is certain yet")


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_ctrl_c_while_the_lists_are_written_keeps_the_count(tmp_path):
    """Millions of lists take minutes to write; a second after the count some of them are."""
    path = tmp_path / "lists.jsonl"
    data = ("--dataset", "tic-tac-toe", "-r", "0.01", "--within", "15%")
    start = "from corels.cli import main; main()"
    words = [sys.executable, "-c", start, "near", *data, "--output", str(path)]
    running = subprocess.Popen(words, stdout=-1, stderr=-1, text=True)
    while " lists, about " not in running.stderr.readline():
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=500)
    assert running.returncode == 130, err
    assert "error: " + str(path) + ": not written (interrupted)" in err
    assert "None is missing." in out and "lists by length: " in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("--output", "a.jsonl"), ()])
def test_ctrl_c_in_the_last_step_of_the_count(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    check = Growth._check_optimum

    def pressed(self):
        signal.raise_signal(signal.SIGINT)
        check(self)

    monkeypatch.setattr(Growth, "_check_optimum", pressed)
    code, out, err = corels(capsys, *WORDS, "--within", "0.005", "--quiet", *words)
    assert code == (130 if words else 0)
    assert ("a.jsonl: not written (interrupted)" in err) == ("--output" in words)
    assert "None is missing." in out + err and '{"' not in out
    assert list(tmp_path.iterdir()) == []


def test_predictive_parity_filters_good_lists(capsys):
    """The first list, by counting rows one by one."""
    columns, label = load_columns("titanic")
    table = {name: np.array(list(column.cells())) for name, column in columns.items()}
    good = near(Problem.from_dataset(load("titanic"), "0.005"), within="0.01")
    words = ("near", "--dataset", "titanic", "-r", "0.005", "--within", "0.01", "--quiet")
    for most, there in ((0.05, True), (0.0, False)):
        for place, one in enumerate(good, 1):  # noqa: B007
            yes = np.array(one.rule_list.predict(columns)) == "yes"
            right = table[label] == "yes"
            inside = [yes & (table["age"] == age) for age in ("Child", "Adult")]
            if all(rows.any() for rows in inside):
                precision = [right[rows].mean() for rows in inside]
                if abs(precision[0] - precision[1]) <= most:
                    break
        fair = ("--constraint", f"predictive-parity by age within {most}")
        code, out, _ = corels(capsys, *words, *fair, "--json")
        found = json.loads(out)["fair"]
        assert code == 0 and found["looked_at"] == place and bool(found["rule_list"]) == there
        assert ("none of the" in corels(capsys, *words, *fair)[1]) != there
    good.close()


def test_conditional_use_accuracy_filters_good_lists(capsys):
    """The first list of which both shares of what it says are alike, by counting rows."""
    columns, label = load_columns("titanic")
    table = {name: np.array(list(column.cells())) for name, column in columns.items()}
    words = ("near", "--dataset", "titanic", "-r", "0.005", "--within", "0.02", "--quiet")
    fair = ("--constraint", "conditional-use-accuracy by age within 0.1")
    found = json.loads(corels(capsys, *words, *fair, "--json")[1])["fair"]

    def differences(rule_list):
        said = np.array(rule_list.predict(columns))
        for answer in ("yes", "no"):
            by_age = [(said == answer) & (table["age"] == age) for age in ("Child", "Adult")]
            shares = [(table[label][rows] == answer).mean() if rows.any() else 9 for rows in by_age]
            yield abs(shares[0] - shares[1])

    with near(Problem.from_dataset(load("titanic"), "0.005"), within="0.02") as good:
        fair_ones = (
            place for place, one in enumerate(good, 1) if max(differences(one.rule_list)) <= 0.1
        )
        assert found["looked_at"] == next(fair_ones) > 1
    by_metric = [found[metric] for metric in ("precision", "negative-predictive-value")]
    assert all(abs(Fraction(by["Child"]) - Fraction(by["Adult"])) <= 0.1 for by in by_metric)
    assert "negative predictive value Child: " in corels(capsys, *words, *fair)[1]


def test_groups_of_two_columns_with_commas_stay_apart(capsys, tmp_path):
    """("a, b", "c") and ("a", "b, c") are two groups."""
    rows = [('"a, b",c', 1), ('a,"b, c"', 0), ('"a, b",c', 0), ('a,"b, c"', 1)]
    lines = [f"{cells},{x},{x}" for cells, x in rows * 10]
    (tmp_path / "t.csv").write_text("\n".join(["one,two,x,y", *lines]) + "\n")
    words = ("--label", "y", "--ignore", "one", "--ignore", "two", "--range", "accuracy", "--quiet")
    groups = ("--group", "one", "--group", "two")
    code, out, err = corels(capsys, "near", tmp_path / "t.csv", *words, *groups)
    assert code == 0 and out.count("(20 rows)") == 2, err


def test_groups_without_a_value_and_whole_numbers_have_the_names_of_other_commands(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    lines = [f"{size},{x},{x}" for size, x in [("1", 0), ("2.5", 1), ("", 0), ("2.0", 1)] * 10]
    (tmp_path / "t.csv").write_text("\n".join(["size,x,y", *lines]) + "\n")
    words = ("t.csv", "--label", "y", "--group", "size")
    own = ("--ignore", "size", "-q", "-o", "lists.jsonl")
    assert corels(capsys, "near", *words, *own)[0] == 0
    (first, *_) = (tmp_path / "lists.jsonl").read_text().splitlines()
    names = sorted(json.loads(first)["rates"])
    assert names == ["1", "2", "2.5", "missing"]
    also = ("--model", "always the majority", "--folds", "2", "-o", "rates.json")
    assert corels(capsys, "evaluate", *words, *also)[0] == 0
    found = (tmp_path / "rates.json").read_text()
    assert all(f' of {name}"' in found for name in names)
