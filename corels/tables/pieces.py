"""Large CSV files, and several: piece by piece into typed columns in a temporary folder.

A file is cut at line ends into pieces of `PIECE` bytes. The first piece says what the columns are;
where a later one says otherwise, everything is read once more, all as text. Where a piece is
refused, the whole file is checked as any other, which knows the number of the line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corels.errors import InputError
from corels.overwriting import reading as reading_file
from corels.tables.deadline import Deadline
from corels.tables.files import GZIP_MAGIC, reachable, read_bytes, size_of, start_of
from corels.tables.folder import TemporaryFolder, spilling
from corels.tables.options import Reading
from corels.tables.textfile import (
    CsvText,
    by_names,
    cells_of,
    check_csv_text,
    check_header,
    names_itself,
    typed,
)

if TYPE_CHECKING:
    import polars

PIECE = 32 << 20  # bytes
MAGIC = {b"PAR1": "Parquet", b"ARRO": "Arrow"}


def csv_folder(
    files: Sequence[str], where: str, reading: Reading, deadline: Deadline
) -> TemporaryFolder:
    """The columns of CSV files, in a folder; `where` names them in messages.

    Raises InputError naming file and line for anything malformed, OutputError where the folder is
    full.
    """
    for as_text in (False, True):
        spill = _Spill(files, where, reading, deadline, TemporaryFolder(), as_text)
        if spill.write():
            break
        spill.folder.remove()
    assert spill.first is not None
    check_header(files[0], spill.first, spill.itself.__contains__)
    return spill.folder


@dataclass(eq=False)
class _Spill:
    """CSV files on their way into a folder. as_text: no column is numbers yet."""

    files: Sequence[str]
    where: str
    reading: Reading
    deadline: Deadline
    folder: TemporaryFolder
    as_text: bool
    first: CsvText | None = None
    kinds: dict[str, Any] | None = None
    itself: set[str] = field(default_factory=set)  # columns whose name is one of their first cells
    number: int = 0  # of the next piece

    def write(self) -> bool:
        """Whether all pieces have columns of the same kinds."""
        done, total = 0, sum(map(size_of, self.files))
        for file in self.files:
            for text in self._texts(file):
                if not self._piece(file, text):
                    return False
                done += len(text.content)
                progress = f"bytes read of {self.where}"
                self.deadline.look(progress, min(done, total), total, f"reading {self.where}")
        return True

    def _texts(self, file: str) -> Iterator[CsvText]:
        reading_file(file)
        if (start := start_of(file)) in MAGIC:
            raise InputError(f"{file}: this is {MAGIC[start]}, and {self.files[0]} is not")
        begun, encoding = self.number, self.reading.encoding
        try:
            yield from _pieces(file, self.deadline, encoding)
        except InputError:  # the whole file knows the line, or can be read as a whole only
            whole = read_bytes(file, self.deadline)
            text = check_csv_text(file, whole, self.deadline, encoding)
            for written in range(begun, self.number):
                os.remove(self.folder.file(written))
            self.number = begun
            yield text

    def _piece(self, file: str, text: CsvText) -> bool:
        """Write a piece; False where its columns are of other kinds than those before."""
        import polars as pl

        self.first = first = self.first or text
        refuse_other(file, dict.fromkeys(text.header), self.files[0], dict.fromkeys(first.header))
        if self.as_text:
            self.kinds = dict.fromkeys(first.header, pl.String)
        cells = cells_of(text, self.deadline)
        columns = cells.select(by_names(first.header)).get_columns()
        del cells
        frame = typed(columns, self.reading, kinds=self.kinds)
        if not self.number:
            self.itself = {name for name in frame.columns if names_itself(frame, name)}
        self.kinds = self.kinds or dict(frame.schema)
        if dict(frame.schema) != self.kinds:
            return False
        with spilling(self.folder, self.where):
            frame.write_ipc(self.folder.file(self.number), compression="lz4")
        self.number += 1
        return True


def _pieces(file: str, deadline: Deadline, encoding: str | None) -> Iterator[CsvText]:
    """A CSV file in pieces of whole lines, each below the first line; small files as a whole."""
    with reachable(file), open(file, "rb") as stream:
        piece = stream.read(PIECE)
        head = piece[: piece.find(b"\n") + 1]
        short = len(piece) < PIECE or not head
        if short or encoding or b'"' in head or piece.startswith(GZIP_MAGIC):
            yield check_csv_text(file, read_bytes(file, deadline), deadline, encoding)
            return
        left = piece[len(head) :]
        while left:
            more = stream.read(PIECE)
            end = _line_end(left) if more else len(left)
            if end:
                if more and left[:end].endswith((b"\n\n", b"\n\r\n")):
                    raise InputError(f"{file}: a blank line")  # the end of the file, perhaps
                yield check_csv_text(file, head + left[:end], deadline)
            left = left[end:] + more


def _line_end(text: bytes) -> int:
    """The end of the last line that ends outside of quotes; 0 if there is none."""
    end = text.rfind(b"\n") + 1
    while end and text.count(b'"', 0, end) % 2:
        end = text.rfind(b"\n", 0, end - 1) + 1
    return end


def scan(file: str) -> polars.LazyFrame:
    """The columns of a Parquet or Arrow file, not read yet."""
    import polars as pl

    return pl.scan_parquet(file) if start_of(file) == b"PAR1" else pl.scan_ipc(file)


def refuse_other(
    file: str, schema: Mapping[str, Any], known: str, first: Mapping[str, Any]
) -> None:
    """Raise InputError for a file whose columns are not those of the first file."""
    if other := [*(first.keys() - schema.keys()), *(schema.keys() - first.keys())]:
        name = min(other)
        has, lacks = (known, file) if name in first else (file, known)
        raise InputError(
            f"{file}: its columns differ from those of {known}: {has} has {name!r}, {lacks} has not"
        )
    for name, kind in schema.items():
        both = (kind, first[name])
        same = kind == first[name] or (kind is not None and all(one.is_numeric() for one in both))
        if not same and "Null" not in map(str, both):
            raise InputError(f"{file}: column {name!r} is {kind} here and {first[name]} in {known}")
