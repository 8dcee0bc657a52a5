"""A table of people, and commands in its folder."""

import pytest
from demanded import people

from corels.cli import main


@pytest.fixture
def table(tmp_path):
    columns = people()
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "people.csv"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a command in a folder of its own, that of `table`: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)

    def command(*words):
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        return ended.value.code, *capsys.readouterr()

    return command
