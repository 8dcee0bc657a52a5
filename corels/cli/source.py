"""Where the data of a command comes from: a rule file, a table, or a built-in data set."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from corels import tables as data  # each reader is imported when it is called
from corels.cli.parameters import (
    Tables,
    checked,
    refuse_foreign,
    refuse_unable,
    signature,
    tables_of,
)
from corels.cli.progress_lines import ProgressLines
from corels.cli.streams import notice, say
from corels.errors import OptionError
from corels.options import Option
from corels.plugins import DEFAULT_SOLVER, registry
from corels.tables import DEMAND_OPTIONS, TABLE_OPTIONS, Dataset, TableOptions
from corels.tables.column import Column
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import shown, unpacked
from corels.tables.options import COST_OPTIONS, OF_ROWS

ARGUMENTS = (
    Option.text(
        "data",
        "a .out file, or a table: CSV, TSV, Parquet, Arrow; a folder or a pattern of them; "
        "- for standard input",
    ),
    Option.text("labels", "the .label file, if not beside the .out file"),
)
SOURCE = (
    Option.text("dataset", "a built-in data set (see `corels datasets`)"),
    Option.text("label", "the column of a table to predict"),
)
REGULARIZATION = Option.text(
    "regularization",
    "lambda, the price of a rule as a share of the rows, or as a cost if outcomes have costs",
    "0.01",
)
TABLE = TABLE_OPTIONS
DEMANDS = DEMAND_OPTIONS


def data_signature(panels: Tables, solvers: Sequence[str] | Tables = ()) -> inspect.Signature:
    """The signature of a command that reads DATA as `read_source` does, with further panels, and
    the options of these solvers, if they are not given with them."""
    every = {"Data": SOURCE, "Antecedents from a table": TABLE, **panels}
    if not isinstance(solvers, Mapping):
        solvers = {name: tables_of("solver")[name] for name in solvers}
    return signature(ARGUMENTS, every, solvers, DEFAULT_SOLVER)


def of_search(
    solver: str, typed: Mapping[str, Any], own: Sequence[Option] = (), tables: Tables | None = None
) -> dict[str, Any]:
    """What was typed for the solver and for the limits of a search.

    Called before the data is read. Raises OptionError for options of another solver, and for what
    the solver cannot do, as `refuse_unable`.

    own: the command's own options, beside those of the data, if options of other solvers are to be
    refused. tables: the options of each solver that the command offers; None for all solvers.
    """
    from corels.run.limits import LIMITS

    registry().get("solver", solver)
    tables = tables_of("solver") if tables is None else tables
    table = (*tables[solver], *LIMITS)
    if own:
        refuse_foreign(solver, typed, (*ARGUMENTS, *SOURCE, *TABLE, *own, *table), tables)
    checked(table, typed)
    names = {option.name for option in table}
    options = {name: value for name, value in typed.items() if name in names}
    refuse_unable(solver, typed, options)
    return options


def deadline_of(typed: Mapping[str, Any], *, quiet: bool = False) -> Deadline:
    """The clock of a command, from its first moment: a --time-limit counts reading and mining, too.

    Progress of long work goes to stderr, unless `quiet`.
    """
    seconds = checked((Option.time_limit(""),), typed)["time_limit"]
    return Deadline(seconds, None if quiet else ProgressLines())


def during(deadline: Deadline) -> Callable[[], None]:
    """What collapsing calls now and then: it says so if that takes long, and ends the run when
    the time is up."""
    what = "reducing the data to distinct points"
    return partial(deadline.look, what, 0, 0, "the data was reduced to distinct points")


def tell(dataset: Dataset, typed: Mapping[str, Any]) -> None:
    """What became of the table, on stderr: one line, what was left out, and what would help."""
    if dataset.use is None:
        return
    if dataset.use.columns and "dataset" not in typed:  # of a file, not of a built-in data set
        say(dataset.use.line())
    loud = dataset.use.oddities(loud=True)  # said when the table was read
    for line in notes_on(dataset):
        if line not in loud:
            notice("note", line)


def notes_on(dataset: Dataset) -> list[str]:
    """What a reader has to know of how a table was read, a sentence each."""
    if dataset.use is None:
        return []
    weighed = [f"weights are {dataset.weighed}"] if dataset.weighed else []
    use = dataset.use
    return [*use.oddities(), *use.hints(), *weighed, *use.left_out]


def read_source(
    typed: Mapping[str, Any],
    deadline: Deadline = NO_DEADLINE,
    *,
    counting: bool = False,
    columns: Mapping[str, Column] | None = None,
) -> Dataset:
    """The data set that the arguments and options name.

    deadline: learns how far reading and mining are, and may end them. counting: as of
    `table_dataset`. columns: of the table, if they have been read with these options.

    Raises InputError for the data, OptionError for options that do not go with it.
    """
    where = checked((*ARGUMENTS, *SOURCE), typed)
    path, name = where["data"], where["dataset"]
    options = TableOptions(**checked((*TABLE, *DEMANDS), typed))
    if name is not None:
        if path is not None:
            raise OptionError(f"{path!r} and --dataset {name} are both given: expected one")
        _refuse(typed, (*ARGUMENTS, *SOURCE[1:]), "--dataset")
        return data.load(name, options)
    if path is None:
        known = ", ".join(dataset.name for dataset in data.datasets())
        raise OptionError(f"no data: expected a file, or --dataset with one of {known}")
    if data.is_rule_file(path):
        return _read_rules(typed, where, options)
    _refuse_unlabelled(where, options, deadline)
    if columns is not None:
        from corels.tables.labelled import columns_dataset

        name = unpacked(shown(path)).stem
        found = columns_dataset(
            columns, where["label"], options, shown(path), name, deadline=deadline
        )
    else:
        found = data.table_dataset(
            path, where["label"], options, deadline=deadline, counting=counting
        )
    for line in found.use.oddities(loud=True) if found.use else ():
        notice("note", line)
    return found


def _read_rules(
    typed: Mapping[str, Any], where: Mapping[str, Any], options: TableOptions
) -> Dataset:
    """The data set of a rule file, with what its outcomes cost."""
    path, label = where["data"], where["label"]
    if label is not None:
        raise OptionError(
            f"{path} is a rule file, so --label {label!r} has no use: its labels are in a .label "
            "file"
        )
    by_class = [one for one in COST_OPTIONS if one not in OF_ROWS]
    _refuse(typed, [one for one in (*TABLE, *DEMANDS) if one not in by_class], "a rule file")
    kept = {n: v for n, v in checked(by_class, typed).items() if n in typed}
    found = replace(data.read_rules(path, where["labels"]), reading=kept)
    pricing = data.pricing_of(options, found.classes)
    if pricing is not None:
        from corels.tables.pricing import Pricing, is_matrix

        if isinstance(pricing, Pricing) and is_matrix(options.cost):
            kept["cost"] = pricing.written  # the file is of this machine
        found = replace(found, reading=kept, costs=pricing.costs(found.labels))
    return found


def _refuse_unlabelled(where: Mapping[str, Any], options: TableOptions, deadline: Deadline) -> None:
    """Raise OptionError for a table with a file of labels, or without the name of the label. That
    the file is no table at all is worse, and said first."""
    from corels.tables.frame import columns_of  # built-in tables need no reader

    path, labels = where["data"], where["labels"]
    if labels is None and where["label"] is not None:
        return
    there = columns_of(path, reading=options.reading, deadline=deadline)
    if labels is not None:
        raise OptionError(
            f"{path} is read as a table, so the label file {labels!r} has no use: "
            "name the label's column with --label (a rule file ends in .out)"
        )
    names = ", ".join(list(there)[:20])
    raise OptionError(
        f"{shown(path)}: name the column to predict with --label (there are: {names})"
    )


def _refuse(typed: Mapping[str, Any], options: Sequence[Option], source: str) -> None:
    for option in options:
        if option.name in typed:
            value = typed[option.name]
            raise OptionError(f"option {option.flag} {value} does not go with {source}")
