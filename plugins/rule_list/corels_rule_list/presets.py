"""Presets: parts that belong together, by the names `fast`, `paper` and `plain`."""

from __future__ import annotations

from collections.abc import Mapping

from corels.search import BEST_FIRST, DEPTH_FIRST, Preset

PAPER_BOUNDS = (
    "support", "accurate_support", "upper_support", "hierarchical", "lookahead", "prefix_length",
    "rejection", "equivalent_points",
)  # fmt: skip

FAST_BOUNDS = (
    "reduced_support", "hierarchical", "lookahead", "equivalent_points", "leaves", "prices",
    "blocks", "second_rule", "dominance", "one_rule",
)  # fmt: skip

PRESETS: Mapping[str, Preset] = {
    "fast": Preset(
        search=DEPTH_FIRST,
        policy="objective",
        map={DEPTH_FIRST: "memo", BEST_FIRST: "captured"},
        bounds={DEPTH_FIRST: FAST_BOUNDS, BEST_FIRST: (*FAST_BOUNDS, "rejection")},
        start="beam",
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
