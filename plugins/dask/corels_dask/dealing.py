"""The shards: rows dealt to files of packed rows, which the workers and the client share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import Result, Rule, RuleList
from corels.errors import OptionError
from corels.problem.costs import UNJUDGED, Outcomes
from corels.tables import Antecedent, Dataset
from corels.tables.folds import subset
from corels_dask import work
from corels_dask.cluster import Tell, gathered
from corels_dask.files import TableFiles
from corels_dask.work import Packed, Stored, refuse_weightless

MODEL = "model.json"  # of the folder: the list and its certificate


def described(data: Dataset | TableFiles, shards: int) -> Dataset:
    """A data set with the antecedents, classes and outcomes of all shards: the data itself, or the
    sample of its files. Raises OptionError for what cannot be dealt."""
    files = isinstance(data, TableFiles)
    sample = data.sample if isinstance(data, TableFiles) else data
    if sample.demands is not None:
        raise OptionError("shards know no constraints, which are of all rows: leave them out")
    if files and sample.costs is not None:
        raise OptionError("where workers read the files, every mistake costs one: leave out costs")
    if sample.first:
        raise OptionError("lists of shards begin with any rule: leave out first rules")
    if isinstance(data, TableFiles):
        data.dealt(shards)
    elif not 1 <= shards <= data.n_rows:
        raise OptionError(f"shards is {shards}: expected 1 to {data.n_rows}, the rows")
    refuse_weightless(sample.weights)
    return sample


def stored_shards(
    client: Any, data: Dataset | TableFiles, stored: Stored, shards: int, tell: Tell
) -> list[Packed]:
    """Store the shards: rows that are here are dealt here, files are read by the workers."""
    if isinstance(data, TableFiles):
        asked = [(stored, number, files) for number, files in enumerate(data.dealt(shards))]
        return gathered(client, "shards read", work.pack, asked, folder=stored.folder, tell=tell)
    found = []
    for number, rows in enumerate(dealt(data.labels, shards)):
        tell("shards written", number, shards)
        found.append(work.store(stored, number, subset(data, rows)))
    return found


def keep(result: Result, folder: str | None) -> None:
    """Write the list and its certificate to the folder, if one was named."""
    if folder is not None:
        result.save(os.path.join(folder, MODEL))


def counted_list(  # noqa: PLR0917
    antecedents: Sequence[Antecedent],
    counted: NDArray[np.int64],
    classes: tuple[Any, ...],
    label_name: str,
    outcomes: Outcomes | None = None,
    may: NDArray[np.bool_] | None = None,
) -> RuleList:
    """The list with its counts of all rows, as `work.counts` gives them; of equal classes, or
    outcomes, each rule says the first. may: as of `cheapest`."""
    said, made = cheapest(counted, len(classes), outcomes, may)[0], []
    for place, (antecedent, row) in enumerate(zip([*antecedents, None], counted, strict=True)):
        outcome, counts = int(said[place]), tuple(row[: len(classes)].tolist())
        if outcomes is None:
            made.append(Rule(antecedent, outcome, counts))
            continue
        costs, right = row[len(classes) :].reshape(2, -1).tolist()
        judged = outcomes.kinds[outcome] not in UNJUDGED
        rule = Rule(antecedent, outcome, counts, tuple(costs), right[outcome] if judged else None)
        made.append(rule)
    return RuleList(tuple(made[:-1]), made[-1], classes, label_name, outcomes)


def cheapest(
    counted: NDArray[np.int64],
    classes: int,
    outcomes: Outcomes | None,
    may: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.intp], int]:
    """What each rule of a list says, and what the list pays. counted: as of `work.counts`. may:
    bool[rules, O], what each rule may say by the directions of columns; None: anything."""
    if outcomes is None:
        costs = counted.sum(axis=1, keepdims=True) - counted
        rules = classes
    else:
        costs = counted[:, classes : classes + len(outcomes)]
        rules = outcomes.for_rules
    of_rules = costs[:-1, :rules]
    if may is not None:
        of_rules = np.where(may[:, :rules], of_rules, np.iinfo(np.int64).max)
    said = np.append(of_rules.argmin(axis=1), costs[-1].argmin())
    return said, int(costs[np.arange(len(costs)), said].sum())


def dealt(labels: NDArray[np.int64], shards: int) -> Iterator[NDArray[np.intp]]:
    """The rows of each shard: dealt in turn, class by class, so that shards are alike however the
    rows are sorted."""
    given = np.empty(len(labels), dtype=np.int64)
    given[np.argsort(labels, kind="stable")] = np.arange(len(labels)) % shards
    return (np.flatnonzero(given == number) for number in range(shards))
