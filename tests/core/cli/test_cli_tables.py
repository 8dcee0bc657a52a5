"""`corels antecedents`, tables on standard input, and options that do not go together."""

import datetime as dt
import io
import json
import sys

import numpy as np
import pytest

pytest.importorskip("polars")

ROWS = 40
CSV = "id,age,city,day,label\n" + "".join(
    f"{at},{20 + at % 30},{'AB'[at % 2]},"
    f"2024-{1 + at % 12:02}-{1 + at % 28:02},{int(at % 3 == 0)}\n"
    for at in range(ROWS)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(CSV)
    return path


def test_antecedents_as_text(corels, table):
    ended = corels("antecedents", table, "--label", "label")
    assert ended.code == 0 and ended.err == ""
    lines = ended.out.splitlines()
    assert lines[0].split() == ["antecedent", "kind", "rows", "share", "of", "0", "of", "1"]
    assert any(line.startswith("month of day = March") for line in lines)
    assert any(line.split()[:2] == ["id", "numbers"] for line in lines)
    assert lines[-1].endswith("from 3 of 4 columns, 40 rows")


def test_antecedents_as_json(corels, table):
    found = json.loads(corels("antecedents", table, "--label", "label", "--json").out)
    assert found["rows"] == ROWS and found["classes"] == [0, 1]
    for one in found["antecedents"]:
        assert sum(one["classes"].values()) == one["rows"]
        assert one["share"] == one["rows"] / ROWS
    kinds = {column["name"]: column["kind"] for column in found["columns"]}
    assert kinds == {"id": "numbers", "age": "numbers", "city": "categories", "day": "dates"}
    reasons = {column["name"]: column["unused"] for column in found["columns"]}
    assert reasons == {"id": "every value differs", "age": None, "city": None, "day": None}


def test_antecedents_of_other_sources(corels, tmp_path):
    (tmp_path / "a.out").write_text("{x} 1 0 1 0\n{y} 0 1 1 0\n")
    (tmp_path / "a.label").write_text("{l=0} 0 1 0 1\n{l=1} 1 0 1 0\n")
    assert "2 antecedents, 4 rows" in corels("antecedents", tmp_path / "a.out").out
    ended = corels("antecedents", tmp_path / "a.out", "--max-cardinality", "2")
    assert "option --max-cardinality 2 does not go with a rule file" in ended.err
    assert "from 3 of 3 columns" in corels("antecedents", "--dataset", "titanic").out
    assert corels("antecedents").code == 2


def test_the_run_says_what_became_of_the_table(corels, table, tmp_path):
    ended = corels("run", table, "--label", "label", "-r", "0.05")
    line = ended.err.splitlines()[0]
    assert line.startswith("4 columns -> ") and line.endswith("; unused: id (every value differs)")


def test_standard_input(corels, table, tmp_path, monkeypatch):
    def typed():
        monkeypatch.setattr(sys, "stdin", type("In", (), {"buffer": io.BytesIO(CSV.encode())}))

    typed()
    saved = tmp_path / "m.json"
    first = corels("run", "-", "--label", "label", "-r", "0.05", "-q", "-o", saved)
    again = corels("run", table, "--label", "label", "-r", "0.05", "-q")
    assert first.code == 0 and first.out == again.out
    typed()
    assert corels("predict", saved, "-").out == corels("predict", saved, table).out


def test_values_that_training_never_saw(corels, tmp_path):
    saved, new = tmp_path / "m.json", tmp_path / "new.csv"
    corels("run", "--dataset", "titanic", "-r", "0.003", "-q", "-o", saved)
    new.write_text("class,sex,age\n4th,Male,Adult\n1st,Female,Adult\n")
    ended = corels("predict", saved, new)
    assert ended.code == 0 and ended.out.split() == ["no", "yes"]
    assert ended.err == (
        "warning: 1 row has a value of 'class' that training never saw ('4th'): "
        "it falls through to later rules\n"
    )
    refused = corels("predict", saved, new, "--strict")
    assert refused.code == 2 and "4th" in refused.error and refused.out == ""


def test_a_time_limit_counts_mining(corels, tmp_path):
    rows = ["".join("01"[(at >> bit) & 1] for bit in range(11)) for at in range(300)]
    names = ",".join(f"c{bit}" for bit in range(11))
    lines = [f"{','.join(row)},{at % 2}" for at, row in enumerate(rows)]
    path = tmp_path / "t.csv"
    path.write_text(f"{names},label\n" + "\n".join(lines) + "\n")
    words = ("--label", "label", "--max-cardinality", "8", "--negations", "--min-support", "0")
    ended = corels("run", path, *words, "--time-limit", "0", "--max-antecedents", "500")
    assert ended.code in (2, 3)
    assert "time limit" in ended.err


def test_a_model_of_dates_is_checked_applied_and_exported(corels, tmp_path):
    days = [dt.date(2022, 1, 1) + dt.timedelta(days=37 * at % 400) for at in range(200)]
    late = [int(day > dt.date(2022, 6, 19)) for day in days]
    table, saved = tmp_path / "days.csv", tmp_path / "m.json"
    rows = [f"{day},{label}" for day, label in zip(days, late, strict=True)]
    table.write_text("day,label\n" + "\n".join(rows) + "\n")
    words = ("--cuts", "entropy", "-r", "0.01", "-q", "-o", saved)
    assert "day <= 2022-06-21" in corels("run", table, "--label", "label", *words).out
    assert corels("check", saved, table).code == 0
    assert corels("predict", saved, table).out.split() == [str(label) for label in late]
    source = corels("export", saved, "--to", "python").out
    names = {}
    exec(compile(source, "model", "exec"), names)
    for day, label in zip(days, late, strict=True):
        assert names["predict"]({"day": str(day)}) == label
        assert names["predict"]({"day": day}) == label
    assert "\"day\" <= '2022-06-21 00:00:00'" in corels("export", saved, "--to", "sql").out


def test_a_model_of_groups_is_checked_proved_applied_and_exported(corels, tmp_path):
    """`city in {...}`, from the table to every place where a model is read again."""
    share = {"Bonn": 9, "Graz, old": 8, "Linz": 2, "Ulm": 1}
    rows = [(city, int(at % 10 < n)) for city, n in share.items() for at in range(40)]
    table, saved, proof = (tmp_path / name for name in ("t.csv", "m.json", "m.proof"))
    table.write_text("city,label\n" + "".join(f'"{city}",{label}\n' for city, label in rows))
    words = ("--cuts", "grouped", "-r", "0.01", "-q", "-o", saved, "--proof", proof)
    ended = corels("run", table, "--label", "label", *words)
    assert ended.code == 0 and "if city in {Linz, Ulm}  then label = 0" in ended.out
    for checker in ("python", "c"):
        checked = corels("check", saved, table, "--proof", proof, "--checker", checker)
        assert checked.code == 0, checked.err
    expected = [str(int(city in ("Bonn", "Graz, old"))) for city, _ in rows]
    assert corels("predict", saved, table).out.split() == expected
    names = {}
    exec(compile(corels("export", saved, "--to", "python").out, "model", "exec"), names)
    assert [str(names["predict"]({"city": city})) for city, _ in rows] == expected
    assert "\"city\" IN ('Linz', 'Ulm')" in corels("export", saved, "--to", "sql").out
    new = tmp_path / "new.csv"
    new.write_text("city\nRome\nUlm\n")
    found = corels("predict", saved, new)
    assert found.out.split() == ["1", "0"] and "training never saw ('Rome')" in found.err


@pytest.mark.parametrize("solver", ["falling", "rule-set"])
def test_other_families_take_groups(corels, tmp_path, solver):
    share = {"Bonn": 9, "Graz": 8, "Linz": 2, "Ulm": 1}
    rows = [(city, int(at % 10 < n)) for city, n in share.items() for at in range(40)]
    table, saved = tmp_path / "t.csv", tmp_path / "m.json"
    table.write_text("city,label\n" + "".join(f"{city},{label}\n" for city, label in rows))
    words = ("--cuts", "grouped", "--solver", solver, "-q", "-o", saved)
    assert "city in {Bonn, Graz}" in corels("run", table, "--label", "label", *words).out
    assert corels("check", saved, table).code == 0
    assert corels("predict", saved, table).code == 0
    if solver == "rule-set":
        assert "IN ('Bonn', 'Graz')" in corels("export", saved, "--to", "sql").out


def test_a_warning_names_flags(corels, tmp_path):
    rng, path = np.random.default_rng(5), tmp_path / "t.csv"
    names = ",".join("abcdefghy")
    cells = rng.integers(0, 2, (6, 9))
    np.savetxt(path, cells, "%d", ",", header=names, comments="")
    ended = corels("run", path, "--label", "y", "-r", "0.4")
    assert "a higher --min-support, fewer --cuts or a smaller --max-cardinality" in ended.err
