"""From a table (file, data frame or mapping of columns) to a data set: label, weights, features."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError, located
from corels.options import whole
from corels.problem.constraints import Demands, Groups, joined
from corels.problem.rates import demands_of
from corels.problem.weights import ExactWeights, kept_weights
from corels.tables.binarizing import binarize
from corels.tables.column import Column, Columns, column_named, refuse_unknown, row_count
from corels.tables.dataset import Dataset, Label, Labels
from corels.tables.dates import source_of
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.descriptions import EVERY
from corels.tables.files import FileError, shown, size_of, unpacked
from corels.tables.options import TableOptions, costs_asked, kept_reading
from corels.tables.positive import check_positive
from corels.tables.recognise import measured

if TYPE_CHECKING:
    from corels.tables.mining import Mined
    from corels.tables.pricing import Policy, Pricing
    from corels.tables.stored import Stored

MOST_CLASSES = 100
MOST_GROUPS = 20


def table_dataset(
    table: Any,
    label: str,
    options: TableOptions | None = None,
    name: str | None = None,
    *,
    deadline: Deadline = NO_DEADLINE,
    counting: bool = False,
) -> Dataset:
    """Binarise a table and, if asked, mine conjunctions.

    Args:
        table: a path (as for `columns_of`), a folder or pattern of Parquet, Arrow or CSV files, a
            pandas or polars frame, what gives its columns as Arrow (a pyarrow table, a DuckDB
            relation), a polars `LazyFrame`, or a mapping of column name -> values.
        label: name of the label column.
        options: see `TableOptions`.
        name: of the data set; by default the file's.
        deadline: learns how far the work is, and may end it.
        counting: equal rows of a large table may be counted: the problem is the same, but there
            are fewer rows than the table has.

    Raises:
        InputError: naming file, column and value for anything that cannot be read.
    """
    options, label = options or TableOptions(), str(label)  # a frame's columns may be numbers
    where = "the table"
    if isinstance(table, (str, os.PathLike)):
        where = shown(table)
        name = name if name is not None else unpacked(where).stem
        deadline.begin(f"reading {where}", size_of(table))
    from corels.tables.frame import columns_of  # built-in tables need no reader

    columns = columns_of(table, reading=options.reading, deadline=deadline)
    by_row = options.constraints or costs_asked(vars(options)) or options.first
    counting = counting and not by_row
    return columns_dataset(
        columns, label, options, where, name or "", counting=counting, deadline=deadline
    )


def columns_dataset(
    columns: Mapping[str, Column],
    label: str,
    options: TableOptions,
    where: str,
    name: str,
    *,
    counting: bool = False,
    deadline: Deadline = NO_DEADLINE,
) -> Dataset:
    """`table_dataset` for columns already read; `where` names the table in messages."""
    columns, labels, dropped = _labelled(columns, label, options, where)
    features = features_of(columns, label, options, where)
    weights = row_weights(columns, label, options, where)

    def mine(counts: NDArray[np.int64] | None) -> Mined:
        how: dict[str, Any] = {"counting": counting, "deadline": deadline}
        try:
            return binarize(features, options, labels.values, counts, **how)
        except FileError:
            raise
        except InputError as error:
            raise InputError(f"{where}: {error}") from error

    values = None if weights is None else weights.values
    data = rows_dataset(columns, labels, weights, options, where=where, stands=values, mine=mine)
    return replace(data, name=name, use=data.use and data.use._replace(dropped=dropped))


def rows_dataset(
    columns: Mapping[str, Column],
    labels: Labels,
    weights: ExactWeights | None,
    options: TableOptions,
    *,
    where: str,
    stands: NDArray[np.int64] | None,
    mine: Callable[[NDArray[np.int64] | None], Mined],
    beside: Mapping[str, Column] | None = None,
) -> Dataset:
    """The data set of labelled rows, with what they cost and what is demanded of their rates.

    stands: how many rows each stands for if cuts are chosen. mine: makes the antecedents with
    that. beside: further columns of costs, answers and groups.
    """
    pricing, named = None, columns if beside is None else {**columns, **beside}
    values = None if weights is None else weights.values
    demanded = _demands(named, labels.name, options, where)
    if costs_asked(vars(options)):
        from corels.tables.pricing import balancing, is_balanced, pricing_of

        pricing = pricing_of(options, labels.classes, named, where)
        if is_balanced(options.cost):
            stands = balancing(labels.values, stands)
    mined = mine(stands)
    data = Dataset(
        antecedents=mined.antecedents,
        captures=mined.captures,
        label_name=labels.name,
        classes=labels.classes,
        weighed="" if weights is None else weights.weighed,
        weight_unit=Fraction(1) if weights is None else weights.unit,
        use=mined.use,
        known=mined.known,
        directions=mined.directions,
        reading=_kept(options, pricing),
        demands=demanded,
        costs=None if pricing is None else pricing.costs(labels.values, values),
        **_rows(labels.values, values, mined.counted),
    )
    if not options.first:
        return data
    from corels.tables.first import begun

    return begun(data, options.first, columns, where)


def _labelled(
    columns: Mapping[str, Column], label: str, options: TableOptions, where: str
) -> tuple[Mapping[str, Column], Labels, str]:
    """The rows of a table that have a label, their labels, and a sentence about the others."""
    if not row_count(columns):
        raise InputError(f"{where}: there are no rows")
    truth = names_of(column_named(columns, label, where, "label column"))
    dropped = ""
    if options.drop_unlabelled and truth.missing.any():
        gone, rows = int(truth.missing.sum()), len(truth)
        dropped = f"{gone:,} of {rows:,} rows have no {label!r} and are left out"
        columns = labelled_rows(columns, label)
    labels = labels_of(columns[label], where, options.positive)
    check_positive(options, labels.classes)
    return columns, labels, dropped


def _rows(
    labels: NDArray[np.int64], weights: NDArray[np.int64] | None, counted: Any
) -> dict[str, Any]:
    """The labels and weights of a data set, of different rows if equal ones were counted."""
    if counted is None:
        return {"labels": labels, "weights": weights}
    of_kinds = {"labels": labels[counted.first], "weights": counted.weights}
    return of_kinds | {"counted": len(labels), "repeated": counted.numbers}


def _kept(options: TableOptions, pricing: Pricing | Policy | None) -> dict[str, Any]:
    """The options as a model file has them, which may be read on another machine."""
    kept = kept_reading(options)
    if pricing is None:
        return kept
    from corels.tables.pricing import Pricing, is_matrix

    if isinstance(pricing, Pricing) and is_matrix(options.cost):
        kept["cost"] = pricing.written
    return kept


def labelled_rows(columns: Mapping[str, Column], label: str) -> Mapping[str, Column]:
    """The rows of a table that have a label."""
    kept = np.flatnonzero(names_of(columns[label]).present)
    if isinstance(columns, dict):
        return Columns({name: column.take(kept) for name, column in columns.items()})
    return cast("Stored", columns).take(kept)  # whose module a built-in table does without


def names_of(column: Column) -> Column:
    """A column whose values are names, whatever most of them write: labels, groups."""
    return column if column.written is None else column.written


def features_of(
    columns: Mapping[str, Column], label: str, options: TableOptions, where: str
) -> Mapping[str, Column]:
    """The columns that a model may ask for, as they are.

    Raises InputError, naming `where`, for a column that is not there, or is named in two roles.
    """
    said = options.described
    options.file.refuse_unknown(columns, str(options.describe))
    for name in said.columns:
        if name != EVERY:
            refuse_unknown(columns, name, where, "column")
    ignored = [name for name in columns if said.column(name).as_ == "ignore"]
    if label in options.cost_columns:
        raise InputError(
            f"{where}: the label column {label!r} cannot also be one of costs or answers"
        )
    groups = [name for name in options.group_columns if name not in said.columns]
    out = {*groups, *options.cost_columns, *ignored, options.weight, label}
    kept = [name for name in columns if name not in out]
    parts = [name for name in said.columns if name not in (EVERY, *columns)]  # of dates
    kept += [name for name in parts if source_of(name, list(columns)) not in kept]
    if not kept:
        raise InputError(f"{where}: there is no column left besides the label {label!r}")
    if isinstance(columns, dict):
        return {name: columns[name] for name in kept}
    return cast("Stored", columns).only(kept)


def row_weights(
    columns: Mapping[str, Column], label: str, options: TableOptions, where: str
) -> ExactWeights | None:
    """The weight column of a table; None if none is asked for.

    Raises InputError for cells that are no weights.
    """
    if options.weight is None:
        return None
    if options.weight == label:
        raise InputError(f"{where}: the label column {label!r} cannot also be the weight")
    given = column_named(columns, options.weight, where, "weight column")
    column = measured(given)
    row = column.first_wrong(lambda v: (v >= 0) & np.isfinite(v))
    if row is not None:
        cell = given.cells()[row - 1]
        raise InputError(
            f"{where}: weight column {column.name!r} "
            f"{'has no value' if cell is None else f'is {cell!r}'} in row {row}: "
            "expected a number of 0 or more"
        )
    if not column.values.any():
        raise InputError(f"{where}: weight column {column.name!r} is 0 in every row")
    return kept_weights(column.values, compared=bool(options.constraints))


def _demands(
    columns: Mapping[str, Column], label: str, options: TableOptions, where: str
) -> Demands | None:
    """What is demanded of rates, checked; None if nothing is."""
    if label in options.group_columns:
        raise InputError(f"{where}: the label column {label!r} cannot also be the group")
    asked, groups = demands_of(options.constraints), dict[str, Groups]()
    for one in asked:
        if one.moves:
            raise OptionError(
                f"'{one}' is about shares of rows that the model chooses, so no search keeps to "
                "it; `corels near` looks for such rule lists among the good ones"
            )
        one.refuse_without_groups()
        if "coverage" in one.rates and options.abstain is None and options.defer is None:
            raise OptionError(
                f"'{one}' is given without ⟨abstain⟩ or ⟨defer⟩: all rows are decided"
            )
        if one.by and one.column not in groups:
            named = [column_named(columns, name, where, "group column") for name in one.by]
            with located(where):
                groups[one.column] = groups_of(list(map(names_of, named)), one.column)
    return Demands(asked, groups) if asked else None


def groups_of(columns: Sequence[Column], called: str) -> Groups:
    """The groups that the values of some columns make together.

    Raises InputError for a row without a value, and unless there are from 2 to 20 groups.
    """
    missing = np.logical_or.reduce([one.missing for one in columns])
    if missing.any():
        raise InputError(
            f"column {called!r} of the groups has no value in row {int(missing.argmax()) + 1}: "
            "give such rows a group of their own, such as 'unknown', or leave them out"
        )
    kind, first = np.zeros(len(missing), dtype=np.intp), np.zeros(1, dtype=np.intp)
    for one in columns:  # the different rows, and which of these each row is
        values, value = np.unique(one.values, return_inverse=True)
        both = kind * len(values) + value
        _, first, kind = np.unique(both, return_index=True, return_inverse=True)
    cells = zip(*(column.take(first).cells() for column in columns), strict=True)
    texts = joined([tuple(str(whole(cell)) for cell in row) for row in cells])
    names, group = np.unique(np.array(texts, dtype=object), return_inverse=True)
    if not 2 <= len(names) <= MOST_GROUPS:
        found = f"only the value {names[0]!r}" if len(names) == 1 else f"{len(names)} values"
        raise InputError(
            f"column {called!r} of the groups has {found}: expected from 2 to {MOST_GROUPS} groups"
        )
    return Groups(tuple(map(str, names)), group.reshape(-1)[kind].astype(np.intp))


def labels_of(column: Column, where: str, positive: Label | None = None) -> Labels:
    """Read a label column; the positive class is the last one.

    where: the file or table, for messages. positive: the class to put last; it may be given as
    text. Raises InputError if a label is missing, there is only one class or there are too many, or
    `positive` is not among them.
    """
    name, column = column.name, names_of(column)
    refuse_unlabelled(column, where)
    found = column.distinct()
    if not found:
        raise InputError(f"{where}: label column {name!r} has no value in any row")
    if len(found) == 1:
        raise InputError(
            f"{where}: label column {name!r} has only the value {found[0]!r}, expected two classes"
        )
    if len(found) > MOST_CLASSES:
        raise InputError(
            f"{where}: label column {name!r} has {len(found)} different values, "
            f"expected classes (at most {MOST_CLASSES})"
        )
    ordered = positive_last(found, positive, f"{where}: label column {name!r}")
    return Labels(name, tuple(whole(value) for value in ordered), numbered(column, ordered))


def refuse_unlabelled(column: Column, where: str) -> None:
    """Raise InputError for a label column in which a row has no value."""
    if column.missing.any():
        row, gone = int(np.flatnonzero(column.missing)[0]) + 1, int(column.missing.sum())
        rows = "" if gone == 1 else f" and {gone - 1:,} more"
        raise InputError(
            f"{where}: label column {column.name!r} has no value in row {row}{rows}; "
            "⟨drop_unlabelled⟩ leaves such rows out"
        )


def numbered(column: Column, ordered: Sequence[Label]) -> NDArray[np.int64]:
    """(N,) the place of each value among `ordered`; -1 for one that is not there."""
    place = {value: at for at, value in enumerate(ordered)}
    named = column.as_categories()
    return named.by_category((place.get(c, -1) for c in named.categories or ()), -1)


def positive_last(found: list[Label], positive: Label | None, where: str) -> list[Label]:
    """The classes with the positive one behind the others. Raises InputError if it is none."""
    if positive is None:
        return found
    for value in found:
        if value == positive or str(whole(value)) == str(positive):
            return [other for other in found if other is not value] + [value]
    shown = ", ".join(repr(whole(value)) for value in found[:20])
    raise InputError(f"{where} has no class {positive!r}; it has {shown}")
