"""A model as a LaTeX `tabular`. All foreign text passes `escape`."""

from __future__ import annotations

from collections.abc import Iterator

from corels.export.words import clause_text, heading, in_clauses, points, rules
from corels.model import Model
from corels.model.printable import printable


def to_latex(model: Model) -> str:
    """A `tabular`, a rule or a clause a line; it needs no package."""
    deciders = model.deciders()
    columns, lines = ("lll", _clauses) if in_clauses(deciders) else ("llll", _rules)
    begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
    return "\n".join([begin, *lines(model), end])


def _rules(model: Model) -> Iterator[str]:
    for word, asked, said, counts, _ in rules(model):
        then = escape(f"{heading(model)} = {said}")
        yield (
            rf"\textbf{{{word}}} & {escape(asked)} & \textbf{{then}} {then} & "
            rf"{counts.replace(' of ', '/')} \\"
        )


def _clauses(model: Model) -> Iterator[str]:
    for decider in model.deciders():
        label = escape(f"{model.label_name} = {model.classes[decider.outcome]}")
        if decider.clauses:
            text = rf"{label} \textbf{{if {decider.need} of}}"
        elif decider.quantity:
            text = rf"{label} \textbf{{{'never' if decider.never else 'always'}}}"
        else:
            text = rf"\textbf{{otherwise}} {label}"
        yield rf"\multicolumn{{3}}{{l}}{{{text}}} \\"
        for number, clause in enumerate(decider.clauses):
            inside = clause.counts[decider.outcome]
            rest = sum(clause.counts) - inside
            asked = escape(f"{points(decider, number)}{clause_text(clause, printable)}")
            yield rf"\quad {asked} & {inside} & {rest} \\"


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
