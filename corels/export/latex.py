"""A rule list as a LaTeX `tabular`. All foreign text passes `escape`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corels.model.printable import printable

if TYPE_CHECKING:
    from corels.export.listed import RuleList


def to_latex(model: RuleList) -> str:
    """A `tabular`, one rule a line; it needs no package."""
    lines = [r"\begin{tabular}{llll}"]
    for number, rule in enumerate(model):
        word = ("if" if number == 0 else "else if") if rule.antecedent else "else"
        condition = escape(str(rule.antecedent)) if rule.antecedent else ""
        label = escape(f"{model.label_name} = {model.classes[rule.prediction]}")
        lines.append(
            rf"\textbf{{{word}}} & {condition} & \textbf{{then}} {label} & "
            rf"{rule.correct}/{rule.captured} \\"
        )
    return "\n".join([*lines, r"\end{tabular}"])


_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
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
