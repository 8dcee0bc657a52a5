"""One palette for all pictures: blue and orange first, which colour-blind people tell apart and
which differ in grey, too; from the third colour on a hatch tells what grey does not.

The page of `corels report` and the pictures of the documentation have the same colours.
"""

from __future__ import annotations

COLOURS = {
    "light": (
        "#0a4d8c", "#de8512", "#1f8a6d", "#d58ab5", "#6b2c6b", "#7fc4ea",
        "#8a8a1a", "#6f6f6f", "#b0413e", "#c9b458", "#0f5f3c", "#4b2a12",
    ),
    "dark": (
        "#4f9fe3", "#ffcf87", "#3fbf9a", "#f0b3d6", "#b07fc4", "#bfe4fa",
        "#c9c95a", "#a8a8a8", "#e0807c", "#efe0a0", "#6fcf97", "#c98a5a",
    ),
}  # fmt: skip
HATCHES = ("", "", "///", "...", "\\\\\\", "xxx", "---", "++", "oo", "|||", "**", "OO")


def luminance(colour: str) -> float:
    """How bright "#rrggbb" is, 0 to 1, as the guidelines for accessible pages (WCAG) define it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
