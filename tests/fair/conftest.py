"""A table of people, and commands in its folder."""

import pytest
from demanded import people


@pytest.fixture
def table(tmp_path):
    columns = people()
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "people.csv"


@pytest.fixture
def run(run, here):
    """Run a command in a folder of its own, that of `table`."""
    return run
