"""Equal rows counted where the data is, so that only different rows come over, with their numbers.

A table of a hundred million rows often has a few thousand different ones, in the columns that are
asked for. Then polars (Parquet and Arrow files, a `LazyFrame`), DuckDB (a relation) or the workers
of Dask (a `dask.dataframe`) count them, and neither memory nor a temporary folder holds the rest.
What is learned is the same: rows stand in the order in which each is first met, and everything that
asks how many rows there are takes each so many times (`Column.times`).

Whether it pays is seen in the first rows. Where it does not, where anything is wrong with the table
(the message counts rows), or where rows are asked for one by one (a sample, constraints on groups,
folds), the table is read as any other.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.errors import CorelsError
from corels.tables.column import Columns, as_columns
from corels.tables.dates import source_of
from corels.tables.deadline import Deadline
from corels.tables.files import files_of
from corels.tables.options import TableOptions, costs_asked
from corels.tables.readers import polars_errors
from corels.tables.scanning import columnar_files, scan
from corels.tables.spilling import (
    TemporaryFolder,
    beside,
    exactly,
    is_query,
    names_of_query,
    quoted,
    stored,
)

if TYPE_CHECKING:
    import polars

SAMPLE = 100_000  # first rows that are looked at; a table of fewer is read as a whole
FEW = 4  # equal rows are counted where less than one in so many of these differ
PART = 40  # bits for the number of a row within a part of a Dask frame


def counted(
    table: Any, label: str, options: TableOptions, where: str, deadline: Deadline
) -> Columns | None:
    """The columns that are asked for of the different rows; None where it would not pay.

    Raises InputError if the time is up, or naming the file that cannot be read.
    """
    if options.sample_rows is not None or options.thresholds == "guess" or _by_row(options):
        return None
    table = stored(table)
    tick = partial(deadline.look, "counting equal rows", 0, 0, "equal rows were counted")
    try:
        engine = _engine(table, options, where, deadline)
        names = None if engine is None else _asked(names_of_query(engine.rows), label, options)
        if engine is None or not names or not beside(partial(engine.repeats, names), tick):
            return None
        times, first = _new_name("rows", names), _new_name("first", names)
        found = beside(partial(engine.counted, names, times, first), tick).sort(first)
    except CorelsError:
        raise
    except polars_errors():  # who reads all rows says why
        return None
    numbers = found[times].to_numpy().astype(np.int64)
    return as_columns(
        found.select(names), reading=options.reading, deadline=deadline, times=numbers
    )


def _by_row(options: TableOptions) -> bool:
    """Whether rows are told apart by more than columns and labels."""
    constrained = options.group_columns or options.fair or options.coverage is not None
    return bool(constrained or costs_asked(vars(options)))


def _asked(known: Sequence[str], label: str, options: TableOptions) -> list[str] | None:
    """The columns that are read; None where one is not there, or two have one name."""
    wanted = list(known) if options.columns is None else [*options.columns]
    further = (label, *([options.weight] if options.weight else ()))
    there = set(known)
    named = {source_of(name, there) for name in (*wanted, *further, *options.ignore)}
    if not named <= there or len(there) < len(known):
        return None
    kept = {source_of(name, there) for name in wanted if name not in options.ignore}
    return [name for name in known if name in kept or name in further]


def _new_name(name: str, names: Sequence[str]) -> str:
    """A name that is not among them, whatever the case of its letters: to DuckDB that is one."""
    known = {one.casefold() for one in names}
    while name in known:
        name += "_"
    return name


def _engine(table: Any, options: TableOptions, where: str, deadline: Deadline) -> Any:
    """What counts the rows of a table; None where nothing does."""
    if isinstance(table, (str, os.PathLike)):
        frame = columnar_files(table, options.encoding, where, deadline)
        return None if frame is None else _Polars(frame, scan((files_of(table) or [])[-1]))
    if not is_query(table):
        return None
    if hasattr(table, "sink_ipc"):
        return _Polars(table)
    return _Dask(table) if hasattr(table, "npartitions") else _DuckDB(table)


class _Polars:
    """Files, or a query, of polars. last: the last file, whose end is looked at, too."""

    def __init__(self, frame: polars.LazyFrame, last: polars.LazyFrame | None = None) -> None:
        self.rows, self._last = frame, last

    def repeats(self, names: list[str]) -> bool:
        schema = self.rows.collect_schema()
        if any(schema[name].is_nested() for name in names):
            return False
        head = self.rows.select(names).head(SAMPLE).collect()
        if head.height < SAMPLE or FEW * head.n_unique() >= SAMPLE:
            return False
        last = None if self._last is None else self._last.select(names).tail(SAMPLE).collect()
        return last is None or FEW * last.n_unique() < SAMPLE

    def counted(self, names: list[str], times: str, first: str) -> polars.DataFrame:
        import polars as pl

        numbered = self.rows.select(names).with_row_index(first)
        groups = numbered.group_by(names).agg(pl.len().alias(times), pl.col(first).min())
        return groups.collect(engine="streaming")


class _DuckDB:
    """A relation: the database counts."""

    def __init__(self, relation: Any) -> None:
        self.rows = exactly(relation)

    def repeats(self, names: list[str]) -> bool:
        head = self.rows.limit(SAMPLE)
        sizes = f"select count(*), count(distinct ({quoted(names)})) from corels_rows"
        ((rows, different),) = head.query("corels_rows", sizes).fetchall()
        return bool(rows == SAMPLE and FEW * different < SAMPLE)

    def counted(self, names: list[str], times: str, first: str) -> polars.DataFrame:
        columns, first_, times_ = quoted(names), quoted([first]), quoted([times])
        numbered = f"select {columns}, row_number() over () as {first_} from corels_rows"
        counts = f"count(*)::bigint as {times_}, min({first_})::bigint as {first_}"
        groups = f"select {columns}, {counts} from ({numbered}) group by {columns}"
        folder = TemporaryFolder()
        self.rows.query("corels_rows", groups).write_parquet(folder.file(0))
        return scan(folder.file(0)).collect()


class _Dask:
    """A `dask.dataframe`: each worker counts in its parts."""

    def __init__(self, frame: Any) -> None:
        self.rows = frame

    def repeats(self, names: list[str]) -> bool:
        head = self.rows[names].head(SAMPLE, npartitions=-1)
        return len(head) == SAMPLE and FEW * len(head.drop_duplicates()) < SAMPLE

    def counted(self, names: list[str], times: str, first: str) -> polars.DataFrame:
        import polars as pl

        dask = importlib.import_module("dask")  # whoever has such a frame has it

        def count(part: Any, number: int) -> Any:
            part = part.reset_index(drop=True)
            part[first] = range(number << PART, (number << PART) + len(part))
            groups = part.groupby(names, dropna=False, sort=False, observed=True)[first]
            return groups.agg(["size", "min"]).reset_index()

        parts = enumerate(self.rows[names].to_delayed())
        found = dask.compute(*(dask.delayed(count)(part, number) for number, part in parts))
        frames = [pl.from_pandas(part) for part in found if len(part)]
        counts = pl.concat(frames, how="vertical_relaxed")
        groups = counts.group_by(names).agg(pl.col("size").sum(), pl.col("min").min())
        return groups.rename({"size": times, "min": first})
