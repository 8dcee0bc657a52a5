"""Files that appear whole or not at all.

An output is tried before the search begins, under a temporary name beside the one that was asked
for: a path that cannot be written is found before the work begins. What is written goes to the
temporary name, too, and `commit` renames it; until then, and if anything goes wrong, a file that
was there before stays as it was.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from corels import overwriting
from corels.errors import NotWrittenError, not_written

STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/")


class OutputFile:
    """UTF-8 text, or bytes, that become the file `path` on `commit`; gzip if it ends in `.gz`.

    Devices and pipes are written directly. Raises OutputError if that cannot be, and OptionError
    if the command has read this file, or writes it as another output, too.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._final: Path | None = None  # None: a device or a pipe
        self._temporary: Path | None = None  # while it exists
        self._open: list[IO[bytes]] = []  # what packs, if anything does, and the file itself
        self._ended = False
        overwriting.opening(self.path, output=True)
        try:
            self._prepare()
        except (OSError, ValueError) as error:
            overwriting.closed(self.path)
            raise not_written(self.path, error) from None

    def _prepare(self) -> None:
        if self.path in ("", "-") or os.path.isdir(self.path):
            raise ValueError("expected the name of a file")
        if self.path.startswith(STREAMS) or (
            os.path.exists(self.path) and not os.path.isfile(self.path)
        ):
            self._open = begun(self.path)
            return
        final = Path(os.path.realpath(self.path))
        if not final.parent.is_dir():
            raise FileNotFoundError(0, f"there is no directory {str(final.parent)!r}")
        if final.exists() and not os.access(final, os.W_OK):
            raise PermissionError(0, "Permission denied")
        trial = _beside(final)
        open(trial, "wb").close()
        trial.unlink()
        self._final = final

    def _begun(self) -> IO[bytes]:
        """What is being written, under its temporary name."""
        if not self._open:
            assert self._final is not None
            assert not self._ended
            temporary = _beside(self._final)
            self._open = begun(temporary, packed=self.path.endswith(".gz"))
            self._temporary = temporary
        return self._open[0]

    def write(self, content: str | bytes) -> None:
        """Append text, or bytes as they are. Raises OutputError, and forgets the file, if it
        cannot be written."""
        with self._or(self.discard):
            self._begun().write(_encoded(content) if isinstance(content, str) else content)

    def commit(self) -> None:
        """Make the file appear under its name. Raises OutputError if that fails."""
        if self._ended:
            return
        with self._or(self.discard):
            self._put()
        self._end()

    def _end(self) -> None:
        self._ended = True
        overwriting.closed(self.path)

    def save(self, text: str) -> None:
        """Make the file appear with this text, for now: a later `save` or `commit` replaces it.

        Does nothing to devices and pipes. Raises OutputError, and keeps what was there, if it
        cannot be written.
        """
        if self._final is None or self._ended:
            return
        with self._or(self._close):
            self._begun().write(_encoded(text))
            self._put()

    def _put(self) -> None:
        self._begun()
        for stream in self._open:
            stream.close()
        if self._temporary is not None:
            assert self._final is not None
            if self._final.exists():
                os.chmod(self._temporary, stat.S_IMODE(self._final.stat().st_mode))
            os.replace(self._temporary, self._final)
        self._open, self._temporary = [], None

    def discard(self) -> None:
        """Forget what was written since the last `save`. Nothing after `commit`, or once more."""
        if not self._ended:
            self._end()
            self._close()

    def _close(self) -> None:
        for stream in self._open:
            with suppress(OSError):  # what it still held did not fit: it is not wanted
                stream.close()
        self._open = []
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)
            self._temporary = None

    @contextmanager
    def _or(self, after: Callable[[], None]) -> Iterator[None]:
        """`after` is done, and NotWrittenError raised, if the file cannot be written."""
        try:
            yield
        except OSError as error:
            after()
            raise not_written(self.path, error, NotWrittenError) from None


def begun(path: str | Path, *, packed: bool | None = None) -> list[IO[bytes]]:
    """A file that is opened to be written: what packs, if anything does, and the file itself.

    packed: whether something does; None: if the path ends in `.gz`.
    """
    raw = open(path, "wb")  # noqa: SIM115 - the caller closes it
    if not (str(path).endswith(".gz") if packed is None else packed):
        return [raw]
    import gzip  # most outputs are not packed

    # no name and no time inside: equal texts, equal files
    packing: Any = gzip.GzipFile("", "wb", compresslevel=5, fileobj=raw, mtime=0)
    return [packing, raw]


def save(output: str | OutputFile, content: str | bytes) -> None:
    """Make a file appear with this content, whole or not at all. Raises OutputError."""
    if not isinstance(output, OutputFile):
        output = OutputFile(output)
    try:
        output.write(content)
        output.commit()
    finally:
        output.discard()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _beside(final: Path) -> Path:
    """The temporary name of a file in this process."""
    return final.with_name(f".{final.name}.{os.getpid()}.tmp")
