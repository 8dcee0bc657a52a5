"""Built-in data: the published numbers, and the shared copies if they are at hand."""

import csv
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from shared_data import SHARED, needs_shared

from corels.errors import InputError
from corels.installed import install_command
from corels.tables import TableOptions, datasets, load, load_columns


def rows(name):
    """Rows of a built-in table as tuples of text."""
    columns, _ = load_columns(name)
    return list(zip(*([c.categories[v] for v in c.values] for c in columns.values()), strict=True))


@pytest.mark.parametrize("line", datasets(), ids=lambda line: line.name)
def test_the_list_of_data_sets_is_right(line):
    if line.name == "breast-cancer":
        pytest.importorskip("sklearn")
    data = load(line.name)
    assert (data.n_rows, data.n_antecedents) == (line.rows, line.antecedents)
    assert data.name == line.name
    assert line.description


def test_titanic():
    data = load("titanic")
    assert data.class_counts() == {"no": 1490, "yes": 711}
    women = [a.name for a in data.antecedents].index("sex = Female")
    assert data.captures[women].sum() == 470
    assert data.labels[data.captures[women]].sum() == 344


def test_tic_tac_toe():
    data = load("tic-tac-toe")
    assert data.class_counts() == {"no": 332, "yes": 626}
    boards = rows("tic-tac-toe")
    assert len(set(boards)) == 958
    assert all(board.count("x") - board[:9].count("o") in (0, 1) for board in boards)


@needs_shared
@pytest.mark.parametrize(
    ("name", "file"), [("titanic", "titanic_2201.csv"), ("tic-tac-toe", "tic_tac_toe.csv")]
)
def test_equal_to_the_shared_copy(name, file):
    with (SHARED / "clean" / file).open() as text:
        _, *expected = [tuple(row) for row in csv.reader(text)]
    found = [tuple({"yes": "1", "no": "0"}.get(cell, cell) for cell in row) for row in rows(name)]
    assert Counter(found) == Counter(expected)


def test_breast_cancer():
    pytest.importorskip("sklearn")
    data = load("breast-cancer")
    assert data.class_counts() == {"benign": 357, "malignant": 212}


def test_breast_cancer_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(InputError, match=re.escape(install_command("sklearn"))):
        load("breast-cancer")


def test_options_apply():
    data = load("titanic", TableOptions(max_cardinality=2, negations=True, min_support=0.1))
    names = [a.name for a in data.antecedents]
    assert "class = 3rd and sex = Male" in names
    assert "class != 3rd" in names
    assert np.asarray(data.captures).mean(axis=1).min() >= 0.1


def test_unknown_name():
    with pytest.raises(InputError, match="did you mean 'titanic'"):
        load("titanik")


def test_nothing_heavy_is_imported():
    code = (
        "import sys, corels.tables, corels.tables; corels.tables.load('titanic');"
        "print([m for m in ('polars', 'sklearn', 'pandas') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
