"""The figures that are kept under version control say with which commit they were measured."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_each_kept_row_says_its_commit():
    reference = json.loads((ROOT / "benchmarks" / "reference.json").read_text(encoding="utf-8"))
    assert reference["cases"], "no case is kept"
    for row in reference["cases"]:
        assert row["commit"], row
