"""A rule list as an HTML table, which notebooks show by themselves.

All foreign text passes `html.escape`. Styles are inline and few, so that the table looks the same
in a notebook, a report and a mail.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corels.export.listed import RuleList
    from corels.model.rule import Rule
    from corels.tables import Antecedent

_CELL = 'style="text-align: left; padding: 0.2em 0.8em"'
_BAR = (
    '<span title="{share}" style="display: inline-block; width: 5em; border: 1px solid #888">'
    '<span style="display: block; height: 0.6em; width: {share}; background: #4a7ebb"></span>'
    "</span>"
)


def to_html(model: RuleList) -> str:
    """A `<table>`: a row a rule, with the training weight captured and the share that is right."""
    name = escape(model.label_name)
    head = "".join(f'<th scope="col" {_CELL}>{text}</th>' for text in ("", "", name, "correct", ""))
    rows = "\n".join(_row(model, rule, word) for word, rule in _words(model))
    return (
        f'<table class="corels-rule-list">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table>"
    )


def _words(model: RuleList) -> Iterator[tuple[str, Rule]]:
    for number, rule in enumerate(model.rules):
        yield ("if" if number == 0 else "else if"), rule
    yield ("else" if model.rules else "always"), model.default


def _condition(antecedent: Antecedent) -> str:
    """Its conditions joined by a bold "and"; a name of its own, as in rule files, as it is."""
    parts = [str(condition) for condition in antecedent.conditions]
    if antecedent.name != " and ".join(parts):
        return escape(antecedent.name)
    return " <b>and</b> ".join(map(escape, parts))


def _row(model: RuleList, rule: Rule, word: str) -> str:
    condition = _condition(rule.antecedent) if rule.antecedent else ""
    share = f"{rule.correct / rule.captured:.1%}" if rule.captured else ""
    cells = (
        f"<b>{word}</b>",
        condition,
        escape(str(model.classes[rule.prediction])),
        f"{rule.correct} of {rule.captured}",
        f"{_BAR.format(share=share)} {share}" if share else "",
    )
    return "<tr>" + "".join(f"<td {_CELL}>{cell}</td>" for cell in cells) + "</tr>"
