"""`corels show`, `predict`, `check`, `plugins`, `datasets`."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest

from corels.cli.exits import Exit
from corels.cli.export import languages
from corels.plugins import registry
from corels.tables import datasets, load_columns


@pytest.fixture
def model(corels, tmp_path):
    """A list for the built-in Titanic table."""
    path = tmp_path / "m.json"
    corels("run", "--dataset", "titanic", "-q", "-o", path)
    return path


@pytest.fixture
def ill(corels, table, tmp_path):
    """A list for a small CSV table."""
    pytest.importorskip("polars")
    path = tmp_path / "ill.json"
    corels("run", table, "--label", "ill", "-q", "-o", path, "-r", "0.05")
    return path


class TestShow:
    def test_the_model_and_its_certificate(self, corels, model):
        ended = corels("show", model)
        assert (ended.code, ended.err) == (0, "")
        assert ended.out.startswith("if sex = Female")
        assert "Certified optimal: no rule list is better" in ended.out
        assert "sha256" in ended.out

    def test_as_json_it_is_the_file(self, corels, model):
        assert corels("show", model, "--json").out == model.read_text()

    def test_without_a_certificate(self, corels, model):
        document = json.loads(model.read_text())
        del document["certificate"]
        model.write_text(json.dumps(document))
        assert corels("show", model).out.count("\n") == 2

    def test_a_certificate_that_is_broken(self, corels, model):
        document = json.loads(model.read_text())
        document["certificate"]["exact"]["objective"] = "1/0"
        model.write_text(json.dumps(document))
        ended = corels("show", model)
        assert ended.code == Exit.BAD_INPUT
        assert "incomplete or malformed: certificate.exact.objective: expected text" in ended.error


class TestPredict:
    def test_one_class_a_line(self, corels, model):
        ended = corels("predict", model, "--dataset", "titanic")
        sexes = load_columns("titanic")[0]["sex"]
        wanted = [
            "yes" if sexes.categories[code] == "Female" else "no" for code in sexes.values.tolist()
        ]
        assert ended.out.splitlines() == wanted

    def test_a_table(self, corels, ill, table):
        assert corels("predict", ill, table).out.split() == [
            line.rsplit(",")[-1] for line in table.read_text().splitlines()[1:]
        ]

    def test_classes_are_printed_as_the_model_prints_them(self, corels, tmp_path):
        table, model = tmp_path / "t.csv", tmp_path / "m.json"
        table.write_text("a,y\n" + "1,1.5\n" * 5 + "2,2\n" * 5)
        corels("run", table, "--label", "y", "-q", "-o", model)
        assert corels("predict", model, table).out.split() == ["1.5"] * 5 + ["2"] * 5
        rows = csv.DictReader(io.StringIO(corels("predict", model, table, "--reasons").out))
        assert {row["prediction"] for row in rows} == {"1.5", "2"}

    def test_a_rule_file(self, corels, rules, tmp_path):
        corels("run", rules, "-q", "-o", tmp_path / "m", "-r", "0.1")
        assert corels("predict", tmp_path / "m", rules).out.split() == ["yes"] * 3 + ["no"] * 3

    def test_reasons_and_shares(self, corels, model):
        ended = corels("predict", model, "--dataset", "titanic", "--reasons", "--proba")
        rows = list(csv.DictReader(io.StringIO(ended.out)))
        assert len(rows) == 2201
        female = next(row for row in rows if row["prediction"] == "yes")
        assert female["rule"] == "1"
        assert female["because"] == "sex = Female"
        assert float(female["share of yes"]) == pytest.approx(344 / 470)

    def test_as_json(self, corels, ill, table):
        found = json.loads(corels("predict", ill, table, "--json", "--reasons").out)
        assert len(found["prediction"]) == len(found["because"]) == 8

    def test_to_a_file(self, corels, ill, table, tmp_path):
        ended = corels("predict", ill, table, "-o", tmp_path / "p")
        assert ended.out == ""
        assert (tmp_path / "p").read_text() == corels("predict", ill, table).out


class TestCheck:
    def test_a_right_model(self, corels, model):
        ended = corels("check", model, "--dataset", "titanic")
        assert ended.code == 0
        assert "WRONG" not in ended.out
        assert ended.out.splitlines()[-1] == (
            "what was counted agrees: rows, counts, objective; only claimed: the lower bound "
            "51501/220100, so that this model is optimal"
        )

    def test_tables_and_rule_files(self, corels, ill, table, rules, tmp_path):
        assert corels("check", ill, table).code == 0
        corels("run", rules, "-q", "-o", tmp_path / "m", "-r", "0.1")
        assert corels("check", tmp_path / "m", rules).code == 0
        assert corels("check", tmp_path / "m", rules, rules.with_suffix(".label")).code == 0

    def test_weighted_rows(self, corels, tmp_path):
        pytest.importorskip("polars")
        table = tmp_path / "w.csv"
        table.write_text("a,n,y\nx,5,1\nx,2,0\nz,4,0\nz,1,1\n")
        model = tmp_path / "w.json"
        corels("run", table, "--label", "y", "--weight", "n", "-q", "-o", model, "-r", "0.05")
        assert corels("check", model, table, "--weight", "n").code == 0
        assert corels("check", model, table).code == 0  # the model names the column itself

    def test_other_data_do_not_agree(self, corels, ill, table):
        lines = table.read_text().splitlines()
        table.write_text("\n".join(lines[:-1]) + "\n")
        ended = corels("check", ill, table)
        assert ended.code == Exit.CHECK_FAILED
        assert "WRONG  rows: 7 here, 8 in the model" in ended.out
        assert "checks failed" in ended.out

    def test_a_model_that_was_changed(self, corels, model):
        document = json.loads(model.read_text())
        document["rules"][0]["then"] = "no"
        model.write_text(json.dumps(document))
        ended = corels("check", model, "--dataset", "titanic", "--json")
        assert ended.code == Exit.CHECK_FAILED
        found = json.loads(ended.out)
        assert not found["holds"]
        assert not next(f for f in found["counted"] if f["what"].startswith("rule 1"))["holds"]


def test_plugins_lists_every_part(corels):
    text = corels("plugins").out
    found = json.loads(corels("plugins", "--json").out)
    listed = {(part["kind"], part["name"]) for part in found["parts"]}
    assert listed == {(entry.kind, entry.name) for entry in registry()}
    for _, name in listed:
        assert name in text
    summaries = {part["name"]: part["summary"] for part in found["parts"]}
    assert summaries["show"] == "Show a model and its certificate." and all(summaries.values())
    assert max(len(line) for line in text.splitlines()) < 130


def test_datasets_lists_the_built_in_data(corels):
    text = corels("datasets").out
    found = json.loads(corels("datasets", "--json").out)
    assert [entry["name"] for entry in found] == [dataset.name for dataset in datasets()]
    for dataset in datasets():
        assert dataset.name in text
        assert str(dataset.rows) in text


def test_version_and_help(corels):
    import corels as package

    assert corels("--version").out == f"corels {package.__version__}\n"
    for command in ("run", "predict", "show", "check", "plugins", "datasets", "legacy"):
        assert command in corels("--help").out
        asked = corels(command, "--help")
        assert asked.code == 0 and "usage" in asked.out.lower() and asked.err == ""


def test_without_a_command_the_help_is_the_answer(corels):
    ended = corels()
    assert ended.code == 2 and "Usage: corels" in ended.out + ended.err
    assert "error:" not in ended.err


def test_help_names_arguments_as_the_text_does(corels):
    assert "[[DATA]]" not in corels("run", "--help").out
    usage = corels("predict", "--help").out.split("Predict the class")[0]
    assert "MODEL" in usage and "DATA" in usage
    assert "--no-json" not in corels("plugins", "--help").out


def test_path_offers_the_solvers_that_have_one(corels):
    text = " ".join(corels("path", "--help-all").out.split())
    assert "rule-list|rule-set" in text and "softly-falling" not in text


@pytest.fixture
def few(tmp_path):
    """Three rows that may be passengers of the Titanic."""
    path = tmp_path / "few.csv"
    rows = "1st,Male,Adult,yes", "3rd,Female,Child,no", "1st,Male,Adult,no"
    path.write_text("\n".join(["class,sex,age,survived", *rows]) + "\n")
    return path


def test_rows_are_named_by_their_numbers(corels, model, few):
    shown = corels("explain-row", model, few, 2, 3).out
    assert shown.startswith("row 2:") and "\nrow 3:" in shown
    ended = corels("explain-row", model, few, "x")
    assert (ended.code, "expected a whole number of at least 1" in ended.error) == (2, True)


def test_the_row_of_a_built_in_table(corels, tmp_path):
    assert corels("run", "--dataset", "titanic", "-q", "-o", tmp_path / "m.json").code == 0
    asked = ("explain-row", tmp_path / "m.json", "--dataset", "titanic")
    assert corels(*asked, 2000).out.startswith("row 2000:")
    assert corels(*asked).out.startswith("row 1:")


@pytest.mark.parametrize("name", ["m.java", "m.jl.gz"])
def test_a_name_that_says_no_language_is_refused(corels, model, tmp_path, name):
    """A function in Python was written, whatever the name."""
    ended = corels("export", model, "-o", tmp_path / "new" / name)
    assert ended.code == Exit.BAD_INPUT and "no language has the ending ." in ended.err
    assert not (tmp_path / "new").exists()
    assert corels("export", model, "--to", "sql", "-o", tmp_path / name).code == 0
    assert corels("export", model, "-o", tmp_path / "m").code == 0
    assert (tmp_path / "m").read_text() == corels("export", model).out


@pytest.mark.parametrize("form", [one for one in languages() if one not in ("onnx", "html")])
def test_the_name_of_a_file_says_what_is_exported(corels, model, tmp_path, form):
    file = tmp_path / f"m{languages()[form].ending}"
    assert corels("export", model, "-o", file).code == 0
    assert file.read_text() == corels("export", model, "--to", form).out
    assert corels("export", model, "--to", "latex", "-o", file).code == 0
    assert "tabular" in file.read_text()
    packed = tmp_path / f"{file.name}.gz"
    assert corels("export", model, "-o", packed).code == 0
    with gzip.open(packed, "rt", encoding="utf-8") as opened:
        assert opened.read() == corels("export", model, "--to", form).out
    assert corels("export", model, "-o", tmp_path / "m.txt").code == 0
    assert "def predict" in (tmp_path / "m.txt").read_text()


def test_another_table_is_said_to_be_one_first(corels, model, few):
    ended = corels("check", model, few)
    assert ended.code == Exit.CHECK_FAILED
    first = ended.out.partition("Counted:\n")[2]
    assert first.startswith(
        "WRONG  this is another table: the model was learned from titanic, 2,201 rows; "
    )
    assert "another table" not in corels("check", model, "--dataset", "titanic").out


def test_check_reads_a_table_once(corels, table, tmp_path, monkeypatch):
    """Also if it could not be read again, from a pipe, its hash is compared."""
    pytest.importorskip("polars")
    from corels.tables import frame

    model, proof = tmp_path / "m.json", tmp_path / "p"
    corels("run", table, "--label", "ill", "-q", "-o", model, "--proof", proof, "-r", "0.05")
    read, read_bytes = [], frame.read_bytes
    monkeypatch.setattr(frame, "read_bytes", lambda *how: read.append(1) or read_bytes(*how))
    monkeypatch.setattr("corels.cli.rereading.read_once", lambda path: True)
    checked = corels("check", model, table, "--proof", proof)
    assert checked.code == 0 and "ok     problem: the same as is stated" in checked.out
    assert len(read) == 1
