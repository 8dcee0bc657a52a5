"""The registry: (kind, name) -> the part, and which distribution it came from."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from corels.errors import OptionError, PluginError
from corels.options import unknown

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


class Registry:
    """Parts by kind and name, in the order of registration."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], Entry] = {}

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
