"""Which seeds a test of random problems takes."""

from itertools import pairwise

import pytest


def seeds(count: int, quick: int) -> list:
    """`count` seeds; of these the first `quick` by default, the others with the slow tests."""
    slow = (pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, count))
    return [*range(quick), *slow]


def ranges(size: int, count: int, quick: int = 1) -> list:
    """The same of a test that takes many at once: the first `quick` ranges of `size` seeds by
    default, all others, up to `count`, in ten ranges with the slow tests."""
    by_default = [range(size * part, size * (part + 1)) for part in range(quick)]
    rest = count - size * quick
    ends = [size * quick + rest * part // 10 for part in range(11)]
    slow = [pytest.param(range(*ends), marks=pytest.mark.slow) for ends in pairwise(ends)]
    return [*by_default, *slow]
