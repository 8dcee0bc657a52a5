"""A trial of the engine itself, held by its C interface: what no user can choose.

Costs of every prediction, workers that take turns, a memo that forgets, steps of a few sets or of a
millionth of a second, and a known cost; and every claim of the memo is true.
"""

import numpy as np
from engine import (
    ALWAYS,
    BOUNDS,
    DEFAULT,
    FRONTIERS,
    MAPS,
    OPTIONAL,
    Engine,
    ffi,
    lib,
    list_cost,
    pack,
    tuned,
)
from oracle import least_costs
from tables import KINDS, random_captures
from whole import at_once, stages

POLICIES = ("objective", "bfs", "dfs", "lower_bound", "stochastic")
SHARES = (0, 0.002, 0.01, 0.03, 0.08, 0.2)  # what a rule costs, of what all errors cost
FEW_SHARES = (0.005, 0.01, 0.02, 0.03)  # so that lists are long
MOST_SETS = 60_000
SMALL = 170_000  # bytes of a memo that must forget
SIMILAR = {  # where claims about similar sets are asked, which wants tables
    "search": "depth-first",
    "map": "memo",
    "price_stages": at_once(),
    "memory": 0,
}
WITHOUT_PAIRS = ("reduced_support", "hierarchical", "lookahead", "equivalent_points", "one_rule")


def random_costs(rng, n, classes, most=(2, 4, 30, 5000)):
    """int[C, n]: what a class costs at a point beyond the best one."""
    wrong = rng.integers(0, int(rng.choice(most)), size=(classes, n))
    if rng.random() < 0.5:  # as labels and weights give them
        label = rng.integers(0, classes, n)
        wrong = wrong.max(axis=0) * (np.arange(classes)[:, None] != label)
    wrong = wrong - wrong.min(axis=0)
    wrong[0] += wrong.sum(axis=0) == 0  # a point that costs nothing would not be there
    return wrong


def random_bounds(rng, forgets):
    how = str(rng.choice(["default", "all", "some", "few"], p=[0.2, 0.2, 0.4, 0.2]))
    if forgets:
        return "few", WITHOUT_PAIRS[int(rng.integers(2)) : int(rng.integers(4, 6))]
    share = {"some": 0.5, "few": 0.15}.get(how)
    if share is None:
        return how, DEFAULT if how == "default" else BOUNDS
    kept = {name for name in OPTIONAL if rng.random() < share}
    return how, tuple(name for name in BOUNDS if name in kept or name in ALWAYS)


def random_options(rng, forgets):
    """(features, options of Engine)."""
    search = "depth-first" if forgets else str(rng.choice(list(FRONTIERS)))
    how, bounds = random_bounds(rng, forgets)
    tables = str(rng.choice(["early", "at once"]))
    early = stages(rng, tables)
    options = {
        "search": search,
        "bounds": bounds,
        "map": "memo" if forgets else str(rng.choice(MAPS[search])),
        "policy": "objective" if forgets else str(rng.choice(POLICIES)),
        "start": bool(rng.integers(2)),
        "fine": not forgets and bool(rng.integers(2)),
        "threads": int(rng.choice([1, 1, 2, 3, 8])),
        "price_stages": () if forgets else early["prices"],
        "leaf_stages": () if forgets else early["leaves"],
        "seed": int(rng.integers(1 << 30)),
        "max_rules": int(rng.integers(0, 5)) if rng.random() < 0.4 else -1,
        "memory": SMALL if forgets else int(rng.choice([0, 0, 40_000, 200_000, 10_000_000])),
        "tune": tuned(deepen_after=0) if rng.random() < 0.5 else None,
    }
    features = {key: options[key] for key in ("search", "map", "policy", "start", "fine")}
    features |= {key: options[key] for key in ("threads", "max_rules")}
    features |= {"bounds": how, "stages": tables, "memory": options["memory"]}
    features |= {name: name in bounds for name in OPTIONAL}
    return features, options


def run(rng, told=None):
    """One trial; what it tried. `told`: a hash that is told all events and figures of a search
    that promises to repeat."""
    forgets = rng.random() < 0.04
    classes = int(rng.integers(2, 5))
    features, options = random_options(rng, forgets)
    most = 6 if options["map"] == "none" else 7 if features["bounds"] == "few" else 10
    kind = "many sets" if forgets else random_kind(rng)
    captures, wrong = random_instance(rng, kind, classes, most)
    shares = FEW_SHARES if kind in ("many sets", "near copies") else SHARES
    if kind == "near copies":
        options |= SIMILAR
        features |= {key: SIMILAR[key] for key in ("search", "map", "memory")}
    unit, total = int(rng.choice([1, 1, 3, 1000])), int(wrong.max(axis=0).sum())
    rule_cost = int(unit * total * rng.choice(shares))
    features |= {"table": kind, "classes": classes, "unit": unit}
    limit, for_rules = options["max_rules"], classes
    if classes > 2 and rng.random() < 0.3:  # the default rule may say more than rules
        for_rules = options["for_rules"] = int(rng.integers(1, classes))
    may = np.tile(np.arange(classes) < for_rules, (len(captures), 1))
    if rng.random() < 0.3:  # and every rule only some of these
        may &= rng.random(may.shape) < 0.6
        may[~may.any(axis=1), int(rng.integers(for_rules))] = True
        options["may"] = may
    features["for_rules"], features["masks"] = for_rules < classes, "may" in options
    exact = least_costs(captures, wrong, rule_cost, unit, limit, may)
    if forgets:  # room for some thousand sets of 8,192
        options["memory"] += Engine(captures, wrong, rule_cost, unit, **options).look().memory
    engine = Engine(captures, wrong, rule_cost, unit, **options)
    assert engine.status == lib.CORELS_OK, options
    features |= prepare(rng, engine, int(exact[0]), options)
    repeats = options["threads"] == 1 or features["turns"] or options["search"] == "best-first"
    told_of = told if repeats else None
    now = walk(rng, engine, int(exact[0]), options | {"turns": features["turns"]}, told_of)
    features["finished"] = now.objective == now.lower_bound
    if features["finished"] and (features["offered"] == "no" or now.length):
        found = list_cost(captures, wrong, engine.rules(), rule_cost, unit, may)
        assert found == exact[0], (found, exact[0], options)
    features["forgets"], features["deepened"] = now.forgotten > 0, now.passes > 0
    stages_built = {"leaves": 0} | engine.stages()
    features |= {f"{name} built": stage for name, stage in stages_built.items()}
    left = int(rng.integers(-1, limit + 1)) if limit >= 0 else -1
    given = captures, wrong, rule_cost, unit, left, may
    of_left = exact if left == limit else least_costs(*given)
    features["claims"] = claims_hold(engine, captures, of_left, left, options)
    return features


def random_kind(rng):
    """Every tenth table is a design, every tenth one similar columns."""
    kind = str(rng.choice(["design", "near copies", "random"], p=[0.1, 0.1, 0.8]))
    return str(rng.choice(KINDS)) if kind == "random" else kind


def random_instance(rng, kind, classes, most):
    """(bool[M, N] captures, int[C, N] costs)"""
    if kind == "design":
        return design(rng, classes, most)
    if kind == "near copies":
        return near_copies(rng, classes)
    if kind == "many sets":
        captures = many_sets(rng)
        return captures, random_costs(rng, captures.shape[1], classes, (2, 3))
    captures = random_captures(rng, kind, int(rng.integers(1, most + 1)), int(rng.integers(1, 80)))
    return captures, random_costs(rng, captures.shape[1], classes)


def design(rng, classes, most):
    """All cases of some flags, that cost by how many are set: captures and what a class costs."""
    flags = int(rng.integers(2, max(3, most // 2 + 1)))
    cases = np.arange(1 << flags)[None, :] >> np.arange(flags)[:, None] & 1 == 1
    captures = np.vstack([cases, ~cases])[: int(rng.integers(flags, 2 * flags + 1))]
    return captures, random_costs(rng, flags + 1, classes)[:, cases.sum(axis=0)]


def near_copies(rng, classes):
    """Many points, antecedents that are nearly others, and labels that follow three of them: what
    is proved of a set then says much of others, and a rule is often not worth its price among the
    others of its prefix."""
    m, n = int(rng.integers(8, 11)), int(rng.integers(40, 200))
    captures = rng.random((m, n)) < rng.uniform(0.05, 0.5, size=(m, 1))
    for j in range(1, m):
        if rng.random() < 0.5:
            captures[j] = captures[rng.integers(j)] ^ (rng.random(n) < 0.05)
    noise = rng.random(n) < 0.25
    label = np.where(noise, rng.integers(0, classes, n), captures[:3].sum(axis=0) % classes)
    weight = rng.integers(1, int(rng.choice([2, 6, 5000])), n)
    return captures, weight * (np.arange(classes)[:, None] != label)


def many_sets(rng):
    """bool[13, N] with nearly as many sets as there are, so that a small memo must forget."""
    n = int(rng.integers(100, 250))
    return rng.random((13, n)) < rng.uniform(0.05, 0.2, size=(13, 1))


def prepare(rng, engine, best, options):
    """Before the first step: workers in turns, a known cost."""
    turns = options["threads"] > 1 and options["search"] == "depth-first" and rng.random() < 0.5
    if turns:
        lib.corels_search_take_turns(engine.handle, int(rng.integers(1, 6)))
    offered = str(rng.choice(["no", "no", "optimum", "more"]))
    if offered != "no":
        lib.corels_search_offer(engine.handle, best + (offered == "more") * int(rng.integers(1, 9)))
    return {"turns": turns, "offered": offered}


FIGURES = (
    *("objective", "lower_bound", "expanded", "counts", "children", "open", "cached", "merged"),
    *("forgotten", "inserted", "length", "longest", "passes"),
)


def tell(told, engine, now):
    """Takes the events since the last step; tells them and the figures after it."""
    events = ffi.new("corels_event **")
    n = lib.corels_search_events(engine.handle, events)
    if told is not None:
        told.update(ffi.buffer(events[0], n * ffi.sizeof("corels_event"))[:] if n else b"")
        figures = [getattr(now, name) for name in FIGURES]
        told.update(repr([figures, engine.stages()]).encode())


def walk(rng, engine, best, options, told=None):
    """Step by step to the end; what is said on the way is true."""
    large, instant = rng.random() < 0.3 or options["memory"] >= SMALL, rng.random() < 0.3
    budget, bound, done = 5000 if large else int(rng.integers(1, 40)), -1, False
    while not done:
        done = engine.step(budget, 1e-6 if instant else 0)
        now = engine.look()
        assert bound <= now.lower_bound <= best <= now.objective, options
        bound = now.lower_bound
        tell(None if instant else told, engine, now)  # if time ends a step is no promise
        if now.expanded > MOST_SETS:  # a memo that forgets may take for ever; its claims are true
            return now
    tell(None if instant and options["turns"] else told, engine, now)  # time ends turns, too
    assert now.objective == now.lower_bound == best, (now.objective, now.lower_bound, best, options)
    return now


def claims_hold(engine, captures, exact, left, options):
    """Whether the memo claims anything; of at most 2,000 sets, nothing that is too much of what
    completes them by at most `left` rules."""
    if options["map"] != "memo":
        return False
    every = np.arange(len(exact))
    some = every[:: 1 + len(every) // 2000]
    outside = np.ones((1, captures.shape[1]), dtype=bool)
    for row in captures:
        outside = np.concatenate([outside, outside & ~row])
    told = 0
    for number, packed in zip(some, pack(outside[some]), strict=True):
        words = ffi.from_buffer("uint64_t[]", packed)
        claim = lib.corels_search_claim(engine.handle, words, left)
        assert claim <= exact[number], (int(number), claim, int(exact[number]), options)
        told += claim >= 0
    return told > 0
