"""The contract suites of policies, queues, caches, maps and memos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from corels.options import Option
from corels.plugins import registry
from corels.run.solve import solve
from corels.search import (
    BEST_FIRST,
    COLUMNS,
    DEPTH_FIRST,
    Bound,
    Cache,
    Children,
    Memo,
    Policy,
    Queue,
    SymmetryMap,
)
from corels.search.calls import kept, priorities
from corels.search.native import call_keep, call_priority
from corels.search.parts import KEYS
from corels.testing.oracle import check_result
from corels.testing.problems import random_problem


def tables(seed: int = 0, count: int = 50) -> Iterator[tuple[Children, int]]:
    """Random tables of children with an incumbent, for parts that are functions of them."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        n = int(rng.integers(1, 40)) if number else 0  # an expansion may have no child
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
    check_named(policy)
    for children, _ in tables():
        first, second = policy(), policy()
        first.start(7)
        second.start(7)
        found = priorities(first, children)
        assert np.array_equal(found, priorities(second, children)), "the same seed must repeat"
    if policy.native is not None:
        check_native(policy())
    rng = np.random.default_rng(1)
    for number in range(40):
        problem = random_problem(rng, antecedents=4, rows=10)
        for backend in backends or registry().names("backend"):
            search = (BEST_FIRST, DEPTH_FIRST)[number % 2]
            result = solve(problem, backend=backend, policy=policy, search=search, start="none")
            check_result(problem, result)
            assert result.certificate.optimal, "the search does not end"


def check_queue(queue: type[Queue]) -> None:
    """A queue: lowest priority first, ties by number, `retain` forgets."""
    check_named(queue)
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
        assert len(q) == len(expected), f"{len(q)} wait, {len(expected)} were put in"
        waiting = sorted(node for _, node in expected)
        assert sorted(q.ids()) == waiting, "the nodes that wait are others"


def check_cache(cache: type[Cache]) -> None:
    """A cache: paths by insertion, dropping goes upwards through childless ancestors."""
    check_named(cache)
    c = cache()
    first = c.add(0, [3, 5], [10, 11])
    assert list(first) == [1, 2], "nodes are numbered by insertion, the root is 0"
    second = c.add(1, [7], [12])
    assert c.path(second[0]) == (3, 7), "a path is that of the parent and one more"
    assert c.path(0) == (), "node 0 is the empty prefix"
    assert c.lower_bound(second[0]) == 12, "a node keeps its lower bound"
    assert len(c) == 4, "a closed node is counted no more"
    c.drop(1)
    assert len(c) == 4, "a node with a living child is not dropped"
    c.drop(second[0])
    assert len(c) == 2, "a childless ancestor is dropped, too"
    assert c.next_id == 4, "numbers are never given twice"


def check_symmetry_map(symmetry_map: type[SymmetryMap]) -> None:
    """A symmetry map: the cheapest of equal keys is admitted, later equals are not."""
    check_named(symmetry_map)
    m = symmetry_map()
    assert m.key in KEYS, f"unknown key {m.key!r}: expected one of {KEYS}"
    admitted = m.admit([b"x", b"x", b"y"], [5, 5, 9]).tolist()
    again = m.admit([b"x", b"y"], [4, 9]).tolist()
    if m.key:
        assert admitted == [True, False, True], "of equal keys the first of the cheapest"
        assert again == [True, False], "a cheaper one is admitted again"
        assert m.stale(b"x", 5), "the dearer one is stale now"
        assert not m.stale(b"x", 4), "the best cost of a key is not stale"
    else:
        assert all(admitted + again), "without keys, everything is admitted"


def check_memo(memo: type[Memo]) -> None:
    """A memo: exact keys, the best bound that was proved, and nothing for what was not."""
    check_named(memo)
    m = memo()
    assert m.find(b"x") == -1, "nothing is known at first"
    m.prove(b"x", 5, 1)
    m.prove(b"x", 3, 9)
    m.prove(b"y", 0, 1)
    assert m.find(b"x") in (5, -1), "the best bound, or nothing where it was forgotten"
    assert m.find(b"y") in (0, -1), "an unknown key has no node"
    assert m.find(b"xy") == m.find(b"") == -1, "a key stands for one set"


def check_native(part: Policy | Bound) -> None:
    """The C function at `native` answers what the Python method does, on random tables."""
    assert part.native is not None, f"{part.name} has no native function"
    for children, incumbent in tables(seed=3):
        if isinstance(part, Policy):
            expected = priorities(part, children).tolist()
            found: list[Any] = call_priority(part.native, children).tolist()
        else:
            expected = kept(part, children, incumbent).tolist()
            found = call_keep(part.native, children, incumbent).tolist()
        assert found == expected, (
            f"native {part.name!r} answers {found} where the Python method answers {expected}"
        )


def check_named(part: Any) -> None:
    """A part has a name, a summary, and options that are rows of `corels.options.Option`."""
    for attribute in ("name", "summary"):
        text = getattr(part, attribute, None)
        assert isinstance(text, str) and text, f"{part.__name__} needs a {attribute}"
    for option in getattr(part, "options", ()):
        assert isinstance(option, Option), f"{option!r} is no corels.options.Option"
