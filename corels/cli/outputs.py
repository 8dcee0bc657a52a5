"""The file of a command whose whole result it is: `--output` of predict, export, report, proof."""

from __future__ import annotations

from corels.cli.exits import NotWrittenError
from corels.cli.interrupts import undisturbed
from corels.errors import OutputError
from corels.run.output import OutputFile, save


def put(target: OutputFile, content: str | bytes) -> None:
    """Make the file appear, whole or not at all. Raises NotWrittenError where that fails."""
    try:
        with undisturbed():
            save(target, content)
    except OutputError as failed:
        raise NotWrittenError(*failed.args) from None
