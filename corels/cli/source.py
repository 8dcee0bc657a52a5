"""Where the data of a command comes from: a rule file, a table, or a built-in data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.cli.parameters import checked
from corels.data import Dataset, TableOptions, datasets, is_rule_file, load, read_rules
from corels.data import table_dataset as read_table_dataset
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
_DEFAULT = TableOptions()
TABLE = (
    Option(
        "max_cardinality",
        "int",
        _DEFAULT.max_cardinality,
        "the most conditions in one antecedent",
        low=1,
        high=100,
    ),
    Option("negations", "flag", _DEFAULT.negations, "also the negation of each condition"),
    Option(
        "min_support",
        "float",
        _DEFAULT.min_support,
        "least share of the rows that an antecedent may be true of",
        low=0,
        high=1,
    ),
    Option(
        "max_support",
        "float",
        _DEFAULT.max_support,
        "largest share (default: 1 - min-support)",
        low=0,
        high=1,
        optional=True,
    ),
    Option(
        "thresholds",
        "text",
        _DEFAULT.thresholds,
        "how columns of numbers are cut",
        choices=("quantile", "uniform", "guess"),
    ),
    Option(
        "n_thresholds",
        "int",
        _DEFAULT.n_thresholds,
        "the most cuts of one column",
        low=1,
        high=10**6,
    ),
    Option(
        "missing",
        "text",
        _DEFAULT.missing,
        'missing values: a condition "is missing", or an error',
        choices=("indicator", "refuse"),
    ),
    Option("categorical", "names", (), "columns of numbers to treat as categories (repeatable)"),
    Option("columns", "names", None, "use only these columns (repeatable)", optional=True),
    Option("ignore", "names", (), "columns to leave out (repeatable)"),
    Option("positive", "text", None, "the class to treat as positive", optional=True),
    Option("weight", "text", None, "column: how many people a row stands for", optional=True),
    Option(
        "random_state",
        "int",
        _DEFAULT.random_state,
        "seed of guessed thresholds",
        low=0,
        high=2**32 - 1,
    ),
)


def read_source(typed: Mapping[str, Any]) -> Dataset:
    """The data set that the arguments and options name.

    Raises InputError for the data, OptionError for options that do not go with it.
    """
    where = checked((*ARGUMENTS, *SOURCE), typed)
    path, name = where["data"], where["dataset"]
    if name is not None:
        if path is not None:
            raise OptionError(
                f"both the file {path!r} and --dataset {name} are given: expected one"
            )
        _refuse(typed, (*ARGUMENTS, *SOURCE[1:]), "--dataset")
        return load(name, _table_options(typed))
    if path is None:
        known = ", ".join(dataset.name for dataset in datasets())
        raise OptionError(f"no data: expected a file, or --dataset with one of {known}")
    if is_rule_file(path):
        _refuse(typed, (SOURCE[1], *TABLE), "a rule file")
        return read_rules(path, where["labels"], where["minor"])
    if where["labels"] is not None:
        raise OptionError(
            f"{path} is read as a table, so the label file {where['labels']!r} has no use: "
            "name the label's column with --label (a rule file ends in .out)"
        )
    _refuse(typed, SOURCE[2:], "a table")
    if where["label"] is None:
        raise OptionError(f"{path} is a table: name the column to predict with --label")
    return read_table_dataset(path, where["label"], _table_options(typed))


def inputs(typed: Mapping[str, Any]) -> list[str]:
    """The files that are read, which no output may overwrite."""
    return [typed[name] for name in ("data", "labels", "minor") if name in typed]


def _table_options(typed: Mapping[str, Any]) -> TableOptions:
    return TableOptions(**checked(TABLE, typed))


def _refuse(typed: Mapping[str, Any], options: Sequence[Option], source: str) -> None:
    for option in options:
        if option.name in typed:
            raise OptionError(f"option {option.flag} does not go with {source}")


def missing_label(path: str) -> InputError:
    """For commands that need labels."""
    return InputError(f"{path} is a table: name the column with the true class with --label")
