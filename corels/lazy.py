"""Names of a package that are imported when somebody first asks for them (PEP 562).

A command needs a small part of `corels`, and to import the rest takes longer than an easy search.
A package writes its imports once, under TYPE_CHECKING, for readers and tools, and has

    __getattr__, __dir__ = names_on_demand(__name__)

which finds the same imports in the package's compiled code, where they are although they never
run. A name must not also be that of a submodule, which would take its place.

Where an optional package is missing, `hasattr(package, name)` is False, `package.name` raises
AttributeError, `from package import name` raises ImportError, and both say what to install. Which
of the two it is shows in who asks: the statement asks through the import system.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import CodeType
from typing import Any


def names_on_demand(
    package: str, modules: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a package, by its imports under TYPE_CHECKING.

    The package's file has to call this. modules: submodules that are imported on demand, too.
    """
    code = sys._getframe(1).f_code

    @cache
    def homes() -> dict[str, str]:
        return dict(_declared(code)) | {name: f"{package}.{name}" for name in modules}

    return _finder(package, homes), lambda: sorted({*vars(sys.modules[package]), *homes()})


def _declared(code: CodeType) -> Iterator[tuple[str, str]]:
    """Name -> "module:name there" of each `from module import name`."""
    import dis  # who asks for no name needs none of it

    home = there = ""
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            home = step.argval
        elif step.opname == "IMPORT_FROM":
            there = step.argval
        elif step.opname == "STORE_NAME":
            if there:
                yield step.argval, f"{home}:{there}"
            there = ""


def on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package. homes: name -> the module that defines it, or that it is;
    "module:other" where it has another name there."""
    return _finder(package, lambda: homes)


def _finder(package: str, homes: Callable[[], Mapping[str, str]]) -> Callable[[str], Any]:
    def find(name: str) -> Any:
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place, _, other = homes()[name].partition(":")
        try:
            home = import_module(place)
        except ImportError as error:  # an extra is not installed
            if sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap":
                raise  # `from package import name` shows this error
            raise AttributeError(f"{package}.{name}: {error}") from error
        found = home if place == f"{package}.{name}" else getattr(home, other or name)
        setattr(sys.modules[package], name, found)
        return found

    return find
