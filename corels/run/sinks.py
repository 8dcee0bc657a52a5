"""Opening sinks: a sink is named, with its options behind a colon, or given as a class or object.

trace:file=run.jsonl,level=fine      the registered sink `trace` with two of its options
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import CorelsError, OptionError, blamed
from corels.options import check_all
from corels.plugins import registry
from corels.search import Context, Sink

Chosen = str | type[Sink] | Sink


def open_sink(chosen: Chosen, context: Context) -> Sink:
    """The sink that a text, a class or an object stands for. Raises OptionError, PluginError."""
    if isinstance(chosen, Sink):
        return chosen
    if isinstance(chosen, type) and issubclass(chosen, Sink):
        return open_named(chosen, {}, context)
    if not isinstance(chosen, str):
        raise OptionError(f"⟨sink⟩ is {chosen!r}: expected a name, a Sink or its class")
    name, _, options = chosen.partition(":")
    return open_named(registry().get("sink", name), _parsed(name, options), context)


def open_named(kind: type[Sink], options: Mapping[str, Any], context: Context) -> Sink:
    """A sink of this class with these options, checked by the class's own table."""
    checked = check_all(kind.options, options, f"sink {kind.name!r}")
    with blamed("sink", kind, but=CorelsError):  # it may refuse its options, or its file
        sink = kind.open(context, checked)
        if not isinstance(sink, Sink):
            raise TypeError(f"open gave {sink!r}: expected a Sink")
    return sink


def _parsed(name: str, text: str) -> dict[str, str]:
    """`key=value,key=value` as a dictionary."""
    found: dict[str, str] = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise OptionError(f"sink {name!r} has the option {part!r}: expected key=value")
        found[key.strip()] = value
    return found
