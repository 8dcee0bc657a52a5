"""The fast search held from Python, and brute force over all rule lists."""

from functools import cache

import numpy as np
from corels_c import _native

ffi, lib = _native.ffi, _native.lib

PARTS = {
    "lookahead": lib.CORELS_FAST_LOOKAHEAD,
    "reduced_support": lib.CORELS_FAST_REDUCED_SUPPORT,
    "one_rule": lib.CORELS_FAST_ONE_RULE,
    "second_rule": lib.CORELS_FAST_SECOND_RULE,
    "dominance": lib.CORELS_FAST_DOMINANCE,
    "similar_support": lib.CORELS_FAST_SIMILAR_SUPPORT,
    "blocks": lib.CORELS_FAST_BLOCKS,
    "memo": lib.CORELS_FAST_MEMO,
    "start": lib.CORELS_FAST_START,
}


def pack(captures):
    """Rows of booleans as rows of little-endian 64-bit words."""
    captures = np.atleast_2d(np.asarray(captures, dtype=bool))
    words = (captures.shape[1] + 63) // 64
    padded = np.zeros((len(captures), words * 64), dtype=bool)
    padded[:, : captures.shape[1]] = captures
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


class Fast:
    """corels_fast over captures [antecedents][points] and regrets [classes][points]."""

    def __init__(  # noqa: PLR0917
        self,
        captures,
        regrets,
        rule_cost,
        unit=1,
        parts=lib.CORELS_FAST_DEFAULT,
        threads=1,
        stages=(0, 50),
        seed=0,
        memory=0,
        family=None,
    ):
        masks = pack(captures) if len(captures) else np.zeros((0, 1), dtype=np.uint64)
        self.start(
            masks,
            len(captures),
            regrets,
            rule_cost,
            unit,
            parts,
            threads,
            stages,
            seed,
            memory,
            family,
        )

    def start(  # noqa: PLR0917 - the columns of one C struct
        self,
        masks,
        antecedents,
        regrets,
        rule_cost,
        unit,
        parts,
        threads,
        stages,
        seed,
        memory,
        family,
    ):
        masks = np.ascontiguousarray(masks)
        regrets = np.ascontiguousarray(regrets, dtype=np.int32)
        instance = ffi.new(
            "corels_fast_instance *",
            {
                "rule_cost": rule_cost,
                "unit": unit,
                "antecedents": antecedents,
                "points": regrets.shape[1],
                "classes": len(regrets),
                "masks": ffi.from_buffer("uint64_t[]", masks),
                "regrets": ffi.from_buffer("int32_t[]", regrets),
            },
        )
        name = ffi.NULL if family is None else ffi.new("char[]", family.encode())
        options = ffi.new(
            "corels_fast_options *",
            {
                "parts": parts,
                "threads": threads,
                "seed": seed,
                "memory": memory,
                "stages": stages,
                "family": name,
            },
        )
        out = ffi.new("corels_fast **")
        self.status = lib.corels_fast_new(out, instance, options)
        self.handle = ffi.gc(out[0], lib.corels_fast_free) if self.status == 0 else None

    def look(self):
        report = ffi.new("corels_fast_report *")
        lib.corels_fast_look(self.handle, report)
        return report

    def step(self, budget=1 << 40):
        assert lib.corels_fast_step(self.handle, budget) == lib.CORELS_OK
        return self.look()

    def rules(self):
        out = ffi.new("int32_t[]", self.look().length + 1)
        return list(out[0 : lib.corels_fast_list(self.handle, out)])

    def keep(self, subset, need, part):
        """The children that one part alone keeps of a set (a boolean vector of points)."""
        n, kept = ffi.new("int32_t *"), ffi.new("int32_t[]", 1000)
        words = ffi.from_buffer("uint64_t[]", pack(subset))
        assert lib.corels_fast_probe(self.handle, words, need, part, kept, n) == lib.CORELS_OK
        return list(kept[0 : n[0]])

    def claim(self, subset):
        """What the memo claims a set to cost at least; -1: nothing."""
        return lib.corels_fast_claim(self.handle, ffi.from_buffer("uint64_t[]", pack(subset)))

    @property
    def kernel(self):
        return ffi.string(lib.corels_fast_kernel(self.handle)).decode()


def brute_force(captures, regrets, rule_cost, unit):
    """f as a function of a set of points (an int, bit i = point i), over all rule lists."""
    masks = [
        int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in captures
    ]
    columns = [[int(x) for x in row] for row in np.asarray(regrets)]

    def errors(cell):
        return min(sum(x for i, x in enumerate(row) if cell >> i & 1) for row in columns)

    @cache
    def least(cell):
        best = unit * errors(cell)
        for mask in masks:
            if cell & mask:
                cost = rule_cost + unit * errors(cell & mask)
                if cost < best:
                    best = min(best, cost + least(cell & ~mask))
        return best

    return least


def list_cost(captures, regrets, rules, rule_cost, unit):
    """The cost of a rule list, counted rule by rule."""
    regrets = np.asarray(regrets)
    left, cost = np.ones(regrets.shape[1], dtype=bool), 0
    for rule in rules:
        cost += rule_cost + unit * int((regrets * (left & captures[rule])).sum(axis=1).min())
        left &= ~captures[rule]
    return cost + unit * int((regrets * left).sum(axis=1).min())


def random_problem(rng, classes=2):
    """A small instance in regret form: captures, regrets, rule cost, unit."""
    points, antecedents = int(rng.integers(1, 24)), int(rng.integers(1, 9))
    captures = rng.random((antecedents, points)) < rng.uniform(0.1, 0.8, size=(antecedents, 1))
    weight = rng.integers(1, int(rng.choice([2, 4, 30])), size=points)
    if classes == 2:
        label = rng.random(points) < 0.5
        regrets = np.array([weight * label, weight * ~label])
    else:
        regrets = rng.integers(0, 6, size=(classes, points))
        regrets -= regrets.min(axis=0)
        regrets[0] += (regrets.sum(axis=0) == 0) * 1
    return captures, regrets, int(rng.integers(0, 12)), int(rng.integers(1, 5))
