"""The file of a command whose whole result it is: `--output` of predict, export, report, proof."""

from __future__ import annotations

from corels.cli.exits import NotWrittenError
from corels.cli.interrupts import undisturbed
from corels.errors import OutputError
from corels.run.output import OutputFile


def put(target: OutputFile, content: str | bytes) -> None:
    """Make the file appear, whole or not at all. Raises NotWrittenError where that fails."""
    try:
        with undisturbed():
            if isinstance(content, bytes):
                target.write_bytes(content)
            else:
                target.write(content)
            target.commit()
    except OutputError as failed:
        raise NotWrittenError(*failed.args) from None
    finally:
        target.discard()
