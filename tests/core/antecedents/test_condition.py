"""Conditions and antecedents: truth, text, JSON."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from corels.check.points import holds
from corels.errors import InputError
from corels.tables import Antecedent, Condition, as_columns, evaluate_all
from corels.tables.condition import GROUP, NEGATION, UNARY
from corels.tables.unseen import as_learned, measured_by

AGE = [20, 25, None, 30]
SEX = ["m", "f", "m", None]


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        (Condition("age", "<=", 25), AGE, "1100"),
        (Condition("age", ">", 25), AGE, "0001"),
        (Condition("age", "==", 25), AGE, "0100"),
        (Condition("age", "!=", 25), AGE, "1001"),
        (Condition("age", "missing"), AGE, "0010"),
        (Condition("age", "present"), AGE, "1101"),
        (Condition("sex", "==", "m"), SEX, "1010"),
        (Condition("sex", "!=", "m"), SEX, "0100"),
        (Condition("sex", "==", "unseen"), SEX, "0000"),
        (Condition("b", "true"), [1, 0, None, 1], "1001"),
        (Condition("b", "false"), [1, 0, None, 1], "0100"),
        (Condition("b", "true"), [True, False, False, True], "1001"),
        (Condition("b", "true"), ["1", "0", "true", "False"], "1010"),
        (Condition("n", "==", 3), ["3", "3.0", "5more", "x"], "1100"),
        (Condition("n", "==", "3"), [3, 3.0, 4, None], "1100"),
        (Condition("n", "==", "5more"), [3, 3, 4, None], "0000"),
        (Condition("n", "<=", 3), ["3", "4", None, "1e0"], "1001"),
        (Condition("n", "==", 2**53 + 1), [str(2**53), str(2**53 + 1), "x"], "010"),
        (Condition("n", "in", (2**53 + 1, 2)), [str(2**53), str(2**53 + 1), "x"], "010"),
        (Condition("n", "==", str(2**53 + 1)), [2**53, 2**53 + 1], "01"),
        *((Condition("n", "==", code), [1, 10], "00") for code in ("01", "+1", "1.50", "1e1")),
        *((Condition("n", "==", code), [1.0, 1.5], "00") for code in ("01", "+1", "1.50")),
        *((Condition("n", "==", one), [1.0, 1.5], "10") for one in ("1", "1.0")),
        (Condition("n", "in", ("01", "7")), [1, 7, "01", "1"], "0110"),
        (Condition("n", "==", 1.5), ["1.50", "+1.5", "01", "x"], "1100"),
        (Condition("n", "<=", 2**53), [str(2**53), str(2**53 + 1)], "10"),
        (Condition("n", "<=", 2.0**53), [2**53, 2**53 + 1], "10"),
        (Condition("n", "==", 2.0**53), [2**53, 2**53 + 1], "10"),
        (Condition("n", "==", 2**53 + 1), [2.0**53, 0.5], "00"),
        (Condition("n", "<=", 2**53 + 3), [2.0**53 + 4, 2.0**53 + 2], "01"),
        (Condition("n", "<=", 2.5), [2, 3, -3], "101"),
        (Condition("n", "in", ("nan", "inf", 2.0)), [2, 3], "10"),
        (
            Condition("n", "<=", 2**53),
            [str(2**53), str(2**53 + 1), "-"] + ["1"] * 20,
            "100" + "1" * 20,
        ),
        (Condition("b", "==", "True"), [True, False, None, True], "1001"),
        (Condition("e", "<=", 3), [None] * 4, "0000"),
        (Condition("e", "!=", "x"), [None] * 4, "0000"),
        (Condition("sex", "in", ("m", "unseen")), SEX, "1010"),
        (Condition("sex", "not in", ("m", "unseen")), SEX, "0100"),
        (Condition("n", "in", (3, "x")), ["3", "3.0", "5more", "x"], "1101"),
        (Condition("n", "in", ("3", "x")), [3, 4.0, None, 3], "1001"),
        (Condition("n", "not in", (3, 5)), [3, 4.0, None, 5], "0100"),
        (Condition("e", "not in", ("x",)), [None] * 4, "0000"),
        (Condition("m", "<=", 40, (-9, 99)), [-9, 40, 41, None, 99], "01000"),
        (Condition("m", ">", 40, (-9, 99)), [-9, 40, 41, None, 99], "00100"),
        (Condition("m", "!=", 40, (-9, 99)), [-9, 40, 41.0, None, 99], "00100"),
        (Condition("m", "not in", (1, 2), (-9,)), ["-9", "1", "x", None, "-9.0"], "00100"),
        (Condition("m", "missing", besides=(99,)), [-9, 99.0, None], "011"),
        (Condition("m", "present", besides=(99,)), [-9, 99.0, None], "100"),
        (Condition("b", "true", besides=(9,)), [1, 0, 9, None], "1000"),
        (Condition("b", "false", besides=("x",)), ["1", "0", "x", None], "0100"),
        (Condition("s", "!=", "m", ("unknown",)), ["m", "f", "unknown", None], "0100"),
        (Condition("d", ">", "2024-02-28", ("x",)), ["2024-03-01", "x", None], "100"),
    ],
)
def test_truth(condition, values, expected):
    assert "".join("01"[int(v)] for v in condition.holds(values)) == expected
    cells = as_columns({condition.column: values})[condition.column].cells()
    told = [holds(condition.to_json(), value) for value in cells]  # the checkers' own
    assert "".join("01"[v] for v in told) == expected


@pytest.mark.parametrize(
    ("condition", "values", "message"),
    [
        (Condition("age", "<=", 3), ["a", "4"], "holds the text 'a', but the model compares"),
        (Condition("b", "true"), [0, 2], "column 'b' has the value 2, not 0 or 1"),
        (Condition("b", "false"), ["yes", "0"], "column 'b' has the value 'yes', not 0 or 1"),
    ],
)
def test_values_that_cannot_be_compared(condition, values, message):
    with pytest.raises(InputError, match=message):
        condition.holds(values)


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition("sex", "==", "Male"), "sex = Male"),
        (Condition("sex", "!=", "Male"), "sex != Male"),
        (Condition("age", "<=", 25), "age <= 25"),
        (Condition("age", ">", 25.0), "age > 25"),
        (Condition("x", ">", 0.1), "x > 0.1"),
        (Condition("age", "missing"), "age is missing"),
        (Condition("age", "present"), "age is present"),
        (Condition("age:>45", "true"), "age:>45"),
        (Condition("smokes", "false"), "not smokes"),
        (Condition("a = b", "==", "c"), '"a = b" = c'),
        (Condition("a", "==", "b and c"), 'a = "b and c"'),
        (Condition("not x", "true"), '"not x"'),
        (Condition("größe", "==", ""), 'größe = ""'),
        (Condition('say "hi"', "true"), r'"say \"hi\""'),
        (Condition("two\nlines", "true"), r'"two\nlines"'),
        (Condition("wide\u00a0blank", "true"), r'"wide\u00a0blank"'),
        (Condition("city", "in", ("Bonn", "Graz")), "city in {Bonn, Graz}"),
        (
            Condition("city", "not in", ("Bonn, Rhein", "{x}", 3.0)),
            'city not in {"Bonn, Rhein", "{x}", 3}',
        ),
        (Condition("a in {b}", "true"), '"a in {b}"'),
        (Condition("time in hospital", "<=", 3), "time in hospital <= 3"),
    ],
)
def test_text(condition, text):
    assert str(condition) == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", "=", 1), "operator '=' is not one of"),
        (("a", "=="), "takes a value, not None"),
        (("a", "missing", 1), "takes no value, not 1"),
        (("a", "<=", "x"), "takes a number or an ISO date, not 'x'"),
        (("a", "<=", float("nan")), "not finite"),
        (("a", "==", [1]), "takes one value, not"),
        (("a", "==", {}), "not text, a number or a boolean"),
        (("a", "in", "b"), "takes a list of values, not 'b'"),
        (("a", "in", ()), "takes a list of values, not"),
        (("a", "not in", ([1],)), "not text, a number or a boolean"),
        (("a", "in", (float("inf"),)), "not finite"),
        (("a", "<=", 1, (float("inf"),)), "not finite"),
        (("a", "==", 1, ([1],)), "not text, a number or a boolean"),
        (("a", "==", 1, (1.0, 2)), "condition a = 1 compares with 1, which it excludes"),
    ],
)
def test_conditions_that_make_no_sense(arguments, message):
    with pytest.raises(InputError, match=message):
        Condition(*arguments)


finite = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.text(max_size=5) | st.integers() | st.booleans() | finite
numbers = st.integers(-99, 99) | st.floats(-99, 99)


@st.composite
def conditions(draw):
    operator = draw(st.sampled_from(sorted(NEGATION)))
    value = None
    if operator in ("<=", ">"):
        value = draw(numbers)
    elif operator in GROUP:
        value = tuple(draw(st.lists(scalars, min_size=1, max_size=3)))
    elif operator not in UNARY:
        value = draw(st.text(max_size=5) | numbers | st.booleans())
    asked = {*(value if isinstance(value, tuple) else [value])}
    besides = [one for one in draw(st.lists(st.integers(-3, 3), max_size=2)) if one not in asked]
    return Condition(draw(st.text(max_size=6)), operator, value, tuple(besides))


def test_what_is_excluded_is_another_condition_of_the_same_text():
    one, other = Condition("m", "<=", 40, (3, -9, 3)), Condition("m", "<=", 40)
    assert one != other
    assert str(one) == str(other) == "m <= 40"
    assert one == Condition("m", "<=", 40, (-9, 3))
    assert one.to_json() == {"column": "m", "operator": "<=", "value": 40, "besides": [-9, 3]}
    assert other.to_json() == {"column": "m", "operator": "<=", "value": 40}
    assert one.negated() == Condition("m", ">", 40, (-9, 3))


@given(st.lists(conditions(), min_size=1, max_size=3), st.text())
def test_json_round_trip(found, name):
    antecedent = Antecedent(name, tuple(found))
    assert Antecedent.from_json(json.loads(json.dumps(antecedent.to_json()))) == antecedent
    assert hash(antecedent) == hash(Antecedent(name, tuple(found)))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"name": 3, "conditions": []},
        {"name": "a", "conditions": []},
        {"name": "a", "conditions": {}},
        {"name": "a", "conditions": [3]},
        {"name": "a", "conditions": [{"column": "c"}]},
        {"name": "a", "conditions": [{"column": "c", "operator": ["=="], "value": 1}]},
        {"name": "a", "conditions": [{"column": "c", "operator": "==", "value": {}}]},
        {"name": "a", "conditions": [{"column": 1, "operator": "missing"}]},
        {"name": "a", "conditions": [{"column": "c", "operator": "missing", "besides": 3}]},
    ],
)
def test_json_of_another_form(data):
    with pytest.raises(InputError):
        Antecedent.from_json(data)


@given(conditions(), st.lists(st.none() | st.integers(-3, 3) | st.floats(-3, 3), min_size=1))
def test_a_condition_and_its_negation_split_the_rows_that_have_a_value(condition, values):
    assert condition.negated().negated() == condition
    if condition.operator in ("true", "false"):
        values = [None if v is None else v > 0 for v in values]
    holds, fails = condition.holds(values), condition.negated().holds(values)
    assert not (holds & fails).any()
    covered = np.ones(len(values), bool)
    if condition.operator not in ("missing", "present"):
        covered = np.array([v is not None and v not in condition.besides for v in values])
    assert ((holds | fails) == covered).all()


LARGE = st.sampled_from([2**53 + more for more in range(-1, 5)])
NUMBERS = LARGE | LARGE.map(float) | st.integers(-2, 2) | st.sampled_from([-0.5, 0.1, 1.5])
CELLS = st.one_of([st.lists(st.none() | n, min_size=1) for n in (NUMBERS, NUMBERS.map(str))])


@given(st.sampled_from(["==", "!=", "<=", ">"]), NUMBERS, CELLS)
def test_the_recount_of_a_model_compares_numbers_as_the_model_does(operator, value, cells):
    asked = {"column": "x", "operator": operator, "value": value}
    measured = measured_by([asked], {})
    column = as_learned(as_columns({"x": cells}), measured)["x"]
    recounted = [holds(asked, cell) for cell in column.cells()]
    assert Condition("x", operator, value).holds(column).tolist() == recounted


@given(st.sets(conditions(), min_size=2, max_size=2))
def test_different_conditions_have_different_text(pair):
    one, other = pair
    if replace(one, besides=()) == replace(other, besides=()):
        return  # what they exclude stands in a line below the model
    if (one.column, one.operator) == (other.column, other.operator) and one.value is not None:
        kinds = {isinstance(c.value, str) for c in pair}
        if len(kinds) == 2 or {type(c.value) for c in pair} & {bool}:
            return  # a column has values of one kind
    assert str(one) != str(other)


def test_antecedents_are_conjunctions():
    both = Antecedent.of(Condition("age", "<=", 25), Condition("sex", "==", "m"))
    assert both.name == str(both) == "age <= 25 and sex = m"
    table = {"age": AGE, "sex": SEX}
    assert both.evaluate(table).tolist() == [True, False, False, False]
    assert evaluate_all([both], as_columns(table)).tolist() == [[True, False, False, False]]
    with pytest.raises(InputError, match="the data has no column 'sex', which 'age <= 25 and sex"):
        both.evaluate({"age": AGE})
    with pytest.raises(InputError, match="has no condition"):
        Antecedent("empty", ())
