"""docs/internals/mechanisms.md has each mechanism of the tree, with its lines."""

import json
import re
import sys
from pathlib import Path

import pytest
from sources import ROOT

sys.path.insert(0, str(ROOT))
from benchmarks import mechanisms

BOUNDS = mechanisms.ENGINE / "bounds" / "bounds.def"
TUNING = mechanisms.ENGINE / "base" / "tuning.def"
DISPATCH = mechanisms.ENGINE / "kernels" / "dispatch.c"


def test_each_file_of_the_engine_belongs_to_one_mechanism():
    claimed = [path for each in mechanisms.MECHANISMS for path in each.paths()]
    there = {path for path in mechanisms.ENGINE.rglob("*") if path.suffix in mechanisms.CODE}
    assert sorted(claimed) == sorted(set(claimed)), "in two rows"
    assert set(claimed) == there


def test_each_pattern_finds_a_file():
    for each in mechanisms.MECHANISMS:
        for pattern in each.files:
            assert list(mechanisms.ENGINE.glob(pattern)), (each.name, pattern)


def test_each_bound_and_kernel_has_a_row():
    bounds = re.findall(r"^[A-Z]+_BOUND\((\w+)", BOUNDS.read_text(encoding="utf-8"), re.MULTILINE)
    rows = [name for each in mechanisms.MECHANISMS for name in each.bounds]
    assert sorted(rows) == sorted(bounds)
    kernels = re.findall(r"&corels_kernel_(\w+),", DISPATCH.read_text(encoding="utf-8"))
    rows = [name for each in mechanisms.MECHANISMS for name in each.kernels]
    assert sorted(rows) == sorted(set(kernels))


def test_each_tuning_value_belongs_to_one_row_and_there_are_no_more_than_sixty():
    names = re.findall(r"^TUNE\((\w+)", TUNING.read_text(encoding="utf-8"), re.MULTILINE)
    groups = [prefix for each in mechanisms.MECHANISMS for prefix in each.tuning]
    assert len(names) <= 60
    for name in names:
        owners = [prefix for prefix in groups if name.startswith(prefix)]
        assert len(owners) == 1, (name, owners)
    for prefix in groups:
        assert any(name.startswith(prefix) for name in names), f"{prefix} is in no name"


@pytest.mark.parametrize("room", ["corels", "plugins", "backends"])
def test_each_folder_outside_the_engine_has_a_row(room):
    folders = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / room).iterdir()
        if path.is_dir() and any(file.suffix in mechanisms.CODE for file in path.rglob("*"))
    }
    rows = {folder for _, folder, _ in mechanisms.OUTSIDE if folder.startswith(f"{room}/")}
    assert rows == folders - {"backends/c"} - {f"{room}/__pycache__"}


def test_the_page_has_the_rows_of_the_script_and_lines_near_those_of_the_tree():
    """`python -m benchmarks mechanisms --page` writes them anew."""
    page = mechanisms.PAGE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| ([0-9,]+) \|", page, re.MULTILINE))
    assert sorted(rows) == sorted(each.name for each in mechanisms.MECHANISMS)
    for each in mechanisms.MECHANISMS:
        said = int(rows[each.name].replace(",", ""))
        assert abs(said - each.lines()) <= 20 + each.lines() / 10, each.name
    for name, folder, _ in mechanisms.OUTSIDE:
        assert f"| {name} | `{folder}` | " in page, folder


def test_a_mechanism_that_is_not_switched_off_says_why():
    for each in mechanisms.MECHANISMS:
        assert (each.off is None) == bool(each.why), each.name


ROOT = Path(__file__).resolve().parents[2]


def test_each_kept_row_says_its_commit():
    reference = json.loads((ROOT / "benchmarks" / "reference.json").read_text(encoding="utf-8"))
    assert reference["cases"], "no case is kept"
    for row in reference["cases"]:
        assert row["commit"], row
