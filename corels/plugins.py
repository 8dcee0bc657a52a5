"""Finding plugins: every entry point of the group `corels`, the built-in parts by the same hook;
and the registry: (kind, name) -> the part, and which distribution it came from.

A broken plugin is a warning that names it, never a crash: the others load, and `corels plugins`
shows what failed and why.
"""

from __future__ import annotations

import inspect
import traceback
import warnings
from abc import ABC
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import distributions
from typing import Any, ClassVar, NamedTuple

import pluggy

from corels import hookspecs
from corels.errors import OF_PLUGINS, CorelsError, OptionError, PluginError, what_raised
from corels.hookspecs import Command
from corels.options import Option, unknown

GROUP = "corels"
DEFAULT_SOLVER = "rule-list"  # the family that is meant if none is named
DEFAULT_EXPORT = "python"
KINDS = (
    "policy", "bound", "map", "queue", "cache", "memo", "backend", "solver", "sink", "export",
    "command",
)  # fmt: skip


class Part(ABC):
    """What a plugin registers: it is chosen by its name; the summary is a line for listings."""

    name: ClassVar[str]
    summary: ClassVar[str]


class Entry(NamedTuple):
    """One registered part."""

    kind: str
    name: str
    part: Any
    distribution: str
    version: str

    @property
    def summary(self) -> str:
        """One line for listings."""
        return str(getattr(self.part, "summary", ""))


class Plugin(NamedTuple):
    """One entry point: what it is called, where it comes from, and its error if it failed."""

    name: str
    distribution: str
    version: str
    error: str = ""


class PluginWarning(UserWarning):
    """A plugin that could not be loaded."""


class Registry:
    """Parts by kind and name, in the order of registration; and the plugins that they are from."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], Entry] = {}
        self.plugins: list[Plugin] = []

    def load(self, plugin: Plugin, load: Callable[[], Any]) -> None:
        """Import and register a plugin, or warn of what went wrong."""
        known = len(self)
        manager = pluggy.PluginManager(GROUP)  # its own, so that an error has one culprit
        manager.add_hookspecs(hookspecs)

        def register(part: Any) -> None:
            kind, name = _checked(part), getattr(part, "name", None)
            if not isinstance(name, str) or not name:
                raise PluginError(f"{kind} {part!r} has no name")
            self.add(Entry(kind, name, part, plugin.distribution, plugin.version))

        try:
            manager.register(load())
            manager.check_pending()
            manager.hook.register_parts(register=register)
        except OF_PLUGINS as error:
            self.forget_after(known)
            own = isinstance(error, CorelsError)
            why = str(error) if own else f"{type(error).__name__}: {error}"
            warnings.warn(
                f"plugin {plugin.name!r} of {plugin.distribution} {plugin.version} was not loaded: "
                f"{why}",
                PluginWarning,
                stacklevel=2,
            )
            plugin = plugin._replace(error=why)
        self.plugins.append(plugin)

    def add(self, entry: Entry) -> None:
        """Register a part. Raises PluginError if the name is taken."""
        key = (entry.kind, entry.name)
        taken = self._entries.get(key)
        if taken is not None:
            raise PluginError(
                f"{entry.kind} {entry.name!r} is already registered by {taken.distribution}"
            )
        self._entries[key] = entry

    def get(self, kind: str, name: str) -> Any:
        """The part. Raises OptionError, which lists the names."""
        entry = self._entries.get((kind, name))
        if entry is None:
            raise OptionError(
                unknown("symmetry map" if kind == "map" else kind, name, self.names(kind))
            )
        return entry.part

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of the parts of a kind, in the order of their registration."""
        return tuple(name for known, name in self._entries if known == kind)

    def forget_after(self, count: int) -> None:
        """Keep the first `count` entries only: what a broken plugin registered does not stay."""
        for key in list(self._entries)[count:]:
            del self._entries[key]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())


@cache
def _bases() -> dict[str, type[Any]]:
    """What the parts of a kind are subclasses of; commands are declared."""
    from corels import search
    from corels.export.format import Export

    named = {kind: kind.title() for kind in KINDS if kind not in ("command", "export")}
    named["map"] = "SymmetryMap"
    return {kind: getattr(search, name) for kind, name in named.items()} | {"export": Export}


def _checked(part: Any) -> str:
    """The kind of a part, before a search stumbles over it. Raises PluginError for what is neither
    a command nor a finished class of a kind."""
    if isinstance(part, Command):
        return "command"
    bases = _bases()
    found = (k for k, base in bases.items() if isinstance(part, type) and issubclass(part, base))
    if (kind := next(found, None)) is None:
        names = ", ".join(base.__name__ for base in bases.values())
        raise PluginError(f"{part!r} is no part: expected a command or a subclass of {names}")
    if inspect.isabstract(part):
        missing = ", ".join(sorted(getattr(part, "__abstractmethods__", ())))
        raise PluginError(f"{kind} {part.__name__} lacks {missing}")
    options = getattr(part, "options", ())
    if not isinstance(options, tuple) or not all(isinstance(one, Option) for one in options):
        raise PluginError(f"{kind} {part.__name__}: options is {options!r}, expected Options")
    return kind


def at_fault(error: BaseException) -> str | None:
    """The plugin of another distribution in which a defect arose, as "my-package 1.0".

    It is the one nearest to where the error was raised: in its code, or in a method of the core's
    on one of its objects (what its `deciders` returned is of no use, say). None for our own.
    """
    if isinstance(error, CorelsError):
        return None
    theirs = {
        _top(getattr(entry.part, "module", entry.part.__module__)): entry
        for entry in registry()
        if entry.distribution != "corels"
    }
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)] if theirs else []
    for frame in reversed(frames):
        own = type(frame.f_locals.get("self")).__module__
        for module in (frame.f_globals.get("__name__", ""), own):
            if (found := theirs.get(_top(module))) is not None:
                return f"{found.distribution} {found.version}"
    return None


def _top(module: object) -> str:
    """The top package of a module."""
    return str(module).partition(".")[0]


def defect(error: BaseException) -> str:
    """What is said of an error that was not raised on purpose; `--debug` shows its traceback."""
    show_traceback(error)
    plugin = at_fault(error)
    return what_raised("unexpected" if plugin is None else f"plugin {plugin} raised", error)


debugging = False
"""Whether a traceback stands before what is said of an error, as with `--debug`."""


def show_traceback(error: BaseException) -> None:
    """If that is asked for."""
    if debugging:
        traceback.print_exception(error)


@cache
def registry() -> Registry:
    """All registered parts: the built-in ones first, then those of every entry point."""
    from corels import __version__
    from corels.cli import plugin as commands

    parts = Registry()
    parts.load(Plugin("core", "corels", __version__), lambda: commands)
    found: dict[str, tuple[str, Any]] = {}
    for dist in distributions():
        if points := dist.entry_points.select(group=GROUP):
            found.setdefault(dist.name, (dist.version, points))  # the first of two copies
    for name in sorted(found, key=lambda name: (name != "corels", name)):
        version, points = found[name]
        for point in points:
            parts.load(Plugin(point.name, name, version), point.load)
    return parts
