"""Every proof that a search writes is accepted, whatever its parts, finished or stopped."""

import numpy as np
import pytest
from corels_rule_list.presets import PRESETS
from seeds import ranges
from small import Small, objective

from corels.plugins import registry

FAST = PRESETS["fast"].bounds
SETS = tuple(b for b in FAST["depth-first"] if b not in ("hierarchical", "equivalent_points"))
MORE = tuple(b for b in registry().names("bound") if b not in FAST["best-first"])
CHECKERS = ("python", "c")


def depth_first(random):
    """Some bounds taken away, some added; threads; a limit or none."""
    options = {"search": "depth-first", "no_bound": _some(random, SETS, 0.4)}
    options["bound"] = _some(random, ("upper_support",), 0.5)
    options["map"] = "none" if random.random() < 0.2 else "memo"
    options["threads"] = int(random.integers(1, 4))
    return options | _limits(random)


def best_first(random):
    options = {"search": "best-first"}
    options["no_bound"] = _some(random, FAST["best-first"], 0.4)
    options["bound"] = _some(random, MORE, 0.4)
    options["map"] = random.choice(["none", "permutation", "captured"])
    options["policy"] = random.choice(["objective", "bfs", "curiosity", "dfs", "lower_bound"])
    return options | _limits(random)


def _some(random, names, share):
    return tuple(name for name in names if random.random() < share)


def _limits(random):
    limit = {"node_limit": int(random.integers(0, 60))} if random.random() < 0.4 else {}
    limit["max_rules"] = int(random.integers(0, 5)) if random.random() < 0.5 else None
    return limit | {"seed": int(random.integers(9))}


def agrees(small, path, **options):
    """Search, and check the proof with both checkers."""
    result = small.search(path, **options)
    for checker in CHECKERS:
        verdict = small.check(path.read_bytes(), checker)
        assert verdict.failure is None, (options, verdict)
        assert verdict.objective == result.certificate.objective
        assert verdict.lower_bound >= result.certificate.lower_bound
        assert verdict.lower_bound == verdict.objective or not result.certificate.optimal
    return result


def some_problem(seed, random, most=13):
    sizes = {"antecedents": int(random.integers(1, most)), "rows": int(random.integers(3, 80))}
    return Small(seed, **sizes, classes=2 + (seed % 4 == 0), weighted=seed % 3 == 0)


def is_right(small, result):
    most = result.certificate.max_rules
    if result.certificate.optimal and small.problem.n_antecedents < 8:
        best = small.f(small.left(()), -1 if most is None else most)
        assert result.certificate.objective == objective(small, best)


def one_depth_first(seed, path):
    random = np.random.default_rng(seed)
    small = some_problem(seed, random)
    is_right(small, agrees(small, path, **depth_first(random)))


def one_best_first(seed, path):
    random = np.random.default_rng(seed)
    small = some_problem(seed, random, 9)
    is_right(small, agrees(small, path, **best_first(random)))


def one_of_the_teaching_backend(seed, path):
    random = np.random.default_rng(seed)
    small = some_problem(seed, random, 8)
    options = (depth_first if seed % 2 else best_first)(random)
    options |= (
        {"backend": "python", "threads": 1} if "threads" in options else {"backend": "python"}
    )
    options["bound"] = tuple(name for name in options["bound"] if name != "leaves")  # refused there
    is_right(small, agrees(small, path, **options))


SEARCHES = (one_depth_first, one_best_first, one_of_the_teaching_backend)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("numbers", ranges(16, 1680))
def test_every_proof_is_accepted(numbers, search, tmp_path, early_tables):
    for seed in numbers:
        search(seed, tmp_path / "p.bin")


def test_a_search_that_stops_behind_a_child_counts_it(tmp_path, early_tables):
    """The child was solved, and the search stopped before the set above was told."""
    one_of_the_teaching_backend(2517, tmp_path / "p.bin")


def test_what_a_pass_leaves_unfinished_is_claimed(tmp_path, early_tables):
    """The search went back to the root to prove a threshold, and stopped soon."""
    one_depth_first(2484, tmp_path / "p.bin")
