"""The file of a running search: written as the search goes, so that a killed process leaves it.

It is not written under another name first, as other outputs are: what a process has proved before
it was killed is worth having. With a name in .gz the stream is flushed with what was written, so
that such a file, too, can be read as far as it goes.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from corels import overwriting
from corels.errors import OutputError
from corels.proof.records import claim, end, found_list, header_line

FLUSH_SECONDS = 0.5  # what a killed process may lose


class ProofFile:
    """A proof that is being written. Raises OutputError where it cannot be."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        overwriting.writing(self.path)
        try:
            if self.path in ("", "-"):
                raise ValueError("expected the name of a file")
            self._file = open(self.path, "wb")  # noqa: SIM115 - open until `close`
        except (OSError, ValueError) as error:
            raise self._failed(error) from None
        self._deflate = zlib.compressobj(5, zlib.DEFLATED, 31) if self._zipped else None
        self._flushed = time.monotonic()
        self._list: tuple[tuple[int, ...], int] | None = None

    @property
    def _zipped(self) -> bool:
        return self.path.endswith(".gz")

    def begin(self, header: Mapping[str, Any], records: bytes = b"") -> None:
        """The problem, and the records of a proof that is gone on with."""
        self.write(header_line(header) + records)
        self.flush()

    def write(self, records: bytes) -> None:
        try:
            self._file.write(self._deflate.compress(records) if self._deflate else records)
            if time.monotonic() - self._flushed > FLUSH_SECONDS:
                self.flush()
        except OSError as error:
            raise self._failed(error) from None

    def flush(self) -> None:
        """What was written can be read by others from now on."""
        try:
            if self._deflate:
                self._file.write(self._deflate.flush(zlib.Z_SYNC_FLUSH))
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from None
        self._flushed = time.monotonic()

    def found(self, rules: Sequence[int], cost: int) -> None:
        """The best list so far; written where it is another one."""
        if self._list != (tuple(rules), cost):
            self._list = tuple(rules), cost
            self.write(found_list(rules, cost))

    def conclude(self, bound: int) -> None:
        """The claim about all lists, and the end."""
        self.write(claim((), bound) + end(bound))
        self.close()

    def close(self) -> None:
        """Twice does no harm."""
        if self._file.closed:
            return
        overwriting.written(self.path)
        try:
            if self._deflate:
                self._file.write(self._deflate.flush())
            self._file.close()
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError | ValueError) -> OutputError:
        reason = getattr(error, "strerror", None) or str(error)
        return OutputError(f"{self.path or repr(self.path)}: cannot be written ({reason})")
