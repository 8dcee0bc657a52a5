"""Names of a package that are imported when somebody first asks for them (PEP 562).

A command needs a small part of `corels`, and to import the rest takes longer than an easy search.
A package writes the names twice: under TYPE_CHECKING, for readers and tools, and as the table that
is given here. A name must not also be that of a submodule, which would take its place.

Where an optional package is missing, `hasattr(package, name)` is False, `package.name` raises
AttributeError, `from package import name` raises ImportError, and both say what to install. Which
of the two it is shows in who asks: the statement asks through the import system.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package. homes: name -> the module that defines it, or that it is."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            home = import_module(homes[name])
        except ImportError as error:  # an extra is not installed
            if sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap":
                raise  # `from package import name` shows this error
            raise AttributeError(f"{package}.{name}: {error}") from error
        found = home if homes[name] == f"{package}.{name}" else getattr(home, name)
        setattr(sys.modules[package], name, found)
        return found

    return find
