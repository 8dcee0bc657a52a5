"""The block bound held from Python."""

import numpy as np
from corels_c import _native
from engine import pack

ffi, lib = _native.ffi, _native.lib


class Blocks:
    """corels_blocks over captures [antecedents][points] and regrets [classes][points]."""

    def __init__(self, captures, regrets, sets=(), begin_with=None, **options):
        masks, kept = pack(captures), pack(np.asarray(sets, dtype=bool)) if len(sets) else None
        regrets = np.ascontiguousarray(regrets, dtype=np.int32)
        given = {
            "block_points": 12,
            "most_blocks": 64,
            "heavy": 8,
            "swaps": 100,
            "seed": 1,
            "weights": [0, 1, 4, 0, 0],
            "sets": ffi.NULL if kept is None else ffi.from_buffer("uint64_t[]", kept),
            "sets_given": len(sets),
            "set_count": len(sets),
            "from": ffi.NULL if begin_with is None else begin_with.handle,
            **options,
        }
        out = ffi.new("corels_blocks_building **")
        instance = {
            "masks": ffi.from_buffer("uint64_t[]", masks),
            "regrets": ffi.from_buffer("int32_t[]", regrets),
            "antecedents": len(captures),
            "points": captures.shape[1],
            "classes": len(regrets),
        }
        self.status = lib.corels_blocks_begin(
            out, ffi.new("corels_instance *", instance), ffi.new("corels_blocks_options *", given)
        )
        while self.status == lib.CORELS_OK:
            self.status = lib.corels_blocks_build(out[0])
        if self.status == lib.CORELS_DONE:
            self.handle = ffi.gc(lib.corels_blocks_finish(out[0]), lib.corels_blocks_free)
        else:
            lib.corels_blocks_cancel(out[0])

    def view(self, subset):
        view = ffi.new("uint64_t[]", max(1, lib.corels_blocks_view_words(self.handle)))
        lib.corels_blocks_view(self.handle, ffi.from_buffer("uint64_t[]", pack(subset)), view)
        return view

    def errors(self, subset, rule=-1):
        """V_k, k = 0 .. 7, of a boolean vector of points, without what `rule` captures."""
        errors = ffi.new("int64_t[8]")
        lib.corels_blocks_errors(self.handle, self.view(subset), rule, errors)
        return list(errors)

    def prove(self, subset, limits, rule=-1):
        given = ffi.new("int64_t[8]", limits)
        return bool(lib.corels_blocks_prove(self.handle, self.view(subset), rule, given))
