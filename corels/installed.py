"""What installed distributions announce under a group of entry points; how extras are installed.

`importlib.metadata` finds distributions wherever they are. To import it (with email, sockets,
archives) takes a tenth of an easy search's whole time, so that the folders of `sys.path`, where
they nearly always are, are looked through here. It is asked where there is anything else: an
archive on the path, or an importer that finds distributions of its own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.machinery import PathFinder
from operator import attrgetter
from typing import Any, NamedTuple

from corels.errors import CorelsError, OptionError


class Announced(NamedTuple):
    """An entry point: its name, "module" or "module:object", and whose it is."""

    name: str
    value: str
    distribution: str
    version: str

    def load(self) -> Any:
        """Import it. Raises whatever the module raises."""
        module, _, inside = self.value.partition("[")[0].partition(":")
        found = import_module(module.strip())
        return attrgetter(inside.strip())(found) if inside.strip() else found


def announced(group: str) -> list[Announced]:
    """In the order in which they are found; of what is found twice, the first."""
    found: dict[tuple[str, str], Announced] = {}
    for read in _distributions():
        entries = read("entry_points.txt")
        if f"[{group}]" not in entries:
            continue
        about = read("METADATA") or read("PKG-INFO")
        whose, version = _field(about, "Name"), _field(about, "Version")
        for name, value in _section(entries, group):
            found.setdefault((whose, name), Announced(name, value, whose, version))
    return list(found.values())


def _distributions() -> Iterator[Callable[[str], str]]:
    """Of each distribution what reads a file of its metadata: "" where there is no such file."""
    if _only_folders():
        for folder in sys.path:
            for name in _names(folder):
                if name.endswith((".dist-info", ".egg-info")):
                    yield partial(_text, os.path.join(folder, name))
        return
    from importlib.metadata import distributions

    for one in distributions():
        yield lambda name, one=one: one.read_text(name) or ""  # type: ignore[misc]


def _only_folders() -> bool:
    finders = [one for one in sys.meta_path if hasattr(one, "find_distributions")]
    return finders == [PathFinder] and not any(map(os.path.isfile, sys.path))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder or ".")
    except OSError:  # it is not there, or nobody may look into it
        return []


def _text(folder: str, name: str) -> str:
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _field(about: str, name: str) -> str:
    """A field of a distribution's metadata, whose head ends with an empty line."""
    head = about.partition("\n\n")[0]
    found = re.search(rf"^{name}:(.*)$", head, re.IGNORECASE | re.MULTILINE)
    return found[1].strip() if found else ""


def _section(text: str, group: str) -> Iterator[tuple[str, str]]:
    """(name, value) of each line of a section."""
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def needed(module: str, why: str, extra: str, error: type[CorelsError] = OptionError) -> Any:
    """A module of an extra, imported. Raises `error` where it is not installed: why it is needed,
    and the command that installs it."""
    try:
        return import_module(module)
    except ImportError:
        raise error(f"{why}: {install_command(extra)}") from None


def need(module: str, why: str, extra: str) -> None:
    """Raise OptionError, as `needed` does, where a module is not there; it is not imported yet."""
    from importlib.util import find_spec  # not to start with

    if find_spec(module) is None:
        raise OptionError(f"{why}: {install_command(extra)}")


def install_command(extra: str) -> str:
    """The command that installs an extra, from the folder that corels was installed from, if any:
    the index may have another corels."""
    import json
    import shlex
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    name, editable = "corels", ""
    try:
        source = json.loads(distribution("corels").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        source = {}
    if "dir_info" in source:
        name = url2pathname(urlsplit(source["url"]).path)
        editable = "-e " if source["dir_info"].get("editable") else ""
    return f"pip install {editable}{shlex.quote(f'{name}[{extra}]')}"
