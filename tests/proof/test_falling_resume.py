"""Going on from the proof of a stopped or killed search for falling lists."""

from fractions import Fraction

import numpy as np
import pytest
from corels_falling.options import BOUNDS
from corels_falling.proofcheck.reading import read_falling
from small_families import Instance, SmallFalling

from corels.check.opening import opened
from corels.errors import InputError, OptionError

pytest.importorskip("corels_falling._native")


def gone_on(seed, tmp_path, most=7):
    """Stopped, or cut off anywhere; gone on with, perhaps twice; the same optimum and a proof."""
    small = SmallFalling(seed, soft=bool(seed % 2), most=most, costed=seed % 7 < 3)
    options = {"max_rules": 3} if seed % 3 == 0 else {}
    if seed % 5 == 0:
        options["no_bound"] = list(BOUNDS[: int(small.random.integers(1, 5))])  # not dominance
    optimum = small.write(tmp_path / "whole.bin", **options).certificate
    first, second, last = (tmp_path / name for name in ("first.bin", "second.bin", "last.bin"))
    limit = int(small.random.integers(0, max(1, optimum.expanded)))
    small.write(first, node_limit=limit, **options)
    content = first.read_bytes()
    if seed % 4:
        at = content.index(b"\n") + 1
        first.write_bytes(content[: int(small.random.integers(at, len(content) + 1))])
    if seed % 2:
        limit = int(small.random.integers(0, max(1, optimum.expanded)))
        small.write(second, resume=str(first), node_limit=limit, **options)
        first = second
    result = small.write(last, resume=str(first), **options)
    assert result.certificate.optimal
    assert result.certificate.objective == optimum.objective
    shown = small.check(last.read_bytes())
    assert shown.failure is None, (seed, shown.failure)
    assert shown.lower_bound == optimum.objective


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_the_optimum_is_the_same_and_proved(start, tmp_path):
    for seed in range(start, start + 20):
        gone_on(seed, tmp_path)


@pytest.mark.slow
def test_the_optimum_is_the_same_thousands_of_times(tmp_path):
    for seed in range(1000, 4000):
        gone_on(seed, tmp_path, 5 + seed % 5)


def hard_to_search(seed, *, soft):
    """A table of some size, in which no antecedent says much."""
    random = np.random.default_rng(seed)
    shape = (9, 60) if soft else (14, 200)
    captures = random.random(shape) < 0.4
    labels = (random.random(shape[1]) < 0.35).astype(int)
    costs = Fraction(5), Fraction(1, 1000), Fraction(1, 20) if soft else None
    return Instance(captures, labels, np.ones(shape[1], int), *costs)


@pytest.mark.parametrize("soft", [False, True])
def test_what_was_finished_is_not_searched_again(soft, tmp_path):
    again = whole = 0
    for seed in range(10):
        small = SmallFalling(seed, soft=soft, instance=hard_to_search(seed, soft=soft))
        done = small.write(tmp_path / "p.bin").certificate
        half = done.expanded // 2
        small.write(tmp_path / "q.bin", node_limit=half)
        found = small.write(tmp_path / "r.bin", resume=str(tmp_path / "q.bin")).certificate
        assert found.objective == done.objective
        again, whole = again + half + found.expanded, whole + done.expanded
    assert whole > 250
    assert again <= 1.3 * whole


def test_a_finished_proof_is_taken_at_its_word(tmp_path):
    small = SmallFalling(4, soft=False, most=9)
    done = small.write(tmp_path / "p.bin").certificate
    found = small.write(tmp_path / "q.bin", resume=str(tmp_path / "p.bin")).certificate
    assert found.objective == done.objective
    header, records, _ = opened((tmp_path / "q.bin").read_bytes(), "q")
    assert sum(read_falling(header, records, "q").claimed) >= done.expanded


def test_what_cannot_be_gone_on_with_is_refused(tmp_path):
    small, path = SmallFalling(3, soft=False), str(tmp_path / "p.bin")
    small.write(path)
    for options, message in (
        ({"backend": "python"}, "expected backend 'c'"),
        ({"no_bound": ["dominance"]}, "expected bound 'dominance'"),
    ):
        with pytest.raises(OptionError, match=message):
            small.write(tmp_path / "q.bin", resume=path, **options)
    with pytest.raises(OptionError, match="would be written over"):
        small.write(path, resume=path)
    with pytest.raises(InputError, match="the limits are stated as none"):
        small.write(tmp_path / "q.bin", resume=path, max_rules=1)
    with pytest.raises(InputError, match="another problem"):
        SmallFalling(5, soft=True).write(tmp_path / "q.bin", resume=path)
    (tmp_path / "n.bin").write_bytes(b"nonsense")
    with pytest.raises(InputError, match="not a proof file"):
        small.write(tmp_path / "q.bin", resume=str(tmp_path / "n.bin"))
    assert not (tmp_path / "q.bin").exists()
