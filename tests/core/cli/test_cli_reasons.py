"""`predict --reasons`, `--keep` and a table without rows; `explain-row` ends with the change."""

import csv
import io
import json

import polars as pl
import pytest


@pytest.fixture
def folder(corels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = corels("run", "--dataset", "titanic", "-r", "0.005", "-q", "-o", "titanic.json")
    assert done.code == 0
    rows = "007,3rd,Female,Adult\n,1st,Male,Adult\n+9,2nd,Male,\n"
    (tmp_path / "new.csv").write_text("id,class,sex,age\n" + rows)
    (tmp_path / "none.csv").write_text("class,sex,age\n")
    pl.read_csv(tmp_path / "new.csv").clear().write_parquet(tmp_path / "none.parquet")
    return tmp_path


def predict(corels, *words):
    done = corels("predict", "titanic.json", *words)
    assert done.code == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


@pytest.mark.usefixtures("folder")
def test_reasons_changes_and_kept_columns(corels):
    found = predict(corels, "new.csv", "--reasons", "--keep", "id", "--changes", "2")
    assert [row["id"] for row in found] == ["007", "", "+9"]
    assert [row["because"] for row in found] == [
        "class = 3rd",
        "sex != Female and age = Adult",
        "class != 3rd and age is missing",
    ]
    assert [row["change"] for row in found] == ["class != 3rd: yes", "sex = Female: yes",
                                                "class = 3rd: no"]  # fmt: skip
    assert [row["change 2"] for row in found] == ["", "age != Adult: yes", "age = Adult: no"]
    found = predict(corels, "new.csv", "--reasons", "--wanted", "no")
    assert [row["change"] for row in found] == ["", "", "class = 3rd: no"]
    assert list(predict(corels, "new.csv", "--keep", "id")[0]) == ["id", "prediction"]


def test_a_kept_column_is_not_lost_behind_an_answer_of_its_name(corels, folder):
    (folder / "said.csv").write_text("prediction,class,sex,age\n1,3rd,Female,Adult\n")
    done = corels("predict", "titanic.json", "said.csv", "--keep", "prediction")
    assert done.code == 2 and "--keep prediction: the answers have a column of this" in done.err


@pytest.mark.usefixtures("folder")
def test_json_has_conditions_with_the_values_of_the_row(corels):
    done = corels("predict", "titanic.json", "new.csv", "--reasons", "--json")
    found = json.loads(done.out)
    assert found["because"][2] == [
        {"column": "class", "condition": "class != 3rd", "value": "2nd"},
        {"column": "age", "condition": "age is missing", "value": None},
    ]
    assert found["change"][0][0]["outcome"] == "yes" and found["smallest"] == [True] * 3


@pytest.mark.usefixtures("folder")
def test_a_table_without_rows_gives_an_empty_answer(corels):
    for table in ("none.csv", "none.parquet"):
        assert corels("predict", "titanic.json", table).out.strip() == ""
        assert corels("predict", "titanic.json", table, "--reasons").out == (
            "prediction,rule,because,change\n"
        )
    done = corels("predict", "titanic.json", "none.csv", "--keep", "id")
    assert done.code == 2 and "--keep: unknown column 'id'" in done.err


@pytest.mark.usefixtures("folder")
def test_explain_row_ends_with_the_smallest_change(corels):
    done = corels("explain-row", "titanic.json", "new.csv", "2")
    assert done.out.strip().endswith("\n  smallest change: sex = Female: yes")
