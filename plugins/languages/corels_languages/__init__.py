"""Programming languages for models: a plugin of `corels`, registered through the public hook.

python, javascript         a function, which needs nothing that does not come with the language
sql                        an expression
onnx                       a graph; needs the extra `onnx`
functions                  what they share: `statements` goes through the deciders, `exported` is a
                           condition as it is asked of written values, `number` and `writable`
                           refuse what a language cannot write
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from corels.export.format import TYPED, Export
from corels.hookspecs import hookimpl
from corels.options import Option

if TYPE_CHECKING:
    from corels.model import Model

NAME = Option.text("function", "the name of the function (default: predict)")
DIALECT = Option.text("dialect", "how to quote", "ansi", choices=("ansi", "mysql"))
TABLE = Option.text("table", "a table name to put before every column")
BOOLEANS = Option.text(
    "booleans", "columns of 0 and 1 are compared as", "number", choices=("number", "boolean")
)


class _Language(Export):
    """Of `corels_languages.NAME` the function `to_NAME`, which is imported when it is called."""

    def write(self, model: Model, options: Mapping[str, Any]) -> str | bytes:
        module = import_module(f"corels_languages.{self.name}")
        # what was not chosen has its default there
        chosen = {n: value for n, value in options.items() if value is not None and n != TYPED.name}
        found: str | bytes = getattr(module, f"to_{self.name}")(model, **chosen)
        return found


class Python(_Language):
    name, title, ending = "python", "Python", ".py"
    summary = "a function of one row"
    options = (NAME,)
    reads_text = True


class JavaScript(_Language):
    name, title, ending = "javascript", "JavaScript", ".js"
    summary = "a function of one row, for browsers and Node"
    options = (NAME,)
    reads_text = True


class Onnx(_Language):
    name, title, ending = "onnx", "ONNX", ".onnx"
    summary = "a graph for onnxruntime and others; needs the extra onnx"
    binary = True
    options = (TYPED,)


class Sql(_Language):
    name, title, ending = "sql", "SQL", ".sql"
    summary = "a CASE expression"
    options = (DIALECT, TABLE, BOOLEANS, TYPED)


class Pmml(_Language):
    name, title, ending = "pmml", "PMML", ".pmml"
    summary = "a PMML 4.4 rule set, for JPMML and others"
    options = (TYPED,)


class Dmn(_Language):
    name, title, ending = "dmn", "DMN", ".dmn"
    summary = "a DMN decision table, for Camunda, Drools and others"
    options = (BOOLEANS, TYPED)


@hookimpl
def register_parts(register: Callable[[type[Export]], None]) -> None:
    """All of them."""
    for language in (Python, JavaScript, Onnx, Sql, Pmml, Dmn):
        register(language)
