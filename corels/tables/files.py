"""Which files a table is, and opening them, with one clear sentence if that fails.

A table is one file, those of a folder, or those of a pattern; each once, and in order.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corels.errors import InputError, OptionError
from corels.overwriting import opening
from corels.tables.deadline import NO_DEADLINE, Deadline

Path_ = str | os.PathLike[str]

GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STANDARD_INPUT = "-"
SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
SHEET = re.compile(rf"(?is)(.+?(?:{'|'.join(map(re.escape, SPREADSHEETS))}))#(.+)")
COLUMNAR = (".parquet", ".arrow", ".feather", ".ipc")  # endings of files that are no text
ENDINGS = (*COLUMNAR, ".csv", ".tsv", ".txt")  # of a folder's tables
MOST_FROM_PIPE = 512 << 20  # bytes


class FileError(InputError):
    """A file that cannot be read; the message names it."""


def unpacked(path: Path_) -> Path:
    """A path without the ending `.gz`."""
    return Path(str(path).removesuffix(".gz"))


def is_rule_file(path: Path_) -> bool:
    """Whether a path names a `.out` file (also gzipped) rather than a table."""
    return unpacked(path).suffix == ".out"


def shown(path: Path_) -> str:
    """A path for messages; "-" is standard input."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def clipped(text: str) -> str:
    """A text of a file in quotes, for messages: its beginning if it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def read_once(path: Path_) -> bool:
    """Whether what is read is gone: standard input, a pipe or a device."""
    if str(path) == STANDARD_INPUT:
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # a pattern, or nothing that can be read: the reader refuses it
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def file_and_sheet(path: Path_) -> tuple[Path_, str | None]:
    """The file and the sheet that "book.xlsx#Sheet 2" names; a path as it is, and None."""
    named = SHEET.fullmatch(str(path))
    return (path, None) if named is None or os.path.lexists(path) else (named[1], named[2])


@contextmanager
def reachable(file: str) -> Iterator[None]:
    """Around what asks the system for a file or folder: InputError if that fails."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror or error})") from error


def files_of(path: Path_) -> list[str] | None:
    """The files of a folder or of a pattern ("folder/*.parquet"), in the order of their names; a
    file itself; None for what is not a name of a file (standard input, a pipe)."""
    name = os.fspath(path)
    if os.path.isdir(name):
        found = tables_in(name)
        if not found:
            raise InputError(f"{name}: no table in this folder: expected {', '.join(ENDINGS)}")
        return found
    import glob  # most tables are one file

    if not os.path.exists(name) and glob.has_magic(name):
        found = _once(f for f in glob.glob(name, recursive=True) if os.path.isfile(f))
        if not found:
            raise InputError(f"{name}: no file has such a name")
        return found
    return [name] if os.path.isfile(name) else None


def tables_in(folder: str) -> list[str]:
    """The tables of a folder, but for hidden ones (also Spark's `_metadata`)."""
    with reachable(folder):
        names = os.listdir(folder)
    named = (one for one in names if one.endswith(ENDINGS) and not one.startswith((".", "_")))
    paths = (os.path.join(folder, one) for one in named)
    return _once(path for path in paths if not os.path.isdir(path))


def _once(found: Iterable[str]) -> list[str]:
    """Files in the order of their names: each once, also if links lead to it again."""
    by_file: dict[str, str] = {}
    for file in sorted(found):
        by_file.setdefault(os.path.realpath(file), file)
    return list(by_file.values())


def start_of(file: str) -> bytes:
    """The first four bytes of a file, which mostly say what it is."""
    with reachable(file), open(file, "rb") as stream:
        return stream.read(4)


def size_of(path: Path_) -> int:
    """The bytes of a file; 0 of what is none."""
    return os.path.getsize(path) if os.path.isfile(path) else 0


def read_raw(path: Path_, deadline: Deadline = NO_DEADLINE) -> bytes:
    """The whole content of a file or of standard input ("-") as it is.

    Raises InputError if the file does not exist, is a directory, cannot be read, or, as a device
    may be, is endless. Raises OptionError if the command writes this file.
    """
    where, standard = shown(path), str(path) == STANDARD_INPUT
    if not standard:
        opening(path)
    most = MOST_FROM_PIPE + 1 if read_once(path) else -1
    try:
        if standard:
            content: bytes = sys.stdin.buffer.read(most)
        else:
            with open(path, "rb") as stream:
                content = stream.read(most)
    except FileNotFoundError:
        raise InputError(f"{where}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{where}: this is a directory, expected a file") from None
    except (OSError, ValueError, AttributeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{where}: cannot be read ({reason})") from error
    if len(content) > MOST_FROM_PIPE and most > 0:
        raise InputError(
            f"{where}: more than {MOST_FROM_PIPE >> 20} MiB came through a pipe or device and "
            "no end: save the table as a file"
        )
    deadline.check(f"reading {where}")
    return content


def read_bytes(path: Path_, deadline: Deadline = NO_DEADLINE) -> bytes:
    """The same, decompressed if it is gzip. Raises InputError as `read_raw`, and for a damaged gzip
    file."""
    content = read_raw(path, deadline)
    if not content.startswith(GZIP_MAGIC):
        return content
    import gzip  # most files are not packed

    try:
        return gzip.decompress(content)
    except EOFError:
        why = "it ends too early"
    except (OSError, zlib.error) as error:
        why = str(error).rpartition(": ")[2]
    raise InputError(f"{shown(path)}: damaged gzip file ({why})")


def as_text_bytes(path: Path_, content: bytes, hint: str = "") -> bytes:
    """The content of a text file as UTF-8 bytes (not yet checked), without a byte-order mark.

    hint: ends the advice to recode it. Raises InputError for what is plainly no UTF-8 text: UTF-16,
    a spreadsheet.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path}: this is UTF-16 text; save the file as UTF-8{hint}")
    if content.startswith(ZIP_MAGIC):
        raise InputError(f"{path}: this is a spreadsheet or another archive; save the table as CSV")
    return content.removeprefix(BYTE_ORDER_MARK)


def recoded(path: Path_, content: bytes, encoding: str) -> bytes:
    """Text of another encoding as UTF-8.

    Raises OptionError for an unknown encoding. Raises InputError naming the first line
    that is not of this encoding.
    """
    try:
        return decode(path, content, encoding=encoding).encode("utf-8")
    except InputError:
        raise
    except (LookupError, ValueError):
        raise OptionError(
            f"⟨encoding⟩ is {encoding!r}: expected one that Python knows, such as cp1252, "
            "latin-1 or utf-16"
        ) from None


def decode(
    path: Path_, content: bytes, first_line: int = 1, hint: str = "", encoding: str = ""
) -> str:
    """UTF-8 text, or of another encoding.

    first_line: number of the line that `content` begins with, for the message. hint: ends the
    advice to recode the file. Raises InputError naming the first line that is not of the encoding.
    """
    try:
        return content.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        line = first_line + content.count(b"\n", 0, error.start)
        what = f"{encoding} text" if encoding else f"UTF-8 text; save the file as UTF-8{hint}"
        byte = content[error.start]
        raise InputError(f"{path}, line {line}: byte 0x{byte:02x} is not {what}") from None
