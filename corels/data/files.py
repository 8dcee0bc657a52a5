"""Opening files, with one clear sentence where that fails."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path

from corels.errors import InputError

Path_ = str | os.PathLike[str]

GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_rule_file(path: Path_) -> bool:
    """Whether a path names a `.out` file (also gzipped) rather than a table."""
    return Path(str(path).removesuffix(".gz")).suffix == ".out"


def read_raw(path: Path_) -> bytes:
    """The whole content of a file as it is.

    Raises:
        InputError: if the file does not exist, is a directory, or cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a directory, expected a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be read ({reason})") from error


def read_bytes(path: Path_) -> bytes:
    """The whole content of a file, decompressed if it is gzip.

    Raises:
        InputError: as `read_raw`, and for a damaged gzip file.
    """
    content = read_raw(path)
    if not content.startswith(GZIP_MAGIC):
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: damaged gzip file ({error})") from error


def read_text_bytes(path: Path_) -> bytes:
    """The content of a text file as UTF-8 bytes (not yet checked), without a byte-order mark.

    Raises:
        InputError: as `read_bytes`, and for what is plainly no UTF-8 text: UTF-16, a spreadsheet.
    """
    content = read_bytes(path)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path}: this is UTF-16 text; save the file as UTF-8")
    if content.startswith(ZIP_MAGIC):
        raise InputError(f"{path}: this is a spreadsheet or another archive; save the table as CSV")
    return content.removeprefix(BYTE_ORDER_MARK)


def decode(path: Path_, content: bytes, first_line: int = 1) -> str:
    """UTF-8 text.

    Args:
        first_line: number of the line that `content` begins with, for the message.

    Raises:
        InputError: naming the first line that is not UTF-8.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + content.count(b"\n", 0, error.start)
        byte = content[error.start]
        raise InputError(
            f"{path}, line {line}: byte 0x{byte:02x} is not UTF-8 text; save the file as UTF-8"
        ) from None
