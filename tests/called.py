"""The command line in this process."""

import pytest

from corels.cli import main


def code(*words) -> int:
    """How a command ends."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return int(ended.value.code or 0)


def ended(capsys, *words) -> tuple[int, str, str]:
    """How a command ends, and what it has written to stdout and stderr."""
    return (code(*words), *capsys.readouterr())
