"""Every combination of search, policy, map, start and bounds, and how one is tried.

A combination runs on both backends. Both must find what brute force finds, write the same fine
events, and count the same prunes.
"""

import itertools

import numpy as np
from corels_rule_list.bounds import BOUNDS
from corels_rule_list.policies import POLICIES
from corels_rule_list.presets import ALWAYS as ROLES
from corels_rule_list.set_bounds import SET_BOUNDS

from corels import solve
from corels.plugins import registry
from corels.testing import brute_force, random_problem, recorded

MAPS = {"best-first": ("none", "permutation", "captured"), "depth-first": ("none", "memo")}
STARTS = ("none", "beam")
MOST_RULES = (None, 2, None, 1, 3, 0)
ALWAYS = tuple(bound.name for bound in BOUNDS if bound.role in ROLES)  # of depth-first


def subsets(names):
    """All subsets, the empty one first."""
    return [
        tuple(name for bit, name in enumerate(names) if number >> bit & 1)
        for number in range(2 ** len(names))
    ]


ON_TABLES = subsets([bound.name for bound in BOUNDS])
ON_SETS = subsets([bound.name for bound in SET_BOUNDS])
OF_SETS = subsets(
    [b.name for b in (*BOUNDS, *SET_BOUNDS) if b.scope == "set" and b.name not in ALWAYS]
)
NAMES = [policy.name for policy in POLICIES]
PAIRS = {  # every map with every subset of the bounds
    "best-first": list(itertools.product(MAPS["best-first"], ON_TABLES)),
    "depth-first": list(itertools.product(MAPS["depth-first"], OF_SETS)),
}
COMBINATIONS = {  # each with two of the policies in turn
    search: [
        (NAMES[(number + step) % len(NAMES)], *pair)
        for number, pair in enumerate(pairs)
        for step in (0, 1 + number // len(NAMES) % (len(NAMES) - 1))
    ]
    for search, pairs in PAIRS.items()
}


def options_of(search, combination, turn):
    """The options of one combination. The bounds on sets, the start and the most rules of a list
    come in turn."""
    policy, merges, bounds = combination
    more = ON_SETS[turn % len(ON_SETS)] if search == "best-first" else ALWAYS
    return {
        "search": search,
        "policy": policy,
        "map": merges,
        "no_bound": ("all",),
        "bound": (*bounds, *more),
        "start": STARTS[turn // len(ON_SETS) % 2],
        "max_rules": MOST_RULES[turn % len(MOST_RULES)],
        "seed": turn,
    }


def problem_of(number, **sizes):
    """A small random problem; every fifth has three classes, most have weights."""
    rng = np.random.default_rng([2026, number])
    sizes = {"antecedents": 4, "rows": 12, **sizes}
    return random_problem(rng, classes=3 if number % 5 == 0 else 2, **sizes)


def check(problem, options, where, *, expected=None):
    """Both backends agree to the last record, and with brute force."""
    c, c_events = recorded(problem, backend="c", **options)
    python, python_events = recorded(problem, backend="python", **options)
    where = f"{where}, {options}"
    assert c.certificate.optimal and python.certificate.optimal, where
    assert same(c_events, python_events), f"{where}: {first_difference(c_events, python_events)}"
    assert c.certificate.pruned == python.certificate.pruned, where
    assert c.certificate.expanded == python.certificate.expanded, where
    assert c.model == python.model, where
    most = options.get("max_rules")
    assert most is None or len(c.model) <= most, where
    found = c.certificate.objective
    assert found == (brute_force(problem, most) if expected is None else expected), where


def same(a, b):
    """Whether two streams are byte-equal."""
    return a.tobytes() == b.tobytes()


def first_difference(a, b):
    """The first records that differ, for a message."""
    for number, (x, y) in enumerate(zip(a, b, strict=False)):
        if x.tobytes() != y.tobytes():
            return f"record {number}: C {x}, Python {y}"
    return f"C wrote {len(a)} records, Python {len(b)}"


def objective_with(problem, options, threads):
    """The certified objective on the C engine with several threads."""
    certificate = solve(problem, backend="c", threads=threads, **options).certificate
    assert certificate.optimal
    return certificate.objective


def backends():
    """All registered backends."""
    return registry().names("backend")
