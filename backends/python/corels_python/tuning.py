"""The tuning values of the engine in C that this backend has, too: those of the start.

A test holds the rows against the engine's table (backends/c/src/base/tuning.def).
"""

from __future__ import annotations

from corels.options import Option

TUNING = (
    Option("beam_width", "int", 24, "prefixes of each length that the beam keeps", 1, 1000),
    Option("beam_longest", "int", 32, "rules after which the beam ends", 1, 32),
    Option(
        "beam_idle_levels",
        "int",
        3,
        "lengths without a better list after which the beam ends",
        1,
        32,
    ),
)
