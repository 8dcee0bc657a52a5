"""The command line. The only package that knows typer and rich."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """The program `corels`. Always raises SystemExit with a code of `corels.cli.exits`."""
    from corels.cli.command import warnings_as_lines
    from corels.cli.exits import guarded

    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    def start() -> None:
        from corels.cli.app import build

        build(words[0] if words else None)(words)

    # Python ends by collecting garbage among everything that was imported, only to give back memory
    # that the system takes anyway: a tenth of the time of an easy search.
    atexit.register(gc.freeze)
    with warnings_as_lines(words):
        sys.exit(guarded(start, debug="--debug" in words))
