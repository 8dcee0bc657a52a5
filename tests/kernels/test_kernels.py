"""Every kernel of this machine counts like Python does."""

import numpy as np
from corels_c import _native

ffi, lib = _native.ffi, _native.lib


def words(array):
    return ffi.cast("uint64_t *", ffi.from_buffer(array))


def test_popcounts_equal_python(kernel):
    for length in (0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 64, 65, 1000):
        rng = np.random.default_rng(length)
        a, b = rng.integers(0, 2**64, size=(2, length + 1), dtype=np.uint64)
        table = lib.corels_kernel_current()
        assert ffi.string(table.name).decode() == kernel
        left = int.from_bytes(a[:length].tobytes(), "little")
        right = int.from_bytes(b[:length].tobytes(), "little")
        assert table.popcount(words(a), length) == left.bit_count()
        assert table.popcount_and(words(a), words(b), length) == (left & right).bit_count()


def test_all_ones_do_not_overflow_narrow_lanes(kernel):
    """Byte lanes inside the wide kernels must be emptied in time."""
    ones = np.full(5000, 2**64 - 1, dtype=np.uint64)
    table = lib.corels_kernel_current()
    assert table.popcount(words(ones), 5000) == 320_000
    assert table.popcount_and(words(ones), words(ones), 5000) == 320_000


def test_unknown_kernel_is_refused(monkeypatch):
    monkeypatch.setenv("CORELS_KERNEL", "abacus")
    assert lib.corels_kernel_current() == ffi.NULL
    assert lib.corels_kernel_named(b"abacus") == ffi.NULL
