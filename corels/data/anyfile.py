"""One door for whatever file a user names: a rule file or a table."""

from __future__ import annotations

from pathlib import Path

from corels.data.dataset import Dataset
from corels.data.files import Path_
from corels.data.options import TableOptions
from corels.data.readers import is_rule_file, read_table
from corels.data.rules import mine_rules, read_rules
from corels.data.tables import table_dataset
from corels.errors import InputError

TABLE_SUFFIXES = (".csv", ".tsv", ".parquet", ".pq")


def read_data(
    path: Path_,
    labels: Path_ | None = None,
    *,
    minor: Path_ | None = None,
    label: str | None = None,
    options: TableOptions | None = None,
) -> Dataset:
    """Read a rule file with its labels, or a table with its label column.

    Args:
        path: a `.out` file, or a CSV or Parquet file; text may be gzipped. With `labels`, a file of
            any other ending is read as a rule file too.
        labels: the `.label` file of a rule file (default: the one beside it).
        minor: the `.minor` file, checked against the data.
        label: the label column of a table.
        options: for a table, how it is binarised. For a rule file only `max_cardinality`,
            `negations` and the limits on support mean something, and none is applied by default:
            its antecedents are already mined.

    Raises:
        InputError: naming file, line and value for anything malformed, and if the arguments are
            those of the other kind of file.
    """
    if is_rule_file(path) or (labels is not None and not _looks_like_table(path)):
        if label is not None:
            raise InputError(
                f"{path}: a rule file has no columns, so there is no label column {label!r}; "
                "its labels are in a .label file"
            )
        data = read_rules(path, labels, minor)
        return data if options is None else _mined(data, options)
    if labels is not None or minor is not None:
        raise InputError(
            f"{path}: {labels if labels is not None else minor} goes with a .out file, "
            "but this is read as a table, whose labels are a column of it"
        )
    if label is None:
        shown = ", ".join(read_table(path).columns[:20])
        raise InputError(f"{path}: say which column is the label; the columns are {shown}")
    return table_dataset(path, label, options)


def _looks_like_table(path: Path_) -> bool:
    return Path(str(path).lower().removesuffix(".gz")).suffix in TABLE_SUFFIXES


def _mined(data: Dataset, options: TableOptions) -> Dataset:
    return mine_rules(
        data,
        max_cardinality=options.max_cardinality,
        min_support=options.min_support,
        max_support=options.max_support,
        negations=options.negations,
    )
