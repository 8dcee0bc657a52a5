"""Names of a package that are imported when they are first asked for (PEP 562).

A command needs a small part of `corels`, and to import the rest takes longer than an easy search.
A package states where its names are,

    __getattr__, __dir__ = on_demand(__name__, {"package.module": "Name other_name"})

and imports the same names under TYPE_CHECKING, for type checkers. A name must not also be that of a
submodule, which would take its place.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a package. homes: module -> the names that it defines.

    If an optional package is missing, `package.name` raises AttributeError and `from package import
    name` raises ImportError; both say what to install.
    """
    module_of = {name: module for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            found = import_module(module_of[name])
        except ImportError as error:
            if sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap":
                raise  # `from package import name` shows this error
            raise AttributeError(f"{package}.{name}: {error}") from error
        if module_of[name] != f"{package}.{name}":  # but a submodule
            found = getattr(found, name)
        setattr(sys.modules[package], name, found)
        return found

    return find, lambda: sorted({*vars(sys.modules[package]), *module_of})
