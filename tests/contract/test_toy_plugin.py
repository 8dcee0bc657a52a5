"""The tutorial's plugin, installed as a user installs it, on both backends."""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "docs/tutorial/toy-policy"

SCRIPT = """
import corels
from corels.tables import load
from corels.plugins import registry
from corels.testing import check_policy, recorded
from corels_toy_policy import FewestErrors

(toy,) = [plugin for plugin in registry().plugins if plugin.name == "toy"]
assert (toy.distribution, toy.version, toy.error) == ("corels-toy-policy", "0.1.0", ""), toy
problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.03")
traces = {}
for backend in ("c", "python"):
    result, records = recorded(
        problem, policy="fewest-errors", backend=backend, no_bound=("leaves", "prices")
    )
    assert result.certificate.optimal
    assert result.certificate.parts["policy"] == "fewest-errors"
    assert result.certificate.parts["backend"] == backend
    traces[backend] = records.tobytes()
assert traces["c"] == traces["python"]
usual = corels.solve(problem)
assert result.certificate.objective == usual.certificate.objective
assert traces["c"] != recorded(problem)[1].tobytes(), "the toy policy changes the order"
check_policy(FewestErrors)
print("toy", result.certificate.expanded)
"""


@pytest.mark.outside
def test_it_runs_in_a_fresh_environment_on_both_backends(environment, tmp_path):
    source = tmp_path / "toy-policy"
    shutil.copytree(TOY, source)
    before = environment.run(environment.python, "-c", "import corels_toy_policy")
    assert "ModuleNotFoundError" in before.stderr
    environment.install(source)
    done = environment.run(environment.python, "-W", "error", "-c", SCRIPT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("toy ")


def test_it_has_fewer_than_twenty_lines():
    lines = (TOY / "corels_toy_policy.py").read_text().splitlines()
    assert len([line for line in lines if line.strip()]) < 20
