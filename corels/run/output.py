"""Files that appear whole or not at all.

An output is opened before the search begins, under a temporary name beside the one that was asked
for: a path that cannot be written is found before anybody waits. `commit` renames it; until then,
and if anything goes wrong, a file that was there before stays as it was.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from corels.errors import OptionError, OutputError

STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/")


def refuse_overwriting(outputs: Sequence[str], inputs: Sequence[str]) -> None:
    """Raise OptionError where an output is an input, or two outputs are one file.

    Links of both kinds, and other spellings of a path, lead to the same file.
    """
    for number, path in enumerate(outputs):
        for other in (*inputs, *outputs[:number]):
            if _same_file(path, other):
                raise OptionError(f"{path} would be written over {other}: expected another name")


def _same_file(one: str, other: str) -> bool:
    try:
        if os.path.isfile(one) and os.path.isfile(other):
            return os.path.samefile(one, other)
        return not one.startswith("/dev/") and os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):  # no path at all: it is refused where it is opened
        return False


class OutputFile:
    """UTF-8 text that becomes the file `path` on `commit`; gzip where the name ends in `.gz`.

    Devices and pipes are written directly. Raises OutputError where that cannot be.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._temporary: Path | None = None
        try:
            self._raw = self._open()
        except (OSError, ValueError) as error:
            raise self._failed(error) from None
        binary: IO[bytes] = self._raw
        self._gzip: gzip.GzipFile | None = None
        if self.path.endswith(".gz"):  # no name and no time inside: equal texts, equal files
            self._gzip = gzip.GzipFile("", "wb", compresslevel=5, fileobj=self._raw, mtime=0)
            binary = self._gzip  # type: ignore[assignment]
        self._text: io.TextIOWrapper | None = io.TextIOWrapper(
            binary, encoding="utf-8", errors="backslashreplace", newline="\n"
        )

    def _open(self) -> IO[bytes]:
        if self.path in ("", "-"):
            raise ValueError("expected the name of a file")
        if os.path.isdir(self.path):
            raise IsADirectoryError(0, "this is a directory, expected a file")
        if self.path.startswith(STREAMS) or (
            os.path.exists(self.path) and not os.path.isfile(self.path)
        ):
            return open(self.path, "wb")
        final = Path(os.path.realpath(self.path))
        if not final.parent.is_dir():
            raise FileNotFoundError(0, f"there is no directory {str(final.parent)!r}")
        if final.exists() and not os.access(final, os.W_OK):
            raise PermissionError(0, "Permission denied")
        temporary = final.with_name(f".{final.name}.{os.getpid()}.tmp")
        raw = open(temporary, "wb")  # noqa: SIM115 - open until `commit`
        self._temporary, self._final = temporary, final
        return raw

    def write(self, text: str) -> None:
        """Append text. Raises OutputError, and forgets the file, where it cannot be written."""
        assert self._text is not None
        try:
            self._text.write(text)
        except OSError as error:
            self.discard()
            raise self._failed(error) from None

    def commit(self) -> None:
        """Make the file appear under its name. Raises OutputError where that fails."""
        if self._text is None:
            return
        try:
            self._text.close()
            self._raw.close()
            if self._temporary is not None:
                if self._final.exists():
                    os.chmod(self._temporary, stat.S_IMODE(self._final.stat().st_mode))
                os.replace(self._temporary, self._final)
        except OSError as error:
            self.discard()
            raise self._failed(error) from None
        self._text = self._temporary = None

    def discard(self) -> None:
        """Forget what was written. Does nothing after `commit`, or a second time."""
        if self._text is None:
            return
        for stream in (self._text, self._gzip, self._raw):
            try:
                if stream is not None:
                    stream.close()
            except OSError:  # what it still held did not fit: it is not wanted
                pass
        self._text = None
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)
            self._temporary = None

    def _failed(self, error: OSError | ValueError) -> OutputError:
        reason = getattr(error, "strerror", None) or str(error)
        return OutputError(f"{self.path or repr(self.path)}: cannot be written ({reason})")
