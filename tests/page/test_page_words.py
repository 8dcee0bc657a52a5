"""Readable words, new rows, reasons: what a report tells people beyond the model's own file."""

import json
from pathlib import Path

import pytest
from called import code as run
from corels_page import Further, page_document
from corels_page.commands.report import WHY
from corels_page.rows import held_out, wrong
from corels_page.words import described, read_description
from page_samples import HOSTILE

import corels
from corels.check.points import Table
from corels.model.documents import open_model
from corels.problem import Problem
from corels.tables import load, load_columns, table_dataset
from corels.tables.descriptions import Descriptions
from corels.tables.template import template

pytest.importorskip("jinja2", reason="the extra `page` is not installed")

TITANIC = ("--dataset", "titanic")
WORDS = """
title = "Who survived"
author = "A. Author"
date = 2026-11-25
[label]
name = "fate"
[classes.yes]
name = "alive"
about = "Alive on the 16th."
[columns.sex]
name = "sex of the passenger"
about = "As the list of the ship says."
"""


def page(path):
    """The document in a page."""
    block = Path(path).read_text(encoding="utf-8").split('id="document">')[1]
    return json.loads(block.split("</script>")[0])


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a model of the passengers, and a table of some of them."""
    monkeypatch.chdir(tmp_path)
    assert not run("run", *TITANIC, "--quiet", "--output", "m.json")
    columns, _ = load_columns("titanic")
    texts = [[c.categories[code] for code in c.values.tolist()] for c in columns.values()]
    rows = list(zip(*texts, strict=True))
    lines = [",".join(row) for row in rows]
    Path("all.csv").write_text("\n".join([",".join(columns), *lines]) + "\n")
    Path("part.csv").write_text("\n".join([",".join(columns), *lines[::3]]) + "\n")
    return tmp_path


@pytest.fixture
def passengers():
    columns, label = load_columns("titanic")
    truth = [columns[label].categories[code] for code in columns[label].values.tolist()]
    return Table(columns, truth)


def test_readable_names_are_wherever_the_model_speaks(place):
    Path("w.toml").write_text(WORDS)
    assert not run("path", *TITANIC, "--quiet", "--output", "p.json")
    given = ("--path", "p.json", "--describe", "w.toml", "--group", "sex", "-o", "r.html")
    assert not run("report", "m.json", *TITANIC, *given)
    text, found = Path("r.html").read_text(encoding="utf-8"), page("r.html")
    assert "<title>Who survived</title>" in text
    assert "<bdi>A. Author</bdi>, <bdi>2026-11-25</bdi>" in text
    assert "fate = alive" in text
    assert "In the data: <bdi>sex</bdi>" in text
    assert "By <bdi>sex of the passenger</bdi>" in text
    assert found["classes"] == ["no", "alive"]
    asked = [
        piece
        for one in found["deciders"]
        for c in one["clauses"]
        for t in c["texts"]
        for piece in t
    ]
    assert ["column", "sex of the passenger"] in asked
    assert {c["column"] for c in found["conditions"]} <= {
        "sex",
        "class",
        "age",
    }  # the form asks these
    assert {one["label"] for one in found["path"]} == {"fate"}
    said = {one["classes"][rule["then"]] for one in found["path"] for rule in one["deciders"]}
    assert said == {"no", "alive"}


def test_a_template_says_nothing_yet(place):
    assert not run("antecedents", *TITANIC, "--describe-template", "w.toml")
    model = corels.solve(Problem.from_dataset(load("titanic"), "0.01"), time_limit=5).model
    description = read_description("w.toml", model)
    assert set(description.classes) == {"no", "yes"}
    bare, words = page_document(model), page_document(model, None, Further(description=description))
    assert {name: words[name] for name in bare} == bare
    assert not words["glossary"]


def test_a_template_holds_hostile_names(tmp_path):
    file = tmp_path / "w.toml"
    table = {name: ["a", "b"] * 30 for name in HOSTILE} | {"y": [0, 1] * 30}
    data = table_dataset(table, "y")
    text = template(data.use, Descriptions(), "y", ["0", *HOSTILE], "m\x7f.csv")
    file.write_text(text, encoding="utf-8")
    found = Descriptions.of(str(file))
    assert set(found.columns) == set(HOSTILE) and set(found.classes) == {"0", *HOSTILE}


def test_a_template_is_written_once(place, capsys):
    assert not run("antecedents", *TITANIC, "--describe-template", "w.toml")
    Path("w.toml").write_text(WORDS)
    assert run("antecedents", *TITANIC, "--describe-template", "w.toml") == 2
    assert "w.toml is there already" in capsys.readouterr().err
    assert Path("w.toml").read_text() == WORDS


def test_a_model_file_keeps_the_words_of_its_table(place):
    Path("w.toml").write_text(WORDS)
    assert not run("run", *TITANIC, "--describe", "w.toml", "-q", "-o", "own.json")
    assert not run("report", "own.json", "-o", "r.html")
    text = Path("r.html").read_text(encoding="utf-8")
    assert "<title>Who survived</title>" in text and "fate = alive" in text
    assert not run("check", "own.json", *TITANIC)


def test_a_title_takes_the_name_of_the_label():
    model = corels.solve(Problem.from_dataset(load("titanic"), "0.01")).model
    bare = {**page_document(model), "label": "list", "family": "rule list"}
    words = described(bare, Descriptions())
    assert words["title"] == "Rule list for list"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("w.toml", "x = 1", "unknown entry 'x'"),
        ("w.toml", "[columns.nobody]\nname = 'a'", "describes column 'nobody'"),
        ("w.toml", "[classes.maybe]\nname = 'a'", "unknown class 'maybe'"),
        ("w.toml", "[columns.sex]\nnam = 'a'", "unknown field 'nam'"),
        ("w.toml", "title = 3", "title: expected text"),
        ("w.toml", "title = ", "this is not TOML"),
        ("w.json", '{"title": ', "this is not JSON"),
        ("w.json", "[1]", "expected a mapping"),
        ("w.json", "[" * 100_000, "this is not JSON"),
    ],
)
def test_wrong_words_are_one_sentence(place, capsys, name, content, sentence):
    Path(name).write_text(content)
    capsys.readouterr()
    assert run("report", "m.json", *TITANIC, "--describe", name, "-o", "r.html") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"error: {name}")
    assert sentence in said
    assert not Path("r.html").exists()


def test_columns_of_the_data_may_be_described_too(place):
    Path("w.toml").write_text('[columns.age]\nabout = "years"\n[columns.class]\nname = "deck"\n')
    assert not run("report", "m.json", *TITANIC, "--describe", "w.toml", "-o", "r.html")
    assert ["age", "age", "years"] in page("r.html")["glossary"]


def test_the_counts_are_said_to_be_of_the_learned_rows(place):
    assert not run("report", "m.json", "-o", "r.html")
    text = Path("r.html").read_text(encoding="utf-8")
    assert "of these rows. The counts are as the model file states them." in text
    assert "this page does not say how often" in text
    assert 'id="new"' not in text


def test_a_held_out_table(place, capsys):
    given = ("--held-out", "part.csv", "-o", "r.html")
    assert not run("report", "m.json", *given)
    found, lines = page("r.html")["held_out"], Path("part.csv").read_text().splitlines()[1:]
    loaded = open_model("m.json", json.loads(Path("m.json").read_text()))
    names = ("class", "sex", "age", "survived")
    table = {n: [line.split(",")[i] for line in lines] for i, n in enumerate(names)}
    right = sum(a == b for a, b in zip(loaded.predict(table), table["survived"], strict=True))
    always = table["survived"].count("no") / len(lines)
    assert (found["this"], found["always"], found["same"]) == (right / len(lines), always, False)
    shown = found["rows"]
    assert [where for where, *_ in shown] == [
        f"the {len(lines)} rows of part.csv",
        "the rows that it was learned from",
    ]
    assert shown[0][1:] == [f"{right / len(lines):.1%}", f"{always:.1%}"]
    assert shown[1][1:] == [f"{1 - loaded.errors / loaded.training_weight:.1%}", "67.7%"]
    assert not run("report", "m.json", "--held-out", "all.csv", "-o", "r.html")
    assert page("r.html")["held_out"]["same"]
    assert "the very same counts" in Path("r.html").read_text(encoding="utf-8")


def test_a_class_that_training_never_saw_is_wrong(passengers):
    model = corels.solve(Problem.from_dataset(load("titanic"), "0.01")).model
    rows = Table(passengers.columns, ["lost", *passengers.labels[1:]], None)
    assert wrong(model, rows, model.predict_indices(rows.columns))[0]
    assert held_out(model, rows, "x")["this"] <= held_out(model, passengers, "x")["this"]


def test_where_outcomes_have_costs_new_rows_say_what_the_model_costs(place, capsys):
    costs = ("--cost", "fp=3,fn=1")
    assert not run("run", "all.csv", "--label", "survived", *costs, "--quiet", "-o", "m.json")
    document = json.loads(Path("m.json").read_text())
    mean = document["certificate"]["objective"] - 0.01 * (len(document["rules"]) - 1)
    assert not run("report", "m.json", "all.csv", "--held-out", "all.csv", "-o", "r.html")
    found = page("r.html")
    assert found["held_out"]["this"] == pytest.approx(mean) and found["held_out"]["same"]
    first, own = found["held_out"]["rows"]
    assert first[1:] == own[1:] == [f"{mean:.6g}", f"{711 / 2201:.6g}"]
    assert "What a row costs on average" in Path("r.html").read_text(encoding="utf-8")


def test_of_a_policy_nothing_is_predicted_rightly(place):
    """Its actions may have the names of the classes."""
    rows = [f"{i % 2},{i % 3},{'ab'[i % 5 < 2]},{i % 2},{1 - i % 2}" for i in range(60)]
    Path("p.csv").write_text("\n".join(["x,z,t,sa,sb", *rows]) + "\n")
    scores = ("--score", "a=sa", "--score", "b=sb")
    assert not run("run", "p.csv", "--label", "t", *scores, "--quiet", "-o", "p.json")
    assert not run("report", "p.json", "p.csv", "--held-out", "p.csv", "-o", "r.html")
    assert page("r.html")["held_out"]["this"] == 0
    assert not run("report", "p.json", "p.csv", "--group", "z", "-o", "r.html")
    totals = page("r.html")["groups"]["totals"]
    assert [one["errors"] for one in totals] == [0, 0, 0]
    assert " wrong</td>" not in Path("r.html").read_text()
    assert [one["predicted"] for one in totals] == [[10, 10]] * 3


def test_a_search_under_constraints_has_no_steps(place, capsys):
    given = ("--constraint", "statistical-parity by sex within 0.1", "--quiet", "-o", "m.json")
    fine = ("--trace", "t.jsonl", "--trace-level", "fine")
    assert not run("run", "--dataset", "titanic", *given, *fine)
    assert (
        run("report", "m.json", "--dataset", "titanic", "--steps", "t.jsonl", "-o", "r.html") == 2
    )
    assert "one that keeps to constraints is several" in capsys.readouterr().err


def test_groups_and_costs_of_a_list_that_may_abstain(place):
    given = ("--abstain", "0.2", "-r", "0.005", "--quiet", "-o", "m.json")
    assert not run("run", "--dataset", "titanic", *given)
    assert not run("report", "m.json", "--dataset", "titanic", "--group", "age", "-o", "r.html")
    found = page("r.html")
    told, totals = found["deciders"], found["groups"]["totals"]
    asked = sum(one["captured"] for one in told if one["undecided"])
    assert asked and sum(one["predicted"][2] for one in totals) == asked
    assert sum(one["errors"] for one in totals) == found["errors"] > 0
    costs = sum(float(one["cost"].removeprefix("cost ")) for one in told)
    (closing,) = found["closing"]
    assert f"mean cost {costs / 2201:.6g}," in closing
    assert sum(one["cost"] * one["rows"] for one in totals) == pytest.approx(costs)
    text = Path("r.html").read_text()
    assert '<th scope="col">Mean cost</th>' in text
    assert f"<td>{totals[0]['cost']:.6g}</td></tr>" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("part.csv", "--held-out", "all.csv"),
            "part.csv is not the table that m.json was learned from, which --held-out",
        ),
        (("--held-out", "none.csv"), "none.csv: no such file"),
        (("--held-out", "odd.csv"), "odd.csv: the data has no column 'sex'"),
        (("--held-out", "part.csv", "-o", "part.csv"), "would be written over"),
        (("--describe", "w.toml", "-o", "w.toml"), "would be written over"),
    ],
)
def test_wrong_input_is_one_sentence(place, capsys, arguments, sentence):
    Path("odd.csv").write_text("a,survived\n1,yes\n2,no\n")
    Path("w.toml").write_text(WORDS)
    before = {path: path.read_bytes() for path in place.iterdir()}
    capsys.readouterr()
    assert run("report", "m.json", *arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert sentence in said
    assert before == {path: path.read_bytes() for path in place.iterdir()}


def test_reasons_are_in_words(place):
    assert not run("run", *TITANIC, "--quiet", "--proof", "m.proof", "-o", "m.json")
    assert not run("report", "m.json", *TITANIC, "--proof", "m.proof", "-o", "r.html")
    claims = page("r.html")["certificate"]["claims"]
    assert len(claims) == load("titanic").n_antecedents
    assert {why for _, _, why in claims} <= set(WHY.values())
    assert all((least is None) == why.startswith("not looked at") for _, least, why in claims)


def test_nothing_that_leaves_the_machine_names_its_folders(place):
    """Every file of a run with absolute paths, and everything made from them."""
    of_runs = ("x.json", "x.html", "x.proof", "t.jsonl", "f.jsonl", "n.jsonl", "p.json")
    table, files = place / "all.csv", {n: place / n for n in (*of_runs, "r.html", "x.py")}
    source = (table, "--label", "survived", "--quiet")
    outputs = [a for n in ("x.json", "x.html") for a in ("--output", files[n])]
    assert not run(
        "run", *source, *outputs, "--trace", files["t.jsonl"], "--proof", files["x.proof"]
    )
    fine = ("--search", "best-first", "--start", "none", "--trace-level", "fine")
    assert not run("run", *source, *fine, "--trace", files["f.jsonl"])
    assert not run("near", *source, "--within", "0.005", "--output", files["n.jsonl"])
    assert not run("path", *source, "--output", files["p.json"])
    assert not run("export", files["x.json"], "--output", files["x.py"])
    parts = ("--trace", files["t.jsonl"], "--steps", files["f.jsonl"], "--proof", files["x.proof"])
    more = ("--near", files["n.jsonl"], "--path", files["p.json"], "--held-out", place / "part.csv")
    assert not run("report", files["x.json"], table, *parts, *more, "-o", files["r.html"])
    for path in files.values():
        assert path.stat().st_size > 100
        assert str(place).encode() not in path.read_bytes(), path.name
    assert (
        "corels check x.json all.csv --proof x.proof"
        in page(files["r.html"])["certificate"]["check"]
    )


def test_a_name_that_looks_like_an_option_stays_a_file(place):
    Path("-m.json").write_bytes(Path("m.json").read_bytes())
    assert not run("report", "./-m.json", *TITANIC, "-o", "r.html")
    assert page("r.html")["certificate"]["check"] == "corels check ./-m.json --dataset titanic"
