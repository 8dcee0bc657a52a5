"""Columns: the same table from every kind of source."""

import datetime
import decimal

import numpy as np
import pytest

from corels.errors import InputError
from corels.tables import BinarizeOptions, Condition, as_column, as_columns, binarize

TABLE = {
    "n": [1, 2, None, 4],
    "x": [0.5, None, 2.5, 4.0],
    "b": [True, False, None, True],
    "s": ["u", None, "ü v", "u"],
}


def facts(columns):
    """What conditions can see of a table."""
    return {
        name: (
            column.is_number,
            column.missing.tolist(),
            column.distinct(),
            Condition(name, "==", column.distinct()[0]).holds(column).tolist(),
        )
        for name, column in columns.items()
    }


def test_every_kind_of_table_reads_the_same():
    expected = facts(as_columns(TABLE))
    assert expected["n"] == (True, [False, False, True, False], [1, 2, 4], [True] + [False] * 3)
    assert expected["b"][2] == [False, True]
    assert expected["s"][:3] == (False, [False, True, False, False], ["u", "ü v"])
    rows = np.array(list(zip(*TABLE.values(), strict=True)), dtype=object)
    assert facts(as_columns(rows, list(TABLE))) == expected
    assert facts(as_columns(rows.tolist(), list(TABLE))) == expected


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(TABLE)
    assert facts(as_columns(frame)) == facts(as_columns(TABLE))
    for kind in pl.Categorical, pl.Enum(["ü v", "u"]):
        column = as_columns(frame.with_columns(pl.col("s").cast(kind)))["s"]
        assert column.distinct() == ["u", "ü v"]
    assert as_column("d", pl.Series([decimal.Decimal("1.5"), None])).distinct() == [1.5]
    assert as_column("t", pl.Series([datetime.date(2020, 1, 2)])).distinct() == ["2020-01-02"]
    assert as_column("e", pl.Series([None, None])).missing.all()
    assert as_column("u", pl.Series([2**64 - 1, 3], dtype=pl.UInt64)).distinct() == [3, 2.0**64]
    with pytest.raises(InputError, match="type List"):
        as_column("l", pl.Series([[1], [2]]))


@pytest.mark.parametrize("nullable", [False, True])
def test_pandas(nullable):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(TABLE)
    if nullable:
        frame = frame.convert_dtypes()
        assert str(frame["n"].dtype) == "Int64"
    assert facts(as_columns(frame)) == facts(as_columns(TABLE))
    assert as_columns(frame.astype({"s": "category"}))["s"].distinct() == ["u", "ü v"]


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint16, np.int64, np.uint64, np.float16, np.float32, np.float64]
)
def test_number_types(dtype):
    column = as_column("x", np.array([1, 0, 3], dtype=dtype))
    assert column.is_number
    assert column.distinct() == [0, 1, 3]


def test_large_integers_stay_exact():
    column = as_column("x", [2**53, 2**53 + 1])
    assert column.distinct() == [2**53, 2**53 + 1]
    assert Condition("x", "<=", 2**53).holds(column).tolist() == [True, False]


def test_mixed_values_are_text():
    assert as_column("x", [1, "a", 2.5, None]).distinct() == ["1", "2.5", "a"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros(3), "expected a table of two dimensions .* not 1"),
        (np.zeros((2, 2, 2)), "not 3"),
        ([[1, 2], [3]], "differ in length"),
        ({"a": [1, 2], "b": [1]}, "column 'b' has 1 rows, but column 'a' has 2"),
        ({"a": np.zeros((2, 2))}, "column 'a' has 2 dimensions"),
        ({1: [1], "1": [2]}, "two columns named '1'"),
    ],
)
def test_what_cannot_be_read(table, message):
    with pytest.raises(InputError, match=message):
        as_columns(table)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1j, 2], "type complex"),
        (np.array([1j, 2]), "type complex128"),
        ([[1], [2]], "type list"),
        ([{}, 1], "type dict"),
    ],
)
def test_a_column_that_nothing_can_be_asked_of_is_named_and_left_out(values, message):
    with pytest.raises(InputError, match=message):
        as_column("a", values)
    columns = as_columns({"a": values, "b": [1, 2]})
    assert message in columns["a"].unreadable
    with pytest.raises(InputError, match=message):
        Condition("a", "missing").holds(columns["a"])
    found = binarize(columns, BinarizeOptions(min_support=0))
    assert [a.name for a in found.antecedents] == ["b <= 1", "b > 1"]
    assert message in found.use.line()


def test_names_for_an_array():
    assert list(as_columns(np.zeros((2, 3)))) == ["x0", "x1", "x2"]
    with pytest.raises(InputError, match="2 names were given for 3 columns"):
        as_columns(np.zeros((2, 3)), ["a", "b"])
