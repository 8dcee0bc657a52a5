"""Status codes of the C library become exceptions here and nowhere else."""

from __future__ import annotations

from typing import Any

from corels.errors import CorelsError, OptionError, ResourceError
from corels_c._native import ffi, lib


def opened(handle: Any, what: str) -> Any:
    """The pointer to what the engine holds. Raises OptionError if it was freed; what: its name
    and verb, "the search is"."""
    if handle == ffi.NULL:
        raise OptionError(f"{what} closed")
    return handle


def check(status: int, what: str) -> None:
    """Raise for every code but CORELS_OK; `what` begins the sentence."""
    if status == lib.CORELS_OK:
        return
    if status == lib.CORELS_NO_MEMORY:
        raise ResourceError(f"{what}: there is not enough memory")
    if status == lib.CORELS_LOST:
        raise CorelsError(
            f"{what}: prefixes were lost or invented, so nothing is proved (a defect: please "
            "report it)"
        )
    if status == lib.CORELS_BAD_ARGUMENT:
        raise CorelsError(f"{what}: the engine refused an argument (a defect, please report it)")
    raise CorelsError(f"{what}: unexpected status {status} (a defect, please report it)")
