"""Contract suites for plugin authors, and the oracle that everything is held against.

    from corels.testing import check_policy

    def test_my_policy():
        check_policy(MyPolicy)

Each check raises AssertionError with the property that does not hold. `brute_force` enumerates all
rule lists of a small problem in plain Python and shares no code with any engine.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.antecedents import Antecedent, Condition
from corels.data import Dataset
from corels.errors import PluginError
from corels.model import RuleList
from corels.plugins import registry
from corels.problem import Problem, prepare
from corels.problem.captures import unpack
from corels.run.solve import Result, solve
from corels.search import (
    BEST_FIRST,
    COLUMNS,
    Bound,
    Cache,
    Children,
    Memo,
    Parts,
    Policy,
    Queue,
    Recorder,
    SymmetryMap,
)
from corels.search.calls import kept, priorities
from corels.search.parts import SCOPES


def random_dataset(
    rng: np.random.Generator, *, antecedents: int = 5, rows: int = 16, classes: int = 2
) -> Dataset:
    """A small random data set; some rows and some antecedents are equal, some are empty."""
    m, n = int(rng.integers(1, antecedents + 1)), int(rng.integers(1, rows + 1))
    captures = rng.random((m, n)) < rng.uniform(0.1, 0.9, size=(m, 1))
    if n > 2 and rng.random() < 0.5:
        captures = captures[:, rng.integers(0, max(1, n // 2), size=n)]
    names = [f"a{j}" for j in range(m)]
    return Dataset(
        antecedents=tuple(Antecedent(name, (Condition(name, "true"),)) for name in names),
        captures=captures,
        labels=rng.integers(0, classes, size=n),
        classes=tuple(range(classes)),
        name="random",
        weights=rng.integers(1, 9, size=n) if rng.random() < 0.5 else None,
    )


def random_problem(rng: np.random.Generator, **sizes: int) -> Problem:
    """A small random problem; lambda from 0 to 1, often where it matters."""
    choices = [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(int(rng.integers(1, 30)), 100)]
    lam = choices[int(rng.choice(4, p=[0.05, 0.05, 0.1, 0.8]))]
    return Problem.from_dataset(random_dataset(rng, **sizes), lam)


def brute_force(problem: Problem) -> Fraction:
    """The least objective over all rule lists, by enumeration (at most 6 antecedents)."""
    captures = unpack(problem.masks, problem.n_points)
    total = int(problem.weights.sum())
    best = None
    for length in range(problem.n_antecedents + 1):
        for order in itertools.permutations(range(problem.n_antecedents), length):
            errors = list_errors(problem.weights, captures[list(order)])
            value = Fraction(errors, total) + problem.regularization * length
            best = value if best is None else min(best, value)
    assert best is not None
    return best


def list_errors(weights: NDArray[np.int64], captures: NDArray[np.bool_]) -> int:
    """Weight that a rule list predicts wrongly, rule by rule; `captures` in list order."""
    free, errors = np.ones(weights.shape[1], dtype=bool), 0
    for captured in [*captures, np.ones(weights.shape[1], dtype=bool)]:
        counts = weights[:, free & captured].sum(axis=1)
        errors += int(counts.sum() - counts.max())
        free &= ~captured
    return errors


def recorded(problem: Problem, **options: Any) -> tuple[Result, NDArray[Any]]:
    """Solve and keep the fine events."""
    recorder = Recorder()
    result = solve(problem, sinks=[recorder], **options)
    return result, recorder.records


def check_result(problem: Problem, result: Result) -> None:
    """The model is what the certificate says: recounted, and optimal where it claims to be."""
    model, certificate = result.model, result.certificate
    assert isinstance(model, RuleList)
    assert model.objective(problem.regularization) == certificate.objective
    assert certificate.lower_bound <= certificate.objective
    if certificate.optimal and problem.n_antecedents <= 6:
        assert certificate.objective == brute_force(problem), "certified, but not optimal"


# Parts.


def tables(seed: int = 0, count: int = 50) -> Iterator[tuple[Children, int]]:
    """Random tables of children with an incumbent, for parts that are functions of them."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(1, 40))
        columns: dict[str, Any] = {
            name: rng.integers(0, 50, size=n).astype(kind) for name, kind in COLUMNS
        }
        columns["length"] = np.full(n, rng.integers(1, 6), dtype=np.int32)
        columns["serial"] = np.arange(n, dtype=np.int64) + int(rng.integers(0, 1000))
        unit, rule_cost = int(rng.integers(1, 4)), int(rng.integers(0, 9))
        table = Children(**columns, unit=unit, rule_cost=rule_cost, total=60, n_antecedents=20)
        yield table, int(rng.integers(1, 99))


def check_policy(policy: type[Policy], *, backends: Sequence[str] | None = None) -> None:
    """A policy: named, documented, finite, repeatable, and never able to change an optimum."""
    _check_named(policy)
    for children, _ in tables():
        first, second = policy(), policy()
        first.start(7)
        second.start(7)
        found = priorities(first, children)
        assert np.array_equal(found, priorities(second, children)), "the same seed must repeat"
    for problem, result in _runs(policy=policy.name, backends=backends):
        check_result(problem, result)
        assert result.certificate.optimal


def check_bound(bound: type[Bound], *, backends: Sequence[str] | None = None) -> None:
    """A bound: named, documented, and sound alone and together with the others."""
    _check_named(bound)
    assert bound.theorem, "a bound names its theorem or the page with its proof"
    assert bound.scope in SCOPES, f"unknown scope {bound.scope!r}: expected set or prefix"
    assert bound.summary.startswith("drops "), "a summary says when the bound drops a child"
    for children, incumbent in tables():
        kept(bound(), children, incumbent)
    alone: dict[str, Any] = {"no_bound": ("all",), "bound": (bound.name,), "search": BEST_FIRST}
    own = bound.backends or backends
    for options in (alone, {"bound": (bound.name,), "search": BEST_FIRST}):
        for problem, result in _runs(backends=sorted(own) if own else None, **options):
            check_result(problem, result)
            assert result.certificate.optimal, "a bound must leave the search certified"


def _runs(
    *, backends: Sequence[str] | None = None, count: int = 40, **options: Any
) -> Iterator[tuple[Problem, Result]]:
    rng = np.random.default_rng(1)
    for _ in range(count):
        problem = random_problem(rng, antecedents=4, rows=10)
        for backend in backends or registry().names("backend"):
            yield problem, solve(problem, backend=backend, **options)


def check_queue(queue: type[Queue]) -> None:
    """A queue: lowest priority first, ties by number, `retain` forgets."""
    _check_named(queue)
    rng = np.random.default_rng(2)
    q, expected, number = queue(), [], 0
    for _ in range(200):
        size = int(rng.integers(0, 5))
        values = rng.integers(0, 6, size=size).astype(np.float64)
        ids = range(number, number + size)
        q.push(values, ids)
        expected += list(zip(values.tolist(), ids, strict=True))
        number += size
        if expected and rng.random() < 0.5:
            expected.sort()
            assert q.pop() == expected.pop(0)[1], "lowest priority first, ties by number"
        if rng.random() < 0.1:
            alive = {node for _, node in expected if node % 3}
            q.retain(alive)
            expected = [entry for entry in expected if entry[1] in alive]
        assert len(q) == len(expected)
        assert sorted(q.ids()) == sorted(node for _, node in expected)


def check_cache(cache: type[Cache]) -> None:
    """A cache: paths by insertion, dropping goes upwards through childless ancestors."""
    _check_named(cache)
    c = cache()
    first = c.add(0, [3, 5], [10, 11])
    assert list(first) == [1, 2], "nodes are numbered by insertion, the root is 0"
    second = c.add(1, [7], [12])
    assert c.path(second[0]) == (3, 7)
    assert c.path(0) == ()
    assert c.lower_bound(second[0]) == 12
    assert len(c) == 4
    c.drop(1)
    assert len(c) == 4, "a node with a living child is not dropped"
    c.drop(second[0])
    assert len(c) == 2, "a childless ancestor is dropped, too"
    assert c.next_id == 4, "numbers are never given twice"


def check_symmetry_map(symmetry_map: type[SymmetryMap]) -> None:
    """A symmetry map: the cheapest of equal keys is admitted, later equals are not."""
    _check_named(symmetry_map)
    m = symmetry_map()
    assert m.key in ("", "antecedents", "remaining")
    admitted = m.admit([b"x", b"x", b"y"], [5, 5, 9]).tolist()
    again = m.admit([b"x", b"y"], [4, 9]).tolist()
    if m.key:
        assert admitted == [True, False, True], "of equal keys the first of the cheapest"
        assert again == [True, False], "a cheaper one is admitted again"
        assert m.stale(b"x", 5), "the dearer one is stale now"
        assert not m.stale(b"x", 4)
    else:
        assert all(admitted + again), "without keys, everything is admitted"


def check_memo(memo: type[Memo]) -> None:
    """A memo: exact keys, the best bound that was proved, and nothing for what was not."""
    _check_named(memo)
    m = memo()
    assert m.find(b"x") == -1, "nothing is known at first"
    m.prove(b"x", 5, 1)
    m.prove(b"x", 3, 9)
    m.prove(b"y", 0, 1)
    assert m.find(b"x") in (5, -1), "the best bound, or nothing where it was forgotten"
    assert m.find(b"y") in (0, -1)
    assert m.find(b"xy") == m.find(b"") == -1, "a key stands for one set"


def check_raises_plugin_error(policy: type[Policy], problem: Problem, backend: str) -> None:
    """A broken policy stops the run with its name, and the best list is not lost."""
    parts = Parts(policy=policy(), map="none", bounds=())
    search = registry().get("backend", backend)().search(problem, prepare(problem), parts)
    try:
        while search.step(100):
            pass
    except PluginError as error:
        assert policy.name in str(error)
        assert search.model() is not None
        assert search.progress().lower_bound <= search.progress().objective
    else:
        raise AssertionError("the broken policy was not noticed")
    finally:
        search.close()


def _check_named(part: Any) -> None:
    for attribute in ("name", "summary"):
        text = getattr(part, attribute, None)
        assert isinstance(text, str) and text, f"{part.__name__} needs a {attribute}"
