"""What is read otherwise than somebody may expect is said, in Python as on the command line."""

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from called import code

import corels
from corels import Binarizer
from corels.errors import ColumnWarning, InputError
from corels.tables import TableOptions, as_column, table_dataset

ROWS = 60
LABELS = ["p", "q"] * (ROWS // 2)


def of(values, **options):
    data = table_dataset({"a": values, "y": LABELS}, "y", TableOptions(**options))
    return [str(one) for one in data.antecedents], " ".join(data.use.hints())


THOUSANDS = [f"{1 + at // 9},{at * 37 % 1000:03}" for at in range(ROWS)]


@pytest.mark.parametrize("texts", [THOUSANDS, [f"${text}" for text in THOUSANDS]])
def test_three_digits_behind_every_comma_are_thousands(texts):
    whole = [int(text.strip("$").replace(",", "")) for text in texts]
    names, hint = of(texts)
    assert names == of(whole)[0] and names[0] == "a <= 2518"
    assert "three digits stand behind every comma" in hint or texts[0].startswith("$")
    assert (
        of([text.strip("$") for text in texts], columns={"*": "written comma"})[0][0] == "a <= 2.52"
    )
    model = corels.learn({"a": texts, "y": LABELS}, label="y", regularization=0).model
    assert (model.predict({"a": texts[:3]}) == model.predict({"a": whole[:3]})).all()


def test_thousands_with_smaller_numbers_between():
    values = list(range(500, 500 + 20 * ROWS, 20))
    assert of([f"{value:,}" for value in values])[0] == of(values)[0]


@pytest.mark.parametrize(
    "texts",
    [
        ["1,234", *(str(100 * at) for at in range(1, ROWS))],  # one such cell is never guessed
        [f"{text}" if at else "2000" for at, text in enumerate(THOUSANDS)],
        [text if at else "1,23" for at, text in enumerate(THOUSANDS)],
        [f"0,{at:03}" for at in range(ROWS)],
    ],
)
def test_what_may_mean_two_numbers_is_not_guessed(texts):
    names, _ = of(texts)
    assert not any("<=" in name for name in names) or "1,23" in texts


@pytest.mark.parametrize("make", [list, pd.Series, pl.Series])
def test_a_year_and_a_month_is_its_first_day_and_is_printed_as_written(make):
    months = [str(one) for one in pd.period_range("2000-01", periods=ROWS, freq="M")]
    names, _ = of(make(months))
    assert names[:2] == ["a <= 2001-03", "a > 2001-03"] and "month of a = May" in names
    assert not any(name.startswith("weekday") for name in names)
    condition = table_dataset({"a": months, "y": LABELS}, "y").antecedents[0]
    days = ["2001-02-28", "2001-03-01", "2001-03", "2001-04-01"]
    assert condition.evaluate({"a": days[2:3]}).tolist() == [True]
    assert condition.evaluate({"a": [*days[:1], *days[3:]]}).tolist() == [True, False]
    mixed = [*months[:-1], "2004-12-01"]
    assert not any("<=" in name for name in of(mixed)[0])


def test_periods_are_dates():
    months = pd.Series(pd.period_range("2000-01", periods=ROWS, freq="M"))
    assert of(months)[0] == of([str(one) for one in months])[0]
    quarters = pd.Series(pd.period_range("2000-01", periods=ROWS, freq="Q"))
    assert of(quarters)[0] == of(quarters.dt.to_timestamp())[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: pd.date_range("2024-01-01 23:30", periods=ROWS, freq="h", tz="America/New_York"),
        lambda: pd.period_range("2000-01", periods=ROWS, freq="Q"),
        lambda: pd.Categorical(list("abc") * (ROWS // 3) + ["a"] * (ROWS % 3)),
        lambda: pd.array([1, 2, *[None] * (ROWS - 2)], dtype="Int64"),
    ],
)
def test_an_index_and_an_array_of_pandas_are_read_as_their_series(make):
    assert of(make())[0] == of(pd.Series(make()))[0]


def test_what_is_no_column_of_pandas_is_named():
    for values in (pd.DataFrame({"b": range(ROWS)}), pd.MultiIndex.from_product([[0], [1]])):
        with pytest.raises(InputError, match=r"column 'a' is a .*: expected a value for each row"):
            of(values)


def test_an_infinite_value_has_a_row():
    values = [1.0, 2.0, 3.0] * 20
    values[7] = values[9] = -math.inf
    with pytest.raises(InputError, match="an infinite value in 2 rows, the first is row 8"):
        of(values)
    assert of([*values[:7], math.inf, *values[8:]], missing=["inf", "-inf"])[0]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([-9 if at % 12 == 0 else 300 + at for at in range(ROWS)], "8.3% .* exactly -9"),
        ([999 if at % 12 == 0 else at for at in range(ROWS)], "8.3% .* exactly 999, far above all"),
        ([99 if at % 12 == 0 else 90 - at for at in range(ROWS)], ""),
        ([-at for at in range(ROWS)], ""),
        ([at - 9.5 for at in range(ROWS)], ""),
    ],
)
def test_values_that_look_like_codes(values, said):
    hint = of(values)[1]
    assert re.search(said, hint) if said else not hint


LARGE = 2**63 + np.arange(ROWS, dtype=np.uint64)


@pytest.mark.parametrize(
    "values",
    [LARGE, pl.Series(LARGE), pd.Series(LARGE, dtype="UInt64"), [2**64 + at for at in range(ROWS)]],
    ids=["numpy", "polars", "pandas", "python"],
)
def test_numbers_that_floats_would_make_equal_are_names_and_that_is_said(values):
    assert as_column("a", values).categories is not None
    assert "floats would make some of such large numbers equal" in of(values)[1]


def test_numbers_of_more_than_64_bits_are_rounded_and_that_is_said():
    names, hint = of([2**64 + at * 10**6 for at in range(ROWS)])
    assert len(names) == 6 and "rounded to some 16 digits" in hint


TIMES = np.datetime64("2024-01-01", "ns") + np.arange(ROWS).astype("timedelta64[ns]")


@pytest.mark.parametrize("make", [np.array, pd.Series, pl.Series])
def test_nanoseconds_are_kept(make):
    assert of(make(TIMES))[0][0] == "a <= 2024-01-01 00:00:00.000000014"
    assert len(of(make(TIMES - TIMES[0]))[0]) == 6
    zoned = pd.Series(TIMES).dt.tz_localize("Europe/Berlin")
    assert of(zoned)[0][0] == "a <= 2023-12-31 23:00:00.000000014"
    assert of(pl.Series(TIMES).dt.replace_time_zone("Europe/Berlin"))[0] == of(zoned)[0]


def test_booleans_of_pyarrow_may_be_missing():
    pytest.importorskip("pyarrow")
    names, _ = of(pd.Series([True, None, False] * 20, dtype="bool[pyarrow]"))
    assert names == ["a", "a is missing"]


def test_numbers_as_text_are_said_on_every_surface(tmp_path, capsys):
    texts = [str(at % 25) for at in range(ROWS)]
    said = "its values are numbers as text, so they are names; to cut them as"
    assert said in of(texts)[1]
    with pytest.warns(UserWarning, match=said):
        corels.learn({"a": texts, "y": LABELS}, label="y")
    with pytest.warns(UserWarning, match=said):
        Binarizer().fit(pd.DataFrame({"a": texts}))
    pl.DataFrame({"a": texts, "y": LABELS}).write_parquet(tmp_path / "t.parquet")
    code("run", str(tmp_path / "t.parquet"), "--label", "y", "-q")
    main_said = capsys.readouterr().err
    assert said in main_said or not main_said  # -q says nothing
    code("run", str(tmp_path / "t.parquet"), "--label", "y")
    assert f"note: column 'a': {said}" in capsys.readouterr().err


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, dict])
def test_large_numbers_that_are_names_are_names_in_a_row_alone(kind):
    values = [int(LARGE[0]) + at % 2 for at in range(ROWS)]
    frame = {"n": values, "y": [at % 2 for at in range(ROWS)]}
    with pytest.warns(ColumnWarning):
        model = corels.learn(frame, "y", regularization="0.01").model
    assert model.predict(kind({"n": values})).tolist() == frame["y"]
    assert [model.predict(kind({"n": [one]}))[0] for one in values[:2]] == [0, 1]
