"""From columns to antecedents."""

from fractions import Fraction

import numpy as np
import pytest

from corels.errors import InputError, OptionError
from corels.tables import Antecedent, BinarizeOptions, Condition, as_columns, binarize

TABLE = {
    "age": [18, 25, 40, None, 70, 33],
    "sex": ["m", "f", "f", "m", "m", "f"],
    "ill": [0, 1, 0, 0, 1, 1],
    "grp": ["a", "b", "c", "a", None, "b"],
}
EVERYTHING = {"min_support": 0.0}


def names(table=TABLE, **options):
    found = binarize(as_columns(table), BinarizeOptions(**(EVERYTHING | options)))
    return [a.name for a in found.antecedents]


def test_features():
    assert names(cuts="quantile 1") == [
        *("age <= 25", "age > 25", "age is missing"),
        *("sex = f", "sex = m"),
        "ill",
        *("grp = a", "grp = b", "grp = c", "grp is missing"),
    ]


def test_negations_follow_all_features_and_add_nothing_twice():
    assert names(cuts="quantile 1", negations=True)[len(names(cuts="quantile 1")) :] == [
        "age is present",
        "not ill",
        *("grp != a", "grp != b", "grp != c", "grp is present"),
    ]


def test_captures_are_those_of_the_antecedents():
    columns = as_columns(TABLE)
    found = binarize(columns, BinarizeOptions(**EVERYTHING, negations=True, max_cardinality=3))
    assert found.captures.shape == (len(found.antecedents), 6)
    for antecedent, captured in zip(found.antecedents, found.captures, strict=True):
        assert antecedent.evaluate(columns).tolist() == captured.tolist()
        assert 0 < captured.sum() < 6
    assert len({a.name for a in found.antecedents}) == len(found.antecedents)


def test_support_limits():
    assert names(min_support=0.34, cuts="quantile 1") == [
        *("age > 25", "sex = f", "sex = m", "ill")
    ]
    assert names(max_support=0.34, cuts="quantile 1") == [
        *("age <= 25", "age is missing", "grp = a", "grp = b", "grp = c", "grp is missing")
    ]


def test_limits_are_exact_decimals():
    """7 of 100 rows are a support of 0.07, though 0.07 * 100 > 7 in floating point."""
    table = {"x": [1] * 7 + [0] * 93}
    assert 0.07 * 100 > 7
    assert names(table, min_support=0.07) == ["x"]
    assert names(table, min_support=0.0701) == []
    assert names({"x": [1] * 93 + [0] * 7}, min_support=0.07) == ["x"]


@pytest.mark.parametrize(
    "limit", [10 / 150, "10/150", Fraction(10, 150), 10, "10", np.int64(10), np.float64(10 / 150)]
)
def test_ten_of_a_hundred_and_fifty_rows(limit):
    """A share is a fraction, a whole number is a number of rows; both compare exactly."""
    for rows, kept in ((10, ["x"]), (9, [])):
        assert names({"x": [1] * rows + [0] * (150 - rows)}, min_support=limit) == kept
    most = {"min_support": 0, "max_support": limit}
    assert names({"x": [1] * 10 + [0] * 140}, **most) == ["x"]
    assert names({"x": [1] * 11 + [0] * 139}, **most) == []


def test_one_is_a_row_and_a_share_of_one_is_all_rows():
    one_row = {"x": [1] + [0] * 9}
    assert names(one_row, min_support=1) == ["x"]
    assert names(one_row, min_support=2) == []
    with pytest.raises(OptionError, match="leaves nothing"):
        names(one_row, min_support=1.0)
    assert names(one_row, min_support=0, max_support=1.0) == ["x"]


def test_number_columns_as_categories():
    assert names({"cp": [1, 2, 3, 3]}, columns={"cp": "as names"}) == ["cp = 1", "cp = 2", "cp = 3"]
    assert names({"cp": [True, False]}, columns={"cp": "as names"}) == ["cp = False", "cp = True"]


def test_columns_that_say_nothing():
    assert names({"c": ["a", "a"], "n": [3, 3], "e": [None, None], "x": [0, 1]}) == ["x"]


def test_missing_values_refused():
    with pytest.raises(InputError, match="column 'age' has 1 missing values, the first in row 4"):
        names(missing="refuse")
    complete = {name: TABLE[name] for name in ("sex", "ill")}
    assert names(complete, missing="refuse") == names(complete)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cuts": "median"}, "cuts is 'median': expected numbers, or one of quantile, uniform"),
        ({"cuts": "quantil"}, "cuts is 'quantil'; did you mean 'quantile'"),
        ({"cuts": "quantile 0"}, "cuts is 'quantile 0': expected a whole number of at least 1"),
        ({"cuts": "quantile 2.5"}, r"cuts is 'quantile 2\.5'"),
        ({"cuts": "uniform, all"}, "expected one way for numbers, and one for names"),
        ({"max_cardinality": 0}, "max_cardinality is 0: expected a whole number from 1 to 10"),
        ({"min_support": -0.1}, "min_support is -0.1: expected a share from 0 to 1"),
        ({"min_support": float("nan")}, "min_support is nan"),
        ({"min_support": "x"}, "min_support is 'x'"),
        ({"max_support": 1.5}, "max_support is 1.5"),
        ({"min_support": 0.6}, "min_support 0.6 leaves nothing below the maximum support"),
        ({"cuts": "entropy"}, "give them too"),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(OptionError, match=message):
        names(**options)


@pytest.mark.parametrize("thresholds", ["quantile", "uniform"])
def test_infinite_values_are_refused(thresholds):
    columns = as_columns({"x": [1.0, 2.0, 3.0, np.inf]})
    with pytest.raises(InputError, match="column 'x' has an infinite value"):
        binarize(columns, BinarizeOptions(cuts=thresholds), np.array([0, 1, 0, 1]))


def weighted_and_repeated():
    """A table with weights, and the same people as equal rows."""
    rng = np.random.default_rng(3)
    table = {
        "x": rng.integers(0, 30, 60),
        "z": rng.normal(size=60).round(2),
        "c": rng.choice(["a", "b", "c"], 60),
        "b": rng.integers(0, 2, 60),
    }
    weights = rng.integers(1, 6, 60)
    labels = ((table["x"] > 11) ^ (table["b"] == 1)).astype(np.int64)
    repeated = {name: np.repeat(values, weights) for name, values in table.items()}
    return table, labels, weights, repeated, np.repeat(labels, weights)


@pytest.mark.parametrize("thresholds", ["quantile", "uniform"])
@pytest.mark.parametrize("min_support", [0.01, 0.2])
def test_a_weight_is_as_many_equal_rows(thresholds, min_support):
    table, labels, weights, repeated, repeated_labels = weighted_and_repeated()
    options = BinarizeOptions(
        cuts=thresholds, min_support=min_support, max_cardinality=3, negations=True
    )
    found = binarize(as_columns(table), options, labels, weights)
    expected = binarize(as_columns(repeated), options, repeated_labels)
    assert found.antecedents == expected.antecedents
    assert (np.repeat(found.captures, weights, axis=1) == expected.captures).all()


def test_rows_of_weight_zero():
    table = {"x": [1, 2, 3, 4, None], "c": ["a", "b", "a", "b", "a"]}
    for weights in ([0, 0, 1, 2, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]):
        for thresholds in "quantile", "uniform":
            options = BinarizeOptions(cuts=f"{thresholds} 2", max_cardinality=2)
            binarize(as_columns(table), options, None, np.array(weights))


def test_names_with_any_characters_stay_apart():
    table = {"a = b": ["c", "d"], "a": ["b = c", "e"], "not x": [0, 1], "x": [1, 0], "": [0, 1]}
    found = binarize(as_columns(table), BinarizeOptions(**EVERYTHING, negations=True)).antecedents
    assert len({a.name for a in found}) == len(found)
    assert Antecedent.of(Condition("x", "false")) in found
    assert Antecedent.of(Condition("not x", "true")) in found
