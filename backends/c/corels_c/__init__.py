"""The C backend: the engine in backends/c, through cffi."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corels import hookimpl


@hookimpl
def register_backends(register: Callable[[Any], None]) -> None:
    """The backend `c`."""
    from corels_c.backend import CBackend

    register(CBackend)
