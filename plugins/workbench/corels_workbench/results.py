"""The results file: one JSON line for each finished cell, written as soon as it is finished.

The first line says which experiment the file holds: its command, its settings and, of its data,
the statements of the problems or hashes. A run that finds such a file goes on where it ended; a
file of another experiment is refused, so that two experiments never mix. The last line of a killed
run may be cut: it is dropped.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from typing import IO, Any

from corels import overwriting
from corels.errors import InputError, not_written
from corels.model.documents import finite

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SCHEMA, VERSION = "plugins/workbench/corels_workbench", 1
Row = dict[str, Any]


def working_folder() -> Path | None:
    """Where files go that nobody asked for: the user's cache; None where none can be written."""
    variable, usual = ("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else _XDG
    try:
        folder = Path(os.environ.get(variable) or Path.home() / usual) / "corels"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home is a RuntimeError
        return None
    return folder if os.access(folder, os.W_OK) else None


_XDG = ("XDG_CACHE_HOME", ".cache")


@contextmanager
def working_file(folder: Path, experiment: Mapping[str, Any]) -> Iterator[Path]:
    """A file for one experiment, so that the same command goes on where it was.

    It is this run's own meanwhile: an equal command that runs beside it gets another one. Where
    the system cannot lock files, they share one.
    """
    text = json.dumps(finite(dict(experiment)), sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    name = f"{experiment['command']}-{digest}"
    kept = sorted(folder.glob(f"{name}*.jsonl"))
    new = (folder / f"{name}{f'-{n}' if n else ''}.jsonl" for n in count())
    for path in chain(kept, new):
        if fcntl is None:
            yield path
            return
        try:
            handle = path.open("a", encoding="utf-8")
        except OSError as error:
            raise not_written(path, error) from None
        with handle:
            if _locked(handle, path):
                yield path
                return


def _locked(handle: IO[str], path: Path) -> bool:
    """Whether a file is this run's alone, until it is closed."""
    assert fcntl is not None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle.fileno()), os.stat(path))
    except (BlockingIOError, FileNotFoundError):  # it is another run's, or was, and is removed
        return False
    except OSError:  # a file system without locks
        return True


class ResultsFile:
    """Rows by their key, in memory and, where a path is given, in a file."""

    def __init__(
        self, path: str | os.PathLike[str] | None, experiment: Mapping[str, Any], *, fresh: bool
    ) -> None:
        """Open or continue. fresh: forget what the file holds.

        Raises InputError where the file holds something else, OutputError where it cannot be
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
            begun = "" if self.path.exists() else self._first  # the same command may have ended
            self._write(begun + json.dumps(finite(row)) + "\n", mode="a")

    def remove(self) -> None:
        """The file has served its purpose."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

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
