"""Models in words, and what every language is to the core.

    to_text(model)       lines for a terminal
    to_latex(model)      a tabular
    to_html(model)       a table
    to_markdown(model)   a table
    Export               a language that a plugin adds; ours stand in `plugins/languages`

All are written from the deciders of a model, so they work for every family. Names and values of
columns and classes are anybody's text. Every export writes them through one quoting function of
its language and nowhere else, so that no text can end the literal it stands in.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.export.format import Export
    from corels.export.html import to_html
    from corels.export.latex import to_latex
    from corels.export.markdown import to_markdown
    from corels.export.text import to_text

__all__ = ["Export", "to_html", "to_latex", "to_markdown", "to_text"]

__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels.export.format": "Export",
        "corels.export.html": "to_html",
        "corels.export.latex": "to_latex",
        "corels.export.markdown": "to_markdown",
        "corels.export.text": "to_text",
    },
)
