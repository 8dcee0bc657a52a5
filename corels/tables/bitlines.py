"""Lines of bits: the text form of the original program's `.out`, `.label` and `.minor` files.

Each line is a name and then a 0 or 1 for every sample, separated by blanks:

    {sex:Female,age:18-20} 0 1 0 0 1

Where does a name end? With a name in braces, at the closing brace before the first bit. Without
braces, the last N words are the bits and what comes before them is the name, which may hold blanks
unless one of its later words is itself 0 or 1: then nobody can tell, and the line is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.tables.files import Path_, as_text_bytes, clipped, decode, read_bytes, shown

BITS = (b"0", b"1")
NAME_END = re.compile(rb"\}(?=[ \t]+[01](?:[ \t]|$))")


@dataclass(frozen=True, eq=False)
class BitLines:
    """A file of named bit lines.

    Attributes:
        names: M names, without the outer braces.
        bits: (M, N) bool.
        lines: M line numbers, from 1.
    """

    names: tuple[str, ...]
    bits: NDArray[np.bool_]
    lines: tuple[int, ...]


def read_bit_lines(path: Path_) -> BitLines:
    """Read a file of lines "name bit bit bit ...", all with the same number of bits.

    Raises InputError naming the file, the line and the offending value, if there is no line, a name
    is missing or not UTF-8, a bit is not 0 or 1, or the lines differ in length.
    """
    numbers, rows = _rows(path)
    width = _width(path, numbers[0], rows[0])
    names, bits = _taken_apart(path, numbers, rows, width)
    return BitLines(_names(path, numbers, names), bits, tuple(numbers))


def _rows(path: Path_) -> tuple[list[int], list[bytes]]:
    """The lines that are not blank, and their numbers from 1."""
    content = as_text_bytes(shown(path), read_bytes(path))
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    rows = [line.strip() for line in content.split(b"\n")]
    numbers = [number for number, row in enumerate(rows, start=1) if row]
    if not numbers:
        raise InputError(f"{path}: the file is empty, expected lines such as '{{name}} 0 1 1'")
    return numbers, [row for row in rows if row]


def _width(path: Path_, number: int, row: bytes) -> int:
    """How many bits the first line has; all others must have as many."""
    if row.startswith(b"{") and b"}" in row:
        width = len(row[_name_end(row) :].split())
    else:
        words = row.split()[1:]
        trailing = len([*takewhile(BITS.__contains__, reversed(words))])
        before = words[: len(words) - trailing]  # of a name of several words, unless a bit is there
        width = len(words) if any(word in BITS for word in before) else trailing
    if not width:
        raise InputError(f"{path}, line {number}: {_clip(row)} has no bits after its name")
    return width


def _name_end(row: bytes) -> int:
    """Where a name in braces ends: before the first bit, or at the last brace if there is none."""
    found = NAME_END.search(row)
    return found.end() if found else row.rfind(b"}") + 1


def _taken_apart(
    path: Path_, numbers: list[int], rows: list[bytes], width: int
) -> tuple[list[bytes], NDArray[np.bool_]]:
    """Names and bits of each line, with an error for the first that is wrong."""
    names = []
    bits = np.empty((len(rows), width), dtype=np.bool_)
    for at, (number, row) in enumerate(zip(numbers, rows, strict=True)):
        where = f"{path}, line {number}"
        name, words = _split(where, row, width)
        joined = b"".join(words)
        if len(joined) != len(words) or joined.translate(None, b"01"):
            sample, word = next((n, w) for n, w in enumerate(words, start=1) if w not in BITS)
            raise InputError(
                f"{where}: sample {sample} has the value {_clip(word)}, expected 0 or 1"
            )
        if len(words) != width:
            raise InputError(
                f"{where}: {_clip(name)} has {len(words)} bits, but line {numbers[0]} has {width}"
            )
        names.append(name)
        bits[at] = np.frombuffer(joined, dtype=np.uint8) == ord("1")
    return names, bits


def _split(where: str, row: bytes, width: int) -> tuple[bytes, list[bytes]]:
    """Name and words of one line."""
    if row.startswith(b"{") and b"}" in row:
        end = _name_end(row)
        if row[end : end + 1].strip():
            raise InputError(f"{where}: expected a blank after {_clip(row[:end])}")
        return row[:end], row[end:].split()
    words = row.split()
    cut = max(1, len(words) - width)
    if any(word in BITS for word in words[1:cut]):  # more bits than the first line has
        cut = 1
    return b" ".join(words[:cut]), words[cut:]


def _names(path: Path_, numbers: list[int], raw: list[bytes]) -> tuple[str, ...]:
    """Decoded names without the outer braces."""
    stripped = [decode(path, name, at).strip() for at, name in zip(numbers, raw, strict=True)]
    names = [n[1:-1].strip() if n[:1] == "{" and n[-1:] == "}" else n for n in stripped]
    if all(name in BITS for name in raw):
        raise InputError(f"{path}, line {numbers[0]}: expected a name before the bits")
    for number, name in zip(numbers, names, strict=True):
        if not name:
            raise InputError(f"{path}, line {number}: the name is empty")
    return tuple(names)


def _clip(text: bytes) -> str:
    return clipped(text.decode("utf-8", "replace"))
