"""A model as an HTML table, which notebooks show by themselves.

All foreign text passes `html.escape`. Styles are inline and few, so that the table looks the same
in a notebook, a report and a mail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from corels.export.words import (
    clause_rows,
    counted,
    counts_heading,
    heading,
    in_clauses,
    outcome,
    parts,
    rules,
    share,
)

if TYPE_CHECKING:
    from corels.model import Model

_CELL = 'style="text-align: left; padding: 0.2em 0.8em"'
_BAR = (
    '<span title="{share}" style="display: inline-block; width: 5em; border: 1px solid #888">'
    '<span style="display: block; height: 0.6em; width: {share}; background: #4a7ebb"></span>'
    "</span>"
)


def to_html(model: Model) -> str:
    """A `<table>`: a row a rule or a clause, with the training weight that it captures."""
    if in_clauses(model.deciders()):
        head, rows = ["", escape(model.label_name), "of this class", "of others"], _clauses(model)
    else:
        head, rows = ["", "", escape(heading(model)), counts_heading(model), ""], _rules(model)
    top = "".join(f'<th scope="col" {_CELL}>{text}</th>' for text in head)
    body = "\n".join(
        "<tr>" + "".join(f"<td {_CELL}>{cell}</td>" for cell in cells) + "</tr>" for cells in rows
    )
    name = escape(model.schema.rpartition("/")[2])
    return (
        f'<table class="corels-{name}">\n<thead><tr>{top}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table>"
    )


def _rules(model: Model) -> Iterator[Iterable[str]]:
    for word, decider in rules(model.deciders()):
        asked = [escape(part) for one in decider.antecedents for part in parts(one)]
        shown = share(decider)
        yield (
            f"<b>{word}</b>",
            " <b>and</b> ".join(asked),
            escape(outcome(model, decider)),
            counted(decider),
            f"{_BAR.format(share=shown)} {shown}" if shown else "",
        )


def _clauses(model: Model) -> Iterator[Iterable[str]]:
    return (map(escape, row) for row in clause_rows(model))
