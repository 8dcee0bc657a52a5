"""Which files a table is, and opening them, with one clear sentence where that fails.

A table is one file, those of a folder, or those of a pattern; each once, and in order.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import select
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corels.errors import InputError, OptionError
from corels.overwriting import reading
from corels.tables.deadline import NO_DEADLINE, Deadline

Path_ = str | os.PathLike[str]

GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STANDARD_INPUT = "-"
SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
DATABASES = (".duckdb", ".ddb", ".db")
PART = re.compile(rf"(?is)(.+?(?:{'|'.join(map(re.escape, (*SPREADSHEETS, *DATABASES)))}))#(.+)")
COLUMNAR = (".parquet", ".arrow", ".feather", ".ipc")  # endings of files that are no text
ENDINGS = (*COLUMNAR, ".csv", ".tsv", ".txt")  # of a folder's tables
MOST_FROM_PIPE = 512 << 20
MOST_UNFOLDED = 4 << 30
PIECE = 1 << 20
LOOK = 0.25  # seconds between two looks at the clock


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
    """A text of a file in quotes, for messages: its beginning where it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def read_once(path: Path_) -> bool:
    """Whether what is read is gone: standard input, a pipe or a device."""
    if str(path) == STANDARD_INPUT:
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # a pattern, or nothing that can be read: who reads it says so
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def file_and_part(path: Path_) -> tuple[Path_, str | None]:
    """The file and the sheet or table that "book.xlsx#Sheet 2" or "people.duckdb#visits" name; a
    path as it is, and None."""
    named = PART.fullmatch(str(path))
    return (path, None) if named is None or os.path.lexists(path) else (named[1], named[2])


def reader(module: str, where: str, what: str) -> Any:
    """A library that reads files of a kind. Raises InputError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise InputError(
            f"{where}: this is {what}, which needs {module}: pip install {module}, or save the "
            "table as Parquet or CSV"
        ) from None


@contextmanager
def reachable(file: str) -> Iterator[None]:
    """Around what asks the system for a file or folder: InputError where that fails."""
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
    """The tables of a folder and its folders but for hidden ones (also Spark's `_temporary`)."""
    found = []
    for at, folders, files in os.walk(folder, onerror=_unlisted):
        folders[:] = [f for f in folders if not f.startswith((".", "_"))]
        named = (f for f in files if f.endswith(ENDINGS) and not f.startswith((".", "_")))
        found += [os.path.join(at, file) for file in named]
    return _once(found)


def _unlisted(error: OSError) -> None:
    """Of a folder: its tables would be missing."""
    with reachable(error.filename):
        raise error


def _once(found: Iterable[str]) -> list[str]:
    """Files in the order of their names: each once, also where links lead to it again."""
    by_file: dict[str, str] = {}
    for file in sorted(found):
        by_file.setdefault(os.path.realpath(file), file)
    return list(by_file.values())


def start_of(file: str, size: int = 4) -> bytes:
    """The first bytes of a file, of which four mostly say what it is."""
    with reachable(file), open(file, "rb") as stream:
        return stream.read(size)


def size_of(path: Path_) -> int:
    """The bytes of a file; 0 of what is none."""
    return os.path.getsize(path) if os.path.isfile(path) else 0


def read_raw(path: Path_, deadline: Deadline = NO_DEADLINE) -> bytes:
    """The whole content of a file or of standard input ("-") as it is.

    Pipes and devices are read once, in pieces, up to `MOST_FROM_PIPE` bytes.

    Raises InputError if the file does not exist, is a directory, cannot be read, or is too long; if
    the time is up before the end of a pipe. Raises OptionError if the command writes this file.
    """
    where = shown(path)
    if str(path) != STANDARD_INPUT:
        reading(path)
    try:
        if str(path) == STANDARD_INPUT:
            content = _drained(getattr(sys.stdin.buffer, "raw", sys.stdin.buffer), where, deadline)
        elif stat.S_ISREG(os.stat(path).st_mode):
            content = Path(path).read_bytes()
        else:
            with open(path, "rb", buffering=0, opener=_at_once) as stream:
                _wait(stream, where, deadline)
                os.set_blocking(stream.fileno(), True)
                content = _drained(stream, where, deadline)
    except FileNotFoundError:
        raise InputError(f"{where}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{where}: this is a directory, expected a file") from None
    except (OSError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{where}: cannot be read ({reason})") from error
    deadline.check(f"reading {where}")
    return content


def read_bytes(path: Path_, deadline: Deadline = NO_DEADLINE) -> bytes:
    """The same, decompressed if it is gzip; that may unfold to `MOST_UNFOLDED` bytes.

    Raises InputError as `read_raw`, and for a damaged gzip file.
    """
    content = read_raw(path, deadline)
    return _unfolded(content, shown(path)) if content.startswith(GZIP_MAGIC) else content


def _at_once(path: str, flags: int) -> int:
    """Open a named pipe without waiting for who writes it: that could take for ever, and `open`
    knows no time limit and says nothing."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _drained(stream: Any, where: str, deadline: Deadline) -> bytes:
    """Everything that comes through a pipe or device."""
    parts: list[bytes] = []
    size = 0
    while True:
        _wait(stream, where, deadline)
        part = stream.read(PIECE)
        if not part:
            return b"".join(parts)
        if not parts and part.startswith(b"\0" * min(len(part), 64)):
            raise InputError(f"{where}: this is not a text file, it begins with zero bytes")
        parts.append(part)
        size += len(part)
        if size > MOST_FROM_PIPE:
            raise InputError(
                f"{where}: more than {MOST_FROM_PIPE >> 20} MiB came through a pipe or device and "
                "no end: save the table as a file"
            )


def _wait(stream: Any, where: str, deadline: Deadline) -> None:
    """Until there is something to read, or the time is up; says so now and then."""
    what = f"waiting for {where}"
    while not _ready(stream, LOOK if deadline.limit is None else min(deadline.left() or 0, LOOK)):
        deadline.check(what)
        deadline.tell(what, 0)


def _ready(stream: Any, seconds: float) -> bool:
    try:
        return bool(select.select([stream], [], [], seconds)[0])
    except (OSError, ValueError, TypeError):  # not a pipe, or a system that cannot wait for one
        return True


def _unfolded(content: bytes, where: str) -> bytes:
    """A gzip file's content, which may be of several members, up to a limit."""
    import gzip  # most files are not packed

    found, packed = io.BytesIO(), gzip.GzipFile(fileobj=io.BytesIO(content))
    try:  # in pieces: for one `read` there would have to be memory for as much as the limit
        while found.tell() <= MOST_UNFOLDED and (piece := packed.read(PIECE)):
            found.write(piece)
    except EOFError:
        raise InputError(f"{where}: damaged gzip file (it ends too early)") from None
    except (OSError, zlib.error) as error:
        why = str(error).rpartition(": ")[2]
        raise InputError(f"{where}: damaged gzip file ({why})") from error
    if found.tell() > MOST_UNFOLDED:
        raise InputError(f"{where}: the gzip file unfolds to more than {MOST_UNFOLDED >> 20} MiB")
    return found.getvalue()


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

    Raises OptionError for an encoding that nobody knows. Raises InputError naming the first line
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
