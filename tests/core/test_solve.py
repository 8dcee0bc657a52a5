"""The facade: limits, interrupts, sinks and parts that fail; nothing that was found is lost."""

import itertools
import math
import os
import signal
import sys
import threading
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import corels
from corels.errors import OptionError, PluginError
from corels.model import Certificate, Stopped
from corels.search import COLUMNS, EVENT, Kind, Recorder, Sink
from corels.tables import TableOptions, load
from corels.testing import brute_force, check_result, random_problem
from corels.testing.problems import dataset_of

BACKENDS = ("c", "python")


@pytest.fixture(scope="module")
def board():
    """27 antecedents: seconds of work without bounds, an instant with them."""
    return corels.Problem.from_dataset(load("tic-tac-toe"), "0.005")


@pytest.fixture(scope="module")
def optimum(board):
    return corels.solve(board).certificate.objective


@pytest.fixture(scope="module")
def easy(board):
    """An instant of work for the teaching backend, too."""
    return board.with_regularization("0.04")


# Limits.


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("nodes", [0, 1, 7, 50])
def test_a_node_limit_is_exact_and_repeats(board, backend, nodes):
    options = {"backend": backend, "preset": "plain", "node_limit": nodes}
    first, second = (corels.solve(board, **options) for _ in range(2))
    assert first.certificate.expanded == nodes
    assert first.certificate.stopped == "node limit"
    assert not first.certificate.optimal
    assert first.model == second.model
    check_result(board, first)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_time_limit_ends_the_search_soon(board, backend, monkeypatch):
    """By a clock that goes on by a twentieth of a second whenever it is read."""
    readings = itertools.count()
    clock = SimpleNamespace(perf_counter=lambda: 0.05 * next(readings))
    monkeypatch.setattr("corels.clock.time", clock)
    result = corels.solve(board, backend=backend, preset="plain", time_limit=3)
    assert 60 <= next(readings) < 80
    assert result.certificate.stopped == "time limit"
    assert result.certificate.gap > 0


@pytest.mark.parametrize("search", ["depth-first", "best-first"])
def test_no_time_at_all_still_gives_a_list(search, board):
    """Nothing has begun, not even the beam: what there is, is the list without rules."""
    result = corels.solve(board, time_limit=0, search=search)
    assert (len(result.model), result.certificate.expanded) == (0, 0)
    assert result.certificate.objective == Fraction(332, 958)
    assert not result.certificate.optimal


def test_without_a_memory_limit_half_of_the_machine_is_the_limit(board, monkeypatch):
    monkeypatch.setattr(sys.modules["corels.run.limits"], "default_memory", lambda: 20 * 2**20)
    result = corels.solve(board, preset="plain", policy="bfs", time_limit=60)
    assert result.certificate.stopped == "memory limit"


def test_the_default_search_forgets_at_its_limit_and_still_certifies():
    problem = corels.Problem.from_dataset(corels.tables.load("tic-tac-toe"), "0.01")
    free = corels.solve(problem)
    megabytes = max(1, free.certificate.peak_memory // (2 * 10**6))
    tight = corels.solve(problem, memory_limit=megabytes).certificate
    assert tight.optimal and tight.objective == free.certificate.objective
    assert tight.peak_memory <= megabytes * 10**6


@pytest.mark.parametrize("megabytes", [1, 2])
def test_price_tables_for_which_the_limit_has_no_room_are_not_built(megabytes):
    """Nor do such of no cells take the place of those that there are."""
    data = corels.tables.load("blood-donors", TableOptions(cuts="quantile 20"))
    problem = corels.Problem.from_dataset(data, "0.002")
    certificate = corels.solve(problem, memory_limit=megabytes).certificate
    assert certificate.optimal and certificate.peak_memory <= megabytes * 10**6


@pytest.mark.parametrize("megabytes", [5, 20, 40])
def test_a_memory_limit_is_kept(board, megabytes):
    """The default backend looks at it after each expansion, however many a step is given."""
    certificate = corels.solve(
        board, preset="plain", policy="bfs", memory_limit=megabytes, time_limit=60
    ).certificate
    assert certificate.stopped == "memory limit"
    assert megabytes * 10**6 < certificate.peak_memory < megabytes * 1.05e6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"time_limit": math.nan}, "time_limit is nan"),
        ({"policy": "bsf"}, "unknown policy 'bsf'; did you mean 'bfs'"),
        ({"colour": 1}, "solver 'rule-list' has no option 'colour'"),
        ({"solver": "rule-lists"}, "unknown solver 'rule-lists'; did you mean 'rule-list'"),
        ({"backend": "python", "threads": 2}, "one thread"),
    ],
)
def test_wrong_options_are_refused_before_the_search(board, options, words):
    with pytest.raises(OptionError) as raised:
        corels.solve(board, **options)
    assert words in str(raised.value)


# Interrupts.


@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_gives_the_best_list_and_its_gap(board, backend):
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    found = Sink()

    def progress(snapshot, search):
        if len(search.model()) and not timer.ident:
            timer.start()

    found.progress = progress
    result = corels.solve(board, backend=backend, preset="plain", sinks=[found])
    assert result.certificate.stopped == "interrupted"
    assert len(result.model) > 0
    check_result(board, result)
    assert result.certificate.lower_bound <= Fraction(25_212, 100_000)


def test_ctrl_c_belongs_to_its_owner_afterwards(board):
    before = signal.getsignal(signal.SIGINT)
    corels.solve(board)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_search_runs_in_another_thread(board):
    found = []
    thread = threading.Thread(target=lambda: found.append(corels.solve(board)))
    thread.start()
    thread.join()
    assert found[0].certificate.optimal


# Sinks.


class Failing(Sink):
    """Raises in one of its methods."""

    def __init__(self, method):
        self.name = f"failing in {method}"
        self.calls = []
        setattr(self, method, self._fail)

    def _fail(self, *_):
        raise OSError("disk full")

    def events(self, records, search):
        self.calls.append("events")


@pytest.mark.parametrize("method", ["start", "events", "progress", "finish", "close"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_sink_that_fails_is_named_and_the_result_is_not_lost(easy, backend, method):
    recorder = Recorder(fine=False)
    result = corels.solve(easy, backend=backend, sinks=[Failing(method), recorder])
    assert result.certificate.optimal
    assert result.warnings == (f"failing in {method}: disk full",)
    assert recorder.records["kind"][-1] == Kind.DONE


def test_a_sink_that_fails_twice_is_named_once(board):
    class Worse(Failing):
        def close(self):
            self._fail()

    result = corels.solve(board, sinks=[Worse("events")])
    assert result.certificate.optimal
    assert result.warnings == ("failing in events: disk full",)


def test_sinks_hear_everything_in_order(board):
    class Listener(Sink):
        def __init__(self):
            self.heard = []

        def start(self, search):
            self.heard.append("start")

        def events(self, records, search):
            assert records.dtype == EVENT
            self.heard.append("events")

        def progress(self, snapshot, search):
            assert snapshot.lower_bound <= snapshot.objective
            self.heard.append("progress")

        def finish(self, result):
            assert result.certificate.optimal
            self.heard.append("finish")

        def close(self):
            self.heard.append("close")

    listener = Listener()
    corels.solve(board, sinks=[listener])
    assert listener.heard[0] == "start"
    assert listener.heard[-2:] == ["finish", "close"]
    assert "events" in listener.heard and "progress" in listener.heard


@pytest.mark.parametrize("backend", BACKENDS)
def test_listening_changes_nothing(easy, backend):
    recorder = Recorder()
    options = {"backend": backend, "policy": "objective"}
    heard = corels.solve(easy, sinks=[recorder], **options).certificate
    silent = corels.solve(easy, **options).certificate
    assert (heard.expanded, heard.pruned, heard.objective) == (
        silent.expanded,
        silent.pruned,
        silent.objective,
    )
    kinds = recorder.records["kind"]
    assert (kinds == Kind.POP).sum() == heard.expanded
    assert (kinds == Kind.PRUNE).sum() == sum(heard.pruned.values())
    assert kinds[0] == Kind.START and kinds[-1] == Kind.DONE


# Parts that fail.


def policy_that(answer, after=0):
    """A policy that behaves for some calls, then gives `answer(children)`."""

    class Broken(corels.Policy):
        name = "broken"
        summary = "breaks its contract"
        calls = 0

        def priority(self, children):
            type(self).calls += 1
            if self.calls <= after:
                return children.objective.astype(float)
            return answer(children)

    return Broken


def raising(children):
    raise ZeroDivisionError("a mistake")


BROKEN = {
    "raises": (raising, "policy 'broken' raised ZeroDivisionError: a mistake"),
    "nan": (lambda c: np.full(len(c), np.nan), "policy 'broken' returned nan"),
    "inf": (lambda c: np.full(len(c), np.inf), "policy 'broken' returned inf"),
    "minus inf": (lambda c: np.full(len(c), -np.inf), "policy 'broken' returned -inf"),
    "too long": (lambda c: np.zeros(len(c) + 1), "expected one priority for each"),
    "too short": (lambda c: np.zeros(0), "expected one priority for each"),
    "a number": (lambda c: 1.0, "expected one priority for each"),
    "nothing": (lambda c: None, "policy 'broken'"),
    "words": (lambda c: ["x"] * len(c), "policy 'broken'"),
    "writes": (lambda c: c.objective.__setitem__(0, 0), "policy 'broken' raised ValueError"),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_policy_stops_the_run_with_its_name(  # noqa: PLR0917
    case, after, backend, board, optimum, registered
):
    answer, words = BROKEN[case]
    registered("policy", policy_that(answer, after))
    with pytest.raises(PluginError) as raised:
        corels.solve(board, backend=backend, policy="broken")
    assert words in str(raised.value)
    result = raised.value.result
    assert not result.certificate.optimal, "a search that broke off proves nothing"
    assert result.certificate.stopped is Stopped.FAILED
    assert result.certificate.failure == str(raised.value)
    check_result(board, result)
    assert result.certificate.lower_bound <= optimum <= result.certificate.objective


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (raising, "bound 'broken' raised ZeroDivisionError"),
        (lambda c: np.ones(len(c)), "expected one truth value for each"),
        (lambda c: np.ones(len(c) + 1, dtype=bool), "expected one truth value for each"),
        (lambda c: None, "expected one truth value for each"),
    ],
)
@pytest.mark.parametrize("search", ["depth-first", "best-first"])
def test_a_broken_bound_stops_the_run_with_its_name(answer, words, search, backend, registered):
    board = corels.Problem.from_dataset(load("tic-tac-toe"), "0.005")

    class Broken(corels.Bound):
        name = "broken"
        summary = "drops a child if it breaks its contract"
        theorem = "nowhere"
        scope = "set"

        def keep(self, children, incumbent):
            return answer(children)

    registered("bound", Broken)
    with pytest.raises(PluginError, match=words) as raised:
        corels.solve(board, backend=backend, bound=("broken",), search=search)
    assert not raised.value.result.certificate.optimal


@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_inside_a_policy_is_no_fault_of_the_policy(board, backend, registered):
    def interrupt(children):
        raise KeyboardInterrupt

    registered("policy", policy_that(interrupt, after=2))
    result = corels.solve(board, backend=backend, policy="broken")
    assert result.certificate.stopped == "interrupted"
    assert not result.certificate.optimal


@pytest.mark.parametrize("backend", BACKENDS)
def test_parts_cannot_write_to_the_table(easy, backend, registered):
    seen = []

    def look(children):
        seen.append([getattr(children, name).flags.writeable for name, _ in COLUMNS])
        return children.objective.astype(float)

    registered("policy", policy_that(look))
    assert corels.solve(easy, backend=backend, policy="broken").certificate.optimal
    assert seen and not any(flag for flags in seen for flag in flags)


# Corners.


CORNERS = {
    "one row": ([[1]], [1], "0.1"),
    "one row, nothing captured": ([[0]], [1], "0.1"),
    "all labels equal": ([[1, 0, 1], [0, 1, 1]], [1, 1, 1], "0.1"),
    "all labels equal, rules are free": ([[1, 0, 1], [0, 1, 1]], [0, 0, 0], "0"),
    "lambda 0": ([[1, 0, 1, 0], [0, 1, 1, 0]], [1, 0, 0, 1], "0"),
    "lambda 1": ([[1, 0, 1, 0], [0, 1, 1, 0]], [1, 0, 0, 1], "1"),
    "no antecedent is left": ([[1, 1], [1, 1]], [0, 1], "0.1"),
    "every point is undecided": ([[1, 1, 0, 0]], [0, 1, 0, 1], "0.01"),
    "one antecedent captures all": ([[1, 1, 1]], [1, 0, 1], "0.01"),
    "equal antecedents": ([[1, 0], [1, 0], [1, 0]], [1, 0], "0.1"),
    "three classes": ([[1, 0, 0], [0, 1, 0]], [0, 1, 2], "0.1"),
}


@pytest.mark.parametrize("preset", ["fast", "paper", "plain"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_corners(backend, preset):
    for case, (captures, labels, lam) in CORNERS.items():
        data = dataset_of(np.reshape(captures, (-1, len(labels))), labels, 3)
        problem = corels.Problem.from_dataset(data, lam)
        result = corels.solve(problem, backend=backend, preset=preset)
        assert result.certificate.optimal, case
        assert result.certificate.objective == brute_force(problem), case
        check_result(problem, result)
        table = {f"a{j}": row for j, row in enumerate(captures)} | {"label": labels}
        assert result.model.predict_indices(table).shape == (len(labels),)


def test_a_policy_that_took_part_is_among_the_versions(board, registered):
    mine = type("Mine", (corels.Policy,), {"name": "mine", "priority": lambda self, c: c.length})
    for policy, found in ((registered("policy", mine), True), ("bfs", False)):
        certificate = corels.solve(board, policy=policy, node_limit=5).certificate
        assert ("tests" in certificate.versions) is found


def test_certificates_name_what_took_part(board):
    certificate = corels.solve(board, backend="c", seed=5, policy="stochastic").certificate
    assert certificate.solver == "rule-list"
    assert certificate.parts["backend"] == "c"
    assert certificate.parts["policy"] == "stochastic"
    assert certificate.parts["seed"] == "5"
    assert certificate.versions["corels"] == corels.__version__
    assert certificate.data_hash == board.data_hash
    assert certificate.children > certificate.expanded > 0


def test_the_bounds_of_a_stopped_search_hold():
    """objective >= optimum >= lower bound after any number of steps, on both backends."""
    rng = np.random.default_rng(11)
    for _ in range(20):
        problem = random_problem(rng, antecedents=5)
        optimum = brute_force(problem)
        for backend in BACKENDS:
            for nodes in (0, 1, 2, 5):
                options = {"preset": "plain", "policy": "dfs", "node_limit": nodes}
                certificate = corels.solve(problem, backend=backend, **options).certificate
                assert certificate.lower_bound <= optimum <= certificate.objective


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("kind", [tuple, list, set])
def test_what_a_policy_reads_is_any_collection_of_names(kind, backend, registered):
    class Widest(corels.Policy):
        name, summary, reads = "widest", "rules that capture most rows first", kind(["support"])

        def priority(self, children):
            return -children.support.astype(float)

    problem = corels.Problem.from_dataset(load("titanic"), "1/50")
    found = corels.solve(problem, policy=registered("policy", Widest), backend=backend)
    assert found.certificate.optimal


def test_what_the_symmetry_map_removed_stands_in_the_certificate():
    """It is what the display counts."""
    problem = corels.Problem.from_dataset(load("tic-tac-toe"), "0.03")
    for options in ({"preset": "paper", "policy": "bfs"}, {}):
        found = corels.solve(problem, **options).certificate
        again = Certificate.from_document(found.to_document())
        assert again.merged == found.merged
        assert (f"symmetry map {found.merged:,}" in str(found)) == (found.merged > 0)
    assert corels.solve(problem, preset="paper", policy="bfs").certificate.merged > 0
    plain = corels.solve(problem, preset="paper", map="none", node_limit=50).certificate
    assert plain.merged == 0
