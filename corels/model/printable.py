"""Foreign text on a screen: names of columns and classes cannot move the cursor or hide a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def printable(text: object) -> str:
    """The text with everything escaped that a terminal would not simply show.

    Those are control characters, line breaks, the marks that turn the direction of writing, and
    what belongs to no character at all.
    """
    shown = str(text)
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() else _escaped(c) for c in shown)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def aligned(rows: Iterable[Sequence[object]], sides: str = "<") -> str:
    """The lines of a table. sides: "<" or ">" for each column; the last one is for all others."""
    texts = [list(map(str, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    each = zip(sides.ljust(len(widths), sides[-1]), widths, strict=False)
    forms = [f"{side}{width}" for side, width in each]
    lines = ("  ".join(map(format, row, forms)) for row in texts)
    return "\n".join(line.rstrip() for line in lines)
