"""The file of a command whose whole result it is: `--output` of predict, export, report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corels.cli.streams import emit
from corels.errors import OptionError
from corels.run.output import OutputFile, save

if TYPE_CHECKING:
    from corels.plots.figure import Figure


def refuse_ending(path: str, endings: Sequence[str]) -> None:
    """Raise OptionError for the ending of a kind of file that is not written."""
    ending = os.path.splitext(path.removesuffix(".gz"))[1]
    if ending and ending.lower() not in endings and not path.startswith("/dev/"):
        raise OptionError(f"--output {path}: expected a name that ends in {', '.join(endings)}")


def opened_output(path: str | None, endings: Sequence[str]) -> OutputFile | None:
    """The file of --output, or None if none is asked for. Raises as `refuse_ending`."""
    if path is None:
        return None
    refuse_ending(path, endings)
    return OutputFile(path)


def put(target: OutputFile | None, content: str | bytes) -> None:
    """Make the file appear, whole or not at all, or print the text if there is none; a text ends
    with its last line. Raises NotWrittenError if that fails."""
    if target is None:
        emit(str(content))
        return
    if isinstance(content, str) and not content.endswith("\n"):
        content += "\n"
    save(target, content)


def put_picture(figure: Figure, target: str | OutputFile, **how: Any) -> None:
    """Draw to a file, or, for "-", in the terminal. how: as of `draw`. Raises NotWrittenError."""
    from corels.plots.draw import draw  # not to start with

    if (text := draw(figure, target, **how)) is not None:
        emit(text)
