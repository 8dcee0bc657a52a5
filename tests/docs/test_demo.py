"""`make demo`, as the README promises it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_demo_learns_shows_saves_and_applies(tmp_path):
    """With the environment that runs the tests, which is told to be up to date."""
    pytest.importorskip("sklearn")
    stamp = Path(sys.prefix) / ".run"
    if not stamp.exists():
        pytest.skip("this environment was not made by the Makefile")
    shutil.copy(ROOT / "Makefile", tmp_path)
    done = subprocess.run(
        ["make", "demo", f"VENV={sys.prefix}", "-o", str(stamp)],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "if sex = Male and age = Adult" in done.stdout
    assert "everything agrees" in done.stdout + done.stderr
    assert "prediction,rule,because" in done.stdout
    assert done.stderr.count("Certified optimal") == 2
    assert (tmp_path / "demo-model.json").exists()
    assert (tmp_path / "demo-report.html").exists()
