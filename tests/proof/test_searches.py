"""Every proof that a search writes is accepted, whatever its parts, finished or stopped."""

from itertools import pairwise  # noqa: F401

import numpy as np
import pytest
from small import Small, objective

SETS = ("lookahead", "reduced_support", "one_rule", "second_rule", "dominance", "blocks")
CHECKERS = ("python", "c")


def parts_of(random):
    """Some bounds of the depth-first search taken away, some added; threads; a limit or none."""
    taken = [name for name in SETS if random.random() < 0.4]
    options = {"no_bound": tuple(taken), "seed": int(random.integers(9))}
    if random.random() < 0.5:
        options["bound"] = ("similar_support",)
    if random.random() < 0.2:
        options["map"] = "none"
    options["threads"] = int(random.integers(1, 4))
    if random.random() < 0.4:
        options["node_limit"] = int(random.integers(0, 60))
    return options


@pytest.fixture
def early_blocks(monkeypatch):
    """Blocks are built at once, so that small problems have some."""
    import corels_c.sets

    monkeypatch.setattr(corels_c.sets, "STAGES", (0, 3))


def agrees(small, path, **options):
    """Search, and check the proof with both checkers."""
    result = small.search(path, **options)
    for checker in CHECKERS:
        verdict = small.check(path.read_bytes(), checker)
        assert verdict.failure is None, (options, verdict)
        assert verdict.objective == result.certificate.objective
        assert verdict.lower_bound == result.certificate.lower_bound
    return result


@pytest.mark.parametrize("seed", range(60))
def test_depth_first(seed, tmp_path, early_blocks):
    random = np.random.default_rng(seed)
    sizes = {"antecedents": int(random.integers(1, 13)), "rows": int(random.integers(3, 80))}
    small = Small(seed, **sizes, classes=2 + (seed % 4 == 0), weighted=seed % 3 == 0)
    result = agrees(small, tmp_path / "p.bin", **parts_of(random))
    if result.certificate.optimal and small.problem.n_antecedents < 8:
        assert result.certificate.objective == objective(small, small.f(small.left(())))
