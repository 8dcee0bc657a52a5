"""The search that good lists ask about sets: its parts, and the tuning values that reach it."""

import pytest
from corels_rule_list.bounds import UpperSupport
from corels_rule_list.near import near
from corels_rule_list.presets import PRESETS
from corels_rule_list.solver import parts_of_questions

import corels
from corels.errors import OptionError
from corels.search import DEPTH_FIRST, Bound
from corels.tables import load

CBackend = pytest.importorskip("corels_c.backend").CBackend
HEART = corels.Problem.from_dataset(load("heart"), "0.02")
LATE = {"effort_prices": 0}


@pytest.fixture(scope="module")
def result():
    return corels.solve(HEART)


def asked(result, **options):
    """What the engine told of the 128 lists; the certificate."""
    with near(HEART, within="8%", backend="c", result=result, **options) as found:
        assert found.count == 128
        return found._engine.progress(), found.certificate


def test_tuning_values_reach_the_questions(result, monkeypatch):
    """Stages of prices that come later than any question ends."""
    usual, certificate = asked(result)
    assert usual.stages["prices"] >= 1 and "tune" not in certificate.to_document()
    tuned, certificate = asked(result, tune=LATE)
    assert not tuned.stages.get("prices") and tuned.expanded != usual.expanded
    assert certificate.to_document()["tune"] == certificate.tune == "effort_prices=0"
    monkeypatch.setenv("CORELS_TUNE", "effort_prices=0")
    assert asked(result)[0].expanded == tuned.expanded
    again, certificate = asked(result, tune={"effort_prices": 1000})
    assert again.expanded == usual.expanded and not certificate.tune, "the option wins"


def test_the_search_for_the_optimum_has_them_too():
    with near(HEART, within="8%", backend="c", tune={"beam_width": 3}) as found:
        assert found.certificate.tune == found.certificate.search.parts["tune"] == "beam_width=3"


@pytest.mark.parametrize(
    ("tune", "says"),
    [({"effort_price": 3}, "did you mean 'effort_prices'?"), ({"effort_prices": -1}, "is -1")],
)
def test_wrong_values_are_refused(result, tune, says):
    with pytest.raises(OptionError) as refused:
        near(HEART, result=result, backend="c", tune=tune)
    assert says in str(refused.value)


def test_the_bounds_are_those_of_the_preset(result, monkeypatch):
    usual, _ = asked(result)
    fast = PRESETS["fast"]
    others = [*fast.bounds[DEPTH_FIRST]]
    others.remove("prices")
    bounds = {**fast.bounds, DEPTH_FIRST: tuple(others)}
    monkeypatch.setitem(PRESETS, "fast", fast._replace(bounds=bounds))
    now, _ = asked(result)
    assert now.expanded != usual.expanded and not now.stages
    parts = parts_of_questions(CBackend(), {})
    assert sorted(bound.name for bound in parts.bounds) == sorted(others)


class Spare(Bound):
    """Anybody's bound."""

    name = "spare"
    summary = "drops a child never"
    theorem = "docs/internals/bounds.md"
    scope = "set"

    def keep(self, children, incumbent):
        raise AssertionError("good lists name no bound of others")


def test_bounds_of_others_are_not_asked(result, registered, monkeypatch):
    usual, _ = asked(result)
    registered("bound", Spare)
    fast = PRESETS["fast"]
    bounds = {**fast.bounds, DEPTH_FIRST: (*fast.bounds[DEPTH_FIRST], "spare")}
    monkeypatch.setitem(PRESETS, "fast", fast._replace(bounds=bounds))
    assert asked(result)[0] == usual


@pytest.mark.parametrize(
    "options",
    [
        {"no_bound": ("prices", "leaves", "one_rule", "dominance")},
        {"no_bound": "lookahead", "bound": UpperSupport, "search": "best-first"},
    ],
)
def test_options_of_the_search_for_the_optimum_do_not_go_on(options):
    small = corels.Problem.from_dataset(load("tic-tac-toe"), "0.05")
    certified = corels.solve(small, backend="c", **options)
    with near(small, within="5%", backend="c", result=certified) as found:
        assert found.certificate.complete and found.count > 0
    parts = parts_of_questions(CBackend(), {**options, "seed": 3})
    usual = parts_of_questions(CBackend(), {}).bounds
    assert [bound.name for bound in parts.bounds] == [bound.name for bound in usual]
    assert (parts.seed, parts.start, parts.search) == (3, "none", DEPTH_FIRST)


TITANIC = corels.Problem.from_dataset(load("titanic"), "0.01")


def test_of_nothing():
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.001")
    with corels.near(problem, time_limit=0) as found:
        assert len(found) == 0


def test_closed_lists_and_searches_say_so():
    class Keep(corels.search.Sink):
        name = "keep"

        def start(self, search):
            self.search = search

    problem = corels.Problem.from_dataset(load("titanic"), "0.05")
    with corels.near(problem, within="5%", backend="c") as found:
        assert found[0].number == 1
    with pytest.raises(corels.OptionError, match="these lists are closed"):
        found[0]
    found.close()
    kept = Keep()
    corels.solve(problem, sinks=[kept], backend="c")
    for ask in (kept.search.progress, kept.search.model, lambda: kept.search.step(1)):
        with pytest.raises(corels.OptionError, match="the search is closed"):
            ask()
    kept.search.interrupt()
