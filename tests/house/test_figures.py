"""The figures that are kept under version control say with which commit they were measured."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BAD = "fails@.01"


@pytest.fixture
def incumbents(monkeypatch, tmp_path):
    """benchmarks.incumbents with another reference.json, and without searches."""
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import incumbents, kept

    def run(name, options):
        if name == BAD:
            return {"run": name, "failed": "no such table"}
        moments = {f"after_{moment:g}": 0.25 for moment in incumbents.MOMENTS}
        found = {"objective": 0.2, "last_improvement": 0.5, "certified": False}
        return {"run": name, **moments, **found}

    monkeypatch.setattr(incumbents, "run", run)
    monkeypatch.setattr(kept, "REFERENCE", tmp_path / "reference.json")
    old = {"run": BAD, "objective": 0.3, "commit": "first"}
    part = {"best_known": {"a@.01": 0.1, BAD: 0.3}, "rows": [old]}
    kept.write(kept.REFERENCE, {"cases": [], "incumbents": part})
    yield lambda commit, *names: (
        incumbents.main([*names, "--keep"], commit),
        kept.reference()["incumbents"],
    )[1]
    for name in [name for name in sys.modules if name.partition(".")[0] == "benchmarks"]:
        del sys.modules[name]


def test_rows_of_several_commits_stand_side_by_side(incumbents):
    incumbents("second", "a@.01", "b@.01")
    part = incumbents("third", "b@.01")
    commits = {row["run"]: row["commit"] for row in part["rows"]}
    assert commits == {BAD: "first", "a@.01": "second", "b@.01": "third"}
    assert "commit" not in part
    assert part["best_known"] == {"a@.01": 0.1, "b@.01": 0.2, BAD: 0.3}


def test_a_run_that_failed_leaves_the_row_before(incumbents):
    part = incumbents("second", BAD, "a@.01")
    assert part["rows"][0] == {"run": BAD, "objective": 0.3, "commit": "first"}
    assert [row["run"] for row in part["rows"]] == [BAD, "a@.01"]


def test_each_kept_row_says_its_commit():
    reference = json.loads((ROOT / "benchmarks" / "reference.json").read_text(encoding="utf-8"))
    for row in reference["cases"] + reference["incumbents"]["rows"]:
        assert row["commit"], row
