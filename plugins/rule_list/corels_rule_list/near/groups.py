"""The group of each row: a column of the table that the data came from, or an antecedent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from corels.errors import OptionError
from corels.options import unknown
from corels.tables import Column, Dataset


def group_of(name: str, data: Dataset, read: Callable[[], Mapping[str, Column]]) -> list[Any]:
    """A value a row: True and False for an antecedent. read: the columns of the data's rows.

    Raises OptionError where neither an antecedent nor a column has this name.
    """
    antecedents = {antecedent.name: i for i, antecedent in enumerate(data.antecedents)}
    if name in antecedents:
        return [bool(held) for held in data.captures[antecedents[name]]]
    columns = read()
    if name not in columns:
        raise OptionError(unknown("column or antecedent", name, list(columns) or list(antecedents)))
    values = columns[name].cells()
    if len(values) != data.n_rows:
        raise OptionError(f"column {name!r} has {len(values)} values for {data.n_rows} rows")
    return [str(value) for value in values]
