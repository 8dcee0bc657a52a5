"""The log of a running search as a file, written as the search goes: a killed process leaves it.

It is not written under another name first, as other outputs are: what a process has proved before
it was killed is worth having. With a name in .gz the stream is flushed with what was written, so
that such a file, too, can be read as far as it goes.
"""

from __future__ import annotations

import os
import time
from os.path import realpath
from typing import Any

from numpy.typing import NDArray

from corels.check.opening import opened
from corels.errors import InputError, OptionError, OutputError
from corels.problem import Problem
from corels.proof.format import ProofFormat
from corels.run.output import OutputFile, begun
from corels.run.result import Result
from corels.search import Progress, ProofLog, Search, Sink
from corels.tables.files import read_raw

FLUSH_SECONDS = 0.5  # what a killed process may lose


class ProofWriter(Sink, ProofLog):
    """The file `path`, which the search `begin`s to tell what it proves; gzip in `.gz`.

    resume: the file of an earlier search of the same problem, to go on from. What the search tells
    waits for the next look of its driver, since a full disk must not stop a search.
    """

    name = "proof"

    def __init__(
        self, path: str | None, resume: str | None, problem: Problem, own: ProofFormat
    ) -> None:
        self._path, self._resume, self._problem, self._own = path, resume, problem, own
        self._file: ProofFile | None = None
        self._search: Search | None = None
        self._waiting: list[bytes] = []
        self._model = b""
        if path is not None and resume is not None and realpath(path) == realpath(resume):
            raise OptionError(f"{path} would be written over what is resumed: name another file")

    def begin(self, search: Search) -> None:
        """Before the first step: tell the search what is known, open the file, be the log.

        Raises OptionError, InputError or OutputError if one of them cannot be.
        """
        records = b""
        if self._resume is not None:
            earlier = opened(read_raw(self._resume), self._resume)
            if earlier.header.get("family") != self._own.family:
                raise InputError(f"{earlier.name}: the proof of another family of models")
            records = self._own.resume(earlier, self._problem, search)
            search.resumed = self._resume
        if self._path is not None:
            search.start_log(self)
            self._search, self._file = search, ProofFile(self._path)
            try:
                self._file.write(self._own.beginning(self._problem, search) + records)
                self._file.flush()
            except OutputError:
                self._file.abandon()
                raise

    def proved(self, records: bytes) -> None:
        if records and self._file is not None:
            self._waiting.append(records)

    def found(self, record: bytes) -> None:
        if record != self._model:
            self._model = record
            self.proved(record)

    def _write(self) -> None:
        if self._file is not None:
            waiting, self._waiting = self._waiting, []
            self._file.write(b"".join(waiting))

    def events(self, records: NDArray[Any], search: Search) -> None:
        self._write()

    def progress(self, snapshot: Progress, search: Search) -> None:
        self._write()

    def finish(self, result: Result) -> None:
        if self._file is not None and self._search is not None:
            given = self._problem, self._search, result
            self.found(self._own.model(*given))
            self.proved(self._own.records(*given))
            self._write()
            self._file.commit()

    def close(self) -> None:
        """Of a search that failed the file holds what was proved until then, or is gone if
        nothing was."""
        file, self._file = self._file, None
        if file is not None and file.begun:
            file.commit()
        elif file is not None:
            file.abandon()


class ProofFile(OutputFile):
    """A proof that is being written, under its own name. Raises OutputError if it cannot be."""

    begun = False

    def _prepare(self) -> None:
        if self.path in ("", "-"):
            raise ValueError("expected the name of a file")
        self._open = begun(self.path)
        self._flushed = time.monotonic()

    def write(self, content: str | bytes) -> None:
        self.begun |= bool(content)
        super().write(content)
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """What was written can be read by others from now on."""
        with self._or(self.discard):
            for stream in self._open:
                stream.flush()
        self._flushed = time.monotonic()

    def abandon(self) -> None:
        """What could not even be begun leaves no file."""
        self.discard()
        if os.path.isfile(self.path) and not os.path.islink(self.path):
            os.unlink(self.path)
