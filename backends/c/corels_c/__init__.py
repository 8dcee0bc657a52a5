"""The C backend: the engine in backends/c, through cffi."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corels import hookimpl


def headers() -> Path:
    """The folder of the public headers (`corels/tables.h` ...), for native code of plugins."""
    native = find_spec("corels_c._native")
    return Path(str(native and native.origin)).with_name("include")


@hookimpl
def register_backends(register: Callable[[Any], None]) -> None:
    """The backend `c`."""
    from corels_c.backend import CBackend

    register(CBackend)
