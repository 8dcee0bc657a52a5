"""The documentation pages of this room: every Python block runs, and the tables are right."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from corels.tables import DEMAND_OPTIONS, TABLE_OPTIONS, Condition, TableOptions, datasets
from corels.tables.condition import NEGATION

DOCS = Path(__file__).resolve().parents[3] / "docs"
HOW_TO = DOCS / "how-to/data.md"
FORMATS = DOCS / "reference/input-formats.md"


def test_every_block_of_the_how_to_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", HOW_TO.read_text(), re.S)
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, str(HOW_TO), "exec"), names)
    assert "age is missing" in capsys.readouterr().out


def test_the_table_of_data_sets_is_the_list():
    text = HOW_TO.read_text()
    for line in datasets():
        assert f"| `{line.name}` | {line.rows:,} | {line.antecedents} | {line.description}" in text


def test_the_tables_of_options_and_operators_are_complete():
    text = FORMATS.read_text()
    given = (*TABLE_OPTIONS, *DEMAND_OPTIONS)
    assert {o.name for o in given} == {option.name for option in fields(TableOptions)}
    for option in given:
        assert TableOptions.__dataclass_fields__[option.name].default == option.default
    for operator in NEGATION:
        assert re.search(rf"\| `{re.escape(operator)}` \| `(.*?)` \|", text), operator
    assert f"`{Condition('sex', '!=', 'Male')}`" in text
