"""Large CSV files, and several: piece by piece into columns of text, which are kept packed.

A file is cut at line ends into pieces of `PIECE` bytes; packed, they take less memory than the
file. What a column is, all its cells decide, when it is asked for. If a piece is refused, the
whole file is checked as any other, which knows the number of the line.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corels.errors import InputError
from corels.overwriting import opening
from corels.tables.deadline import Deadline
from corels.tables.files import GZIP_MAGIC, reachable, read_bytes, size_of, start_of
from corels.tables.options import Reading
from corels.tables.textfile import by_names, csv_cells, typed

if TYPE_CHECKING:
    import polars

PIECE = 32 << 20  # bytes
MAGIC = {b"PAR1": "Parquet", b"ARRO": "Arrow"}


@dataclass(eq=False)
class CsvPieces:
    """CSV files as one table; `where` names them in messages.

    names: of the columns. rows: how many. packed: the pieces, each as a packed Arrow file.

    Raises InputError naming file and line for anything malformed.
    """

    files: Sequence[str]
    where: str
    reading: Reading
    deadline: Deadline
    names: tuple[str, ...] = ()
    rows: int = 0
    packed: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        done, encoding = 0, self.reading.encoding
        for file in self.files:
            opening(file)
            if (start := start_of(file)) in MAGIC:
                raise InputError(f"{file}: this is {MAGIC[start]}, and {self.files[0]} is not")
            try:
                pieces = _pieces(file, self.deadline, encoding)
                frames = [self._packed(file, cells, done) for cells in pieces]
            except InputError:  # the whole file knows the line, or can be read as a whole only
                whole = read_bytes(file, self.deadline)
                cells = csv_cells(file, whole, self.deadline, encoding)
                frames = [self._packed(file, cells, done)]
            done += size_of(file)
            self.rows += sum(rows for rows, _ in frames)
            self.packed += [piece for _, piece in frames]

    def _packed(self, file: str, cells: polars.DataFrame, done: int) -> tuple[int, bytes]:
        """The rows of a piece, and the piece. done: the bytes of the files before."""
        self.names = self.names or tuple(cells.columns)
        refuse_other(file, dict.fromkeys(cells.columns), self.files[0], dict.fromkeys(self.names))
        packed: Any = cells.select(by_names(self.names)).write_ipc(None, compression="lz4")
        progress = f"bytes read of {self.where}"
        total = sum(map(size_of, self.files))
        self.deadline.look(progress, done, total, f"reading {self.where}")
        return len(cells), packed.getvalue()

    def collect(self, names: list[str]) -> polars.DataFrame:
        """Some columns, typed."""
        import polars as pl

        places = [self.names.index(name) for name in names]  # a name may be a pattern to polars
        pieces = [pl.read_ipc(io.BytesIO(piece), columns=places) for piece in self.packed]
        return typed(pl.concat(pieces).get_columns(), self.reading)


def _pieces(file: str, deadline: Deadline, encoding: str | None) -> Iterator[polars.DataFrame]:
    """A CSV file in pieces of whole lines, each below the first line; small files as a whole."""
    with reachable(file), open(file, "rb") as stream:
        piece = stream.read(PIECE)
        head = piece[: piece.find(b"\n") + 1]
        short = len(piece) < PIECE or not head
        if short or encoding or b'"' in head or piece.startswith(GZIP_MAGIC):
            yield csv_cells(file, read_bytes(file, deadline), deadline, encoding)
            return
        left = piece[len(head) :]
        while left:
            more = stream.read(PIECE)
            end = _line_end(left) if more else len(left)
            if end:
                if more and left[:end].endswith((b"\n\n", b"\n\r\n")):
                    raise InputError(f"{file}: a blank line")  # the end of the file, perhaps
                yield csv_cells(file, head + left[:end], deadline)
            left = left[end:] + more


def _line_end(text: bytes) -> int:
    """The end of the last line that ends outside of quotes; 0 if there is none."""
    end = text.rfind(b"\n") + 1
    while end and text.count(b'"', 0, end) % 2:
        end = text.rfind(b"\n", 0, end - 1) + 1
    return end


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
