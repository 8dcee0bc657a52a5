"""A model as a LaTeX `tabular`. All foreign text passes `escape`."""

from __future__ import annotations

from collections.abc import Iterator

from corels.export.words import clause_rows, heading, in_clauses, rules
from corels.model import Model
from corels.model.printable import printable


def to_latex(model: Model) -> str:
    """A `tabular`, a rule or a clause a line; it needs no package."""
    lines = _clauses(model) if in_clauses(model.deciders()) else _rules(model)
    return "\n".join([r"\begin{tabular}{llll}", *lines, r"\end{tabular}"])


def _rules(model: Model) -> Iterator[str]:
    for word, asked, said, counts, _ in rules(model):
        then = escape(f"{heading(model)} = {said}")
        yield (
            rf"\textbf{{{word}}} & {escape(asked)} & \textbf{{then}} {then} & "
            rf"{counts.replace(' of ', '/')} \\"
        )


def _clauses(model: Model) -> Iterator[str]:
    for text, label, inside, rest in clause_rows(model):
        then = escape(f"{model.label_name} = {label}")
        yield rf"{escape(text)} & \textbf{{then}} {then} & {inside} & {rest} \\"


_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def escape(text: str) -> str:
    """Foreign text as LaTeX sets it: no character of it is a command."""
    shown = " ".join(printable(text).split())
    return "".join(_LATEX.get(character, character) for character in shown)
