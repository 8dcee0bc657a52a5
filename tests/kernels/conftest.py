"""Fixtures of the kernel tests: every kernel that this machine has."""

import pytest
from corels_c import _native

NAMES = ("portable", "popcnt", "avx2", "avx512", "neon")
HERE = [name for name in NAMES if _native.lib.corels_kernel_named(name.encode())]


@pytest.fixture(params=HERE)
def kernel(request, monkeypatch):
    """Force one kernel for the length of a test."""
    monkeypatch.setenv("CORELS_KERNEL", request.param)
    return request.param
