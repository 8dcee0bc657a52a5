"""The price bound held from Python."""

import numpy as np
from corels_c import _native
from engine import pack

ffi, lib = _native.ffi, _native.lib

OPTIONS = {
    "most_points": 8,
    "most_splits": 8,
    "covers": 1,
    "iterations": 20,
    "first_step": 2.0,
    "last_step": 0.1,
    "threads": 1,
    "seed": 1,
    "memory": 0,
}


class Prices:
    """corels_prices over captures [antecedents][points] and regrets [classes][points].

    `status` is that of the builder; `ready` is false if the budgets do not hold.
    """

    def __init__(self, captures, regrets, rule_cost, unit=1, amount=1 << 40, **options):
        self.masks = ffi.from_buffer("uint64_t[]", pack(captures))
        self.regrets = ffi.from_buffer("int32_t[]", np.ascontiguousarray(regrets, dtype=np.int32))
        self.antecedents, self.points = captures.shape
        self.instance = ffi.new(
            "corels_instance *",
            {
                "masks": self.masks,
                "regrets": self.regrets,
                "rule_cost": rule_cost,
                "unit": unit,
                "antecedents": self.antecedents,
                "points": self.points,
                "classes": len(regrets),
            },
        )
        self.options = ffi.new("corels_prices_options *", {**OPTIONS, **options})
        self.most_bytes, self.handle = 0, None
        out = ffi.new("corels_prices_builder **")
        self.status = lib.corels_prices_builder_new(out, self.instance, self.options)
        if self.status == lib.CORELS_OK:
            self._build(out[0], amount)

    def _build(self, builder, amount):
        while lib.corels_prices_build_step(builder, amount) == lib.CORELS_OK:
            self.most_bytes = max(self.most_bytes, lib.corels_prices_builder_bytes(builder))
        self.most_bytes = max(self.most_bytes, lib.corels_prices_builder_bytes(builder))
        made = lib.corels_prices_build_end(builder)
        lib.corels_prices_builder_free(builder)
        if made == ffi.NULL:
            self.handle = None
        elif made != self.handle:
            self.handle = ffi.gc(made, lib.corels_prices_free)

    @property
    def ready(self):
        return self.handle is not None

    def again(self, sets, **options):
        """The ascent goes on, on these sets (rows of booleans)."""
        packed = pack(np.array(sets))
        kept = ffi.from_buffer("uint64_t[]", packed)
        sample = ffi.new("corels_sample *", {"n": len(sets), "sets": kept})
        given = ffi.new("corels_prices_options *", {**OPTIONS, **options})
        out = ffi.new("corels_prices_builder **")
        status = lib.corels_prices_builder_again(out, self.handle, given, sample)
        if status == lib.CORELS_OK:
            self._build(out[0], 1)
        return status

    def view(self, path=()):
        """The view of all points without what the antecedents of `path` capture."""
        size = lib.corels_prices_view_bytes(self.handle)
        room = ffi.new("char[]", size + 64)
        at = ffi.cast("char *", (int(ffi.cast("uintptr_t", room)) + 63) // 64 * 64)
        everything = ffi.from_buffer("uint64_t[]", pack(np.ones(self.points, dtype=bool)))
        lib.corels_prices_view(self.handle, everything, at)
        for rule in path:
            lib.corels_prices_child(self.handle, at, rule, 0, at)
        return room, at

    def least(self, path=(), subset=None):
        """What completions cost at least: of the set behind `path`, then of each child of it; or of
        a set given by its points."""
        room, view = self.view(path)
        if subset is not None:
            words = ffi.from_buffer("uint64_t[]", pack(subset))
            lib.corels_prices_view(self.handle, words, view)
        found = [lib.corels_prices_least(self.handle, view, r) for r in range(self.antecedents)]
        whole = lib.corels_prices_least(self.handle, view, -1)
        del room
        return whole, found

    def of_set(self, path=()):
        """What completions of the set behind `path` cost at least, by these or earlier prices."""
        room, view = self.view(path)
        found = lib.corels_prices_set(self.handle, view)
        del room
        return found

    def spoil(self, percent):
        lib.corels_prices_spoil(self.handle, percent)

    @property
    def within_budget(self):
        return bool(lib.corels_prices_within_budget(self.handle))
