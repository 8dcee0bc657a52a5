"""The sinks of one run: each hears everything until it fails, and each is closed once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corels.errors import OF_PLUGINS, CorelsError
from corels.plugins import defect
from corels.run.sinks import Chosen, open_sink
from corels.search import Context, Sink


class Listeners:
    """A context that closes the sinks at its end. warnings: which of them failed, and why."""

    def __init__(self) -> None:
        self.sinks: list[Sink] = []
        self.warnings: list[str] = []

    def open(self, chosen: Iterable[Chosen], context: Context) -> None:
        """Open each sink that was asked for. Raises what opening it does."""
        for sink in chosen:
            self.sinks.append(open_sink(sink, context))

    def tell(self, method: str, *arguments: Any) -> None:
        """Call every sink; one that fails is named and left out from then on."""
        for sink in list(self.sinks):
            try:
                getattr(sink, method)(*arguments)
            except OF_PLUGINS as error:  # a full disk must not cost what was found
                self.sinks.remove(sink)
                self._warn(sink, error)
                self._close(sink)

    def close(self) -> None:
        """Close each of them."""
        while self.sinks:
            self._close(self.sinks.pop(0))

    def __enter__(self) -> Listeners:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _close(self, sink: Sink) -> None:
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
