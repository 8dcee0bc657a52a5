"""From options to parts: which search, which policy, which map, which bounds.

A part may be named, or given as a class or an instance. Nothing is switched in silence: options
that do not go together are refused in one sentence that says what does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from corels.errors import OptionError
from corels.options import Option, refuse_both, unknown
from corels.plugins import registry
from corels.search import (
    BEST_FIRST,
    DEPTH_FIRST,
    SETS,
    Backend,
    Bound,
    Cache,
    Memo,
    Parts,
    Policy,
    Preset,
    Queue,
    SymmetryMap,
)
from corels.search.calls import made, roles
from corels_rule_list.presets import ALWAYS, PRESETS

_BASES: Mapping[str, type[Any]] = {
    "policy": Policy,
    "bound": Bound,
    "map": SymmetryMap,
    "queue": Queue,
    "cache": Cache,
}


def choose_parts(
    options: Mapping[str, Any],
    backend: Backend,
    *,
    fine_events: bool = False,
    memory_limit: int | None = None,
) -> Parts:
    """The parts that the options choose.

    Raises OptionError for a name that does not exist, and for parts that do not go together.
    """
    preset = PRESETS[options["preset"]]
    search = _search(options, preset)
    classes = _containers(options, preset, search)
    parts = Parts(
        search=search,
        policy=made("policy", part_of("policy", options["policy"] or preset.policy)),
        map=_name(preset.map[search] if options["map"] is None else options["map"]),
        queue=_name(options["queue"]),
        cache=_name(options["cache"]),
        classes=classes,
        bounds=_bounds(
            (*preset.bounds[search], *(_joining(options) if preset.joined else ())),
            options["bound"],
            options["no_bound"],
            backend.name,
        ),
        start=options["start"] or preset.start,
        seed=options["seed"],
        threads=options["threads"],
        max_rules=options["max_rules"],
        memory_limit=memory_limit,
        fine_events=fine_events,
        tune=tuned(backend, options["tune"]),
    )
    if search == DEPTH_FIRST:
        _check_depth_first(parts)
    return parts


def tuned(backend: Backend, given: Mapping[str, Any]) -> dict[str, float]:
    """The tuning values that are not the default ones: from CORELS_TUNE, then from the option.

    CORELS_TUNE=NAME=VALUE,NAME=VALUE is for experiments on everything that runs. Raises
    OptionError for a name that the backend does not have, and for a value out of its range.
    """
    rows = {row.name: row for row in backend.tuning()}
    found: dict[str, float] = {}
    try:
        around = Option("CORELS_TUNE", "numbers", (), "").check(os.environ.get("CORELS_TUNE", ""))
        for name, value in {**around, **dict(given)}.items():
            if name not in rows:
                raise OptionError(unknown("tuning value", name, tuple(rows)))
            found[name] = rows[name].check(value)
    except OptionError as error:  # written as in Python: no flag sets these
        raise OptionError(str(error)) from None
    return {name: value for name, value in found.items() if value != rows[name].default}


def part_of(kind: str, chosen: Any) -> Any:
    """The class or instance behind a name, or the given one. Raises OptionError."""
    if isinstance(chosen, str):
        return registry().get(kind, chosen)
    base = _BASES[kind]
    if _is_a(base, chosen):
        return chosen
    raise OptionError(f"{kind} is {chosen!r}: expected a name or a {base.__name__}")


def _is_a(base: type[Any], chosen: Any) -> bool:
    """Whether a class or an instance is of this kind."""
    return issubclass(chosen, base) if isinstance(chosen, type) else isinstance(chosen, base)


def _name(part: Any) -> str:
    return part if isinstance(part, str) else str(part.name)


def _search(options: Mapping[str, Any], preset: Preset) -> str:
    """Parts that best-first alone has mean best-first, if no search is named: a queue, a
    cache or a symmetry map; and a policy, because an order of prefixes is what the paper means."""
    asked = options["policy"] is not None or any(
        _is_of_best_first(kind, options[kind]) for kind in ("map", "queue", "cache")
    )
    search: str = options["search"] or (BEST_FIRST if asked else preset.search)
    if search not in preset.map:
        raise OptionError(
            f"preset {options['preset']!r} is for search {', '.join(preset.map)}, not {search!r}: "
            "leave out the one or the other"
        )
    return search


def _is_of_best_first(kind: str, chosen: Any) -> bool:
    """Whether a container was named that depth-first does not have."""
    if chosen is None:
        return False
    if kind == "map":
        names = {*registry().names("map")} - {*registry().names("memo"), "none"}
        return chosen in names if isinstance(chosen, str) else _is_a(SymmetryMap, chosen)
    return bool(chosen != {"queue": "heap", "cache": "tree"}[kind])


def _containers(options: Mapping[str, Any], preset: Preset, search: str) -> dict[str, Any]:
    """The classes of map, queue and cache; best-first alone has them."""
    own = options["map"]  # an empty container counts as false
    chosen = {"map": preset.map[search] if own is None else own}
    chosen |= {kind: options[kind] for kind in ("queue", "cache")}
    if search == BEST_FIRST:
        if chosen["map"] in ("memo", *registry().names("memo")) or _is_a(Memo, chosen["map"]):
            raise OptionError(
                f"map {_name(chosen['map'])!r} belongs to search 'depth-first'; best-first has the "
                "symmetry maps " + ", ".join(registry().names("map"))
            )
        return {kind: part_of(kind, part) for kind, part in chosen.items()}
    given = _is_a(Memo, chosen["map"])
    memos = tuple(dict.fromkeys(("memo", *registry().names("memo"), "none")))
    if not given and chosen["map"] not in memos:
        part_of("map", chosen["map"])  # a name that does not exist is refused as such
        raise OptionError(
            f"map {_name(chosen['map'])!r} belongs to search 'best-first': choose that, or "
            f"map {' or '.join(memos)}"
        )
    for kind, default in (("queue", "heap"), ("cache", "tree")):
        if chosen[kind] != default:
            raise OptionError(
                f"{kind} {_name(chosen[kind])!r} belongs to search 'best-first': depth-first has "
                f"no {kind}; choose search 'best-first'"
            )
    return {"memo": chosen["map"]} if given else {}


def _check_depth_first(parts: Parts) -> None:
    """Raises OptionError if these bounds do not work depth-first."""
    for bound in parts.bounds:
        if bound.scope != "set":
            raise OptionError(
                f"bound {bound.name!r} looks at the prefix, and what depth-first proves of a set "
                "must hold for every prefix: choose search 'best-first', or leave the bound out"
            )
    missing = [role.name.lower() for role in ALWAYS if role not in roles(parts)]
    if missing:
        raise OptionError(
            f"search 'depth-first' cannot do without bound {missing[0]!r}, which is part of every "
            "cost there: choose search 'best-first'"
        )


def _joining(options: Mapping[str, Any]) -> list[str]:
    """The bounds that join with an option which is given."""
    bounds = ((name, registry().get("bound", name).joins) for name in registry().names("bound"))
    return [name for name, option in bounds if option and options.get(option) is not None]


def _bounds(
    preset: Sequence[str], added: Sequence[Any], left_out: Sequence[str], backend: str
) -> tuple[Bound, ...]:
    """Bounds by rank, those of equal rank in the order of registration, given classes last.

    Of equal rank, columns come before sets; and of tables those of plugins, which are there for
    special searches, before the engine's own. Of the preset's bounds, those that the backend has.
    """
    known = registry().names("bound")
    for name in (*(part for part in added if isinstance(part, str)), *left_out):
        if name not in known and not (name == "all" and name in left_out):
            raise OptionError(unknown("bound", name, known))
    refuse_both(added, left_out)
    names = {name for name in preset if _on(registry().get("bound", name), backend)}
    names = set() if "all" in left_out else names - set(left_out)
    names |= {part for part in added if isinstance(part, str)}
    given = [made("bound", part_of("bound", part)) for part in added if not isinstance(part, str)]
    bounds = [made("bound", registry().get("bound", n)) for n in known if n in names]
    return tuple(sorted((*bounds, *given), key=_place))


def _place(bound: Bound) -> tuple[int, bool, bool]:
    return bound.rank, SETS in bound.reads, bound.tables is None


def _on(bound: type[Bound], backend: str) -> bool:
    return (not bound.backends or backend in bound.backends) and backend not in bound.by_name
