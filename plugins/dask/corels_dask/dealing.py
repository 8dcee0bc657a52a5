"""The shards: rows dealt to files of packed rows, which the workers and the client share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import Result, Rule, RuleList
from corels.errors import OptionError
from corels.model.documents import to_json
from corels.run.output import save
from corels.tables import Antecedent, Dataset
from corels_dask import work
from corels_dask.cluster import Tell, gathered
from corels_dask.files import TableFiles
from corels_dask.work import Packed, Stored, refuse_weightless

MODEL = "model.json"  # of the folder: the list and its certificate


def described(data: Dataset | TableFiles, shards: int) -> Dataset:
    """What tells antecedents and classes. Raises OptionError for what cannot be dealt."""
    told = data.sample if isinstance(data, TableFiles) else data
    if told.costs is not None or told.demands is not None:
        raise OptionError("shards count every mistake as one: leave out costs and constraints")
    if isinstance(data, TableFiles):
        data.dealt(shards)
    elif not 1 <= shards <= data.n_rows:
        raise OptionError(f"shards is {shards}: expected 1 to {data.n_rows}, the rows")
    refuse_weightless(told.weights)
    return told


def stored_shards(
    client: Any, data: Dataset | TableFiles, stored: Stored, shards: int, tell: Tell
) -> list[Packed]:
    """Store the shards: rows that are here are dealt here, files are read by the workers."""
    if isinstance(data, TableFiles):
        asked = [(stored, number, files) for number, files in enumerate(data.dealt(shards))]
        return gathered(client, "shards read", work.pack, asked, folder=stored.folder, tell=tell)
    parts = enumerate(dealt(data.labels, shards))
    return [work.store(stored, number, part_of(data, rows)) for number, rows in parts]


def keep(result: Result, folder: str | None) -> None:
    """Write the list and its certificate to the folder, if one was named."""
    if folder is not None:
        certificate = result.certificate.to_document()
        document = {**result.model.to_document(), "certificate": certificate}
        save(os.path.join(folder, MODEL), to_json(document) + "\n")


def counted_list(
    antecedents: Sequence[Antecedent],
    counted: NDArray[np.int64],
    classes: tuple[Any, ...],
    label_name: str,
) -> RuleList:
    """The list with its counts of all rows, int64[rules + 1, C]; of equal classes the first."""
    made = [
        Rule(antecedent, int(row.argmax()), tuple(row.tolist()))
        for antecedent, row in zip([*antecedents, None], counted, strict=True)
    ]
    return RuleList(tuple(made[:-1]), made[-1], classes, label_name)


def dealt(labels: NDArray[np.int64], shards: int) -> Iterator[NDArray[np.intp]]:
    """The rows of each shard: dealt in turn, class by class, so that shards are alike however the
    rows are sorted."""
    given = np.empty(len(labels), dtype=np.int64)
    given[np.argsort(labels, kind="stable")] = np.arange(len(labels)) % shards
    return (np.flatnonzero(given == number) for number in range(shards))


def part_of(data: Dataset, rows: NDArray[np.intp]) -> Dataset:
    """These rows."""
    weights = None if data.weights is None else data.weights[rows]
    captures = data.captures.columns(rows)
    return Dataset(data.antecedents, captures, data.labels[rows], data.classes, weights=weights)
