"""The engine's table of tuning values (src/base/tuning.def)."""

from __future__ import annotations

from functools import cache

from corels.options import Option
from corels_c._native import ffi, lib


@cache
def tuning() -> tuple[Option, ...]:
    """One option a value, in the engine's order."""
    rows = (lib.corels_tuning_row(i) for i in range(lib.corels_tuning_count()))
    return tuple(
        Option(
            ffi.string(row.name).decode(),
            "int" if row.whole else "float",
            int(row.value) if row.whole else row.value,
            ffi.string(row.about).decode(),
            low=row.low,
            high=row.high,
        )
        for row in rows
    )
