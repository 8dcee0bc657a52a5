"""A defect of a plugin is named as the plugin's, wherever it shows, with its traceback on request.

The fixture `registered` registers parts as those of the distribution "tests 0".
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
import two_rules  # noqa: F401 - writes what follows
from corels_python.containers import CapturedMap, SetMemo, TreeCache
from corels_rule_list.model import RuleList
from corels_rule_list.solver import RuleListSolver
from corels_two_rules import TwoRules
from corels_two_rules.search import TwoRulesSearch

import corels
from corels.cli.exits import Exit
from corels.errors import ResourceError
from corels.hookspecs import Command
from corels.search import Policy, Sink
from corels.tables import load

RUN = ["run", "--dataset", "titanic", "-q", "-r", "0.1"]
DEFECT = "plugin tests 0 raised ZeroDivisionError: "


def careless() -> None:
    """The command of a plugin."""
    1 / 0  # noqa: B018


class Careless(Sink):
    name = "careless"
    summary = "fails"

    def start(self, search):
        1 / 0  # noqa: B018


class CarelessPolicy(Policy):
    name = "careless"
    summary = "fails"

    def priority(self, children):
        1 / 0  # noqa: B018


class Odd(RuleList):
    """A model that can neither predict nor be written down."""

    def to_document(self):
        1 / 0  # noqa: B018

    def predict(self, columns):
        1 / 0  # noqa: B018


def odd_one(model):
    """The same rules as a model of the other class."""
    given = {one.name: getattr(model, one.name) for one in fields(model) if one.init}
    return Odd(**given)


class Silent(RuleList):
    """A model that gives the core nothing to work with."""

    def deciders(self):
        return None


class OddSolver(RuleListSolver):
    name = "odd"
    summary = "for this test"

    def search(self, problem, options, **more):
        preparing = super().search(problem, options, **more)
        usual = preparing.prepare

        def prepare(seconds):
            if (search := usual(seconds)) is not None:
                found = search.model
                search.model = lambda: odd_one(found())
            return search

        preparing.prepare = prepare
        return preparing


class SilentSolver(RuleListSolver):
    name = "silent"
    summary = "for this test"

    def model_type(self):
        return Silent


class Miscounting(RuleListSolver):
    name = "miscounting"
    summary = "for this test"

    def recount(self, document, counts):
        return {}["counts"]


class Uncounted(RuleListSolver):
    name = "uncounted"
    summary = "for this test"

    def recount(self, document, counts):
        return ()


@pytest.fixture
def run(run, here):
    """A command line in a folder of its own."""
    return run


@pytest.fixture
def saved(run, tmp_path):
    """A model of a family, said to be another's."""
    assert run(*RUN, "-o", "model.json")[0] == 0

    def of(solver):
        document = json.loads((tmp_path / "model.json").read_text())
        document["certificate"]["solver"] = solver
        (tmp_path / "model.json").write_text(json.dumps(document))
        return "model.json"

    return of


def test_of_a_command(run, registered):
    registered("command", Command("careless", __name__, "careless"))
    code, out, err = run("careless")
    assert (code, out) == (Exit.PLUGIN_FAILED, "")
    assert err.startswith(f"error: {DEFECT}") and "a defect of tests 0: run again with" in err
    assert "Traceback" not in err
    err = run("careless", "--debug")[2]
    assert err.count("Traceback") == 1 and "in careless" in err


def test_of_a_model_that_cannot_be_written(run, registered):
    registered("solver", OddSolver)
    code, _, err = run(*RUN, "--solver", "odd", "-o", "m.json")
    assert code == Exit.PLUGIN_FAILED
    assert "error: plugin tests 0 raised ZeroDivisionError: " in err


def test_of_a_model_that_answers_nonsense(run, registered, saved):
    registered("solver", SilentSolver)
    code, _, err = run("show", saved("silent"))
    assert code == Exit.BAD_INPUT
    assert "error: model.json: the model has no default" in err


@pytest.mark.parametrize("method", ["warnings", "advice"])
def test_of_a_family_that_says_nothing(run, registered, method):
    silent = {"name": "silent", method: lambda self, *given: None}
    registered("solver", type("Silent", (TwoRules,), silent))
    words = ["run", "--dataset", "titanic", "-r", "0.01", "--solver", "silent", "--node-limit", "1"]
    code, out, err = run(*words)
    assert (code, bool(out)) == (Exit.PLUGIN_FAILED, method == "advice")
    assert f"error: solver 'silent': {method} gave None, expected sentences" in err


def test_of_a_family_without_parts_to_leave_out(run, registered):
    silent = {"name": "silent", "ablations": lambda self, options: None}
    registered("solver", type("Silent", (TwoRules,), silent))
    code, _, err = run("ablate", "--dataset", "titanic", "--solver", "silent")
    assert code == Exit.PLUGIN_FAILED
    assert "solver 'silent': ablations gave None, expected a mapping of configurations" in err


def test_of_a_sink_costs_the_sink_alone(run, registered):
    registered("sink", Careless)
    code, out, err = run(*RUN, "--sink", "careless")
    assert code == 0 and out
    assert f"warning: careless: {DEFECT}" in err and "Traceback" not in err
    err = run(*RUN, "--sink", "careless", "--debug")[2]
    assert err.count("Traceback") == 1 and "in start" in err


def test_of_a_policy_ends_with_the_best_list(run, registered):
    registered("policy", CarelessPolicy)
    words = (
        *(*RUN[:-1], "0.005", "--search", "best-first", "--start", "none"),
        *("--policy", "careless", "-o", "m.json"),
    )
    code, out, err = run(*words)
    assert code == Exit.PLUGIN_FAILED and out
    assert json.loads(Path("m.json").read_text())["certificate"]["optimal"] is False
    assert err.splitlines()[-1].startswith("error: policy 'careless' raised ZeroDivisionError")
    assert "Traceback" not in err
    err = run(*words, "--debug")[2]
    assert "Traceback" in err and "in priority" in err


def test_of_a_learner_in_evaluate(run, registered):
    pytest.importorskip("sklearn")
    registered("solver", OddSolver)
    code, _, err = run("evaluate", "--dataset", "titanic", "--folds", "2", "--model", "odd")
    assert code == Exit.STOPPED
    assert "failed: plugin tests 0 raised ZeroDivisionError" in err


@pytest.mark.parametrize("ends", ["fails", "exits"])
def test_of_a_model_in_the_browser(registered, monkeypatch, ends):
    pytest.importorskip("jinja2")
    from corels_page.form import asked
    from corels_page.job import Job
    from corels_page.upload import Loaded

    registered("solver", OddSolver)
    if ends == "exits":
        monkeypatch.setattr(Odd, "to_document", exits)
    form = {"table": 1, "label": "survived", "solver": "odd", "options": {"regularization": "0.1"}}
    job = Job(asked(form, Loaded.built_in(1, "titanic")), 1)
    job.wait(120)
    assert job.state["phase"] == "failed"
    said = "ZeroDivisionError: " if ends == "fails" else "SystemExit: of its own"
    assert f"plugin tests 0 raised {said}" in job.state["error"]


def test_of_a_recount_is_no_malformed_document(run, registered, saved):
    registered("solver", Miscounting)
    code, _, err = run("check", saved("miscounting"), "--dataset", "titanic")
    assert code == Exit.PLUGIN_FAILED
    assert "plugin tests 0 raised KeyError: 'counts'" in err


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_check_that_counts_no_objective_says_so(run, registered, saved, form):
    registered("solver", Uncounted)
    words = ("check", saved("uncounted"), "--dataset", "titanic")
    code, out, _ = run(*words, *(["--json"] if form == "json" else []))
    assert code == 0
    assert "the objective was not counted" in out
    ours = saved("rule-list")
    assert "rows, counts, objective" in run("check", ours, "--dataset", "titanic")[1]


def test_a_defect_of_our_own_is_nobody_elses(run, registered, monkeypatch):
    registered("sink", Careless)
    broken = eval("lambda *_, **more: 1 / 0", {"__name__": "corels.elsewhere"})
    monkeypatch.setattr("corels.cli.run.read_source", broken)
    code, _, err = run(*RUN)
    assert code == Exit.UNEXPECTED
    assert "error: unexpected ZeroDivisionError" in err


PROBLEM = corels.Problem.from_dataset(load("tic-tac-toe"), "0.005")


def answering(base, method, answer):
    """A part of which one method does as asked."""
    return type("Part", (base,), {"name": "part", "summary": "one", method: answer})


def exits(*given):
    raise SystemExit("of\nits own")


def is_at_its_end(*given):
    """What a forgotten `next` raises."""
    return next(iter(()))


class WordlessError(Exception):
    def __str__(self):
        raise LookupError


def is_wordless(*given):
    raise WordlessError


class Lists(corels.Queue):
    """A queue that keeps to its contract."""

    def __init__(self):
        self.queued = set()

    def push(self, priorities, ids):
        self.queued |= set(ids)

    def pop(self):
        return self.queued.pop()

    def retain(self, alive):
        self.queued &= alive

    def ids(self):
        return list(self.queued)

    def __len__(self):
        return len(self.queued)


@pytest.mark.parametrize(
    "kind, base, method, answer, said",
    [
        ("policy", corels.Policy, "priority", exits, "raised SystemExit: of its own"),
        ("policy", corels.Policy, "priority", lambda _, c: c.length * 1j, "complex"),
        ("bound", corels.Bound, "keep", exits, "raised SystemExit: of its own"),
        ("policy", corels.Policy, "priority", is_at_its_end, "raised StopIteration:"),
        ("bound", corels.Bound, "keep", is_at_its_end, "raised StopIteration:"),
        ("bound", corels.Bound, "keep", is_wordless, "raised WordlessError: (its text raises Look"),
        ("queue", Lists, "pop", exits, "raised SystemExit: of its own"),
        ("queue", Lists, "__len__", lambda _: 1.5, "raised TypeError"),
        ("queue", Lists, "pop", lambda _: [], "raised TypeError"),
        ("cache", TreeCache, "add", lambda *_: None, "raised TypeError"),
        ("cache", TreeCache, "next_id", property(exits), "raised SystemExit: of its own"),
        ("cache", TreeCache, "next_id", None, "raised TypeError"),
    ],
)
def test_of_a_part_that_exits_or_answers_nonsense_loses_nothing(kind, base, method, answer, said):
    options = {kind: answering(base, method, answer), "search": "best-first"}
    for backend in ["python"] if kind in ("queue", "cache") else ["c", "python"]:
        with pytest.raises(corels.PluginError, match=f"{kind} 'part' raised ") as failed:
            corels.solve(PROBLEM, backend=backend, **options)
        assert said in str(failed.value)
        assert failed.value.result.certificate.gap > 0


@pytest.mark.parametrize("method", ["start", "progress", "finish", "close"])
def test_of_a_sink_that_exits_costs_the_sink_alone(method):
    result = corels.solve(PROBLEM, sinks=[answering(Sink, method, exits)()])
    assert result.certificate.optimal
    assert result.warnings == ("part: unexpected SystemExit: of its own",)


def test_of_a_part_that_cannot_be_made():
    with pytest.raises(corels.PluginError, match="policy 'part' raised TypeError: Can't instan"):
        corels.solve(PROBLEM, policy=answering(corels.Policy, "other", exits))


@pytest.mark.parametrize(
    "said, value",
    [
        *((said, "soon") for said in ("rank", "monotone", "native", "scope", "reads", "backends")),
        ("reads", frozenset({"suport"})),
        ("reads", "support"),
    ],
)
def test_of_a_part_that_says_nonsense_of_itself(said, value):
    bound = answering(answering(corels.Bound, "keep", exits), said, value)
    expected = re.escape(f"bound 'part': {said} is {value!r}, expected ")
    with pytest.raises(corels.PluginError, match=expected):
        corels.solve(PROBLEM, bound=[bound], search="best-first")


def test_of_a_map_with_a_key_that_there_is_not():
    unknown = answering(CapturedMap, "key", "points")
    with pytest.raises(corels.PluginError, match="map 'part': key is 'points', expected 'remain"):
        corels.solve(PROBLEM, map=unknown, search="best-first", backend="python")


@pytest.mark.parametrize("answer", [exits, lambda policy: None])
def test_of_a_policy_that_cannot_begin(answer):
    policy = answering(answering(corels.Policy, "priority", exits), "start", answer)
    with pytest.raises(corels.PluginError, match="policy 'part' raised "):
        corels.solve(PROBLEM, policy=policy)


@pytest.mark.parametrize(
    "method, answer",
    [
        ("open", classmethod(exits)),
        ("open", classmethod(is_wordless)),
        ("open", classmethod(is_at_its_end)),
        ("open", classmethod(lambda *_: None)),
    ],
)
def test_of_a_sink_that_cannot_be_opened(method, answer):
    with pytest.raises(corels.PluginError, match="sink 'part' raised "):
        corels.solve(PROBLEM, sinks=[answering(Sink, method, answer)])


@pytest.mark.parametrize(
    "method, answer", [("find", exits), ("find", lambda *_: 1.5), ("prove", exits)]
)
def test_of_a_memo_loses_nothing(method, answer):
    memo = answering(SetMemo, method, answer)
    with pytest.raises(corels.PluginError, match="memo 'part' raised ") as failed:
        corels.solve(PROBLEM, map=memo, backend="python", search="depth-first")
    assert failed.value.result.certificate.gap > 0


def test_of_a_memo_that_cannot_count_costs_nothing():
    memo = answering(SetMemo, "__len__", exits)
    options = {"backend": "python", "search": "depth-first", "node_limit": 5}
    assert corels.solve(PROBLEM, map=memo, **options).certificate.expanded == 5


def has_no_memory(*given):
    raise MemoryError


@pytest.mark.parametrize("backend", ["c", "python"])
def test_of_a_part_without_memory_is_no_failure_of_the_part(backend):
    policy = answering(corels.Policy, "priority", has_no_memory)
    with pytest.raises(ResourceError, match="policy 'part': there is not enough memory") as ended:
        corels.solve(PROBLEM, policy=policy, backend=backend)
    assert ended.value.result.certificate.gap > 0
    with pytest.raises(ResourceError, match="solver 'odd': there is not enough memory"):
        corels.solve(PROBLEM, solver=of_a_family("search", has_no_memory))


def of_a_family(method, answer):
    """A solver whose search does not keep to its contract in one method."""
    search = type("Odd", (TwoRulesSearch,), {method: answer})
    make = search if method != "search" else answer
    return type("Odd", (TwoRules,), {"name": "odd", "search": lambda _, p, o, **more: make(p)})()


@pytest.mark.parametrize(
    "method, answer",
    [
        ("search", exits),
        ("search", lambda _: None),
        ("step", lambda *_: None),
        ("foreign", lambda _: None),
        ("constraints", lambda _: None),
    ],
)
def test_of_a_family(method, answer):
    with pytest.raises(corels.PluginError, match="solver 'odd' raised "):
        corels.solve(PROBLEM, solver=of_a_family(method, answer), time_limit=5)


def test_of_an_error_that_is_its_own_cause():
    def step(*given):
        error = ValueError("the same")
        raise error from error

    with pytest.raises(corels.PluginError, match="solver 'odd' raised ValueError: the same"):
        corels.solve(PROBLEM, solver=of_a_family("step", step))


def test_of_a_search_that_takes_no_warm_start():
    known = corels.solve(PROBLEM, node_limit=1).model
    with pytest.raises(corels.PluginError, match="solver 'odd' raised SystemExit"):
        corels.solve(PROBLEM, solver=of_a_family("offer", exits), incumbent=known)


@pytest.mark.parametrize("method", ["step", "events"])
def test_of_a_search_that_cannot_tell_of_itself_loses_nothing(method):
    solver = of_a_family("events", exits)
    if method == "step":  # what it is told of a search that has failed already
        step = {"step": is_wordless, "events": exits}
        odd = type("Odd", (TwoRulesSearch,), step)
        solver = type("Odd", (TwoRules,), {"name": "odd", "search": lambda _, p, o, **k: odd(p)})()
    with pytest.raises(corels.PluginError, match="solver 'odd' raised ") as failed:
        corels.solve(PROBLEM, solver=solver)
    assert failed.value.result.certificate.stopped == "failed"
    assert ("Wordless" in str(failed.value)) is (method == "step")


@pytest.mark.parametrize("method", ["pruned", "describe"])
@pytest.mark.parametrize("answer", [exits, lambda _: None])
def test_of_a_search_that_cannot_tell_of_its_parts_loses_nothing(method, answer):
    with pytest.raises(corels.PluginError, match="solver 'odd' raised ") as failed:
        corels.solve(PROBLEM, solver=of_a_family(method, answer))
    kept = failed.value.result
    whole = corels.solve(PROBLEM, solver=TwoRules())
    assert str(kept.model) == str(whole.model)
    assert kept.certificate.objective == whole.certificate.objective
    assert not getattr(kept.certificate, {"describe": "parts"}.get(method, method))


def test_of_a_search_that_fails_to_tell_how_far_it_is_loses_nothing(monkeypatch):
    """What was told before is what is said of the model of that time."""
    monkeypatch.setattr("corels.clock.Clock.due", lambda self: True)
    told = []

    def progress(self):
        told.append(TwoRulesSearch.progress(self))
        if len(told) > 3:
            exits()
        return told[-1]

    with pytest.raises(corels.PluginError, match="solver 'odd' raised SystemExit") as failed:
        corels.solve(PROBLEM, solver=of_a_family("progress", progress))
    kept = failed.value.result
    assert kept.certificate.stopped == "failed" and "SystemExit" in kept.certificate.failure
    assert kept.certificate.objective == PROBLEM.objective(told[2].objective)
    assert kept.certificate.lower_bound == PROBLEM.objective(told[2].lower_bound)


def test_of_a_search_that_cannot_be_closed_loses_nothing():
    with pytest.raises(corels.PluginError, match="solver 'odd' raised SystemExit") as failed:
        corels.solve(PROBLEM, solver=of_a_family("close", exits))
    assert failed.value.result.certificate.optimal


class OwnError(BaseException):
    """A plugin's own, which is no Exception."""


def raises_its_own(*given):
    raise OwnError("of its own")


@pytest.mark.parametrize("backend", ["c", "python"])
def test_of_a_part_that_raises_its_own_base_exception_loses_nothing(backend):
    policy = answering(corels.Policy, "priority", raises_its_own)
    with pytest.raises(corels.PluginError, match="policy 'part' raised OwnError: of its") as failed:
        corels.solve(PROBLEM, backend=backend, policy=policy, search="best-first", start="none")
    assert failed.value.result.certificate.stopped == "failed"


def a_member_that(answer, name):
    members = {"name": "odd", "summary": "for this test", name: answer}
    return type("Odd", (RuleListSolver,), members)


def test_of_what_a_family_says_of_its_proofs(run, registered):
    odd = a_member_that(property(exits), "proof")
    with pytest.raises(corels.PluginError, match=r"solver 'odd' raised .*: of its own"):
        corels.solve(PROBLEM, solver=odd(), proof="never.proof")
    registered("solver", odd)
    code, _, err = run(*RUN, "--solver", "odd", "--proof", "never.proof")
    assert code == Exit.PLUGIN_FAILED and "error: solver 'odd' raised " in err
    assert not Path("never.proof").exists()


def ends_with_9():
    """The command of a plugin."""
    raise SystemExit(9)


def test_a_plugins_own_command_ends_as_it_likes(run, registered):
    registered("command", Command("ends", __name__, "ends_with_9"))
    assert run("ends")[0] == 9


@pytest.mark.parametrize(
    "answer", [None, 0.01, "0.01", type("Choice", (), {"regularization": 0.01})()]
)
def test_of_a_lambda_that_is_none(run, registered, answer):
    registered("solver", a_member_that(lambda *_, **__: answer, "choose_lambda"))
    code, _, err = run("run", "--dataset", "titanic", "--solver", "odd", "-r", "auto")
    assert code == Exit.PLUGIN_FAILED
    assert "error: solver 'odd': choose_lambda gave " in err and "expected a LambdaChoice" in err
