"""`corels shards`: the best rule list of a table, by searches of parts of its rows on a cluster."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from corels.checking.opening import opened
from corels.cli.apply import findings_text, labels_of, learned_rows, read_columns, weights_of
from corels.cli.exits import Exit, emit
from corels.cli.interrupts import interruptible, stopping_signals
from corels.cli.parameters import checked, given, signature
from corels.cli.reading import reading
from corels.cli.source import ARGUMENTS, SOURCE, TABLE, read_source, tell, telling
from corels.errors import OptionError
from corels.model import Stopped
from corels.options import Option
from corels.problem import exact_regularization
from corels.proof import Table
from corels.registry import DEFAULT_SOLVER
from corels.tables import Dataset
from corels.tables.files import read_raw
from corels_dask.claims import check_shards
from corels_dask.shards import Tell, learn_shards
from corels_dask.work import shard_file

SHARDS = (
    Option("regularization", "text", "0.01", "lambda, the price of a rule as a share of the rows"),
    Option(
        "scheduler",
        "text",
        "",
        "address of a Dask scheduler, tcp://HOST:8786 (default: 2 workers here)",
    ),
    Option("shards", "int", 2, "parts of the rows", low=1, high=100_000),
    Option(
        "folder",
        "text",
        None,
        "keep the shards and what was found here, on a disk that the workers share; the same "
        "command then goes on where it ended (default: a temporary folder)",
        optional=True,
    ),
    Option("max_rules", "int", None, "the most rules of a list", low=0, optional=True),
    Option("time_limit", "float", None, "seconds for each shard", low=0, optional=True),
    Option("proofs", "flag", False, "write a proof of each shard to the folder"),
    Option("no_bound", "names", (), "bounds that a shard's search leaves out, as of `corels run`"),
    Option("check", "flag", False, "check the proofs of the folder against the table; no search"),
)


def shards_signature() -> inspect.Signature:
    """Every parameter of `corels shards`."""
    panels = {"Data": SOURCE, "Antecedents from a table": TABLE, "Shards": SHARDS}
    return signature(ARGUMENTS, panels, {}, DEFAULT_SOLVER)


def shards(**values: Any) -> int:
    """Learn a rule list from parts of the rows on a Dask cluster, with a certificate for all rows.

    Each part (shard) is searched by itself; the lower bounds add up, and lists that could still be
    better are counted on all rows.

    $ corels shards people.csv --label ill --shards 1
    $ corels shards --dataset titanic -r 0.05 --shards 3
    $ corels shards --dataset titanic -r 0.05 --max-rules 2 --time-limit 60
    """
    typed = given(values)
    settings = checked(SHARDS, typed)
    penalty = exact_regularization(settings.pop("regularization"))
    pace = telling()
    with stopping_signals(), interruptible():
        data = read_source({name: v for name, v in typed.items() if name not in settings}, pace)
        tell(data, typed)
        if settings.pop("check"):
            return _checked(data, typed, settings["folder"], pace.tell)
        result = learn_shards(data, penalty, tell=pace.tell, **settings)
    emit(str(result))
    if result.certificate.optimal:
        return Exit.CERTIFIED
    interrupted = result.certificate.stopped is Stopped.INTERRUPTED
    return Exit.INTERRUPTED if interrupted else Exit.STOPPED


def _checked(data: Dataset, typed: Mapping[str, Any], folder: str | None, tell: Tell) -> int:
    """Print what the proofs of a folder show; the raw rows are read once more."""
    if folder is None:
        raise OptionError("check needs a folder with the shards' proofs: name one")
    first = shard_file(folder, 0, "proof")
    header = opened(read_raw(first), first).header
    how = {**header, "data": {"reading": reading(typed)}}
    name, dataset, label = (typed.get(one) for one in ("data", "dataset", "label"))
    columns = learned_rows(read_columns(name, dataset, how), how, label)
    labels, _ = labels_of(columns, name, typed.get("labels"), dataset, label, data.label_name)
    table = Table(columns, labels, weights_of(columns, typed.get("weight")))
    found = check_shards(data, table, folder, tell=tell)
    emit(findings_text(found))
    return Exit.CERTIFIED if all(one.holds for one in found) else Exit.CHECK_FAILED
