"""Conditions are read back from their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.errors import InputError
from corels.tables import Antecedent, Condition
from corels.tables.condition import GROUP, NEGATION, UNARY, value_text

ODD = ["=", "and", "is", "not", "then", "in {a}", "a and", "is missing", '"', ", ", "{x}", " a", ""]
WORDS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(ODD),
    st.tuples(*[st.sampled_from([*ODD, "age", "x", "7"])] * 3).map(" ".join),
)
NUMBERS = st.one_of(
    st.integers(-(10**18), 10**18), st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.one_of(WORDS, NUMBERS, st.booleans())
MOMENTS = st.dates().map(str)


@st.composite
def conditions(draw):
    column, operator = draw(WORDS), draw(st.sampled_from(sorted(NEGATION)))
    if operator in UNARY:
        return Condition(column, operator)
    if operator in GROUP:
        return Condition(column, operator, tuple(draw(st.lists(VALUES, min_size=1, max_size=4))))
    of = st.one_of(NUMBERS, MOMENTS) if operator in ("<=", ">") else VALUES
    return Condition(column, operator, draw(of))


def alike(one, other):
    """Whether two conditions say the same; a text may write a number or a truth value."""
    values = [[value_text(v) for v in condition.values] for condition in (one, other)]
    return (one.column, one.operator) == (other.column, other.operator) and values[0] == values[1]


@given(conditions())
def test_a_condition_is_read_back_as_it_prints(one):
    found = Condition.parse(str(one))
    assert str(found) == str(one)
    assert alike(one, found)


@given(st.lists(conditions(), min_size=1, max_size=3))
def test_conjunctions_are_read_back(several):
    one = Antecedent.of(*several)
    found = Antecedent.parse(one.name)
    assert found.name == one.name
    assert all(map(alike, one.conditions, found.conditions))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age >= 18", "it has '>=', expected one of <=, >, = and !="),
        ("age < 18", "it has '<'"),
        ("age == 18", "it has '=='"),
        ('x = "a', "the double quotes do not end"),
        ("x in {a, b", "expected a list of values in"),
        ("", "is no condition"),
        ("x = ", "it has '='"),
        ("age <= old", "takes a number or an ISO date, not 'old'"),
    ],
)
def test_what_is_no_condition_is_said(text, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        Condition.parse(text)
