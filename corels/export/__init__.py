"""Models in words and in other languages: each export predicts what the model predicts.

    to_text(model)       lines for a terminal
    to_python(model)     a plain function, no imports
    to_sql(model)        a CASE expression
    to_c(model)          a function and its struct; needs string.h
    to_javascript(model) a plain function, no imports
    to_r(model)          a function of a data frame, no packages
    to_onnx(model)       an ONNX graph, as bytes; needs the extra onnx
    to_latex(model)      a tabular
    to_html(model)       a table
    to_markdown(model)   a table

All are written from the deciders of a model, so they work for every family. Names and values of
columns and classes are anybody's text. Every export writes them through one quoting function of
its language and nowhere else, so that no text can end the literal it stands in.
"""

from typing import TYPE_CHECKING

from corels.lazy import names_on_demand

if TYPE_CHECKING:
    from corels.export.c import to_c
    from corels.export.html import to_html
    from corels.export.javascript import to_javascript
    from corels.export.latex import to_latex
    from corels.export.markdown import to_markdown
    from corels.export.onnx import to_onnx
    from corels.export.python import to_python
    from corels.export.r import to_r
    from corels.export.sql import to_sql
    from corels.export.text import to_text

__all__ = [
    "to_c", "to_html", "to_javascript", "to_latex", "to_markdown", "to_onnx", "to_python", "to_r",
    "to_sql", "to_text",
]  # fmt: skip

__getattr__, __dir__ = names_on_demand(__name__)  # `corels run` needs one of them
