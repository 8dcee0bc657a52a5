"""The command line. The only package that knows typer and rich."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

# Fits models of others, which multiply large matrices. NumPy starts its threads for that
# when it is imported, one a core: a tenth to a fifth of the whole time of an easy search.
_MATRICES = "evaluate"

# Python looks for garbage after so many new objects, by default 700: thirty times while modules are
# imported, and none of that is garbage. That takes a fifteenth of the time of an easy search.
_OBJECTS_BETWEEN_COLLECTIONS = 100_000


def main(arguments: Sequence[str] | None = None) -> None:
    """The program `corels`. Always raises SystemExit with a code of `corels.cli.exits`.

    arguments: None for those of the process, which then ends here. `--debug` may stand anywhere.
    """
    _prepare()
    typed = list(sys.argv[1:] if arguments is None else arguments)
    if typed[:1] != [_MATRICES]:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from corels.cli.command import warnings_as_lines
    from corels.cli.exits import guarded
    from corels.overwriting import one_command
    from corels.run.interrupts import SIGNALS, noting

    words = [word for word in typed if word != "--debug"]
    debug = bool(os.environ.get("CORELS_DEBUG")) or words != typed

    def start() -> object:
        from corels import plugins
        from corels.cli.app import build

        plugins.debugging = debug
        return build(words[0] if words else None).run(words)

    ends = arguments is None
    with noting(SIGNALS), warnings_as_lines(words), one_command():
        code = guarded(start)
    if ends and any(one.name.startswith("corels") for one in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):  # Python would wait for what is not wanted any more
            with suppress(Exception):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _prepare() -> None:
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # Python ends by collecting garbage among everything that was imported, only to give back memory
    # that the system takes anyway: a tenth of the time of an easy search.
    atexit.register(gc.freeze)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # a program that is started without standard output (>&-)
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - as long as the program
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
