"""Foreign text on a screen: names of columns and classes cannot move the cursor or hide a line."""

from __future__ import annotations


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
