"""Calling a part and checking what it returns: the one place where a third party's code is trusted.

A part that raises, or returns what its contract does not allow, stops the run with its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError, OptionError, PluginError, blamed
from corels.search.children import COLUMNS, SETS, Children
from corels.search.parts import BEST_FIRST, KEYS, SCOPES, Bound, Parts, Policy, Role

if TYPE_CHECKING:
    from corels.plugins import Entry
    from corels.proof.format import ProofFormat
    from corels.search.search import Search
    from corels.search.solver import Solver


def priorities(policy: Policy, children: Children) -> NDArray[np.float64]:
    """`policy.priority`, checked: one finite number a child."""
    with blamed("policy", policy):
        given = np.asarray(policy.priority(children))
        if given.dtype.kind == "c":
            raise TypeError("priorities are complex numbers: expected real ones")
        found = given.astype(np.float64, copy=False)
    if found.shape != (len(children),):
        raise PluginError(
            f"policy {policy.name!r} returned an array of shape {found.shape} for "
            f"{len(children)} children: expected one priority for each"
        )
    if not np.isfinite(found).all():
        wrong = found[~np.isfinite(found)][0]
        raise PluginError(f"policy {policy.name!r} returned {wrong}: priorities must be finite")
    return found


def kept(bound: Bound, children: Children, incumbent: int) -> NDArray[np.bool_]:
    """`bound.keep`, checked: one truth value a child."""
    with blamed("bound", bound):
        found = np.asarray(bound.keep(children, incumbent))
    if found.shape != (len(children),) or found.dtype != np.bool_:
        raise PluginError(
            f"bound {bound.name!r} returned {found.dtype} of shape {found.shape} for "
            f"{len(children)} children: expected one truth value for each"
        )
    return found


def claimed(bound: Bound, dropped: Children, incumbent: int) -> int | None:
    """What every proper extension of the children that a bound dropped costs at least.

    None if that does not count, because another list is as good. A bound of ours says what it
    knows (its method `least`); of a plugin's bound no more is taken than that it dropped them.
    """
    least = getattr(bound, "least", None)
    if least is None or not built_in(bound):
        return incumbent
    return None if (found := least(dropped, incumbent)) is None else int(found)


def proof_of(family: Solver) -> ProofFormat | None:
    """What a family's proofs are, or None. Raises PluginError if it cannot say."""
    with blamed("solver", family, but=CorelsError):
        return family.proof


def sentences(family: Solver, what: str, *given: Any) -> list[str]:
    """What a family warns of, or advises: the sentences of its method of this name."""
    return list(answered(family, what, getattr(family, what)(*given), Iterable, "sentences"))


def answered(family: Solver, what: str, given: Any, kind: type, expected: str) -> Any:
    """What a method of a family gave. Raises PluginError if it is of another kind."""
    if not isinstance(given, kind) or isinstance(given, str):
        raise PluginError(f"solver {family.name!r}: {what} gave {given!r}, expected {expected}")
    return given


def _names(value: Any) -> bool:
    """A text would be taken for the set of its letters."""
    return isinstance(value, (frozenset, set, tuple, list))


READABLE = (SETS, *(name for name, _ in COLUMNS))


# What a part says of itself, which engines, sorting and the reduction take as it is.
SAID: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "rank": (lambda value: isinstance(value, int), "a whole number"),
    "monotone": (lambda value: isinstance(value, bool), "True or False"),
    "native": (lambda value: value is None or isinstance(value, int), "an address or None"),
    "tables": (lambda value: value is None or isinstance(value, int), "an address or None"),
    "joins": (lambda value: isinstance(value, str), "the name of an option"),
    "checker": (lambda value: isinstance(value, str), "module:name of a class"),
    "scope": (lambda value: value in SCOPES, " or ".join(map(repr, SCOPES))),
    "key": (lambda value: value in KEYS, " or ".join(map(repr, KEYS))),
    "reads": (
        lambda value: _names(value) and all(name in READABLE for name in value),
        "a set of columns of Children, such as {'support'}",
    ),
    "backends": (_names, "a set of names"),
    "by_name": (_names, "a set of names"),
}


def made(kind: str, part: Any) -> Any:
    """A part of a class, or the part that is given. Raises PluginError if it cannot be made, or
    says of itself what is of no use."""
    with blamed(kind, part):
        one = part() if isinstance(part, type) else part
        if built_in(one):  # the contract suite has checked these
            return one
        said = {name: getattr(one, name) for name in SAID if hasattr(one, name)}
    for name, value in said.items():
        useful, expected = SAID[name]
        if not useful(value):
            raise PluginError(f"{kind} {part.name!r}: {name} is {value!r}, expected {expected}")
    return one


def built_in(part: Any) -> bool:
    """Whether a part, class or instance, is defined in this distribution."""
    entry = _entry(part if isinstance(part, type) else type(part))
    return entry is not None and entry.distribution == "corels"


def roles(parts: Parts) -> dict[Role, int]:
    """Where the bounds stand that play a role in the search itself: bounds of ours, because those
    of others are asked and nothing else, also under a name of ours."""
    places = enumerate(parts.bounds)
    return {bound.role: place for place, bound in places if bound.role and built_in(bound)}


def keeps_points(parts: Parts) -> bool:
    """Whether the instance keeps the points without regret: parts in original weights read them,
    and without the bound of equivalent points lists are not taken to pay for them anyway."""
    return bool(parts.reads) or Role.EQUIVALENT_POINTS not in roles(parts)


@cache
def _entry(kind: type) -> Entry | None:
    from corels.plugins import registry

    return next((entry for entry in registry() if entry.part is kind), None)


def origin(kind: str, part: Any) -> str | None:
    """A part of another distribution and where it is from; None for a part of ours.

    Such as "bound my-bound of my-package 1.0", or "bound my-bound given as a class in __main__".
    """
    defined = part if isinstance(part, type) else type(part)
    entry = _entry(defined)
    if entry is None:
        return f"{kind} {part.name} given as a class in {defined.__module__}"
    ours = entry.distribution == "corels"
    return None if ours else f"{kind} {part.name} of {entry.distribution} {entry.version}"


def refuse_unknown(parts: Parts, *, tables: bool) -> None:
    """Raises OptionError for a bound whose work no checker of proofs can follow: one from elsewhere
    that none knows, or one whose records are those of its tables, if there are none. tables:
    whether the engine builds tables."""
    for bound in parts.bounds:
        foreign = None if bound.checker else origin("bound", bound)
        if foreign is not None:
            raise OptionError(f"no proof can be written: the checkers do not know the {foreign}")
        if bound.checker and (not tables or bound.tables is None):
            raise OptionError(
                f"no proof can be written: bound {bound.name!r} says what it rests on with tables, "
                "which only the compiled backend 'c' builds"
            )


def foreign(parts: Parts) -> tuple[str, ...]:
    """The parts from elsewhere on which a proof rests, by `origin`. A policy is not one of them:
    no order of exploration can make a certificate wrong."""
    chosen: list[tuple[str, Any]] = [("bound", bound) for bound in parts.bounds]
    names = {"map": parts.map, "queue": parts.queue, "cache": parts.cache}
    for kind, name in (names if parts.search == BEST_FIRST else {"memo": parts.map}).items():
        given = parts.classes.get(kind)  # an empty container counts as false
        chosen.append((kind, _registered(kind, name) if given is None else given))
    found = (origin(kind, part) for kind, part in chosen if part is not None)
    return tuple(place for place in found if place is not None)


def _registered(kind: str, name: str) -> Any:
    from corels.plugins import registry

    return registry().get(kind, name) if name in registry().names(kind) else None


def elsewhere(family: Solver, search: Search, parts: Mapping[str, str]) -> tuple[str, ...]:
    """What is from elsewhere of a search, its solver and its backend among it. parts: by name, as
    the search describes them."""
    backend = _registered("backend", parts.get("backend", ""))
    whole = (origin("solver", family), backend and origin("backend", backend))
    return (*filter(None, whole), *search.foreign())
