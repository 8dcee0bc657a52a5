"""A model as a table in HTML, LaTeX and Markdown, and its certificate as an HTML table.

A notebook shows the HTML tables by themselves. All foreign text passes the one function of its
language that escapes it; styles are inline and few, so that a table looks the same in a notebook, a
report and a mail.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from corels.export.words import clause_rows, counts_heading, heading, in_clauses, rules
from corels.model import Certificate, Model
from corels.model.certificate_text import Rows, certificate_rows, verdict
from corels.model.printable import printable

_CELL = 'style="text-align: left; padding: 0.2em 0.8em"'
_PART = 'style="text-align: left; vertical-align: top; padding: 0.1em 0.8em"'
# ':' and '@' keep addresses from becoming links.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|&#~$!^:@])")
_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def table_of(model: Model) -> list[Sequence[str]]:
    """The headings of the columns, then a row for each rule or clause, with the training weight
    that it captures."""
    if in_clauses(model.deciders()):
        return [["", model.label_name, "of this class", "of others"], *clause_rows(model)]
    return [["", "", heading(model), counts_heading(model), ""], *rules(model)]


def to_html(model: Model) -> str:
    """A `<table>`."""
    head, *rows = table_of(model)
    top = "".join(f'<th scope="col" {_CELL}>{escape(text)}</th>' for text in head)
    body = "\n".join(
        "<tr>" + "".join(f"<td {_CELL}>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    name = escape(model.schema.rpartition("/")[2])
    return (
        f'<table class="corels-{name}">\n<thead><tr>{top}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table>"
    )


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


def latex_table(rows: Sequence[Sequence[str]]) -> str:
    """A `tabular`, which needs no package. rows: the headings first."""
    head, *lines = (" & ".join(map(_latex, row)) + r" \\" for row in rows)
    begin = rf"\begin{{tabular}}{{{'l' * len(rows[0])}}}"
    return "\n".join([begin, head, r"\hline", *lines, r"\end{tabular}"])


def _latex(text: str) -> str:
    """Foreign text as LaTeX sets it: no character of it is a command."""
    shown = " ".join(printable(text).split())
    return "".join(_LATEX.get(character, character) for character in shown)


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """A table as GitHub and most readers of Markdown know it. rows: the headings first."""
    head, *lines = (f"| {' | '.join(map(_markdown, row))} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *lines])


def _markdown(text: str) -> str:
    """Foreign text in one line: no character of it is markup of Markdown or HTML."""
    return _MARKUP.sub(r"\\\1", printable(" ".join(text.split())))
