"""The teaching backend: the whole search in gmpy2 integers, to be read beside the paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corels import hookimpl


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """The backend `python`; queue, cache and symmetry maps in plain Python."""
    from corels_python.backend import PythonBackend
    from corels_python.containers import CONTAINERS

    for part in (PythonBackend, *CONTAINERS):
        register(part)
