"""From a table (file, data frame or mapping of columns) to a data set."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.antecedents.binarizing import binarize
from corels.antecedents.column import Column, as_columns, row_count
from corels.antecedents.pace import UNHURRIED, Pace
from corels.data.dataset import Dataset
from corels.data.files import shown
from corels.data.options import TableOptions
from corels.data.readers import read_table
from corels.data.strangers import known_values
from corels.data.table_labels import labels_of
from corels.errors import InputError


def table_dataset(
    table: Any,
    label: str,
    options: TableOptions | None = None,
    name: str | None = None,
    *,
    pace: Pace = UNHURRIED,
) -> Dataset:
    """Binarise a table and, if asked, mine conjunctions.

    Args:
        table: a path (as for `read_table`), a pandas or polars frame, or a mapping of column
            name -> values.
        label: name of the label column.
        options: see `TableOptions`.
        name: of the data set; by default the file's.
        pace: is told how far the work is, and may end it.

    Raises:
        InputError: naming file, column and value for anything that cannot be read.
    """
    options = options or TableOptions()
    where = "the table"
    if isinstance(table, (str, os.PathLike)):
        where = shown(table)
        name = name if name is not None else _stem(where)
        table = read_table(table, pace=pace)
    columns = as_columns(table, pace=pace)
    return columns_dataset(columns, label, options, where, name or "", pace=pace)


def columns_dataset(
    columns: Mapping[str, Column],
    label: str,
    options: TableOptions,
    where: str,
    name: str,
    *,
    pace: Pace = UNHURRIED,
) -> Dataset:
    """`table_dataset` for columns already read; `where` names the table in messages."""
    if not row_count(columns):
        raise InputError(f"{where}: there are no rows")
    labels = labels_of(_column(columns, label, where, "label column"), where, options.positive)
    features = _features(columns, label, options, where)
    weights = _weights(columns, label, options, where)
    try:
        mined = binarize(features, options, labels.values, weights, pace=pace)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    return Dataset(
        antecedents=mined.antecedents,
        captures=mined.captures,
        labels=labels.values,
        classes=labels.classes,
        name=name,
        label_name=label,
        weights=weights,
        use=mined.use,
        known=known_values(features),
    )


def _column(columns: Mapping[str, Column], name: str, where: str, role: str) -> Column:
    if name in columns:
        return columns[name]
    close = difflib.get_close_matches(name, columns, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    if "," in name and all(part.strip() in columns for part in name.split(",")):
        hint = "a name may hold a comma, so give each column an option of its own; "
    names = [known if known.isprintable() else repr(known) for known in list(columns)[:20]]
    shown = ", ".join(names) + (", ..." if len(columns) > 20 else "")
    raise InputError(f"{where}: there is no {role} {name!r}; {hint}the columns are {shown}")


def _features(
    columns: Mapping[str, Column], label: str, options: TableOptions, where: str
) -> dict[str, Column]:
    wanted = list(columns) if options.columns is None else list(options.columns)
    for name in (*wanted, *options.ignore, *options.categorical):
        _column(columns, name, where, "column")
    if options.columns is not None and label in wanted:
        raise InputError(f"{where}: the label column {label!r} cannot also be a feature")
    out = {label, options.weight, *options.ignore}
    features = {name: columns[name] for name in wanted if name not in out}
    if not features:
        raise InputError(f"{where}: there is no column left besides the label {label!r}")
    return features


def _weights(
    columns: Mapping[str, Column], label: str, options: TableOptions, where: str
) -> NDArray[np.int64] | None:
    if options.weight is None:
        return None
    if options.weight == label:
        raise InputError(f"{where}: the label column {label!r} cannot also be the weight")
    column = _column(columns, options.weight, where, "weight column")
    values = column.values
    wrong = column.missing.copy()
    if column.is_number:
        wrong |= ~((values >= 0) & (values == np.floor(values)) & (values < 2**63))
    else:
        wrong[:] = True
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"{where}: weight column {column.name!r} in row {row + 1} is not a whole number "
            "of 0 or more"
        )
    return values.astype(np.int64)


def _stem(path: str) -> str:
    return Path(path.removesuffix(".gz")).stem
