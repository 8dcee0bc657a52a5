"""The command line. The only room that knows typer and rich."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """The program `corels`. Always raises SystemExit with a code of `corels.cli.exits`."""
    from corels.cli.command import show_warning
    from corels.cli.exits import guarded

    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    def start() -> None:
        from corels.cli.app import build

        build()(words)

    with warnings.catch_warnings():
        warnings.showwarning = show_warning
        sys.exit(guarded(start, debug="--debug" in words))
