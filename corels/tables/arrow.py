"""What an Arrow file or stream says of its columns before it is read.

polars takes two columns of one name for one, and panics at the first rows. The names stand in the
schema, a message at the beginning, which is a FlatBuffer: tables that say where their members are.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from struct import error, unpack_from

from corels.tables.files import FileError

MAGIC = b"ARROW1\0\0"  # of a file; a stream begins with the message
SCHEMA = 1 << 20  # bytes that are looked at; of a longer schema nothing is said


def refuse_doubled(where: str, content: bytes) -> None:
    """Raise FileError, naming the file, where two columns have one name.

    content: its beginning, of `SCHEMA` bytes or all. What is no such schema is left to polars.
    """
    names: list[str] = []
    with suppress(error, ValueError):
        names = _names(content[8 + len(MAGIC) * content.startswith(MAGIC) : SCHEMA])
    for name, times in Counter(names).items():
        if times > 1:
            raise FileError(f"{where}: cannot be read as Arrow: {times} columns are named {name!r}")


def _names(message: bytes) -> list[str]:
    """Of the message's header, a schema, the fields' names."""
    fields = _member(message, _member(message, _at(message, 0), 2), 1)
    (count,) = unpack_from("<I", message, fields)
    starts = [_member(message, _at(message, fields + 4 + 4 * n), 0) for n in range(count)]
    lengths = [unpack_from("<I", message, start)[0] for start in starts]
    return [message[s + 4 : s + 4 + n].decode() for s, n in zip(starts, lengths, strict=True)]


def _at(message: bytes, place: int) -> int:
    """Where the offset that stands at a place leads to."""
    return place + int(unpack_from("<I", message, place)[0])


def _member(message: bytes, table: int, number: int) -> int:
    """Where a table's member of this number is. Raises ValueError where it has none."""
    layout = table - unpack_from("<i", message, table)[0]
    (size,) = unpack_from("<H", message, layout)
    place = 4 + 2 * number
    offset = unpack_from("<H", message, layout + place)[0] if place < size else 0
    if not offset:
        raise ValueError("no such member")
    return _at(message, table + int(offset))
