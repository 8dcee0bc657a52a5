"""`make demo`, as the README promises it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import corels
from corels.tables import load

ROOT = Path(__file__).resolve().parents[2]


def number(text):
    """A count as people read it."""
    return int(text.replace(",", ""))


@pytest.mark.outside
def test_the_readme_says_how_many_prefixes_each_policy_expands():
    """To a tenth; the toy policy is the README's own snippet."""
    pytest.importorskip("sklearn")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    sentence = re.search(r"this one expands.*?each\.", text, re.S)[0]
    stated = [number(found) for found in re.findall(r"\d+,\d{3}", sentence)]
    toy = {}
    exec((ROOT / "docs/tutorial/toy-policy/corels_toy_policy.py").read_text("utf-8"), toy)
    problem = corels.Problem.from_dataset(load("breast-cancer"), "0.009")
    policies = (toy["FewestErrors"], "objective", "bfs")
    found = [corels.solve(problem, policy=policy).certificate.expanded for policy in policies]
    assert stated == pytest.approx(found, rel=0.1)


def test_the_seconds_of_the_readme_are_those_that_were_measured():
    kept = json.loads((ROOT / "benchmarks/commands.json").read_text(encoding="utf-8"))
    cancer, quick = [], []
    for command, taken in kept["user_seconds"].items():
        (cancer if command.startswith("breast-cancer") else quick).append(taken)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    paragraph = " ".join(re.search(r"How long does it take\?.*?\n\n", text, re.S)[0].split())
    assert f"takes {min(quick):.2f} to {max(quick):.2f} s of user time" in paragraph
    stated = "takes {:.1f} s at λ = 0.02 and {:.1f} s at λ = 0.004".format(*cancer[:2])
    assert stated in paragraph
    assert "checking these proofs {:.1f} s and {:.1f} s".format(*cancer[2:]) in paragraph


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.outside
def test_make_demo_learns_shows_saves_and_applies(tmp_path):
    """With the environment that runs the tests, which is told to be up to date."""
    pytest.importorskip("sklearn")
    stamp = Path(sys.prefix) / ".run"
    if not stamp.exists():
        pytest.skip("this environment was not made by the Makefile")
    shutil.copy(ROOT / "Makefile", tmp_path)
    done = subprocess.run(
        ["make", "demo", f"VENV={sys.prefix}", "-o", str(stamp)],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "if sex = Male and age = Adult" in done.stdout
    assert "what was counted agrees" in done.stdout + done.stderr
    assert "prediction,rule,because" in done.stdout
    assert done.stderr.count("Certified optimal") == 2
    expanded = number(re.search(r"([\d,]+) prefixes expanded", done.stderr)[1])
    for page in ("README.md", "Makefile"):
        text = (ROOT / page).read_text(encoding="utf-8")
        stated = number(re.search(r"[Ss]ome ([\d,]+) prefixes(?: \(|,? until)", text)[1])
        assert stated == pytest.approx(expanded, rel=0.1), page
    assert (tmp_path / "demo-model.json").exists()
    assert (tmp_path / "demo-report.html").exists()
