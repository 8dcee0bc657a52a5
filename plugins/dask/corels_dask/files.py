"""Rows that stay in files: antecedents from a sample of all of them, and what these are true of.

Each worker reads its own files, a column at a time, as a model's new data is read; so no process
holds the table. Antecedents that a sample has given are as good as any: a certificate is about
lists of the antecedents that there are.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.options import whole
from corels.problem.captures import Captures, pack
from corels.problem.problem import MAX_WEIGHT
from corels.tables import Antecedent, Column, Condition, Dataset, TableOptions
from corels.tables.advice import refuse_infinite
from corels.tables.column import Columns, column_named, refuse_unknown
from corels.tables.dates import source_of
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import COLUMNAR, files_of
from corels.tables.folds import subset
from corels.tables.frame import columns_of
from corels.tables.labelled import (
    columns_dataset,
    labelled_rows,
    names_of,
    numbered,
    refuse_unlabelled,
    row_weights,
)
from corels.tables.stored import Stored, readable, scan, scanned
from corels.tables.unseen import as_learned, measured_by


@dataclass(frozen=True)
class TableFiles:
    """Files with the same columns, and what a sample of their rows gives.

    Attributes:
        files: Parquet or Arrow.
        label: the column to predict.
        options: how they are read.
        sample: antecedents and classes, of about so many rows as were asked for.
    """

    files: tuple[str, ...]
    label: str
    options: TableOptions
    sample: Dataset

    def dealt(self, shards: int) -> list[TableFiles]:
        """The files of each shard, in their order.

        Raises OptionError if there are fewer files.
        """
        if not 1 <= shards <= len(self.files):
            raise OptionError(f"shards is {shards}: expected 1 to {len(self.files)}, the files")
        parts = np.array_split(np.array(self.files, dtype=object), shards)
        sample = subset(self.sample, np.zeros(1, np.intp))
        return [replace(self, files=tuple(part), sample=sample) for part in parts]

    def key(self) -> str:
        """Changes with the files and with what is asked of them."""
        known = [(file, os.stat(file).st_size, os.stat(file).st_mtime_ns) for file in self.files]
        asked = [
            [condition.to_json() for condition in a.conditions] for a in self.sample.antecedents
        ]
        about = (known, asked, self.sample.classes, self.label, self.options)
        return hashlib.sha256(repr(about).encode()).hexdigest()

    def read(self) -> Dataset:
        """What the antecedents are true of in these files.

        Raises InputError naming the file or files, for what cannot be read, and for a class that
        the sample has not.
        """
        where = self.files[0] + (f" and {n} more" if (n := len(self.files) - 1) else "")
        options = self.options
        columns = scanned(self.files, where, options.reading)
        assert columns is not None  # Parquet and Arrow are read piece by piece
        column_named(columns, self.label, where, "label column")
        if options.drop_unlabelled:
            columns = cast("Stored", labelled_rows(columns, self.label))
        weights = row_weights(columns, self.label, options, where)
        if weights is not None and weights.unit != 1:  # another one in each part
            raise InputError(
                f"{where}: weight column {options.weight!r} is {weights.weighed}: expected whole "
                f"numbers that add up to at most {MAX_WEIGHT}"
            )
        return Dataset(
            self.sample.antecedents,
            _captured(self.sample, columns, where),
            self._labels(columns[self.label], where),
            self.sample.classes,
            weights=None if weights is None else weights.values,
        )

    def _labels(self, column: Column, where: str) -> NDArray[np.int64]:
        column, classes = names_of(column), self.sample.classes
        refuse_unlabelled(column, where)
        place = {whole(value): value for value in column.distinct()}
        if unknown := [value for value in place if value not in classes]:
            raise InputError(
                f"{where}: label column {self.label!r} has the class {unknown[0]!r}, which no row "
                "of the sample has: expected a larger sample"
            )
        return numbered(column, [place.get(one, one) for one in classes])


def table_files(
    path: str,
    label: str,
    options: TableOptions | None = None,
    *,
    sample: int = 1_000_000,
    deadline: Deadline = NO_DEADLINE,
) -> TableFiles:
    """The files of a folder or pattern, with antecedents from about `sample` of their rows.

    The sample is every k-th row of each file.

    Raises InputError naming the file that cannot be read, or whose columns differ from the others'.
    """
    import polars as pl

    files = tuple(files_of(path) or ())
    if not files or not all(file.endswith(COLUMNAR) for file in files):
        raise InputError(f"{path}: a sample needs Parquet or Arrow files, or a folder of them")
    options = options or TableOptions()
    table = scanned(files, path, deadline=deadline)  # whether they are alike: no column is read
    assert table is not None
    step = max(1, table.rows // sample)
    rows = []
    for done, file in enumerate(files):
        deadline.tell("files sampled", done, len(files))
        with readable(file, "Parquet or Arrow"):
            rows.append(scan(file).gather_every(step).collect(engine="streaming"))
    deadline.tell("files sampled", len(files), len(files))
    files = tuple(file for file, some in zip(files, rows, strict=True) if len(some))  # else empty
    columns = columns_of(
        pl.concat(rows, how="vertical_relaxed"), reading=options.reading, deadline=deadline
    )
    found = columns_dataset(columns, label, options, f"a sample of {path}", path, deadline=deadline)
    return TableFiles(files, label, options, found)


def _captured(sample: Dataset, columns: Stored, where: str) -> Captures:
    """Which rows each antecedent is true of; a column is read once, and kept as bits."""
    conditions = list(dict.fromkeys(c for a in sample.antecedents for c in a.conditions))
    by_column: dict[str, list[Condition]] = {}
    there = set(columns)
    for one in conditions:
        by_column.setdefault(source_of(one.column, there), []).append(one)
    words: dict[Condition, NDArray[np.uint64]] = {}
    for name, asked in by_column.items():
        refuse_unknown(columns, name, where, "column")
        measured = measured_by([one.to_json() for one in asked], sample.known)
        column = as_learned(Columns({name: columns[name]}), measured, sample.known)
        if measured.get(name):
            refuse_infinite(column[name], f"{where}: ")
        try:
            words |= {one: pack(Antecedent.of(one).evaluate(column)[None, :])[0] for one in asked}
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
    captures = Captures.empty(sample.n_antecedents, columns.rows)
    for number, antecedent in enumerate(sample.antecedents):
        captures.words[number] = np.bitwise_and.reduce([words[c] for c in antecedent.conditions])
    return captures
