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
    written = (c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in shown)
    return "".join(c if c.isprintable() else w for c, w in zip(shown, written, strict=True))


def padded(text: str, width: int, side: str = "<") -> str:
    """The text filled up with blanks to `width` cells of a terminal. side: as `aligned`."""
    blanks = " " * (width - cells(text))
    return text + blanks if side == "<" else blanks + text


def cells(text: str) -> int:
    """How many cells of a terminal a text fills: East Asian wide characters fill two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # only such texts need it

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def aligned(rows: Iterable[Sequence[object]], sides: str = "<") -> str:
    """The printable lines of a table. sides: "<" or ">" of each column; the last: of all others."""
    texts = [list(map(printable, row)) for row in rows]
    widths = [max(map(cells, column)) for column in zip(*texts, strict=True)]
    sides = sides.ljust(len(widths), sides[-1])
    lines = ("  ".join(map(padded, row, widths, sides)) for row in texts)
    return "\n".join(line.rstrip() for line in lines)


def set_apart(group: str) -> str:
    """A group in a list of groups: in brackets if several columns make it."""
    return f"({group})" if ", " in group else group
