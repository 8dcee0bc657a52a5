"""The C search held from Python, and brute force over all rule lists."""

from functools import cache
from operator import add

import numpy as np
from corels_c import _native
from corels_c.parts import TUNING
from corels_leaf_bound.bound import Leaves
from corels_rule_list.choice import _place
from corels_rule_list.presets import ALWAYS as ROLES
from corels_rule_list.presets import FAST_BOUNDS
from numpy.typing import NDArray

from corels.plugins import registry
from corels.problem.captures import pack as packed
from corels.search import EVENT, Expansion
from corels.search.children import ORIGINAL_COLUMNS

ffi, lib = _native.ffi, _native.lib

# In the order in which they are asked: what the engine has of bounds of scope "set".
REGISTERED = [registry().get("bound", name) for name in registry().names("bound")]
BOUNDS = tuple(
    bound.name
    for bound in sorted(REGISTERED, key=_place)
    if bound.scope == "set"
    and not bound.reads & ORIGINAL_COLUMNS
    and (bound is Leaves or lib.corels_bound_known(bound.name.encode()))
)
ALWAYS = tuple(bound.name for bound in REGISTERED if bound.role in ROLES)
OPTIONAL = tuple(name for name in BOUNDS if name not in ALWAYS)
DEFAULT = tuple(name for name in BOUNDS if name in (*FAST_BOUNDS, "leaves"))
MAPS = {"depth-first": ("memo", "none"), "best-first": ("captured", "permutation", "none")}
KERNELS = ("portable", "popcnt", "avx2", "avx512", "neon")
FRONTIERS = {"best-first": lib.CORELS_BEST_FIRST, "depth-first": lib.CORELS_DEPTH_FIRST}


def pack(captures):
    """Rows of booleans as rows of 64-bit words."""
    return packed(np.atleast_2d(np.asarray(captures, dtype=bool)))


def tuned(**values):
    """All tuning values, these of them changed, as the engine takes them."""
    return list(({row.name: row.default for row in TUNING} | values).values())


class Engine:
    """corels_search over captures [antecedents][points] and regrets [classes][points].

    bounds: names, or pairs of a C function and its argument. policy: a name, or such a pair.
    """

    def __init__(
        self, captures, regrets, rule_cost, unit=1, *, base=0, for_rules=0, may=None, **options
    ):
        masks = pack(captures)
        self.regrets = np.ascontiguousarray(regrets, dtype=np.int32)
        self.antecedents = len(captures)
        barred = None if may is None else np.ascontiguousarray(~may).view(np.uint8)
        instance = ffi.new(
            "corels_instance *",
            {
                "rule_cost": rule_cost,
                "unit": unit,
                "base": base,
                "total": int(self.regrets.max(axis=0, initial=0).sum()),
                "antecedents": len(captures),
                "points": self.regrets.shape[1],
                "classes": len(self.regrets),
                "for_rules": for_rules,
                "barred": ffi.NULL if may is None else ffi.from_buffer("uint8_t[]", barred),
                "masks": ffi.from_buffer("uint64_t[]", masks),
                "regrets": ffi.from_buffer("int32_t[]", self.regrets),
            },
        )
        out = ffi.new("corels_search **")
        self.options = self._options(**options)
        self.status = lib.corels_search_new(out, instance, self.options)
        self.handle = ffi.gc(out[0], lib.corels_search_free) if self.status == 0 else None

    def _options(  # noqa: PLR0917 - the fields of one C struct
        self,
        bounds=DEFAULT,
        search="depth-first",
        policy="objective",
        map="memo",
        start=True,
        fine=False,
        threads=1,
        price_stages=(0, 10, 60, 80),
        leaf_stages=(-1,),  # never, if a test does not ask: raw steps have no clock
        leaf_options=None,
        seed=0,
        memory=0,
        reads_sets=False,
        max_rules=-1,
        tune=None,
    ):
        self.names = [name if isinstance(name, str) else "a plugin's" for name in bounds]
        choices = ffi.new("corels_bound_choice[]", max(1, len(bounds)))
        self.alive = [choices]
        counts = {"prices": price_stages, "leaves": leaf_stages}
        for choice, bound in zip(choices, bounds, strict=False):
            if bound == "leaves":
                self.alive.append(Leaves(**(leaf_options or {})))
                choice.tables = ffi.cast("corels_table_bound *", self.alive[-1].tables)
            elif isinstance(bound, str):
                choice.native = self._text(bound)
                choice.monotone = bound == "reduced_support"
            else:
                choice.keep, choice.user = bound
            if isinstance(bound, str) and bound in counts:
                choice.stages = self._array("int64_t[]", counts[bound])
                choice.stage_count = len(counts[bound])
        named = isinstance(policy, str)
        return ffi.new(
            "corels_search_options *",
            {
                "frontier": FRONTIERS[search],
                "policy": self._text(policy) if named else ffi.NULL,
                "priority": ffi.NULL if named else policy[0],
                "priority_user": ffi.NULL if named else policy[1],
                "map": self._text(map),
                "bounds": choices,
                "bound_count": len(bounds),
                "start": start,
                "fine_events": fine,
                "reads_sets": reads_sets,
                "threads": threads,
                "max_rules": max_rules,
                "seed": seed,
                "memory": memory,
                "tune": ffi.NULL if tune is None else self._array("double[]", tune),
            },
        )

    def _array(self, kind, values):
        self.alive.append(ffi.new(kind, values))
        return self.alive[-1]

    def _text(self, text):
        return self._array("char[]", text.encode())

    def look(self):
        report = ffi.new("corels_report *")
        lib.corels_search_look(self.handle, report)
        return report

    def stages(self):
        """How many stages of each bound's tables were built."""
        parts = {name: i for i, name in enumerate(self.names)}
        found = {name: lib.corels_search_stages(self.handle, i) for name, i in parts.items()}
        return {name: stage for name, stage in found.items() if stage >= 0}

    def step(self, budget=1 << 40, seconds=0):
        """Whether the search is done."""
        status = lib.corels_search_step(self.handle, budget, seconds)
        assert status in (lib.CORELS_OK, lib.CORELS_DONE), status
        return status == lib.CORELS_DONE

    def run(self, budget=1 << 40):
        while not self.step(budget):
            pass
        return self.look()

    def events(self):
        """The records since the last call, as tuples."""
        records = ffi.new("corels_event **")
        count = lib.corels_search_events(self.handle, records)
        return np.frombuffer(ffi.buffer(records[0], count * EVENT.itemsize), dtype=EVENT).tolist()

    def pruned(self):
        counts = ffi.new("int64_t[]", len(self.names) + 1)
        lib.corels_search_pruned(self.handle, counts)
        return dict(zip(self.names, counts, strict=False))

    def rules(self):
        out = ffi.new("int32_t[]", self.look().length + 1)
        return list(out[0 : lib.corels_search_best(self.handle, out)])

    def keep(self, subset, need, bound=None, length=0):
        """The children that the cost and one bound keep of a set (a boolean vector of points) that
        `length` rules leave."""
        n, kept = ffi.new("int32_t *"), ffi.new("int32_t[]", self.antecedents + 1)
        words = ffi.from_buffer("uint64_t[]", pack(subset))
        name = ffi.NULL if bound is None else ffi.new("char[]", bound.encode())
        status = lib.corels_search_ask_bound(self.handle, words, length, need, name, kept, n)
        assert status == lib.CORELS_OK
        return list(kept[0 : n[0]])

    def last_rule_fails(self, subset, rule, need):
        """Whether it is told without a count that one rule behind `rule` does not reach need."""
        words = ffi.from_buffer("uint64_t[]", pack(subset))
        answer = lib.corels_search_last_rule_fails(self.handle, words, rule, need)
        assert answer in (0, 1), answer
        return bool(answer)

    def claim(self, subset, left=-1):
        """What the memo claims completions of a set by `left` rules to cost; -1: nothing."""
        words = ffi.from_buffer("uint64_t[]", pack(subset))
        return lib.corels_search_claim(self.handle, words, left)

    @property
    def kernel(self):
        return ffi.string(lib.corels_search_kernel(self.handle)).decode()


def brute_force(captures, regrets, rule_cost, unit):
    """f as a function of a set of points (a boolean vector), over all rule lists; and of how many
    rules they may have at most (< 0: any number)."""

    def number(subset):
        return int.from_bytes(np.packbits(subset, bitorder="little").tobytes(), "little")

    masks = list(map(number, captures))
    points = [[int(x) for x in column] for column in np.asarray(regrets).T]
    nothing = (0,) * len(regrets)

    @cache
    def sums(cell):
        if not cell:
            return nothing
        last = cell.bit_length() - 1
        return tuple(map(add, sums(cell ^ 1 << last), points[last]))

    def errors(cell):
        return min(sums(cell))

    @cache
    def least(cell, left=-1):
        best = unit * errors(cell)
        for mask in masks:
            if left and cell & mask:
                cost = rule_cost + unit * errors(cell & mask)
                if cost < best:
                    best = min(best, cost + least(cell & ~mask, left - 1))
        return best

    return lambda subset, left=-1: least(number(subset), left)


def list_cost(captures, regrets, rules, rule_cost, unit, may=None):  # noqa: PLR0917
    """The cost of a rule list, counted rule by rule. may: bool[M, C], what each antecedent's rule
    may say; None: all."""
    regrets = np.asarray(regrets)
    left, cost = np.ones(regrets.shape[1], dtype=bool), 0
    for rule in rules:
        errors = (regrets * (left & captures[rule])).sum(axis=1)
        cost += rule_cost + unit * int(errors[... if may is None else may[rule]].min())
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


def wide_problem(rng):
    """Few points, in the order that searches have, and so many antecedents that many children ask;
    some problems have few rivals."""
    points, antecedents = int(rng.integers(20, 150)), int(rng.integers(30, 1500))
    most = rng.choice([0.1, 0.5, 0.9])
    captures = rng.random((antecedents, points)) < rng.uniform(0, most, size=(antecedents, 1))
    weight = rng.integers(1, int(rng.choice([2, 5, 300])), size=points)
    label = rng.random(points) < rng.uniform(0.1, 0.9)
    order = np.lexsort((-weight, label))
    regrets = np.array([weight * label, weight * ~label])[:, order]
    return captures, regrets, int(rng.integers(1, 12)), int(rng.integers(1, 4))


def hard_table(rng, points, flags):
    """Conjunctions of two flags, and labels with a chance of their own for each pattern of flags,
    so that bounds tell little: bool[M, P], int32[2, P]."""
    base = rng.random((flags, points)) < rng.uniform(0.2, 0.6, size=(flags, 1))
    captures = np.array([base[i] & base[j] for i in range(flags) for j in range(i + 1)])
    pattern = (base * (1 << np.arange(flags))[:, None]).sum(axis=0)
    label = rng.random(points) < rng.uniform(0.2, 0.8, 1 << flags)[pattern]
    return captures, np.array([label, ~label]).astype(np.int32)


def of_all_points(captures: NDArray[np.bool_], regrets: NDArray[np.int64]) -> Expansion:
    """captures: bool[M, P]; regrets: [C, P]. No rule came before, and nothing is counted."""
    return Expansion(
        masks=pack(captures),
        remaining=pack(np.ones(captures.shape[1], dtype=bool))[0],
        counts=np.zeros((len(regrets), len(captures)), dtype=np.int64),
        totals=regrets.sum(axis=1),
        worst=regrets.max(axis=0),
        regrets=regrets.astype(np.int64),
        cost=0,
    )
