"""A model and its certificate as HTML tables, which notebooks show by themselves.

All foreign text passes `html.escape`. Styles are inline and few, so that the table looks the same
in a notebook, a report and a mail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from corels.export.words import clause_rows, counts_heading, heading, in_clauses, parts, rules
from corels.model import Certificate, Model
from corels.model.certificate_text import Rows, certificate_rows, verdict
from corels.model.printable import printable

_CELL = 'style="text-align: left; padding: 0.2em 0.8em"'
_PART = 'style="text-align: left; vertical-align: top; padding: 0.1em 0.8em"'
_BAR = (
    '<span title="{share}" style="display: inline-block; width: 5em; border: 1px solid #888">'
    '<span style="display: block; height: 0.6em; width: {share}; background: #4a7ebb"></span>'
    "</span>"
)


def to_html(model: Model) -> str:
    """A `<table>`: a row a rule or a clause, with the training weight that it captures."""
    if in_clauses(model.deciders()):
        head = ["", escape(model.label_name), "of this class", "of others"]
        rows: Iterable[Iterable[str]] = (map(escape, row) for row in clause_rows(model))
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
    for decider, (word, _, then, counts, share) in zip(model.deciders(), rules(model), strict=True):
        asked = " <b>and</b> ".join(escape(p) for one in decider.antecedents for p in parts(one))
        bar = f"{_BAR.format(share=share)} {share}" if share else ""
        yield f"<b>{word}</b>", asked, escape(then), counts, bar


def certificate_html(certificate: Certificate, what: str = "", about: Rows = ()) -> str:
    """The verdict and a `<table>` of what was proven. what: "rule list", say. about: further rows,
    of `about_rows`."""
    what = what or f"{certificate.solver} model".strip()
    rows = "\n".join(
        f'<tr><th scope="row" {_PART}>{escape(name)}</th>'
        f"<td {_PART}>{escape(printable(text))}</td></tr>"
        for name, text in certificate_rows(certificate, about)
    )
    return (
        f"<p><strong>{escape(printable(verdict(certificate, what)))}.</strong></p>\n"
        f'<table class="corels-certificate">\n<tbody>\n{rows}\n</tbody>\n</table>'
    )
