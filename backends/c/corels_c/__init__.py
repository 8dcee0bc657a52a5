"""The C backend: the engine in backends/c, through cffi."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from corels import hookimpl


def include() -> str:
    """The folder for the compiler's -I, with `corels/part.h` and `corels/tables.h`: what parts in C
    are called with."""
    here = Path(__file__).parent
    return str(next(f for f in (here / "include", here.parent / "include") if f.is_dir()))


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """The backend `c`."""
    from corels_c.backend import CBackend

    register(CBackend)
