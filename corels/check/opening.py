"""A proof's header and its whole numbers, which the proofs of all families have alike."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.check.verdict import UNWATCHED, UnknownRecordError, Watch
from corels.errors import InputError, located

FORMAT, VERSION = "corels/proof", 2
MOST_BYTES = 9  # of a number: all are below 2^62
SLICE = 1 << 16
PIECE = 1 << 20  # bytes between two looks at the clock


class Opened(NamedTuple):
    """A file, not yet believed: the header, the bytes behind it, and the file's name."""

    header: Mapping[str, Any]
    records: bytes
    name: str


def opened(content: bytes, name: str = "the proof") -> Opened:
    """The header and the bytes behind it. Raises InputError for what is not a proof."""
    if content.startswith(b"\x1f\x8b"):
        content = _unzipped(content, name)
    line, newline, records = content.partition(b"\n")
    try:
        header = json.loads(line)
        known = header["format"], header["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{name}: not a proof file: it does not begin with a header") from None
    if known != (FORMAT, VERSION) or not newline:
        raise InputError(f"{name}: a file of format {known}, not {(FORMAT, VERSION)}")
    if not all(isinstance(header.get(name), list) for name in ("antecedents", "classes")):
        raise InputError(f"{name}: the header has no lists of antecedents and classes")
    return Opened(header, records, name)


def unknown_record(header: Mapping[str, Any], kind: int, name: str) -> InputError:
    """What is raised for a record that a checker does not know. A header names in `plugins` the
    plugin of each kind of record that is not of the family itself: letter -> name."""
    plugins = header.get("plugins")
    plugin = plugins.get(chr(kind)) if isinstance(plugins, Mapping) and kind < 128 else None
    if plugin is not None:
        return UnknownRecordError(name, chr(kind), str(plugin))
    return InputError(f"{name}: record {kind} is of no known kind")


def _unzipped(content: bytes, name: str) -> bytes:
    stream, parts = zlib.decompressobj(31), []
    try:
        for at in range(0, len(content), SLICE):
            parts.append(stream.decompress(content[at : at + SLICE]))
    except zlib.error as error:
        if not parts:
            raise InputError(f"{name}: damaged gzip file ({error})") from None
    return b"".join(parts)


def numbers(content: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All whole numbers in order, and where each one ends. Raises ValueError for one too long."""
    octets = np.frombuffer(content, dtype=np.uint8)
    ends = np.flatnonzero(octets < 128)
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    lengths = ends - starts + 1
    if lengths.max(initial=0) > MOST_BYTES or len(octets) - (len(starts) and ends[-1]) > MOST_BYTES:
        raise ValueError("a number of more than nine bytes")
    found = np.zeros(len(ends), dtype=np.int64)
    for k in range(int(lengths.max(initial=0))):
        has = lengths > k
        found[has] |= (octets[starts[has] + k].astype(np.int64) & 127) << (7 * k)
    return found, ends + 1


class Numbers:
    """The whole numbers of the records, one after the other. IndexError: the file ends here."""

    def __init__(self, records: bytes, name: str, watch: Watch = UNWATCHED) -> None:
        self.name, self.at, begin = name, 0, 0
        self.all: list[int] = []
        while begin < len(records):
            watch.tell("bytes of the proof, read", begin, len(records))
            with located(name, ValueError):
                decoded, ends = numbers(records[begin : begin + PIECE])
            if not len(ends):
                break
            self.all += decoded.tolist()
            begin += int(ends[-1])
        self._cut_off = begin < len(records)

    def next(self) -> int:
        """The next number. Raises IndexError behind the last one."""
        self.at += 1
        return self.all[self.at - 1]

    def below(self, limit: int, what: str) -> int:
        """The next number, which has to be smaller than `limit`. Raises InputError."""
        found = self.next()
        if found >= limit:
            raise InputError(f"{self.name}: {what} {found}, where all are below {limit}")
        return found

    @property
    def left(self) -> bool:
        """Whether there is a next number."""
        return self.at < len(self.all)

    def end(self) -> None:
        """Raises InputError if there is more."""
        if self.left or self._cut_off:
            raise InputError(f"{self.name}: there is more behind the end")
