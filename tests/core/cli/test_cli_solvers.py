"""Options of solver plugins: offered, checked and refused without a line of our own about them."""

from __future__ import annotations

import dataclasses
import json
from typing import ClassVar

import pytest
from corels_rule_list.solver import RuleListSolver

from corels.cli.exits import Exit
from corels.cli.parameters import tables_of
from corels.cli.run import OWN
from corels.cli.source import DEMANDS, TABLE
from corels.options import Option
from corels.plugins import PluginWarning
from corels.tables import TableOptions

TITANIC = ("run", "--dataset", "titanic", "-q", "--json")


class Weighted(RuleListSolver):
    """A rule-list solver with options of its own."""

    name = "weighted"
    summary = "for this test"
    options = (
        Option.whole("positive_weight", "what a missed positive costs", 1, low=1, high=9),
        Option("strict", "flag", True, "strictly so"),
        Option.names("within", "columns"),
        Option.whole("seed", "seed", 0, low=0, high=10),
    )
    seen: ClassVar[dict] = {}

    def search(self, problem, options, **more):
        Weighted.seen = dict(options)
        defaults = {option.name: option.default for option in RuleListSolver.options}
        return super().search(problem, defaults, **more)


@pytest.fixture
def weighted(register):
    register("solver", "weighted", Weighted)


def test_its_options_are_offered_in_a_panel_of_their_own(corels, weighted):
    text = corels("run", "--help-all").out
    panels = [line for line in text.splitlines() if "Options of" in line]
    assert any("rule-list" in panel and "weighted" in panel for panel in panels)  # --seed
    assert any("rule-list" not in panel and "weighted" in panel for panel in panels)
    assert "--positive-weight" in text
    assert "--no-strict" in text


def test_they_reach_the_solver_checked(corels, weighted):
    ended = corels(
        *(*TITANIC, "--solver", "weighted", "--positive-weight", 3),
        *("--no-strict", "--within", "a", "--within", "b"),
    )
    assert ended.code == Exit.CERTIFIED
    assert Weighted.seen == {"positive_weight": 3, "strict": False, "within": ("a", "b"), "seed": 0}
    assert json.loads(ended.out)["certificate"]["solver"] == "weighted"


@pytest.mark.parametrize(
    ("words", "fragments"),
    [
        (("--positive-weight", "3"), ["'rule-list'", "--positive-weight", "weighted"]),
        (("--no-strict",), ["'rule-list'", "--strict", "weighted"]),
        (("--solver", "weighted", "--policy", "bfs"), ["'weighted'", "--policy", "rule-list"]),
        (("--solver", "weighted", "--positive-weight", "10"), ["--positive-weight", "1 to 9"]),
        (("--solver", "weighted", "--seed", "11"), ["--seed", "0 to 10"]),
    ],
)
def test_an_option_of_another_solver_is_refused_by_name(corels, weighted, words, fragments):
    ended = corels(*TITANIC, *words)
    assert ended.code == Exit.BAD_INPUT
    for fragment in fragments:
        assert fragment in ended.error


class Clashing(RuleListSolver):
    """Two of its options mean something else on the command line."""

    name = "clashing"
    options = (Option.text("label", "taken", ""), Option.switch("seed", "a flag here"))


def test_a_clash_is_a_warning_that_names_the_option(register):
    from corels.cli.run import run_signature

    register("solver", "clashing", Clashing)
    with pytest.warns(PluginWarning) as caught:
        run_signature()
    texts = " ".join(str(warning.message) for warning in caught)
    assert "'clashing'" in texts
    assert "--label" in texts
    assert "--seed" in texts


def test_the_options_of_tables_are_the_data_rooms_own():
    fields = {field.name: field for field in dataclasses.fields(TableOptions)}
    assert {option.name for option in (*TABLE, *DEMANDS)} == set(fields)
    defaults = dataclasses.asdict(TableOptions())
    checked = {option.name: option.check(option.default) for option in (*TABLE, *DEMANDS)}
    assert checked == defaults


def test_no_option_is_declared_twice():
    names = [option.name for option in OWN]
    assert len(names) == len(set(names))


def test_every_option_is_in_the_help(corels):
    text = corels("run", "--help-all").out
    for option in (*OWN, *(o for table in tables_of("solver").values() for o in table)):
        if option.name not in ("data", "labels"):
            assert (option.flag in text) is not option.python_only, option.flag


class Unpriced(Weighted):
    """A family whose price is not the problem's regularization."""

    name = "unpriced"
    regularized = False


def test_a_regularization_that_would_mean_nothing_is_refused(corels, register):
    register("solver", "unpriced", Unpriced)
    assert corels(*TITANIC, "--solver", "unpriced").code == Exit.CERTIFIED
    ended = corels(*TITANIC, "--solver", "unpriced", "-r", "0.1")
    assert ended.code == Exit.BAD_INPUT
    assert "'unpriced' has no option --regularization" in ended.error


def test_help_tells_apart_what_solvers_declare_differently(corels, register):
    class Other(Weighted):
        name = "other"
        options = (Option.whole("positive_weight", "something else", 5, low=1, high=9),)

    register("solver", "weighted", Weighted)
    register("solver", "other", Other)
    text = " ".join(corels("run", "--help-all").out.replace("│", " ").split())
    assert "weighted: what a missed positive costs" in text
    assert "other: something else (default: 5)" in text
