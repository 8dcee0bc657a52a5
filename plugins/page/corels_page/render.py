"""A page document as one HTML file that loads nothing.

Jinja2 escapes what it is given. The document itself is embedded as JSON in a data block, with
`<`, `>` and `&` as escapes of JSON, so that no text of it can end the block. Styles and scripts are
in the file, and the content security policy names the hash of each: nothing else may run, and
nothing may be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from corels.errors import OptionError
from corels.installed import needed
from corels.model import Certificate, Model
from corels.model.weighing import separated
from corels.plots.figure import COLOURS
from corels.run.output import save
from corels_page.document import Further, page_document

LIBRARY = "vendor/uplot/uPlot.iife.min.js"
SCRIPTS = {  # part of the document -> its script
    "": "static/base.js",
    "conditions": "static/case.js",
    "certificate": "static/certificate.js",
    "history": "static/history.js",
    "near": "static/near.js",
    "path": "static/path.js",
    "steps": "static/steps.js",
}
CHARTS = ("history", "path")


@dataclass(frozen=True)
class Page:
    """A whole HTML document. A notebook shows it in a frame."""

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, whole or not at all. Raises OutputError if that cannot be."""
        save(os.fspath(path), self.html)

    def _repr_html_(self) -> str:
        return (
            '<iframe title="Report of a model" sandbox="allow-scripts" '
            'style="width: 100%; height: 40em; border: 1px solid #888" '
            f'srcdoc="{escape(self.html)}"></iframe>'
        )


def report(
    model: Model, certificate: Certificate | None = None, further: Further | None = None
) -> Page:
    """The report of a model: one offline file. Needs the extra `page`.

    Raises OptionError if Jinja2 is missing, and for what is not a model.
    """
    if not isinstance(model, Model):
        raise OptionError(
            f"report takes a model, not a {type(model).__name__}: a result has report(), and "
            "corels.report(result.model, result.certificate) does the same"
        )
    return render(page_document(model, certificate, further))


def render(document: Mapping[str, Any]) -> Page:
    """The page of a document. Raises OptionError if Jinja2 is missing."""
    styles = all_styles()
    wanted = [LIBRARY] if any(part in document for part in CHARTS) else []
    wanted += [name for part, name in SCRIPTS.items() if not part or document.get(part)]
    scripts = [asset(name) for name in wanted]
    html = template("page.html").render(
        document=document,
        embedded=embedded(document),
        styles=styles,
        scripts=scripts,
        policy=policy(styles, scripts),
    )
    return Page(html)


def all_styles() -> list[str]:
    """Of both pages: the chart's, the palette of all pictures, and our own. From the third class on
    a hatch tells what grey does not (`pieces.html` has the patterns)."""
    light, dark = (
        " ".join(f"--c{number}: {colour};" for number, colour in enumerate(COLOURS[name]))
        for name in ("light", "dark")
    )
    fills = [
        f".c{n} {{ fill: {f'url(#hatch-{n})' if n > 1 else f'var(--c{n})'} }} "
        f".flat-{n} {{ fill: var(--c{n}) }}"
        for n in range(len(COLOURS["light"]))
    ]
    in_the_dark = f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    palette = "\n".join([f":root {{ {light} }}", in_the_dark, *fills])
    return [asset("vendor/uplot/uPlot.min.css"), palette, asset("static/page.css")]


@cache  # `report` asks twice, and compiling takes a tenth of a second
def template(name: str) -> Any:
    """A template that escapes. Raises OptionError if Jinja2 is missing."""
    jinja2 = needed("jinja2", "the page needs Jinja2", "page")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("corels_page", "static"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    environment.filters["weight"] = separated
    return environment.get_template(name)


def check_page() -> None:
    """Raise OptionError now if what a page needs is not installed."""
    template("page.html")


def embedded(document: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def policy(styles: list[str], scripts: list[str]) -> str:
    """What a browser may run: these texts. What it may load: nothing."""
    allowed = {"style-src": styles, "script-src": scripts}
    parts = [f"{name} {' '.join(map(_hash, found))}" for name, found in allowed.items()]
    return "; ".join(["default-src 'none'", *parts, "base-uri 'none'", "form-action 'none'"])


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def asset(name: str) -> str:
    """The text of a file of this package, as the browser will see it."""
    return "\n" + files("corels_page").joinpath(name).read_text(encoding="utf-8").strip() + "\n"


def _percent(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole else "-"
