"""The command line. The only package that knows typer and rich."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext


def main(arguments: Sequence[str] | None = None) -> None:
    """The program `corels`. Always raises SystemExit with a code of `corels.cli.exits`.

    `--debug` may stand anywhere.
    """
    from corels.cli.command import tracebacks, warnings_as_lines
    from corels.cli.exits import guarded
    from corels.overwriting import one_command

    typed = list(sys.argv[1:] if arguments is None else arguments)
    words = [word for word in typed if word != "--debug"]
    debug = bool(os.environ.get("CORELS_DEBUG")) or words != typed
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    def start() -> object:
        from corels.cli.app import build

        return build(words[0] if words else None).run(words)

    # Python ends by collecting garbage among everything that was imported, only to give back memory
    # that the system takes anyway: a tenth of the time of an easy search.
    atexit.register(gc.freeze)
    with warnings_as_lines(words), tracebacks() if debug else nullcontext(), one_command():
        sys.exit(guarded(start, debug=debug))
