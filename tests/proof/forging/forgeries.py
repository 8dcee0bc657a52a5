"""Forgeries of a model file and its proof, by name.

stated     false entries of the file beside an honest proof: the data or the proof deny each
told       entries that nothing can settle: the check accepts them, and says that they are claimed
unproved   a bound on the word of a record that proves nothing: the check ends with 8
problems   an honest file beside a proof that states another problem
worse      a worse model that is said to be optimal, beside proofs that were tampered with
"""

import copy
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from changing import NO_STATEMENT, WAYS, leaves, other
from entries import at, put
from kinds import Case

Forgery = tuple[str, Case]
UNPROVED = ord("u")


# What a certificate says and no data and no proof settle.
CLAIMED = (
    *("expanded", "children", "pruned", "merged", "solver", "parts", "versions", "seconds"),
    *("peak_memory", "failure", "foreign", "resumed"),
)
SETTLED_EXTRA = (
    *("accuracy", "coverage", "abstained", "deferred", "costs_rounded_to", "weights"),
    *("objective_of_predictions", "complexity", "positive_weight", "penalty_clause"),
    *("penalty_condition", "rule_cost", "violation_cost", "false_positive_cost"),
    *("max_complexity", "max_conditions"),
)
IN_ANY_ORDER = {"conditions", "clauses"}
BESIDE_THE_ROWS = {"name", "options", "handed", "reading"}


def is_claimed(path: tuple[Any, ...]) -> bool:
    """Whether nothing settles the entry."""
    if path[0] == "certificate":
        return path[1] in CLAIMED or (path[1] == "extra" and path[2] not in SETTLED_EXTRA)
    return path[0] == "data" and path[1] in BESIDE_THE_ROWS


def stated(case: Case) -> Iterator[Forgery]:
    """Each entry of the file that can be settled, changed by itself; and some together."""
    for path in leaves(case.document):
        if not is_claimed(path):
            value = other(at(case.document, path))
            yield f"{path} = {value!r}", case.changed(document=put(case.document, path, value))
    for name, document in rearranged(case.document):
        yield name, case.changed(document=document)
    certificate = case.document["certificate"]
    for name in ("objective", "lower_bound"):
        for more in (Fraction(1, 240), Fraction(-1, 240)):
            if name == "lower_bound" and more < 0:
                continue  # true, too
            value = Fraction(certificate["exact"][name]) + more
            yield f"{name} {more}", case.changed(document=with_bounds(case.document, {name: value}))
    value = Fraction(certificate["exact"]["objective"]) - Fraction(1, 240)
    both = {"objective": value, "lower_bound": value}
    yield "a lower objective", case.changed(document=with_bounds(case.document, both))
    for name in certificate.get("extra", {}):
        if name.startswith("objective_without_"):  # more than with all that the problem asks for
            higher = put(case.document, ("certificate", "extra", name), "0.99")
            yield f"{name} above the objective", case.changed(document=higher)
    for name in ("limits", "constraints"):
        if certificate.get(name):
            without = put(case.document, ("certificate", name), ...)
            yield f"no {name}", case.changed(document=without)


def lists_of(whole: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all lists that hold something."""
    if isinstance(whole, list) and whole:
        yield path
    if isinstance(whole, (dict, list)):
        for name, part in whole.items() if isinstance(whole, dict) else enumerate(whole):
            yield from lists_of(part, (*path, name))


def rearranged(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each list without its first entry, with that twice, and with the first two exchanged."""
    for path in lists_of(document):
        one = at(document, path)
        changes = {"less": one[1:], "twice": [one[0], *one], "order": [*one[1::-1], *one[2:]]}
        for name, other_list in changes.items():
            in_any_order = name != "less" and path[-1] in IN_ANY_ORDER
            if other_list != one and not is_claimed(path) and not in_any_order:
                yield f"{path} {name}", put(document, path, other_list)


def with_bounds(document: dict[str, Any], exact: dict[str, Fraction]) -> dict[str, Any]:
    """A file with other exact numbers, and all else of the certificate as they ask for it."""
    found = copy.deepcopy(document)
    certificate = found["certificate"]
    certificate["exact"] |= {name: str(value) for name, value in exact.items()}
    objective, lower = (Fraction(certificate["exact"][n]) for n in ("objective", "lower_bound"))
    certificate |= {"objective": float(objective), "lower_bound": float(lower)}
    certificate |= {"gap": float(objective - lower), "optimal": objective == lower}
    certificate["stopped"] = "certified" if objective == lower else "time limit"
    return found


def told(case: Case) -> Iterator[Forgery]:
    """Numbers that stay claims."""
    certificate = case.document["certificate"]
    for name in ("seconds", "expanded", "children", "peak_memory"):
        value = certificate[name] + 12345
        changed = put(case.document, ("certificate", name), value)
        yield f"{value}", case.changed(document=changed)
    for name, value in certificate.get("extra", {}).items():
        if name not in SETTLED_EXTRA and type(value) is int:
            changed = put(case.document, ("certificate", "extra", name), value + 12345)
            yield f"{name} {value + 12345}", case.changed(document=changed)
    changed = put(case.document, ("data", "name"), "census")
    yield "census", case.changed(document=changed)


def problems(case: Case) -> Iterator[Forgery]:
    """Each entry of the header changed; fewer antecedents, another order, entries left out."""
    header = case.header
    last = len(header["antecedents"]) - 1
    for path in leaves(header):
        looked_at = path[0] != "antecedents" or path[1] in (0, last // 2, last)
        if looked_at and not NO_STATEMENT & set(path):
            value = other(at(header, path))
            yield f"{path} = {value!r}", case.changed(header=put(header, path, value))
    antecedents = header["antecedents"]
    for name, some in {
        "no antecedents": [],
        "all but the last": antecedents[:-1],
        "all but the first": antecedents[1:],
        "in another order": antecedents[::-1],
        "one twice": [*antecedents, antecedents[0]],
    }.items():
        yield name, case.changed(header={**header, "antecedents": some})
    for name in {n for n, value in header.items() if value is not None} - NO_STATEMENT:
        yield f"without {name}", case.changed(header=put(header, (name,), ...))
    for name, value in {"max_rules": 0, "regularization": "1/3", "outcomes": None}.items():
        if name in header or (name, header["family"]) == ("max_rules", "rule-list"):
            yield f"{name} {value}", case.changed(header={**header, name: value})


def worse(case: Case, poor: Case, seed: int) -> Iterator[Forgery]:
    """The file of a worse model that is said to be optimal, beside the proof of the best one, as it
    is and tampered with; beside one that claims without a reason; and with a gap too small."""
    cost = Fraction(poor.document["certificate"]["exact"]["objective"])
    boast = with_bounds(poor.document, {"lower_bound": cost})
    forged = case.changed(document=boast)
    yield "a genuine proof", forged
    yield "its own proof", poor.changed(document=boast)
    best = Fraction(case.document["certificate"]["exact"]["objective"])
    near = with_bounds(poor.document, {"lower_bound": (cost + best) / 2})
    yield "a gap too small", case.changed(document=near)
    yield "a gap too small beside its own proof", poor.changed(document=near)
    bare = {**poor.header, "antecedents": []}
    yield "a proof of no antecedents", poor.changed(document=boast, header=bare)
    rng = random.Random(seed)
    for number in range(16):
        of, ways = (forged if number % 2 else poor.changed(document=boast)), []
        for _ in range(rng.randint(1, 4)):
            way = rng.choice(WAYS)
            of = way(of, rng)
            ways.append(way.__name__)
        yield f"{number}: {', '.join(ways)}", of


def forged(best: Case, poor: Case) -> Iterator[Forgery]:
    """Files that state what is false. poor: of a run that was stopped at once."""
    yield from stated(best)
    yield from worse(best, poor, len(best.kind))


def unproved(poor: Case) -> Case:
    """Rule sets that are said to be optimal, on the word of the `u` record alone."""
    cost = Fraction(poor.document["certificate"]["exact"]["objective"])
    boast = poor.changed(document=with_bounds(poor.document, {"lower_bound": cost}))
    claimed = int(cost * poor.header["total"])
    records = (
        [*one[:3], claimed, *one[4:]] if one[0] == UNPROVED else one for one in boast.records
    )
    return boast.changed(records=tuple(map(tuple, records)))
