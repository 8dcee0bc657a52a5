"""Which seeds a test of random problems takes."""

import pytest


def seeds(count: int, quick: int) -> list:
    """`count` seeds; of these the first `quick` by default, the others with the slow tests."""
    slow = (pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, count))
    return [*range(quick), *slow]
