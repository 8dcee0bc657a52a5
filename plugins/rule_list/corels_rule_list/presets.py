"""Presets: parts that belong together, by the names `fast`, `paper` and `plain`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.plugins import registry
from corels.search import BEST_FIRST, DEPTH_FIRST, Preset, Role
from corels_rule_list.policies import POLICIES

PAPER_BOUNDS = (
    "support", "accurate_support", "upper_support", "hierarchical", "lookahead", "prefix_length",
    "rejection", "equivalent_points",
)  # fmt: skip

FAST_BOUNDS = (
    "reduced_support", "hierarchical", "lookahead", "equivalent_points", "prices",
    "dominance", "one_rule",
)  # fmt: skip

ALWAYS = (Role.HIERARCHICAL, Role.EQUIVALENT_POINTS)  # part of every cost in depth-first

PRESETS: Mapping[str, Preset] = {
    "fast": Preset(
        search=DEPTH_FIRST,
        policy="objective",
        map={DEPTH_FIRST: "memo", BEST_FIRST: "captured"},
        bounds={DEPTH_FIRST: FAST_BOUNDS, BEST_FIRST: (*FAST_BOUNDS, "rejection")},
        start="beam",
        joined=True,
    ),
    "paper": Preset(
        search=BEST_FIRST,
        policy="curiosity",
        map={BEST_FIRST: "permutation"},
        bounds={BEST_FIRST: PAPER_BOUNDS},
    ),
    "plain": Preset(
        search=BEST_FIRST, policy="bfs", map={BEST_FIRST: "none"}, bounds={BEST_FIRST: ()}
    ),
}

MOST_THREADS = 256  # of the C engine


FULL = "full search"


def ablations(options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Name -> options: the full search first, then without each of its parts (`corels ablate`; the
    paper's Tables 4 and 5)."""
    preset = PRESETS[options.get("preset", "fast")]
    search = options.get("search") or (BEST_FIRST if options.get("policy") else preset.search)
    base = {**options, "search": search}
    found: dict[str, dict[str, Any]] = {FULL: base}
    kept = [name for name in preset.bounds[search] if name not in options.get("no_bound", ())]
    for name in (*kept, *(b for b in options.get("bound", ()) if isinstance(b, str))):
        if search == DEPTH_FIRST and registry().get("bound", name).role in ALWAYS:
            continue
        added = [b for b in options.get("bound", ()) if b != name]
        without = (*options.get("no_bound", ()), *((name,) if name in kept else ()))
        found[f"without {name}"] = {**base, "bound": added, "no_bound": without}
    if (options.get("map") or preset.map[search]) != "none":
        found[f"without {options.get('map') or preset.map[search]}"] = {**base, "map": "none"}
    if (options.get("start") or preset.start) != "none":
        found["without start"] = {**base, "start": "none"}
    policy = options.get("policy") or preset.policy
    for other in POLICIES:
        if other.name != policy:
            found[f"policy {other.name}"] = {**base, "policy": other.name}
    return found
