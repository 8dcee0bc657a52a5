"""A proof's header and its whole numbers, for families with records of their own."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from corels.errors import InputError
from corels.proofcheck.reading import FORMAT, VERSION, numbers

SLICE = 1 << 16


def opened(content: bytes, name: str) -> tuple[Mapping[str, Any], bytes]:
    """The header and the bytes behind it. Raises InputError for what is no proof."""
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
    if not isinstance(header.get("antecedents"), list) or not isinstance(
        header.get("classes"), list
    ):
        raise InputError(f"{name}: the header has no lists of antecedents and classes")
    return header, records


def _unzipped(content: bytes, name: str) -> bytes:
    stream, parts = zlib.decompressobj(31), []
    try:
        for at in range(0, len(content), SLICE):
            parts.append(stream.decompress(content[at : at + SLICE]))
    except zlib.error as error:
        if not parts:
            raise InputError(f"{name}: damaged gzip file ({error})") from None
    return b"".join(parts)


class Numbers:
    """The whole numbers of the records, one after the other. IndexError: the file ends here."""

    def __init__(self, records: bytes, name: str) -> None:
        try:
            decoded, ends = numbers(records)
        except ValueError as error:
            raise InputError(f"{name}: {error}") from None
        self.name, self.at = name, 0
        self.all: list[int] = decoded.tolist()
        self._cut_off = bool(len(ends) and ends[-1] < len(records)) or (
            not len(ends) and len(records) > 0
        )

    def next(self) -> int:
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
        return self.at < len(self.all)

    def end(self) -> None:
        """Raises InputError where there is more."""
        if self.left or self._cut_off:
            raise InputError(f"{self.name}: there is more behind the end")
