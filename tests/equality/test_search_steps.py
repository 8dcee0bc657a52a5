"""Any step size, interrupts, and the lower bound while a search runs, on both backends."""

import numpy as np
import pytest
from corels_rule_list.solver import RuleListSolver

import corels
from corels.errors import OptionError
from corels.options import check_all
from corels.search import Memo, Status, begun
from corels.testing import brute_force, check_memo, random_problem

SEARCHES = [
    {"search": "depth-first"},
    {"search": "depth-first", "map": "none", "start": "none", "no_bound": ("one_rule",)},
    {"search": "best-first", "start": "none"},
    {"preset": "plain", "bound": ("hierarchical",)},
]


def made(problem, backend, **options):
    """A search that has not begun."""
    chosen = check_all(RuleListSolver.options, {"backend": backend, **options}, "rule-list")
    return begun(RuleListSolver().search(problem, chosen, fine_events=True))


def driven(search, budget):
    """All records, and (lower bound, objective) after each step."""
    records, seen = [], []
    status = Status.RUNNING
    while status is Status.RUNNING:
        status = search.step(budget)
        records.append(search.events())
        progress = search.progress()
        seen.append((progress.lower_bound, progress.objective))
    return np.concatenate(records), seen


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("number", range(len(SEARCHES)))
def test_the_lower_bound_never_falls_and_is_never_wrong(backend, number):
    for seed in range(25):
        problem = random_problem(np.random.default_rng([seed, number]), antecedents=5, rows=16)
        best = brute_force(problem)
        search = made(problem, backend, **SEARCHES[number])
        _, seen = driven(search, 1)
        search.close()
        bounds = [bound for bound, _ in seen]
        objectives = [objective for _, objective in seen]
        assert bounds == sorted(bounds), "what was proved once stays proved"
        assert objectives == sorted(objectives, reverse=True)
        assert problem.objective(max(bounds)) <= best
        assert problem.objective(objectives[-1]) == problem.objective(bounds[-1]) == best


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("options", SEARCHES, ids=str)
def test_the_events_do_not_depend_on_the_size_of_steps(backend, options):
    for seed in range(8):
        problem = random_problem(np.random.default_rng(seed), antecedents=5, rows=16)
        streams = set()
        for budget in (1, 3, 1000):
            search = made(problem, backend, **options)
            streams.add(driven(search, budget)[0].tobytes())
            search.close()
        assert len(streams) == 1


@pytest.mark.parametrize("backend", ["c", "python"])
@pytest.mark.parametrize("options", SEARCHES, ids=str)
def test_an_interrupt_before_a_step_is_not_lost(backend, options):
    problem = random_problem(np.random.default_rng(11), antecedents=5, rows=16)
    search = made(problem, backend, **options)
    for _ in range(5):
        search.interrupt()
        assert search.step(1 << 30) is Status.RUNNING
        assert search.progress().expanded == 0
    driven(search, 1000)
    assert problem.objective(search.progress().objective) == brute_force(problem)
    search.close()


def test_a_class_or_an_instance_is_as_good_as_a_name():
    from corels_python.containers import CapturedMap, HeapQueue, TreeCache
    from corels_rule_list.bounds import PrefixLength
    from corels_rule_list.policies import Curiosity

    problem = random_problem(np.random.default_rng(7), antecedents=5, rows=16)
    base = {"search": "best-first", "start": "none", "no_bound": ("leaves", "prices")}
    named = {"policy": "curiosity", "bound": ("prefix_length",)}
    own = {"map": "captured", "queue": "heap", "cache": "tree"}
    expected = corels.solve(problem, backend="python", **base, **named, **own).certificate
    for make in (lambda kind: kind, lambda kind: kind()):
        given = {"policy": make(Curiosity), "bound": (make(PrefixLength),)}
        for backend in ("c", "python"):
            found = corels.solve(problem, backend=backend, **base, **given).certificate
            assert (found.expanded, found.pruned) == (expected.expanded, expected.pruned)
            assert found.foreign == ()
        given |= {"map": make(CapturedMap), "queue": make(HeapQueue), "cache": make(TreeCache)}
        found = corels.solve(problem, backend="python", **base, **given).certificate
        assert (found.expanded, found.pruned) == (expected.expanded, expected.pruned)
        assert found.foreign == ()


class Short(Memo):
    """Remembers the last few sets: forgetting costs time and never truth."""

    name = "short"
    summary = "what was proved of the last sixteen sets"

    def __init__(self):
        self.bounds = {}

    def find(self, key):
        return self.bounds.get(key, -1)

    def prove(self, key, bound, effort):
        self.bounds[key] = max(bound, self.bounds.pop(key, -1))
        if len(self.bounds) > 16:
            del self.bounds[next(iter(self.bounds))]

    def __len__(self):
        return len(self.bounds)


def test_a_memo_of_somebody_else():
    check_memo(Short)
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), antecedents=5, rows=16)
        for make in (Short, Short()):
            found = corels.solve(problem, backend="python", map=make, start="none").certificate
            assert found.objective == brute_force(problem)
            assert found.foreign == (f"memo short given as a class in {__name__}",)
    used = Short()
    used.prove(b"of another problem", 5, 1)
    with pytest.raises(OptionError, match="has been used already"):
        corels.solve(problem, backend="python", map=used)
    with pytest.raises(OptionError, match="use backend 'python'"):
        corels.solve(problem, backend="c", map=Short)
    with pytest.raises(OptionError, match="belongs to search 'depth-first'"):
        corels.solve(problem, backend="python", search="best-first", map=Short)
