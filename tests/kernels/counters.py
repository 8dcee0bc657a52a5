"""A counter held from Python, and the same counts by NumPy."""

import numpy as np
from corels_c import _native

from corels.problem.captures import pack

ffi, lib = _native.ffi, _native.lib


def expected(captures, weights, subset):
    """Counts [measures][antecedents] and totals [measures] by matrix products."""
    chosen = np.asarray(weights, dtype=np.int64) * subset
    return chosen @ captures.T.astype(np.int64), chosen.sum(axis=1)


class Counter:
    """corels_counter over a boolean matrix [antecedents][points]; frees itself."""

    is_within = False

    def __init__(self, captures, weights):
        masks = pack(captures)
        self.weights = np.ascontiguousarray(weights, dtype=np.int32)
        handle = ffi.new("corels_counter **")
        self.status = lib.corels_counter_new(
            handle,
            ffi.cast("uint64_t *", ffi.from_buffer(masks)),
            len(captures),
            captures.shape[1],
            ffi.cast("int32_t *", ffi.from_buffer(self.weights)),
            len(self.weights),
        )
        if self.status != lib.CORELS_OK:
            assert handle[0] == ffi.NULL
            return
        self._hold(handle[0], len(captures))

    def _hold(self, handle, antecedents):
        self.handle = ffi.gc(handle, lib.corels_counter_free)
        self.antecedents = antecedents
        self.stride = lib.corels_counter_stride(self.handle)
        self.kernel = ffi.string(lib.corels_counter_kernel(self.handle)).decode()

    def within(self, points):
        """A counter with columns of these points alone."""
        return self._within(pack(points[None]))

    def _within(self, packed):
        handle = ffi.new("corels_counter **")
        within = ffi.cast("uint64_t *", ffi.from_buffer(packed))
        inner = Counter.__new__(Counter)
        inner.status = lib.corels_counter_within(handle, self.handle, within)
        if inner.status == lib.CORELS_OK:
            inner.weights, inner.whole, inner.is_within = self.weights, self, True
            inner._hold(handle[0], self.antecedents)
        return inner

    def squeezed(self, points):
        """A boolean vector of all points, as a set that a counter within points is given."""
        return self._squeezed(pack(points[None]))[0]

    def left(self, antecedents):
        """Those points of a counter within points that none of the antecedents captures."""
        words = lib.corels_counter_words(self.handle)
        rules, to = np.asarray(antecedents, dtype=np.int32), np.full(words, -7, dtype=np.int64)
        given, into = (ffi.from_buffer(each) for each in (rules, to))
        given, into = ffi.cast("int32_t *", given), ffi.cast("uint64_t *", into)
        lib.corels_counter_left(self.handle, given, len(rules), into)
        return to

    def _squeezed(self, packed):
        """Sets of all points as those of a counter within points."""
        squeezed = np.full((len(packed), packed.shape[1] + 1), -1, dtype=np.int64)
        for row, into in zip(packed, squeezed, strict=True):
            given, to = (ffi.cast("uint64_t *", ffi.from_buffer(each)) for each in (row, into))
            lib.corels_counter_squeeze(self.handle, given, to)
        words = lib.corels_counter_words(self.handle)
        return np.ascontiguousarray(squeezed[:, :words])

    def _counted(self, function, subsets, *how_many):
        packed = pack(np.array(subsets, bool))
        packed = self._squeezed(packed) if self.is_within else packed
        return self._count_packed(function, packed, *how_many)

    def _count_packed(self, function, packed, *how_many):
        """What `function` counts: counts [n][measures][stride] and totals [n][measures]."""
        n = len(packed)
        room = np.zeros(n * lib.corels_counter_scratch(self.handle) + 64, dtype=np.uint8)
        skip = -room.ctypes.data % 64
        counts = np.full((n, len(self.weights), self.stride), -7, dtype=np.int32)
        totals = np.full((n, len(self.weights)), -7, dtype=np.int32)
        function(
            self.handle,
            *how_many,
            ffi.cast("uint64_t *", ffi.from_buffer(packed)),
            ffi.cast("void *", ffi.from_buffer(room)) + skip,
            ffi.cast("int32_t *", ffi.from_buffer(counts)),
            ffi.cast("int32_t *", ffi.from_buffer(totals)),
        )
        return counts, totals

    def count(self, subset):
        """Counts [measures][stride] and totals [measures] of a boolean vector of points."""
        counts, totals = self._counted(lib.corels_counter_count, [subset])
        return counts[0], totals[0]

    def count_some(self, subsets):
        """The same of several subsets in one call: [(counts, totals), ..]."""
        counts, totals = self._counted(lib.corels_counter_count_some, subsets, len(subsets))
        return list(zip(counts, totals, strict=True))
