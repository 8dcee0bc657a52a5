"""The teaching backend: the whole search in gmpy2 integers, to be read beside the paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corels import hookimpl


@hookimpl
def register_backends(register: Callable[[Any], None]) -> None:
    """The backend `python`."""
    from corels_python.backend import PythonBackend

    register(PythonBackend)


@hookimpl
def register_containers(register: Callable[[Any], None]) -> None:
    """Queue, cache and symmetry maps in plain Python."""
    from corels_python import containers

    for container in containers.CONTAINERS:
        register(container)
