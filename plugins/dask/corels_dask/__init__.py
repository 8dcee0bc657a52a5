"""Rows on several machines: shards on a Dask cluster, and the certificate for all rows.

Names are imported when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corels.hookspecs import Command, hookimpl
from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels_dask.claims import check_shards
    from corels_dask.files import table_files
    from corels_dask.shards import learn_shards

__all__ = ["check_shards", "learn_shards", "register_parts", "table_files"]


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """`corels shards`."""
    register(
        Command(
            "shards",
            "corels_dask.command",
            common="label dataset regularization scheduler shards folder time_limit output",
            panel="Research",
            summary="Learn from parts of the rows on a Dask cluster.",
        )
    )


__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels_dask.claims": "check_shards",
        "corels_dask.files": "table_files",
        "corels_dask.shards": "learn_shards",
    },
)
