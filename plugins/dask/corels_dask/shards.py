"""Shards: the rows are dealt to parts, each is searched, and their claims add up to a certificate.

What is asked of the shards, and why their answers hold for all rows, stands in `rounds.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from corels_rule_list.choice import choose_parts
from corels_rule_list.solver import RuleListSolver, backend_of

from corels import Problem, Result, RuleList
from corels.clock import Clock
from corels.errors import OptionError
from corels.model import Certificate, Stopped
from corels.model.documents import data_entry
from corels.model.schema import Weighing
from corels.model.weighing import weighing_of
from corels.options import check_all
from corels.problem.regularization import exact_regularization, fitting_regularization
from corels.tables import Dataset
from corels.tables.folds import subset
from corels_dask import work
from corels_dask.cluster import Tell, cluster_client, folder_of_shards, gathered, silent
from corels_dask.files import TableFiles
from corels_dask.rounds import Round
from corels_dask.work import MODEL, Packed, Stored, Task, dealt, refuse_weightless


def learn_shards(
    data: Dataset | TableFiles,
    regularization: object = "0.01",
    *,
    scheduler: Any,
    shards: int = 2,
    folder: str | None = None,
    max_rules: int | None = None,
    time_limit: float | None = None,
    proofs: bool = False,
    no_bound: Sequence[str] = (),
    tell: Tell = silent,
) -> Result:
    """The best rule list of all rows, or a list with a proven gap, by searches of parts of them.

    Args:
        data: the rows, as `corels.tables.table_dataset` makes them, or files that the workers read
            (`table_files`), which then have no costs.
        regularization: lambda, above 0; a cost if outcomes have costs.
        scheduler: the address of a Dask scheduler, or a `distributed.Client`; "": two workers here.
        shards: how many parts, of about equal size and equal shares of the classes.
        folder: where the shards are kept, on a disk that the workers share; with what was found on
            them, so that the same call goes on where an earlier one ended. A temporary one if None.
        max_rules: of a list; None: any number.
        time_limit: seconds, for the searches of each shard, for its good lists, and for counting
            these on all rows.
        proofs: write `shard-00000.proof` and so on to the folder; see docs/how-to/shards.md.
        no_bound: bounds that the search of a shard leaves out, as of `corels.solve`.
        tell: is called with what is done, how many shards have done so, and of how many.

    Raises:
        OptionError: for a wrong option, for constraints, or if no scheduler answers.
        OutputError: if the folder cannot be written.
        ResourceError: if a shard takes one worker after another with it.
    """
    clock, sample = Clock(), described(data, shards)
    costed = sample.costs is not None
    limits = {} if max_rules is None else {"max_rules": max_rules}
    refuse_options(
        regularization, folder, proofs, costed=costed, no_bound=tuple(no_bound), **limits
    )
    # If all rows are here, the certificate states them.
    whole = None if isinstance(data, TableFiles) else Problem.from_dataset(data, regularization)
    with cluster_client(scheduler, tell) as client, folder_of_shards(folder) as kept:
        stored = Stored(kept, subset(replace(sample, use=None), np.zeros(1, np.intp)))
        packed = stored_shards(client, data, stored, shards, tell)
        total = sum(one.weight for one in packed)
        exact = fitting_regularization(regularization, total, sample.n_antecedents, costed=costed)
        task = Task(stored, exact, max_rules, time_limit, proofs, tuple(no_bound))
        run = Round(client, task, total, tell)
        run.search(packed)
        costs = run.closed()
    whole = whole and whole.with_regularization(exact)
    certificate = _certificate(run, costs, exact, limits, clock)
    if whole is not None:
        certificate = replace(certificate, statement=whole.statement(limits, short=True))
    if sample.weighed:
        certificate = replace(certificate, extra={**certificate.extra, "weights": sample.weighed})
    model = _model(run, sample, whole)
    result = Result(model, certificate, data=data_entry(model, sample))
    if folder is not None:
        result.save(os.path.join(folder, MODEL))
    return result


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


def _certificate(
    run: Round,
    costs: tuple[Fraction, Fraction],
    regularization: Fraction,
    limits: Mapping[str, int],
    clock: Clock,
) -> Certificate:
    """What the searches prove together. costs: objective and lower bound."""
    proved = [one.certificate for one in run.found]
    return Certificate(
        *costs,
        Stopped.CERTIFIED if costs[0] == costs[1] else run.stopped(),
        regularization,
        solver="rule-list",
        seconds=clock.elapsed,
        expanded=sum(one.expanded for one in proved),
        children=sum(one.children for one in proved),
        peak_memory=max(one.peak_memory for one in proved),
        limits=limits,
        extra=run.extra(),
    )


def _model(run: Round, sample: Dataset, whole: Problem | None) -> RuleList:
    """The best list, with how its columns are read and, if rows have weights, what they are."""
    model = run.model().read_by(sample.known)
    if not sample.weighted:
        return model
    unit = Weighing(str(sample.weight_unit))
    return model.weighed_by(unit if whole is None else weighing_of(model, whole))


def refuse_options(
    regularization: object, folder: str | None, proofs: bool, *, costed: bool, **options: Any
) -> None:
    """Raise OptionError for what every shard would refuse. options: of `corels.solve`."""
    if exact_regularization(regularization, costed=costed) == 0:
        raise OptionError("⟨regularization⟩ is 0: shards need a price of a rule above 0")
    if proofs and folder is None:
        raise OptionError("proofs need a folder that stays: name one")
    chosen = check_all(RuleListSolver.options, options, "the search of a shard")
    choose_parts(chosen, backend_of(None))
