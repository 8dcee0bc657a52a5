"""Rule file or table: the right reader for each, and a clear sentence for the wrong arguments."""

import pytest

from corels.data import TableOptions, read_data
from corels.errors import InputError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "d.out").write_text("{a} 0 1 1\n{b} 1 1 0\n")
    (tmp_path / "d.label").write_text("{y:No} 1 0 1\n{y:Yes} 0 1 0\n")
    (tmp_path / "d.minor").write_text("{m} 0 0 0\n")
    (tmp_path / "t.csv").write_text("x,y\n1,no\n2,yes\n")
    return tmp_path


def test_rule_files(folder):
    data = read_data(folder / "d.out", minor=folder / "d.minor")
    assert [a.name for a in data.antecedents] == ["a", "b"]
    mined = read_data(folder / "d.out", folder / "d.label", options=TableOptions(max_cardinality=2))
    assert [a.name for a in mined.antecedents] == ["a", "b", "a and b"]
    (folder / "d.out").rename(folder / "rules.txt")
    assert read_data(folder / "rules.txt", folder / "d.label").n_antecedents == 2
    (folder / "rules.txt").rename(folder / "d.out")
    with pytest.raises(InputError, match=r"d\.out: a rule file has no columns.*'y'"):
        read_data(folder / "d.out", label="y")


def test_tables(folder):
    pytest.importorskip("polars")
    assert read_data(folder / "t.csv", label="y").n_antecedents == 2
    with pytest.raises(InputError, match=r"t\.csv: say which column is the label.* x, y"):
        read_data(folder / "t.csv")
    with pytest.raises(InputError, match=r"t\.csv: .*d\.label goes with a \.out file"):
        read_data(folder / "t.csv", folder / "d.label", label="y")
    with pytest.raises(InputError, match=r"t\.csv: .*d\.minor goes with a \.out file"):
        read_data(folder / "t.csv", minor=folder / "d.minor", label="y")
