"""`corels export`, `path`, `why`, `explain-row`: run as a user runs them."""

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from called import ended as corels

from corels.model import Stopped
from corels.plugins import registry


@pytest.fixture
def model(tmp_path, capsys):
    path = tmp_path / "model.json"
    assert corels(capsys, "run", "--dataset", "titanic", "-r", "0.005", "-o", path)[0] == 0
    return path


def test_export(model, capsys, tmp_path):
    code, out, _ = corels(capsys, "export", model)
    assert code == 0
    names = {}
    exec(out, names)
    assert names["predict"]({"class": "1st", "sex": "Female", "age": "Adult"}) == "yes"
    named = corels(capsys, "export", model, "--function", "survives")[1]
    assert "def survives(row):" in named
    assert corels(capsys, "export", model, "--to", "sql")[1].startswith("CASE\n")
    options = ("--dialect", "mysql", "--table", "people")
    assert "`people`.`class`" in corels(capsys, "export", model, "--to", "sql", *options)[1]
    assert corels(capsys, "export", model, "--to", "html")[1].startswith("<!DOCTYPE html>")
    assert corels(capsys, "export", model, "--to", "latex")[1].startswith("\\begin{tabular}")
    assert corels(capsys, "export", model, "--to", "markdown")[1].startswith("|  |")
    target = tmp_path / "list.sql"
    code, out, _ = corels(capsys, "export", model, "--to", "sql", "-o", target)
    assert (code, out) == (0, "") and target.read_text().endswith("END\n")


def table_of(capsys, words, file):
    corels(capsys, *words, "-q", "-o", file)
    return list(csv.DictReader(io.StringIO(file.read_text())))


def test_path(capsys, tmp_path):
    words = ("path", "--dataset", "titanic", "--low", "0.001")
    code, out, err = corels(capsys, *words)
    assert code == 0
    assert out.count(" yes\n") == 3
    assert "certified" in err and " 3 rules, " in err and " 1 rule, " in err
    code, out, err = corels(capsys, *words, "--quiet", "--lists")
    assert "lambda 0.007269 to 0.099046:\nif sex = Female" in out and err == ""
    rows = table_of(capsys, words, tmp_path / "p.csv")
    assert [row["rules"] for row in rows] == ["0", "1", "3"]
    found = json.loads(corels(capsys, *words, "--json")[1])
    assert found["certified"] and found["segments"][1]["exact"]["high"] == "218/2201"
    narrow = corels(capsys, *words, "--high", "0.05", "--backend", "python")[1]
    assert narrow.count(" yes\n") == 2


def test_path_stopped_early_says_so(capsys, tmp_path):
    words = ("path", "--dataset", "tic-tac-toe", "--low", "0.01", "--node-limit", "3")
    code, out, err = corels(capsys, *words)
    assert code == 3
    assert "certified\n" in out and "  no, gap 0." in out and "node limit" in err
    rows = table_of(capsys, words, tmp_path / "p.csv")
    for row, line in zip(rows, out.splitlines()[1:], strict=True):
        gap = float(row["gap"])
        assert line.endswith("yes" if row["certified"] == "True" else f"no, gap {gap:.6f}")
        assert (gap == 0) == (row["certified"] == "True")


def test_path_plot(capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    target = tmp_path / "path.svg"
    assert corels(capsys, "path", "--dataset", "titanic", "--plot", target)[0] == 0
    assert "<svg" in target.read_text()
    code, _, err = corels(capsys, "path", "--dataset", "titanic", "--plot", tmp_path / "path")
    assert code == 2 and "expected a name that ends in" in err


def test_why(capsys):
    code, out, _ = corels(capsys, "why", "--dataset", "titanic", "-r", "0.2")
    assert code == 0
    assert "always  then survived = no" in out
    assert "the best one-rule list would need lambda < 0.0990459 (218/2201)" in out
    out = corels(capsys, "why", "--dataset", "titanic", "-r", "0.005")[1]
    assert "class = 3rd: without it the list makes 32 errors more" in out


def test_why_of_a_saved_list(model, capsys, monkeypatch):
    searched = corels(capsys, "why", "--dataset", "titanic", "-r", "0.005")[1]
    monkeypatch.setattr("corels_rule_list.commands.why.solve", None)  # nothing is searched
    words = ("why", "--dataset", "titanic", "--model", model)
    assert corels(capsys, *words) == (0, searched, "")


def test_why_of_a_saved_list_that_is_not_certified(capsys, tmp_path):
    path = tmp_path / "stopped.json"
    data, stopped = ("--dataset", "tic-tac-toe"), ("--preset", "paper", "--node-limit", "3")
    assert corels(capsys, "run", *data, *stopped, "-o", path)[0] == 3
    code, out, _ = corels(capsys, "why", *data, "--model", path)
    assert code == 3 and "Stopped early (node limit)" in out


def test_why_says_what_was_not_proved(capsys):
    stopped = ("--preset", "paper", "--node-limit", "3")
    code, out, _ = corels(capsys, "why", "--dataset", "tic-tac-toe", "-r", "0.01", *stopped)
    assert code == 3
    assert "\n\nStopped early (node limit): no rule list is better by more than the gap" in out


def test_why_interrupted(capsys, monkeypatch):
    from corels_rule_list.commands import why as command

    solve = command.solve

    def interrupted(*words, **options):
        found = solve(*words, **options)
        stopped = replace(found.certificate, stopped=Stopped.INTERRUPTED, lower_bound=Fraction(0))
        return replace(found, certificate=stopped)

    monkeypatch.setattr(command, "solve", interrupted)
    code, out, _ = corels(capsys, "why", "--dataset", "titanic", "-r", "0.005")
    assert code == 130 and "Stopped early (interrupted)" in out


def test_explain_row(model, capsys):
    code, out, _ = corels(capsys, "explain-row", model, "--dataset", "titanic", "900")
    assert code == 0
    assert out == (
        "row 900: survived = no\n"
        "  rule 1 holds: class = 3rd (it is 3rd)\n"
        "  of 706 such training rows: no: 74.8%, yes: 25.2%\n"
        "  smallest change: class != 3rd and sex = Female: yes\n"
    )
    rows = ("1", "2", "--json")
    found = json.loads(corels(capsys, "explain-row", model, "--dataset", "titanic", *rows)[1])
    assert [one["row"] for one in found] == [1, 2]
    assert found[0]["default"] and found[0]["tested"][0][0]["value"] == "1st"


@pytest.mark.parametrize("how", ["method", "imported"])
def test_a_path_needs_no_options_of_its_own(how, registered, capsys):
    """A family that has one is offered, whether or not its path has further options."""
    ours = registry().get("solver", "rule-set")
    own = {} if how == "method" else {"imported": {**ours.imported, "path": f"{__name__}:walked"}}
    kind = type("Theirs", (ours,), {"name": "theirs", "path_options": (), **own})
    if how == "method":
        kind.path = lambda self, *given, **named: walked(*given, **named)
    registered("solver", kind)
    code, out, _ = corels(capsys, "path", "--dataset", "titanic", "--solver", "theirs", "--quiet")
    assert (code, out) == (0, "walked over survived\n")
    code, _, err = corels(capsys, "path", "--dataset", "titanic", "--solver", "falling")
    assert code == 2
    assert "has no path (there is one of: rule-list, rule-set, theirs)" in err


def walked(problem, data, settings, *, report=None, sinks=()):
    """A path that says only what it is of."""
    shown = SimpleNamespace(to_text=lambda: f"walked over {problem.label_name}\n")
    return SimpleNamespace(certified=True, interrupted=False, **vars(shown))
