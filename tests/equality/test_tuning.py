"""Tuning values change when and how the search works, never what it finds."""

import json

import corels_c.parts
import numpy as np
import pytest
from called import code as status
from corels_c.parts import TUNING
from corels_python.tuning import TUNING as TEACHING
from corels_rule_list.choice import tuned
from tuned import SLOW

import corels
from corels.errors import OptionError
from corels.plugins import registry
from corels.testing import random_problem

ROWS = {row.name: row for row in TUNING}
EARLY = {"prices": (0, 1, 2, 4, 8, 16)}


@pytest.fixture
def early(monkeypatch):
    """Tables at once, so that their values matter on small problems."""
    monkeypatch.setattr(corels_c.parts, "STAGES", EARLY)


@pytest.mark.parametrize("name", ROWS)
def test_each_value_at_the_ends_of_its_range(name, early):
    problem, row = random_problem(np.random.default_rng(3)), ROWS[name]
    known = corels.solve(problem).certificate.objective
    ends = (row.low,) if any(word in name for word in SLOW) else (row.low, row.high)
    for value in ends:
        found = corels.solve(problem, tune={name: value}, time_limit=600).certificate
        assert found.optimal and found.objective == known, value
        says = f"{name}={value:g}" if value != row.default else None
        assert found.parts.get("tune") == says


def test_some_values_change_how_the_search_goes():
    problem = corels.Problem.from_dataset(corels.tables.load("tic-tac-toe"), "0.005")
    usual = corels.solve(problem, node_limit=1000).certificate
    for tune in ({"beam_width": 1}, {"prices_fewest": 1, "effort_prices": 10**9}):
        other = corels.solve(problem, node_limit=1000, tune=tune).certificate
        assert dict(other.extra) != dict(usual.extra), tune


def test_the_teaching_backend_has_the_same_rows():
    assert all(row == ROWS[row.name] for row in TEACHING)
    problem = corels.Problem.from_dataset(corels.tables.load("tic-tac-toe"), "0.02")
    tune = {"beam_width": 2, "beam_idle_levels": 1}
    options = {"tune": tune, "no_bound": ("leaves", "prices"), "node_limit": 100}
    c, python = (
        corels.solve(problem, backend=name, **options).certificate for name in ("c", "python")
    )
    assert (c.expanded, c.children, dict(c.pruned)) == (
        python.expanded,
        python.children,
        dict(python.pruned),
    )


def test_every_row_says_what_it_is():
    for row in TUNING:
        assert row.low <= row.default <= row.high and row.help
        assert row.check(row.default) == row.default


@pytest.mark.parametrize(
    ("tune", "says"),
    [
        ({"beam_widht": 3}, "did you mean 'beam_width'?"),
        ({"beam_width": 0}, "beam_width is 0: expected a whole number from 1 to 1000"),
        ({"beam_width": 2.5}, "beam_width is 2.5: expected a whole number from 1 to 1000"),
        ({"deepen_leap": "nan"}, "deepen_leap is 'nan': expected a number from 1 to 1000000"),
        (("beam_width",), "tune is 'beam_width': expected NAME=VALUE"),
    ],
)
def test_wrong_values_are_refused_in_a_sentence(tune, says):
    with pytest.raises(OptionError) as refused:
        corels.solve(random_problem(np.random.default_rng(1)), tune=tune)
    assert says in str(refused.value)


def test_the_environment_and_the_option(monkeypatch):
    backend = registry().get("backend", "c")()
    monkeypatch.setenv("CORELS_TUNE", "beam_width=12,deepen_after=5")
    assert tuned(backend, {"beam_width": "7"}) == {"beam_width": 7, "deepen_after": 5}
    assert tuned(backend, {"beam_width": 24}) == {"deepen_after": 5}, "the default is no change"


def test_the_command_line_takes_them_from_the_environment_alone(tmp_path, capsys, monkeypatch):
    path = tmp_path / "model.json"
    typed = ["run", "--dataset", "titanic", "--output", str(path)]
    assert status(*typed, "--tune", "beam_width=3") == 2
    assert status(*typed, "--cache-limit", "3") == 2
    capsys.readouterr()
    monkeypatch.setenv("CORELS_TUNE", "beam_width=3,deepen_after=7")
    assert status(*typed) == 0
    words = " ".join(capsys.readouterr().err.split())
    assert "tune beam_width=3 deepen_after=7" in words
    parts = json.loads(path.read_text())["certificate"]["parts"]
    assert parts["tune"] == "beam_width=3 deepen_after=7"
    monkeypatch.setenv("CORELS_TUNE", "beam_width=many")
    assert status(*typed) == 2
    assert "beam_width is 'many'" in capsys.readouterr().err


def test_a_plain_run_names_none():
    problem = random_problem(np.random.default_rng(1))
    for backend in ("c", "python"):
        assert "tune" not in corels.solve(problem, backend=backend).certificate.parts
