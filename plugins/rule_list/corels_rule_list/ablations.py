"""The search without each of its parts, for `corels ablate` (the paper's Tables 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.search import BEST_FIRST, DEPTH_FIRST
from corels_rule_list.policies import POLICIES
from corels_rule_list.presets import PRESETS

FULL = "full search"


def ablations(options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Name -> options: the full search first, then without each of its parts."""
    preset = PRESETS[options.get("preset", "fast")]
    search = options.get("search") or (BEST_FIRST if options.get("policy") else preset.search)
    base = {**options, "search": search}
    found: dict[str, dict[str, Any]] = {FULL: base}
    kept = [name for name in preset.bounds[search] if name not in options.get("no_bound", ())]
    for name in (*kept, *(b for b in options.get("bound", ()) if isinstance(b, str))):
        if search == DEPTH_FIRST and name in ("hierarchical", "equivalent_points"):
            continue  # they are part of every cost there
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
