"""A model and its certificate in HTML: as a part of a notebook, and as a page of its own.

A page says of itself what it is: character set, title, language; it needs no other file and runs
nothing. All foreign text passes `html.escape`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from corels.model.certificate_text import certificate_rows, verdict
from corels.model.printable import printable

if TYPE_CHECKING:
    from corels.model import Certificate, Model

_CELL = 'style="text-align: left; vertical-align: top; padding: 0.1em 0.8em"'
_STYLE = (
    "body { font-family: sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; "
    "color: #111; background: #fff } "
    "table { border-collapse: collapse; margin: 1em 0 } "
    "tbody tr { border-top: 1px solid #ccc }"
)


def certificate_html(certificate: Certificate, what: str = "model") -> str:
    """The verdict and a `<table>` of what was proven. what: "rule list", say."""
    rows = "\n".join(
        f'<tr><th scope="row" {_CELL}>{escape(name)}</th>'
        f"<td {_CELL}>{escape(printable(text))}</td></tr>"
        for name, text in certificate_rows(certificate)
    )
    return (
        f"<p><strong>{escape(printable(verdict(certificate, what)))}.</strong></p>\n"
        f'<table class="corels-certificate">\n<tbody>\n{rows}\n</tbody>\n</table>'
    )


def page(model: Model, certificate: Certificate | None) -> str:
    """A whole HTML document."""
    what = model.family
    title = printable(f"{what[:1].upper()}{what[1:]} for {model.label_name}")
    parts = [f"<h1>{escape(title)}</h1>", model.to_html()]
    parts += [f"<p><em>Note: {escape(remark)}.</em></p>" for remark in model.remarks()]
    if certificate is not None:
        parts.append(certificate_html(certificate, what))
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )
