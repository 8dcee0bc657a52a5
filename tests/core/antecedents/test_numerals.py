"""Numbers as people write them: taken only if one reading is possible."""

import pytest

from corels.errors import InputError
from corels.tables import Condition, as_column
from corels.tables.numerals import doubtful, number_of


@pytest.mark.parametrize(
    ("text", "number", "form"),
    [
        ("12", 12, ""),
        ("-1.5e3", -1500, ""),
        ("$1,234.50", 1234.5, "money"),
        ("-$5", -5, "money"),
        ("€ 12,50", 12.5, "money"),
        ("1.234,50 €", 1234.5, "money"),
        ("USD 1,234", 1234, "money"),
        ("12%", 12, "percentages"),
        ("12,5 %", 12.5, "percentages"),
        ("3,5", 3.5, "numbers with decimal commas"),
        ("0,1234", 0.1234, "numbers with decimal commas"),
        ("1,234,567", 1234567, "numbers with thousands"),
        ("1 234 567,5", 1234567.5, "numbers with thousands"),
        ("1'234'567", 1234567, "numbers with thousands"),
    ],
)
def test_written_numbers(text, number, form):
    assert number_of(text) == (number, form)


@pytest.mark.parametrize(
    "text", ["1,234", "$1.234", "1.234.56", "12%%", "$5€", "", "x", "$", "+-3", "1,2,3", "5 apples"]
)
def test_what_may_mean_two_things_is_no_number(text):
    assert number_of(text) is None


def test_a_column_is_numbers_only_if_all_its_values_are():
    column = as_column("price", ["$5", None, "$1,000.50"])
    assert column.is_number and column.form == "money"
    assert column.values[[0, 2]].tolist() == [5, 1000.5] and column.missing.tolist()[1]
    assert not as_column("price", ["$5", "cheap"]).is_number
    assert not as_column("code", ["1", "2"]).is_number, "plain text is a name"
    assert doubtful(as_column("n", ["1,234", "12,5", "7"])) == "1,234"
    assert doubtful(as_column("n", ["a", "b", "7"])) is None


def test_a_condition_reads_written_numbers_in_a_mixed_table():
    assert Condition("price", "<=", 10).holds(["$5", "12 €", "7"]).tolist() == [True, False, True]
    with pytest.raises(InputError, match="holds the text 'cheap', but the model compares"):
        Condition("price", "<=", 10).holds(["$5", "cheap"])
