"""The page: one offline HTML file made from one JSON document.

document    what is on the page, as JSON: the model, its proof, and what else was computed
render      the file: template, styles, scripts, the document, nothing else
serve       the same page while a search runs
"""

from corels.page.document import Further, page_document
from corels.page.render import Page, report

__all__ = ["Further", "Page", "page_document", "report"]
