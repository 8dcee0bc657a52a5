"""The results file: one JSON line for each finished cell, written as soon as it is finished.

The first line says which experiment the file holds: its command, its settings and, of its data,
the statements of the problems or hashes. A run that finds such a file goes on where it ended; a
file of another experiment is refused, so that two experiments never mix. The last line of a killed
run may be cut: it is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corels import overwriting
from corels.errors import InputError, not_written
from corels.model.documents import finite

SCHEMA, VERSION = "plugins/workbench/corels_workbench", 1
Row = dict[str, Any]


class ResultsFile:
    """Rows by their key, in memory and, if a path is given, in a file."""

    def __init__(
        self, path: str | os.PathLike[str] | None, experiment: Mapping[str, Any], *, fresh: bool
    ) -> None:
        """Open or continue. fresh: forget what the file holds.

        Raises InputError if the file holds something else, OutputError if it cannot be
        written.
        """
        self.path = None if path is None else Path(path)
        self.rows: dict[str, Row] = {}
        header = {"schema": SCHEMA, "version": VERSION, "experiment": finite(dict(experiment))}
        header = json.loads(json.dumps(header))
        self._first = json.dumps(header) + "\n"
        if self.path is None:
            return
        overwriting.writing(str(self.path))
        if self.path.exists() and not fresh:
            self._read(header)
        else:
            self._write(self._first, mode="w")

    def _read(self, header: Mapping[str, Any]) -> None:
        assert self.path is not None
        try:
            text = self.path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(f"{self.path}: cannot be read ({error})") from None
        if self._first.startswith(text):  # a full disk or a kill came before that line was whole
            self._write(self._first, mode="w")
            return
        lines = text.splitlines(keepends=True)
        if _parsed(lines[0]) != header:
            raise InputError(
                f"{self.path} holds another experiment and is given without ⟨fresh⟩, which would "
                "write it anew: expected the name of a new file"
            )
        whole = [lines[0]]
        for line in lines[1:]:
            row = _parsed(line) if line.endswith("\n") else None
            if isinstance(row, dict) and "key" in row:
                whole.append(line)
                if "error" not in row:  # what failed is tried again
                    self.rows[row["key"]] = row
        self._write("".join(whole), mode="w")

    def add(self, row: Row) -> None:
        """Keep a finished cell, at once."""
        self.rows[row["key"]] = row
        if self.path is not None:
            self._write(json.dumps(finite(row)) + "\n", mode="a")

    def _write(self, text: str, *, mode: str) -> None:
        assert self.path is not None
        try:
            with open(self.path, mode, encoding="utf-8") as handle:
                handle.write(text)
        except OSError as error:
            raise not_written(self.path, error) from None


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
