"""Large CSV files, and several: piece by piece into columns of text, which are kept packed.

A file is cut at line ends into pieces of `PIECE` bytes; packed, they take less memory than the
file. What a column is, all its cells decide, when it is asked for. If a piece is refused, the
whole file is checked as any other, which knows the number of the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corels.errors import InputError
from corels.overwriting import opening
from corels.tables.deadline import Deadline
from corels.tables.files import GZIP_MAGIC, reachable, read_bytes, size_of, start_of
from corels.tables.textfile import by_names, csv_cells

if TYPE_CHECKING:
    import polars

PIECE = 32 << 20  # bytes
MAGIC = {b"PAR1": "Parquet", b"ARRO": "Arrow"}


def csv_parts(
    files: Sequence[str], where: str, encoding: str | None, deadline: Deadline
) -> Iterator[polars.LazyFrame]:
    """The columns of CSV files as text, in the order of the first one's; `where` names the files in
    messages.

    Raises InputError naming file and line for anything malformed.
    """
    import polars as pl

    done, total = 0, sum(map(size_of, files))
    names: list[str] = []

    def packed(file: str, cells: polars.DataFrame) -> polars.LazyFrame:
        names[:] = names or cells.columns
        refuse_other(file, dict.fromkeys(cells.columns), files[0], dict.fromkeys(names))
        part: Any = cells.select(by_names(names)).write_ipc(None, compression="lz4")
        deadline.look(f"bytes read of {where}", done, total, f"reading {where}")
        return pl.scan_ipc(part.getvalue())

    for file in files:
        opening(file)
        if (start := start_of(file)) in MAGIC:
            raise InputError(f"{file}: this is {MAGIC[start]}, and {files[0]} is not")
        try:
            parts = [packed(file, cells) for cells in _pieces(file, deadline, encoding)]
        except InputError:  # the whole file knows the line, or can be read as a whole only
            whole = read_bytes(file, deadline)
            parts = [packed(file, csv_cells(file, whole, deadline, encoding))]
        done += size_of(file)
        yield from parts


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
