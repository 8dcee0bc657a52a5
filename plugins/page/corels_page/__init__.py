"""The page: one offline HTML file made from one JSON document, and the search in a browser.

document    what is on the page, as JSON: the model, its proof, and what else was computed
render      the file: template, styles, scripts, the document, nothing else
server      the same page while a search runs (`corels serve`)
commands    `corels report` and `corels serve`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from corels.export.format import Export
from corels.hookspecs import Command, hookimpl
from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.model import Model
    from corels_page.document import Further, page_document
    from corels_page.render import Page, check_page, report

__all__ = ["Further", "Page", "check_page", "page_document", "register_parts", "report"]


class Html(Export):
    name, title, ending = "html", "HTML", ".html"
    for_people = True
    summary = "of a model file the page of `corels report`, of a model a table"

    def write(self, model: Model, options: Mapping[str, Any]) -> str:
        return model.to_html()

    def write_file(
        self, model: Model, document: Mapping[str, Any], options: Mapping[str, Any]
    ) -> str:
        from corels.cli.at_hand import STATED
        from corels.model.documents import load_certificate
        from corels_page.document import Further
        from corels_page.render import report

        about = Further(data=document.get("data", {}), counted=STATED)
        return report(model, load_certificate("the model", document), about).html


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """`report` and `serve`, and the page as an export."""
    register(Html)
    page, watch = "corels_page.commands.report", "corels_page.commands.serve"
    told = "Write a model as one HTML file."
    register(Command("report", page, "write_report", panel="Use", summary=told))
    told = "Start searches and watch them in the browser."
    register(Command("serve", watch, panel="Research", summary=told))


__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels.model": "Model",
        "corels_page.document": "Further page_document",
        "corels_page.render": "Page check_page report",
    },
)
