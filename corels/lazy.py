"""Names of a package that are imported when somebody first asks for them (PEP 562).

A command needs a small part of `corels`, and to import the rest takes longer than an easy search.
A package writes its imports once, under TYPE_CHECKING, for readers and tools, and has

    __getattr__, __dir__ = names_on_demand(__name__)

which reads the same lines in the package's own file. A name must not also be that of a submodule,
which would take its place.

Where an optional package is missing, `hasattr(package, name)` is False, `package.name` raises
AttributeError, `from package import name` raises ImportError, and both say what to install. Which
of the two it is shows in who asks: the statement asks through the import system.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import takewhile
from typing import Any


def names_on_demand(
    package: str, modules: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a package, by its imports under TYPE_CHECKING.

    modules: submodules that are imported on demand, too.
    """
    spec: Any = sys.modules[package].__spec__
    homes = dict(_declared(spec.loader.get_data(spec.origin).decode("utf-8")))
    homes |= {name: f"{package}.{name}" for name in modules}
    return on_demand(package, homes), lambda: sorted({*vars(sys.modules[package]), *homes})


def _declared(source: str) -> Iterator[tuple[str, str]]:
    """Name -> "module" or "module:name there", where that is another name."""
    below = source.partition("\nif TYPE_CHECKING:\n")[2].splitlines()
    block = " ".join(takewhile(lambda line: line[:1] in ("", " "), below))
    for statement in block.split(" from ")[1:]:
        home, _, names = statement.partition(" import ")
        for name in filter(str.strip, names.strip(" ()").split(",")):
            there, _, here = name.strip().partition(" as ")
            yield here or there, home if here in ("", there) else f"{home}:{there}"


def on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package. homes: name -> the module that defines it, or that it is;
    "module:other" where it has another name there."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place, _, other = homes[name].partition(":")
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
