"""Odd cells among numbers and dates: from Python, in fit and in predict."""

import pickle
import warnings

import numpy as np
import polars as pl
import pytest

import corels
from corels import Rule, RuleList
from corels.errors import InputError
from corels.tables import (
    Antecedent,
    BinarizeOptions,
    Binarizer,
    Condition,
    TableOptions,
    as_column,
    as_columns,
    binarize,
    table_dataset,
)
from corels.tables.descriptions import Descriptions
from corels.tables.options import Reading

AGES = [str(20 + at % 40) for at in range(100)]


def with_odd(*odd, values=AGES):
    return [*odd, *values[len(odd) :]]


def test_a_few_odd_cells_are_missing_and_counted():
    column = as_column("age", with_odd("-", "unknown", "-"))
    assert column.is_number and column.values.dtype == np.int64
    assert column.missing.sum() == 3
    assert column.odd() == {"-": 2, "unknown": 1}
    assert column.take(np.arange(1, 9)).odd() == {"unknown": 1, "-": 1}
    assert column.named("x").as_categories().name == "x"


@pytest.mark.parametrize(
    "values",
    [
        AGES,  # all plain: somebody has asked for names
        with_odd(*["-"] * 11),  # too many
        with_odd("0123", "-"),  # a code
        with_odd("1,234"),  # a number of two meanings
        ["7", *["-"] * 5, *["7"] * 94],  # one number only
        [f"name {at}" for at in range(100)],
    ],
)
def test_what_stays_names(values):
    assert as_column("age", values).categories is not None


def test_mixed_objects_of_a_frame():
    pd = pytest.importorskip("pandas")
    pl = pytest.importorskip("polars")
    mixed = pd.DataFrame({"age": pd.Series([*map(float, AGES[:99]), "n.a."], dtype=object)})
    assert as_columns(mixed)["age"].odd() == {"n.a.": 1}
    assert as_columns(pl.DataFrame({"age": with_odd("*")}))["age"].odd() == {"*": 1}
    asked = pd.DataFrame({"age": pd.Categorical(with_odd("*"))})
    assert as_columns(asked)["age"].categories is not None  # a frame that says they are names
    asked["label"] = ["a", "b"] * 50
    data = table_dataset(asked, "label", TableOptions(missing=["nothing"]))
    assert {a.conditions[0].operator for a in data.antecedents} == {"=="}


def test_an_odd_cell_alone_is_missing_whichever_rule_asks_first():
    """The rules ask whether x is missing before they compare it, and the other way round."""
    rules = [
        Rule(Antecedent.of(Condition("x", ">", 9)), 0, (1, 0)),
        Rule(Antecedent.of(Condition("x", "missing")), 0, (1, 0)),
    ]
    for listed in (rules, rules[::-1]):
        model = RuleList(tuple(listed), Rule(None, 1, (0, 1)), ("no", "yes"))
        with pytest.warns(UserWarning, match="'x' what is not a number") as warned:
            assert model.predict({"x": ["-"]}).tolist() == ["no"]
        assert warned[0].filename == __file__


def test_odd_cells_among_dates():
    days = [f"2024-0{1 + at % 9}-1{at % 10}" for at in range(99)]
    column = as_column("day", ["soon", *days])
    assert column.form == "date" and column.odd() == {"soon": 1}
    names = [a.name for a in binarize(as_columns({"day": ["soon", *days]}), BinarizeOptions())[0]]
    assert "day is missing" in names and any(n.startswith("month of day") for n in names)


def test_as_names_odd_cells_are_values():
    table = {"age": with_odd("-", "-", values=["7", "8"] * 50)}
    found = binarize(
        as_columns(table), BinarizeOptions(columns={"age": "as names"}, negations=True)
    )
    names = [a.name for a in found.antecedents]
    assert names[:3] == ["age = -", "age = 7", "age = 8"] and "age is missing" not in names
    columns = as_columns(table)
    for antecedent, captured in zip(found.antecedents, found.captures, strict=True):
        assert (antecedent.evaluate(columns) == captured).all()


def test_as_names_a_number_is_the_text_that_writes_it():
    table = {"paid": ["$1,234", "$5,678", "$910"] * 30, "y": ["a", "b", "b"] * 30}
    model = corels.learn(table, "y", columns={"paid": "as names"}, regularization="0.01").model
    assert [str(one) for one in model.antecedents] == ["paid = $1,234"]
    assert model.predict({"paid": ["$1,234", "1234"]}).tolist() == ["a", "b"]


def reading_of(said):
    return Reading(Descriptions.of([f"*: {said}"]))


def test_reading_options():
    numbers = {"x": [1.0, -999, 3], "s": ["a", "none", "b"]}
    columns = as_columns(numbers, reading=reading_of("missing none, -999"))
    assert columns["x"].missing.tolist() == columns["s"].missing.tolist() == [False, True, False]
    assert columns["s"].categories == ("a", "b")
    again = as_columns(as_columns(numbers), reading=reading_of("missing none, -999"))  # read before
    assert again["x"].missing[1] and again["s"].missing[1]
    named = as_column("x", ["1", "2", "5more", "1"], reading_of("missing 5more"))
    assert named.is_number and named.missing.tolist() == [False, False, True, False]
    text = ["31/12/2023", "1.2.2024", "2024-05-06"]
    assert as_column("d", text, reading_of("written dmy")).distinct() == [
        "2023-12-31",
        "2024-02-01",
        "2024-05-06",
    ]
    assert as_column("d", ["12/31/2023 10:30"], reading_of("written mdy")).distinct() == [
        "2023-12-31 10:30:00"
    ]
    with pytest.raises(InputError, match="written is 'ymd': expected iso, dmy, mdy"):
        reading_of("written ymd")


def test_rows_without_a_label_are_dropped_and_said():
    table = {"x": [1, 2, 3, 4], "y": ["a", None, "b", "a"]}
    data = table_dataset(table, "y", TableOptions(drop_unlabelled=True, min_support=0))
    assert data.n_rows == 3
    assert data.use.oddities() == ["1 of 4 rows have no 'y' and are left out"]
    odd_label = {"x": [*range(40)], "y": [*["1", "2"] * 19, "other", "other"]}
    assert table_dataset(odd_label, "y").classes == ("1", "2", "other")  # classes are names


def test_binarizer_fits_and_transforms_alike():
    table = {"age": with_odd("-", "-")}
    with pytest.warns(UserWarning, match="2 of 100 cells are not numbers"):
        binarizer = Binarizer(min_support=0.02).fit(table)
    names = list(binarizer.get_feature_names_out())
    assert "age is missing" in names
    binarizer = pickle.loads(pickle.dumps(binarizer))
    with pytest.warns(UserWarning, match="1 row has in 'age' what is not a number or date"):
        found = binarizer.transform({"age": ["whatever"]})
    assert found[0].tolist() == [name == "age is missing" for name in names]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not binarizer.transform({"age": ["25"]})[0][names.index("age is missing")]


def test_truth_as_text_is_no_odd_cell():
    binarizer = Binarizer(min_support=0).fit({"smoker": [True, False, True], "x": [1, 2, 3]})
    assert binarizer.get_feature_names_out()[0] == "smoker"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = binarizer.transform({"smoker": ["True", "false", "1"], "x": ["1", "2", "3"]})
    assert found[:, 0].tolist() == [True, False, True]


def test_estimators_fit_and_predict_alike():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    from corels import RuleListClassifier

    ages = with_odd("?", "-")
    frame = pd.DataFrame({"age": ages, "day": ["1/2/2024"] * 50 + ["3/4/2024"] * 50})
    y = [text.isdigit() and int(text) > 40 for text in ages]
    estimator = RuleListClassifier(cuts="quantile 50", columns={"*": "written dmy"}, missing=["?"])
    with pytest.warns(UserWarning, match=r"1 of 100 cells is not a number \('-'\)"):
        estimator.fit(frame, y)
    assert "age" in str(estimator.rule_list_)
    new = pd.DataFrame({"age": ["-"], "day": ["5/2/2024"]})
    with pytest.warns(UserWarning, match="it counts as missing"):
        assert estimator.predict(new).tolist() == [False]
    with pytest.warns(UserWarning, match="it counts as missing"):
        assert estimator.rule_list_.predict(new).tolist() == [False]
    assert estimator.score(frame, y) == 1


def test_all_cuts_are_those_between_all_values():
    values = np.random.default_rng(0).integers(0, 300, 400)
    found = binarize(as_columns({"x": values}), BinarizeOptions(cuts="all", min_support=0))
    distinct = np.unique(values)
    assert len(found.antecedents) == 2 * (len(distinct) - 1)
    table = as_columns({"x": values})
    for antecedent, captured in zip(found.antecedents, found.captures, strict=True):
        assert (antecedent.evaluate(table) == captured).all()


def test_a_word_with_a_leading_zero_is_no_number(tmp_path):
    """As it is none in a description: 3 stays a value on every surface."""
    table = tmp_path / "t.csv"
    table.write_text("a,y\n" + "".join(f"{a},{'pq'[a > 4 or a == 3]}\n" for a in range(7)) * 9)
    with pytest.warns(corels.errors.ColumnWarning, match="03"):
        model = corels.learn(table, "y", regularization="0.004", cuts="all", missing="03").model
    assert model.errors == 0
    assert model.predict({"a": list(range(7))}).tolist() == list("pppqpqq")
    assert model.predict(pl.read_csv(table)).tolist() == list("pppqpqq") * 9
    scope = {}
    exec(model.export("python"), scope)
    assert [scope["predict"]({"a": a}) for a in range(7)] == list("pppqpqq")


@pytest.mark.parametrize("odd", ["", "x?"])
def test_a_number_that_means_no_value_does_however_a_cell_writes_it(odd, tmp_path):
    """In a column of text, and in one that a reader takes for numbers."""
    cells = ["0.0", "0.5", "1.0", "-1", "0", "2.0", "0.25", "-.5"] * 4 + [odd] * bool(odd)
    labels = ["p" if cell.strip("0.") in {"", "2"} else "q" for cell in cells]
    table, plain = tmp_path / "t.csv", tmp_path / "plain.csv"
    rows = [f"{one},{label}" for one, label in zip(cells, labels, strict=True)]
    table.write_text("\n".join(["a,y", *rows]) + "\n")
    plain.write_text("\n".join(["a,y", *rows[:32]]) + "\n")
    model = corels.learn(table, "y", regularization="0.01", missing="0").model
    said = model.predict({"a": cells}).tolist()
    assert [model.predict({"a": [one]})[0] for one in cells] == said
    assert model.predict({"a": [float(one) for one in cells[:32]]}).tolist() == said[:32]
    assert model.predict(pl.read_csv(plain)).tolist() == said[:32]
    assert model.errors == sum(a != b for a, b in zip(said, labels, strict=True))
