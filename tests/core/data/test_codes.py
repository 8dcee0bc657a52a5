"""Codes with leading zeros, decimal commas, and categories in an order."""

import itertools
import json

import called
import numpy as np
import pytest

import corels
from corels import RuleListClassifier
from corels.errors import InputError
from corels.tables import TableOptions, columns_of, table_dataset
from corels.tables.numerals import number_of

pl = pytest.importorskip("polars")
ZIPS = ("01067", "04103", "10115", "80331")


@pytest.fixture
def people(tmp_path):
    """Who lives in Saxony, where codes begin with 0, is ill; 100 rows."""
    rows = itertools.islice(itertools.cycle(ZIPS), 100)
    lines = [f"{code};{at};{'ja' if code < '1' else 'nein'}" for at, code in enumerate(rows)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["zip;age;ill", *lines]) + "\n")
    return path


def named(data):
    return [str(one) for one in data.antecedents]


def test_codes_of_a_csv_file_are_names(people):
    data = table_dataset(people, "ill", TableOptions(columns=("zip",)))
    assert named(data) == [f"zip = {code}" for code in ZIPS]
    assert data.use.hints() == [
        "column 'zip': its values are names, because '01067' begins with 0, as codes do; to cut "
        "them as numbers, say so (--column 'zip: as numbers', columns={'zip': 'as numbers'})"
    ]


def test_codes_that_are_asked_for_as_numbers_are_cut(people, tmp_path):
    result = corels.learn(people, label="ill", columns={"zip": "as numbers"})
    assert str(result.model.rules[0].antecedent) == "zip <= 4103"
    new = tmp_path / "new.csv"
    new.write_text("age;zip\n3;04103\n3;10115\n3;4102\n")
    assert result.model.predict(columns_of(new)).tolist() == ["ja", "nein", "ja"]
    frame = pl.DataFrame({"n": ["1", "2", "3", "4"] * 9, "y": ["a", "b", "b", "b"] * 9})
    assert named(table_dataset(frame, "y"))[0] == "n = 1"
    assert (
        named(table_dataset(frame, "y", TableOptions(columns={"n": "as numbers"})))[0] == "n <= 1"
    )
    estimator = RuleListClassifier(columns={"n": "as numbers"}).fit(frame.drop("y"), frame["y"])
    assert "n <= 1" in str(estimator.rule_list_)
    assert estimator.predict(pl.DataFrame({"n": ["01"]})).tolist() == ["a"]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"columns": {"ill2": "as numbers"}}, InputError, "there is no column 'ill2'"),
        (
            {"columns": {"word": "as numbers"}},
            InputError,
            "'word' is described as numbers, but its values are no numbers: 'a'",
        ),
        ({"columns": {"word": "as dates"}}, InputError, "'word' is described as dates, .*: 'a'"),
        ({"columns": {"word": "as x, y"}}, InputError, "'word' has none of the values x, y that"),
        ({"columns": {"word": "direction up"}}, InputError, "'word' has direction up, but its val"),
        ({"columns": {"word": "cuts 3"}}, InputError, "'word' has cuts, but its values are names"),
        ({"columns": {"zip": "as numbers; cuts a"}}, InputError, "'zip': the cut 'a' is no number"),
    ],
)
def test_what_cannot_be_read_so_is_refused(options, error, words):
    table = {"zip": ["01", "02", "1"], "word": ["a", "b", "c"], "ill": [0, 1, 1]}
    with pytest.raises(error, match=words):
        table_dataset(table, "ill", TableOptions(**options))


@pytest.mark.parametrize("value", ["007", "00", "01.5", " 07"])
def test_one_code_makes_a_column_of_codes(tmp_path, value):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n1,0\n{value},0.5\n100,-05\n")
    assert {name: column.cells() for name, column in columns_of(path).items()} == {
        "a": ["1", value.strip(), "100"],
        "b": [0, 0.5, -5],
    }


def test_weights_and_costs_may_begin_with_a_zero(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,n,cost,y\n" + "1,02,01.5,1\n0,03,0,0\n" * 5)
    options = TableOptions(weight="n", outcome_cost={"0": "cost"}, ignore=("n",))
    assert table_dataset(path, "y", options).weights.tolist() == [2, 3] * 5


@pytest.mark.parametrize(
    ("text", "number", "form"),
    [
        ("1,234", 1.234, "numbers with decimal commas"),
        ("1.234", 1234, "numbers with thousands"),
        ("1.234,5", 1234.5, "numbers with decimal commas"),
        ("-1 234 567,25", -1234567.25, "numbers with decimal commas"),
        ("12", 12, ""),
        ("1.234 €", 1234, "money"),
        ("3,125 %", 3.125, "percentages"),
    ],
)
def test_numbers_with_decimal_commas(text, number, form):
    assert number_of(text, "comma") == (number, form)


@pytest.mark.parametrize("text", ["1.5", "1,2,3", "1.23,4", "1,234.5", ",5", ""])
def test_what_is_no_number_with_a_decimal_comma(text):
    assert number_of(text, "comma") is None


def test_a_table_with_decimal_commas(tmp_path, capsys, monkeypatch):
    """1.234 is a thousand then, in training and in a model that reads new rows."""
    monkeypatch.chdir(tmp_path)
    rows = [("1.234", "0,125", "ja"), ("2.500", "1,5", "nein"), ("900", "1,234", "ja")] * 20
    (tmp_path / "t.csv").write_text("\n".join(map(";".join, [("income", "share", "ill"), *rows])))

    def run(*words):
        assert not called.code(*words)
        return capsys.readouterr().out

    listed = run("antecedents", "t.csv", "--label", "ill", "--column", "*: written comma", "--json")
    found = [one["name"] for one in json.loads(listed)["antecedents"]]
    assert found[:2] == ["income <= 900", "income > 900"] and "share <= 1.3" in found
    read = ("--label", "ill", "--column", "*: as ignore", "--column", "income:")
    words = (*read, "-q", "-o", "m.json")
    run("run", "t.csv", *words, "--column", "*: written comma")
    assert "what was counted agrees" in run("check", "m.json", "t.csv")
    (tmp_path / "new.csv").write_text("income\n1.234\n2.499\n")
    assert run("predict", "m.json", "new.csv") == "ja\nnein\n"


def test_categories_in_an_order_are_cut():
    pandas = pytest.importorskip("pandas")
    sizes = ["XS", "S", "M", "L", "XL"]
    values = ["L", "S", "XL", "M", None] * 20
    table = pandas.DataFrame({"size": pandas.Categorical(values, sizes, ordered=True)})
    table["y"] = table["size"].isin(["L", "XL"])
    assert named(table_dataset(table, "y", TableOptions(cuts="quantile 2"))) == [
        *("size in {S, M}", "size in {L, XL}", "size in {S, M, L}", "size = XL"),
        "size is missing",
    ]
    data = table_dataset(table, "y", TableOptions(negations=True))
    assert len(data.antecedents) == 8, "both sides of three cuts, missing and present"
    assert data.use.columns[0].kind == "ordered categories"
    each = TableOptions(columns={"size": "as names"})
    names = [*(f"size = {size}" for size in ("L", "M", "S", "XL")), "size is missing"]
    assert named(table_dataset(table, "y", each)) == names
    table["size"] = pandas.Categorical(values, sizes)
    assert named(table_dataset(table, "y")) == names


def test_models_of_categories_in_an_order_take_them_as_text():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"age": pandas.cut(np.arange(60), [-1, 9, 29, 60])})
    labels = np.arange(60) > 29
    estimator = RuleListClassifier().fit(table, labels)
    assert (estimator.predict(table) == labels).all()
    assert (estimator.predict(table.astype(str)) == labels).all()
