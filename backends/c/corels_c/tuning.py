"""The engine's table of tuning values (src/base/tuning.def)."""

from __future__ import annotations

from typing import Any

from corels.options import Option
from corels_c._native import ffi, lib


def _option(row: Any) -> Option:
    whole = bool(row.whole)
    return Option(
        ffi.string(row.name).decode(),
        "int" if whole else "float",
        int(row.value) if whole else row.value,
        ffi.string(row.about).decode(),
        low=row.low,
        high=row.high,
    )


TUNING = tuple(_option(lib.corels_tuning_row(i)) for i in range(lib.corels_tuning_count()))
"""One option a value, in the engine's order."""
