"""Shards: the rows are dealt to parts, each is searched, and their claims add up to a certificate.

What is asked of the shards, and why their answers hold for all rows, stands in `rounds.py`, and for
lists under constraints in `constrained.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corels_rule_list.choice import choose_parts
from corels_rule_list.solver import RuleListSolver, backend_of

from corels import Problem, Result
from corels.clock import Clock
from corels.errors import OptionError
from corels.model import Certificate, Stopped
from corels.model.documents import data_entry
from corels.model.weighing import Weighing, weighing_of
from corels.options import check_all
from corels.problem.regularization import exact_regularization, fitting_regularization
from corels.problem.statement import in_short
from corels.tables import Dataset
from corels_dask.cluster import Tell, cluster_client, folder_of_shards, silent
from corels_dask.constrained import ConstrainedRounds
from corels_dask.dealing import described, keep, stored_shards
from corels_dask.files import TableFiles
from corels_dask.rounds import Round
from corels_dask.work import Stored, Task


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
            (`table_files`), which then have no costs and no constraints.
        regularization: lambda, above 0; a cost where outcomes have costs.
        scheduler: the address of a Dask scheduler, or a `distributed.Client`; "": two workers here.
        shards: how many parts, of about equal size and equal shares of the classes.
        folder: where the shards are kept, on a disk that the workers share; with what was found on
            them, so that the same call goes on where an earlier one ended. A temporary one if None.
        max_rules: of a list; None: any number.
        time_limit: seconds, for the searches of each shard, for its good lists, and for counting
            these on all rows.
        proofs: write `shard-00000.proof` and so on to the folder; see docs/how-to/shards.md. Not
            under constraints.
        no_bound: bounds that the search of a shard leaves out, as of `corels.solve`.
        tell: is called with what is done, how many shards have done so, and of how many.

    Raises:
        OptionError: for a wrong option, or where no scheduler answers.
        InfeasibleError: where no list keeps to the constraints, or none was found.
        OutputError: where the folder cannot be written.
        ResourceError: where a shard takes one worker after another with it.
    """
    clock = Clock()
    told, whole = described(data, shards, costed=True), None
    outcomes, demands = None if told.costs is None else told.costs.outcomes, told.demands
    options = {"max_rules": max_rules, "no_bound": tuple(no_bound)}
    refuse_options(regularization, folder, proofs, costed=outcomes is not None, **options)
    if not isinstance(data, TableFiles):  # all rows are here: the certificate states them
        whole = Problem.from_dataset(told, regularization)
    if demands is not None:
        if proofs:
            raise OptionError("shards have no proofs under constraints: leave out proofs")
        demands = demands.without_rows(told)
    with cluster_client(scheduler, tell) as client, folder_of_shards(folder) as kept:
        named = told.label_name, told.weighed, told.directions
        stored = Stored(kept, told.antecedents, told.classes, outcomes, demands, *named)
        packed = stored_shards(client, data, stored, shards, tell)
        total = sum(sum(one.weights) for one in packed)
        exact = fitting_regularization(
            regularization, total, told.n_antecedents, costed=outcomes is not None
        )
        task = Task(stored, exact, max_rules, time_limit, proofs, tuple(no_bound))
        run = Round(client, task, total, tell)
        if whole is not None:
            whole = whole.with_regularization(exact)
        if demands is not None and whole is not None:
            run = ConstrainedRounds(client, task, total, tell, whole)
        run.search(packed)
        objective, lower_bound = run.closed()
    proved = run.searches()
    limits = {} if max_rules is None else {"max_rules": max_rules}
    certificate = Certificate(
        objective,
        lower_bound,
        Stopped.CERTIFIED if objective == lower_bound else run.stopped(),
        exact,
        solver="rule-list",
        seconds=clock.elapsed,
        expanded=sum(one.expanded for one in proved),
        children=sum(one.children for one in proved),
        peak_memory=max(one.peak_memory for one in proved),
        limits=limits,
        statement={} if whole is None else in_short(whole.statement(limits)),
        extra=run.told() | ({"weights": told.weighed} if told.weighed else {}),
        constraints=run.constraints(),
    )
    model = run.model(told).read_by(told.known)
    if told.weighted:
        model = model.weighed_by(
            Weighing(told.weight_unit) if whole is None else weighing_of(model, whole)
        )
    result = Result(model, certificate, data=data_entry(model, told))
    keep(result, folder)
    return result


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
