"""A trial of `corels.solve`: one table, one combination of everything that a user may choose.

If both backends have all that was chosen, they must write the same events, too.
"""

from contextlib import contextmanager
from fractions import Fraction

import corels_c.parts
from corels_c import _native
from corels_c.parts import TUNING
from corels_python.tuning import TUNING as TEACHING
from corels_rule_list.bounds import BOUNDS
from corels_rule_list.policies import POLICIES
from corels_rule_list.presets import ALWAYS as ROLES
from corels_rule_list.set_bounds import SET_BOUNDS, TABLE_BOUNDS
from engine import list_cost
from tables import LAMBDAS, random_table
from tuned import random_tuning

from corels import solve
from corels.testing import recorded

MAPS = {"best-first": ("none", "permutation", "captured"), "depth-first": ("none", "memo")}
ALWAYS = tuple(bound.name for bound in BOUNDS if bound.role in ROLES)  # of depth-first
TABLES = tuple(bound.name for bound in TABLE_BOUNDS)  # of the C engine alone
ALL = tuple(bound.name for bound in (*BOUNDS, *SET_BOUNDS, *TABLE_BOUNDS))
OF_SETS = tuple(
    bound.name for bound in (*BOUNDS, *SET_BOUNDS, *TABLE_BOUNDS) if bound.scope == "set"
)
NAMES = tuple(policy.name for policy in POLICIES)


def some(rng, names, share):
    """Each of the names with this chance."""
    return tuple(name for name in names if rng.random() < share)


def random_bounds(rng, search):
    """The options `bound` and `no_bound`, and in a word what they are."""
    how = str(rng.choice(["preset", "some", "few", "all", "none"], p=[0.2, 0.4, 0.2, 0.1, 0.1]))
    if how == "preset":
        return how, {}
    names = ALL if search == "best-first" else OF_SETS
    chosen = some(rng, names, {"some": 0.5, "few": 0.15, "all": 1.0, "none": 0.0}[how])
    if search == "depth-first":
        chosen = (*chosen, *(name for name in ALWAYS if name not in chosen))
    return how, {"no_bound": ("all",), "bound": chosen}


def random_options(rng):
    """(features, options of solve, stages of tables)."""
    search = str(rng.choice(list(MAPS)))
    how, bounds = random_bounds(rng, search)
    options = {
        "search": search,
        "policy": str(rng.choice(NAMES)),
        "map": str(rng.choice(MAPS[search])),
        "start": str(rng.choice(["none", "beam"])),
        "seed": int(rng.integers(1 << 30)),
        "max_rules": int(rng.integers(0, 5)) if rng.random() < 0.4 else None,
        **bounds,
    }
    threads = int(rng.integers(1, 4)) if search == "depth-first" and rng.random() < 0.5 else 1
    tables = str(rng.choice(["early", "at once", "as usual"]))
    limit = int(rng.integers(0, 40)) if rng.random() < 0.2 else None
    features = {key: options[key] for key in ("search", "policy", "map", "start", "max_rules")}
    features |= {"bounds": how, "threads": threads, "stages": tables, "stopped": limit is not None}
    features |= {name: name in bounds.get("bound", ()) for name in ALL} if bounds else {}
    options["tune"] = random_tuning(
        rng, TEACHING if on_both({**options, "threads": threads}) else TUNING
    )
    features["tuned"] = bool(options["tune"])
    if limit is not None:
        options["node_limit"] = limit
    return features, {**options, "threads": threads}, stages(rng, tables)


def at_once():
    """Counts before the stages of prices, the first of them at once."""
    return (0, *(1 << k for k in range(_native.lib.CORELS_PRICE_STAGES - 1)))


def stages(rng, tables):
    """By bound, after how many counts its tables are built; None: as the engine says."""
    if tables == "as usual":
        return None
    if tables == "at once":
        return {"prices": at_once(), "leaves": (0,)}
    return {
        name: tuple(sorted(map(int, rng.integers(0, 50, n))))
        for name, n in (("prices", _native.lib.CORELS_PRICE_STAGES), ("leaves", 1))
    }


@contextmanager
def early(given):
    """The engine with these stages."""
    if given is not None:
        corels_c.parts.STAGES.update(given)
    try:
        yield
    finally:
        corels_c.parts.STAGES.clear()


def most_antecedents(features, options):
    """Few if next to nothing prunes: 9 antecedents have 986,410 lists."""
    weak = features["bounds"] in ("few", "none")
    if weak and options["map"] == "none":
        return 5
    return 7 if weak or on_both(options) else 9


def on_both(options):
    """Whether the teaching backend has all of it."""
    return options["threads"] == 1 and not set(TABLES) & set(options.get("bound", TABLES))


def run(rng):
    """One trial; what it tried. Raises AssertionError if anything is not as it must be."""
    features, options, given = random_options(rng)
    table = random_table(rng, most_antecedents(features, options))
    lam = str(rng.choice(LAMBDAS))
    most = options["max_rules"]
    best, problem = table.optimum(lam, -1 if most is None else most), table.problem(lam)
    features |= table.features | {"lambda": lam, "twin": on_both(options)}
    with early(given):
        result, events = recorded(problem, backend="c", **options)
        holds(table, lam, best, result, options)
        if on_both(options):
            twin, same = recorded(problem, backend="python", **options)
            holds(table, lam, best, twin, options)
            equal(result, events, twin, same, options)
        elif rng.random() < 0.25:  # what drives a search when nobody reads the events
            holds(table, lam, best, solve(problem, backend="c", **options), options)
    return features


def equal(result, events, twin, same, options):
    """The same records, prunes and model. At a node limit one backend may say in the same step
    what the other would say in the next (that it is done): the records before that are equal."""
    if "node_limit" in options:
        common = min(len(events), len(same))
        events, same = events[:common], same[:common]
    else:
        assert twin.certificate.pruned == result.certificate.pruned, options
    assert events.tobytes() == same.tobytes(), options
    assert twin.model == result.model, options


def holds(table, lam, best, result, options):
    """Model and certificate agree with each other and with the oracle."""
    certificate, lam = result.certificate, Fraction(lam)
    assert certificate.lower_bound <= best <= certificate.objective, (best, certificate, options)
    if "node_limit" not in options:
        assert certificate.optimal, (certificate, options)
    assert not certificate.optimal or certificate.objective == best, (best, certificate, options)
    rules = [int(r.antecedent.name[1:]) for r in result.model.rules if r.antecedent]
    assert options["max_rules"] is None or len(rules) <= options["max_rules"], options
    prices = lam.numerator * table.worth, lam.denominator
    cost = list_cost(table.captures, table.wrong(), rules, *prices, table.may)
    assert Fraction(cost, lam.denominator * table.worth) == certificate.objective, options
    assert result.model.objective(lam) == certificate.objective, options
