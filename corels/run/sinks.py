"""The sinks of one run: opened by name, class or object; each hears everything until it fails.

trace:file=run.jsonl,level=fine      the registered sink `trace` with two of its options

If a command runs several searches, displays say what each is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any

from corels.errors import OF_PLUGINS, CorelsError, OptionError, blamed
from corels.options import check_all
from corels.plugins import defect, registry
from corels.search import Context, Sink

Chosen = str | type[Sink] | Sink
_WORDS: ContextVar[tuple[str, ...]] = ContextVar("purpose", default=())


def open_sink(chosen: Chosen, context: Context) -> Sink:
    """The sink that a text, a class or an object stands for. Raises OptionError, PluginError."""
    if isinstance(chosen, Sink):
        return chosen
    kind, options = chosen, dict[str, str]()
    if isinstance(chosen, str):
        name, _, text = chosen.partition(":")
        kind, options = registry().get("sink", name), _parsed(name, text)
    if not (isinstance(kind, type) and issubclass(kind, Sink)):
        raise OptionError(f"⟨sink⟩ is {chosen!r}: expected a name, a Sink or its class")
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


class Listeners(ExitStack):
    """A context that closes each sink at its end, also after Ctrl-C while another one is closed.

    warnings: which of them failed, and why.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sinks: list[Sink] = []
        self.warnings: list[str] = []

    def add(self, sink: Sink) -> None:
        """It hears everything from now on."""
        self.sinks.append(sink)
        self.callback(self._close, sink)

    def tell(self, method: str, *arguments: Any) -> None:
        """Call every sink; one that fails is named and left out from then on."""
        for sink in list(self.sinks):
            try:
                getattr(sink, method)(*arguments)
            except OF_PLUGINS as error:  # a full disk must not cost what was found
                self._warn(sink, error)
                self._close(sink)

    def _close(self, sink: Sink) -> None:
        if sink in self.sinks:
            self.sinks.remove(sink)
            try:
                sink.close()
            except OF_PLUGINS as error:
                self._warn(sink, error)

    def _warn(self, sink: Sink, error: BaseException) -> None:
        name = getattr(sink, "name", type(sink).__name__)
        on_purpose = isinstance(error, (CorelsError, OSError))
        said = f"{name}: {error if on_purpose else defect(error)}"
        if said not in self.warnings:  # to close a file on a full disk fails, too
            self.warnings.append(said)


@contextmanager
def searching_for(words: str) -> Iterator[None]:
    """What the searches of this context are for: "choosing lambda", and within it "fold 2 of 5"."""
    before = _WORDS.set((*_WORDS.get(), words))
    try:
        yield
    finally:
        _WORDS.reset(before)


def purpose() -> str:
    """What the search that begins now is for: "choosing lambda, fold 2 of 5"; "" of the one that
    was asked for."""
    return ", ".join(_WORDS.get())
