"""`corels shards`: the best rule list of a table, by searches of parts of its rows on a cluster."""

from __future__ import annotations

import inspect
from typing import Any

from corels.cli.exits import Exit, emit
from corels.cli.interrupts import interruptible, stopping_signals
from corels.cli.parameters import checked, exact_lambda, given, signature
from corels.cli.source import ARGUMENTS, SOURCE, TABLE, read_source, tell, telling
from corels.options import Option
from corels.registry import DEFAULT_SOLVER
from corels_dask.shards import learn_shards

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
    penalty = exact_lambda("--regularization", settings.pop("regularization"))
    pace = telling()
    with stopping_signals(), interruptible():
        data = read_source({name: v for name, v in typed.items() if name not in settings}, pace)
        tell(data, typed)
        result = learn_shards(data, penalty, tell=pace.tell, **settings)
    emit(str(result))
    return Exit.CERTIFIED if result.certificate.optimal else Exit.STOPPED
