"""The group of each row: a column of the table that the data came from, or an antecedent."""

from __future__ import annotations

from typing import Any

from corels.errors import OptionError
from corels.options import unknown
from corels.tables import Dataset, as_columns, is_rule_file, load_columns, read_table


def group_of(name: str, data: Dataset, path: str | None, dataset: str | None) -> list[Any]:
    """A value a row: True and False for an antecedent.

    Raises OptionError where neither an antecedent nor a column has this name.
    """
    antecedents = {antecedent.name: i for i, antecedent in enumerate(data.antecedents)}
    if name in antecedents:
        return [bool(held) for held in data.captures[antecedents[name]]]
    columns: Any = {}
    if dataset is not None:
        columns = load_columns(dataset)[0]
    elif path is not None and not is_rule_file(path):
        columns = as_columns(read_table(path))
    if name not in columns:
        raise OptionError(unknown("column or antecedent", name, list(columns) or list(antecedents)))
    values = columns[name].cells()
    if len(values) != data.n_rows:
        raise OptionError(f"column {name!r} has {len(values)} values for {data.n_rows} rows")
    return [str(value) for value in values]
