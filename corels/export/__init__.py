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

from importlib import import_module
from typing import TYPE_CHECKING, Any

from corels.lazy import names_on_demand
from corels.moved import new_name

if TYPE_CHECKING:
    from corels.export.format import Export
    from corels.export.html import to_html
    from corels.export.latex import to_latex
    from corels.export.markdown import to_markdown
    from corels.export.text import to_text

__all__ = ["Export", "to_html", "to_latex", "to_markdown", "to_text"]

_here, __dir__ = names_on_demand(__name__)  # `corels run` needs one of them


def __getattr__(name: str) -> Any:
    """Also `to_sql` and the like, which are with the module that `corels.moved` names."""
    moved = new_name(f"{__name__}.{name.removeprefix('to_')}") if name.startswith("to_") else None
    return _here(name) if moved is None else getattr(import_module(moved), name)
