"""Where the data of a command comes from: a rule file, a table, or a built-in data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.antecedents.options import (
    BINARIZE_OPTIONS,
    MAX_CARDINALITY,
    MAX_SUPPORT,
    MIN_SUPPORT,
    NEGATIONS,
)
from corels.cli.parameters import checked
from corels.data import Dataset, TableOptions, datasets, is_rule_file, load, read_data, read_table
from corels.errors import InputError, OptionError
from corels.options import Option

ARGUMENTS = (
    Option("data", "text", None, "a .out file, or a CSV, TSV or Parquet table", optional=True),
    Option("labels", "text", None, "the .label file, if not beside the .out file", optional=True),
)
SOURCE = (
    Option("dataset", "text", None, "a built-in data set (see `corels datasets`)", optional=True),
    Option("label", "text", None, "the column of a table that is predicted", optional=True),
    Option("minor", "text", None, "a .minor file, checked against the rule file", optional=True),
)
MINING = (MAX_CARDINALITY, NEGATIONS, MIN_SUPPORT, MAX_SUPPORT)
COLUMNS = (
    Option("categorical", "names", (), "a column of numbers to treat as categories (repeatable)"),
    Option("columns", "names", None, "a column to use, and no others (repeatable)", optional=True),
    Option("ignore", "names", (), "a column to leave out (repeatable)"),
    Option("positive", "text", None, "the class to treat as positive", optional=True),
    Option("weight", "text", None, "column: how many people a row stands for", optional=True),
    Option("random_state", "int", 0, "seed of guessed thresholds", low=0, high=2**32 - 1),
)
TABLE = (*BINARIZE_OPTIONS, *COLUMNS)
"""Fields of `corels.data.TableOptions`; a test compares the two."""


def read_source(typed: Mapping[str, Any]) -> Dataset:
    """The data set that the arguments and options name.

    Raises InputError for the data, OptionError for options that do not go with it.
    """
    where = checked((*ARGUMENTS, *SOURCE), typed)
    path, name = where["data"], where["dataset"]
    options = TableOptions(**checked(TABLE, typed))
    if name is not None:
        if path is not None:
            raise OptionError(f"{path!r} and --dataset {name} are both given: expected one")
        _refuse(typed, (*ARGUMENTS, *SOURCE[1:]), "--dataset")
        return load(name, options)
    if path is None:
        known = ", ".join(dataset.name for dataset in datasets())
        raise OptionError(f"no data: expected a file, or --dataset with one of {known}")
    mined = True
    if is_rule_file(path):
        _refuse(typed, [option for option in TABLE if option not in MINING], "a rule file")
        mined = any(option.name in typed for option in MINING)
    elif where["labels"] is None and where["label"] is None:
        columns = ", ".join(read_table(path).columns[:20])
        raise OptionError(f"{path}: name the column to predict with --label (there are: {columns})")
    return read_data(
        path,
        where["labels"],
        minor=where["minor"],
        label=where["label"],
        options=options if mined else None,
    )


def inputs(typed: Mapping[str, Any]) -> list[str]:
    """The files that are read, which no output may overwrite."""
    return [typed[name] for name in ("data", "labels", "minor") if name in typed]


def _refuse(typed: Mapping[str, Any], options: Sequence[Option], source: str) -> None:
    for option in options:
        if option.name in typed:
            raise OptionError(f"option {option.flag} does not go with {source}")


def missing_label(path: str) -> InputError:
    """For commands that need labels."""
    return InputError(f"{path} is a table: name the column with the true class with --label")
