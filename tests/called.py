"""The command line in this process."""

from typing import NamedTuple

import pytest

from corels.cli import main


class Ended(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one sentence that a mistake gives."""
        (line,) = self.err.splitlines()
        assert line.startswith("error: "), self.err
        return line.removeprefix("error: ")


def code(*words: object) -> int:
    """How a command ends."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return int(ended.value.code or 0)


def ended(capsys: pytest.CaptureFixture[str], *words: object) -> Ended:
    """How a command ends, and what it has written to stdout and stderr."""
    found = Ended(code(*words), *capsys.readouterr())
    assert "Traceback" not in found.err or "--debug" in words, found.err
    return found
