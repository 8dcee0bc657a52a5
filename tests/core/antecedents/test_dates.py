"""Dates and times: recognised, compared in the order of time, and taken apart."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.errors import InputError
from corels.tables import (
    Antecedent,
    BinarizeOptions,
    Condition,
    as_column,
    as_columns,
    binarize,
    evaluate_all,
)
from corels.tables.dates import nice_between, parts_of, uniform

ALL = BinarizeOptions(min_support=0, max_support=1.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-03-01", "2024-03-01"),
        ("2024-03-01 10:30", "2024-03-01 10:30:00"),
        ("2024-03-01T10:30:15", "2024-03-01 10:30:15"),
        ("2024-03-01T10:30:15.250", "2024-03-01 10:30:15.25"),
        ("2024-03-01T10:30:15Z", "2024-03-01 10:30:15"),
        ("2024-03-01T00:30:00+02:00", "2024-02-29 22:30:00"),
        ("2024-03-01 23:30-0130", "2024-03-02 01:00:00"),
        ("2024-03-01T00:00", "2024-03-01"),
        ("2024-03-01 02:00+02:00", "2024-03-01"),
        ("2024-03-01 00:00:00.5", "2024-03-01 00:00:00.5"),
        ("10:30", "10:30:00"),
        ("00:00", "00:00:00"),
        ("10:30:15", "10:30:15"),
        *((wrong, None) for wrong in ("2024-02-30", "2024-3-1", "24:00", "1/3/2024", "x", "")),
        ("0001-01-01T00:00+10:00", None),
    ],
)
def test_iso_dates_get_one_form(text, expected):
    assert uniform(text) == expected


def test_midnight_is_the_day_whatever_else_the_column_holds():
    midnight, later = "2024-03-01 00:00:00", "2024-03-01 00:00:01"
    for day in ("2024-03-01", midnight):
        early = Condition("t", "<=", day)
        assert early.holds([midnight, "2024-03-01"]).tolist() == [True, True]
        assert early.holds([midnight, "2024-03-01", later]).tolist() == [True, True, False]


moments = st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1))


@given(moments, moments)
def test_the_order_of_the_text_is_that_of_time(one, other):
    texts = [str(uniform(m.isoformat())) for m in (one, other)]
    assert (texts[0] < texts[1]) == (one < other)


@given(st.lists(moments | st.dates(dt.date(1900, 1, 1)), min_size=2, max_size=2))
def test_a_cut_lies_between_its_neighbours_and_is_a_moment(pair):
    low, high = sorted(str(uniform(str(m))) for m in pair)
    if low < high:
        cut = nice_between(low, high)
        assert low <= cut < high
        assert uniform(cut) == cut
        Condition("x", "<=", cut)


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        ("2023-11-20", "2024-02-03", "2023-12-31"),
        ("2024-02-20", "2024-03-03", "2024-02-29"),
        ("2024-03-02", "2024-03-09", "2024-03-08"),
        ("2024-03-02 10:00:00", "2024-03-09 11:00:00", "2024-03-08"),
        ("2024-03-02 10:00:00", "2024-03-02 11:00:00", "2024-03-02 10:00:00"),
        ("2024-03-02 10:00:00", "2024-03-03", "2024-03-02 10:00:00"),
        ("09:10:00", "11:30:00", "11:00:00"),
    ],
)
def test_cuts_are_short(low, high, cut):
    assert nice_between(low, high) == cut


def test_parts():
    column = as_column("t", ["2024-03-01 10:00", None, "2023-12-31 23:59"])
    found = {part.name: part.distinct() for part in parts_of(column)}
    assert found == {
        "year of t": [2023, 2024],
        "month of t": ["December", "March"],
        "weekday of t": ["Friday", "Sunday"],
        "hour of t": [10, 23],
    }
    assert [p.name for p in parts_of(as_column("t", ["10:00", "11:30"]))] == ["hour of t"]


def dates(count=40):
    return [str(dt.date(2022, 1, 1) + dt.timedelta(days=17 * at)) for at in range(count)]


@pytest.mark.parametrize("name", ["", " ", "of of", "hour of t", "a\nb"])
def test_parts_of_a_column_of_any_name_are_read_again(name):
    found = binarize(as_columns({name: dates()}), BinarizeOptions())
    assert (evaluate_all(found.antecedents, {name: dates()}) == found.captures.unpack()).all()


def test_a_date_column_becomes_cuts_and_parts_and_is_read_again_anywhere():
    found = binarize(as_columns({"signup": dates()}), BinarizeOptions())
    names = [a.name for a in found.antecedents]
    assert names[:2] == ["signup <= 2022-06-19", "signup > 2022-06-19"]
    assert "year of signup <= 2022" in names and "weekday of signup = Monday" in names
    typed = {"signup": [dt.date.fromisoformat(d) for d in dates()]}
    stamped = {"signup": np.array(dates(), dtype="datetime64[D]")}
    for table in (typed, stamped, as_columns(typed)):
        again = evaluate_all(found.antecedents, table)
        assert (again == found.captures.unpack()).all()
        assert (found.antecedents[-1].evaluate(table) == again[-1]).all()
    for antecedent in found.antecedents:
        assert Antecedent.from_json(antecedent.to_json()) == antecedent


def test_frames_keep_their_dates():
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    days = [dt.date.fromisoformat(d) for d in dates()]
    zoned = [dt.datetime(2024, 1, 1, 12) + dt.timedelta(hours=5 * at) for at in range(40)]
    for table in (
        pl.DataFrame({"d": days}),
        pd.DataFrame({"d": pd.to_datetime(days)}),
        pd.DataFrame({"d": days}),
    ):
        assert as_columns(table)["d"].categories[0] == "2022-01-01"
        assert as_columns(table)["d"].form == "date"
    frame = pd.DataFrame({"d": pd.to_datetime(zoned).tz_localize("Europe/Rome")})
    assert as_columns(frame)["d"].categories[0] == "2024-01-01 11:00:00"
    zone = pl.Series("d", zoned).dt.replace_time_zone("Europe/Rome")
    assert as_columns({"d": zone})["d"].categories == as_columns(frame)["d"].categories


def test_durations_are_days():
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    gaps = [dt.timedelta(hours=12), None, dt.timedelta(days=2)]
    for values in (gaps, pd.Series(gaps), pl.Series(gaps), np.array(gaps, dtype="timedelta64[ms]")):
        column = as_column("gap", values)
        assert column.missing.tolist() == [False, True, False]
        assert column.values[[0, 2]].tolist() == [0.5, 2.0]


def test_missing_dates_and_dates_in_another_form():
    column = as_column("d", ["2024-01-01", None, "2024-06-01"])
    assert Condition("d", "<=", "2024-03-31").holds(column).tolist() == [True, False, False]
    assert Condition("d", ">", "2024-03-31").holds(column).tolist() == [False, False, True]
    with pytest.raises(InputError, match="'d' holds '1/2/2024', but the model compares it with"):
        Condition("d", "<=", "2024-03-31").holds(["1/2/2024"])
    with pytest.raises(InputError, match="'d' holds no dates in this data"):
        Antecedent.of(Condition("year of d", "<=", 3)).evaluate({"d": ["x"]})
    assert not Condition("d", "<=", "2024-03-31").holds([None, None]).any()
