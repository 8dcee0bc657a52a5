"""Questions about sets, in both backends, against brute force: `walk_from`.

g(S) is what completing S by at least one rule costs at least. A rule may capture nothing here, so
the completion without a rule counts for its cost and one rule more.
"""

import numpy as np
import pytest
from corels_python.masks import mask
from engine import DEFAULT, Engine, brute_force, ffi, lib, pack, random_problem, tuned
from seeds import seeds

from corels.plugins import registry
from corels.problem import prepare
from corels.search import DEPTH_FIRST, Parts
from corels.testing import random_problem as random_rows

MANY = 1 << 40
SETTINGS = (
    {},
    {"map": "none"},
    {"threads": 3},
    {"price_stages": (0, 5, 20, 30)},
    {"price_stages": (-1, -1, -1, -1)},
    {"bounds": ("hierarchical", "equivalent_points")},
    {"tune": tuned(rule_columns_points=0, rule_columns_after=1)},
)


def least(captures, regrets, rule_cost, unit):
    """g(S) by at most so many rules (-1: any number), by brute force."""
    f = brute_force(captures, regrets, rule_cost, unit)

    def errors(subset):
        return int((regrets * subset).sum(axis=1).min())

    def g(subset, rules=-1):
        more = max(rules - 1, -1)
        behind = [
            rule_cost + unit * errors(subset & row) + f(subset & ~row, more)
            for row in captures
            if (subset & row).any()
        ]
        return min([rule_cost + unit * errors(subset), *behind])

    return g


class Questions(Engine):
    """The engine of C, ready to be asked."""

    def __init__(self, *data, **options):
        super().__init__(*data, start=False, **options)
        self.step(0)

    def build(self, need):
        """All tables that are due."""
        while lib.corels_search_build_tables(self.handle, need, 0) != lib.CORELS_DONE:
            pass

    def walk_from(self, subset, need, counts=MANY, before=-1, seconds=0.0):
        bound, self.pieces = ffi.new("int64_t *"), 1
        words = ffi.from_buffer("uint64_t[]", pack(subset))
        asked = (self.handle, words, before, need, counts, seconds, bound)
        while (status := lib.corels_search_walk_from(*asked)) == lib.CORELS_OK:
            self.pieces += 1
        assert status == lib.CORELS_DONE
        return bound[0]


def prepared(problem, map_name):
    """A search of the teaching backend, with every bound that it has of the default."""
    bounds = tuple(registry().get("bound", name)() for name in DEFAULT)
    parts = Parts(
        policy=registry().get("policy", "objective")(),
        map=map_name,
        bounds=tuple(b for b in bounds if not b.backends or "python" in b.backends),
        search=DEPTH_FIRST,
    )
    return registry().get("backend", "python")().search(problem, prepare(problem), parts)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda one: " ".join(one) or "as usual")
def test_in_c(settings):
    asked = 0
    for seed in range(15):
        rng = np.random.default_rng([38, seed])
        data = random_problem(rng, classes=2 + (seed % 3 == 2))
        captures, regrets = data[:2]
        g, engine = least(*data), Questions(*data, **settings)
        for _ in range(20):
            subset = rng.random(regrets.shape[1]) < rng.choice([0.3, 0.6, 1.0])
            truth = g(subset)
            need = max(1, truth + int(rng.integers(-6, 7)))
            engine.build(need)
            bound = engine.walk_from(subset, need)
            assert bound == 0 if truth < need else need <= bound <= truth
            asked += truth >= need
            for claimed in (subset, subset & ~captures[0]):  # f is the lesser of g and the default
                f = min(g(claimed), int((regrets * claimed).sum(axis=1).min()) * data[3])
                assert engine.claim(claimed) <= f
    assert asked > 50


def test_it_gives_up():
    rng = np.random.default_rng(5)
    captures = rng.random((14, 300)) < 0.3
    labels = rng.random(300) < 0.5
    data = captures, np.array([labels, ~labels]), 9, 1
    everything = np.ones(300, dtype=bool)
    engine = Questions(*data, price_stages=(-1,) * 4)
    assert engine.walk_from(everything, 100, 10) == -1
    assert engine.look().counts == 10
    assert engine.walk_from(everything, 1000) == 0
    low = engine.walk_from(everything, 60)
    assert low >= 60
    before = engine.look().counts
    assert engine.walk_from(everything, low) >= low
    assert engine.look().counts == before  # the memo had it


@pytest.mark.parametrize("tables", [(0,), (-1,)])
@pytest.mark.parametrize("most", [2, 3, 4])
def test_in_c_with_a_limit_of_rules(most, tables):
    """Some of them came before the set, or nobody knows how many: then by any number."""
    asked = pruned = 0
    for seed in range(40):
        rng = np.random.default_rng([40, seed])
        captures, regrets, rule_cost, unit = random_problem(rng, classes=2 + seed % 3)
        if len(captures) <= most:
            continue  # a limit that cannot bind is forgotten
        g = least(captures, regrets, rule_cost, unit)
        engine = Questions(captures, regrets, rule_cost, unit, max_rules=most, leaf_stages=tables)
        for _ in range(20):
            before = int(rng.integers(-1, most))
            rules = rng.choice(len(captures), max(before, 0) + (before < 0))
            subset = ~captures[rules].any(axis=0) if len(rules) else np.ones(regrets.shape[1], bool)
            truth = g(subset, -1 if before < 0 else most - before)
            need = max(1, truth + int(rng.integers(-6, 7)))
            engine.build(need)
            bound = engine.walk_from(subset, need, before=before)
            assert bound == 0 if truth < need else need <= bound <= truth
            asked += truth >= need
        pruned += engine.pruned()["leaves"]
    assert asked > 150
    assert (pruned > 0) == (tables == (0,))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("counts", [1000, MANY])
def test_a_question_in_pieces_has_the_same_answer(threads, counts):
    rng = np.random.default_rng(6)
    captures = rng.random((14, 300)) < 0.3
    labels = rng.random(300) < 0.5
    data = captures, np.array([labels, ~labels]), 9, 1
    at_once, in_pieces = (Questions(*data, threads=threads) for _ in range(2))
    pieces = 0
    for size in (0.5, 0.8, 1.0):
        subset = rng.random(300) < size
        for need in (40, 80, 120):
            found = at_once.walk_from(subset, need, counts)
            again = in_pieces.walk_from(subset, need, counts, seconds=1e-9)
            pieces += in_pieces.pieces
            if threads == 1:
                assert found == again and at_once.look().counts == in_pieces.look().counts
            elif counts == MANY:
                assert (found >= need) == (again >= need)
    assert pieces > 9, "no question was cut"


def test_a_question_that_is_given_up_leaves_nothing_behind():
    rng = np.random.default_rng(6)
    captures = rng.random((14, 300)) < 0.3
    labels = rng.random(300) < 0.5
    engine = Questions(captures, np.array([labels, ~labels]), 9, 1)
    bound, everything = ffi.new("int64_t *"), np.ones(300, dtype=bool)
    words = ffi.from_buffer("uint64_t[]", pack(everything))
    status = lib.corels_search_walk_from(engine.handle, words, -1, 120, MANY, 1e-9, bound)
    assert status == lib.CORELS_OK
    lib.corels_search_walk_no_further(engine.handle)
    lib.corels_search_walk_no_further(engine.handle)
    assert engine.walk_from(everything, 1) >= 1
    assert engine.walk_from(everything, 1000) == 0


@pytest.mark.parametrize("options", [{"search": "best-first", "map": "captured"}])
def test_other_searches_are_not_asked(options):
    rng = np.random.default_rng(5)
    captures = rng.random((14, 300)) < 0.3
    labels = rng.random(300) < 0.5
    engine = Questions(captures, np.array([labels, ~labels]), 9, 1, **options)
    bound = ffi.new("int64_t *")
    words = ffi.from_buffer("uint64_t[]", pack(np.ones(engine.regrets.shape[1], dtype=bool)))
    status = lib.corels_search_walk_from(engine.handle, words, 0, 1, MANY, 0, bound)
    assert status == lib.CORELS_BAD_ARGUMENT


@pytest.mark.parametrize("map_name", ["memo", "none"])
@pytest.mark.parametrize("seed", seeds(25, 8))
def test_in_python(seed, map_name):
    rng = np.random.default_rng([39, seed])
    search = prepared(random_rows(rng, rows=30, antecedents=7), map_name)
    instance = search.instance
    n = instance.n_points
    rows = np.ascontiguousarray(instance.masks[:, : -(-n // 64)]).view(np.uint8)
    captures = np.unpackbits(rows, axis=1, bitorder="little")[:, :n].astype(bool)
    g = least(captures, np.asarray(instance.regrets), instance.rule_cost, instance.unit)
    for _ in range(8):
        subset = rng.random(n) < rng.choice([0.3, 0.6, 1.0])
        truth = g(subset)
        need = max(1, truth + int(rng.integers(-2, 3)) * instance.unit)
        bound = search.walk_from(mask(pack(subset)[0]), need)
        assert (bound >= need) == (truth >= need)
        assert bound <= truth
