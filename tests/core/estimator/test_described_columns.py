"""What an estimator says of columns that are described."""

import warnings

import pandas as pd
import pytest

from corels import RuleListClassifier
from corels.errors import ColumnWarning

ROWS = pd.DataFrame(
    {"age": [1, 2, 3, 4] * 10, "day": pd.to_datetime(["2024-01-01", "2024-02-01"] * 20)}
)


def fit(columns):
    RuleListClassifier("0.2", columns=columns).fit(ROWS, [0, 0, 1, 1] * 10)


def test_a_described_column_that_is_not_there_is_said():
    for name, hint in (("agee", "; did you mean 'age'?"), ("year of age2", "")):
        with pytest.warns(ColumnWarning, match=f"'{name}', which the table does not have") as said:
            fit({name: "direction up", "*": "cuts all"})
        assert str(said[0].message).endswith(f"does not have{hint}")


def test_a_column_a_part_of_a_date_and_all_others_are_there():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit({"age": "cuts 2", "month of day": "as names", "*": "cuts all"})
