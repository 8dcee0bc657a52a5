"""The reference pages say what the program does."""

from __future__ import annotations

import re
from pathlib import Path

from corels.cli.exits import Exit
from corels.plugins import registry
from corels.run.trace import FIELDS
from corels.search import Kind

REFERENCE = Path(__file__).resolve().parents[3] / "docs" / "reference"


def test_every_exit_code_is_documented():
    text = (REFERENCE / "exit-codes.md").read_text()
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.M)}
    assert documented == {int(code) for code in Exit}


def test_every_command_is_documented(corels):
    text = (REFERENCE / "command-line.md").read_text()
    assert set(re.findall(r"^\| `corels ([\w-]+)", text, re.M)) == {*registry().names("command")}
    shown = corels("--help").out
    for name in registry().names("command"):
        assert re.search(rf"\b{name}\b", shown)


def test_every_event_and_its_fields_are_documented():
    text = (REFERENCE / "traces.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", text, re.M))
    assert set(FIELDS) == set(Kind)
    assert {kind.name.lower() for kind in Kind} | {"progress", "end"} == set(rows)
    for kind, fields in FIELDS.items():
        for name, _ in fields:
            assert f"`{name}`" in rows[kind.name.lower()]
