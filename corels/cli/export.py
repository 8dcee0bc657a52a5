"""`corels export`: a model in another language."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corels.cli.apply import MODEL, OUTPUT
from corels.cli.outputs import put
from corels.cli.parameters import checked, given, refuse_unknown, signature, tables_of
from corels.errors import OptionError
from corels.export.format import Export
from corels.model.documents import open_model, read_document
from corels.options import Option
from corels.plugins import DEFAULT_EXPORT, registry
from corels.run.output import OutputFile


def languages() -> dict[str, type[Export]]:
    """Every registered language, by name; of equal endings the first one counts."""
    found = registry()
    return {name: found.get("export", name) for name in found.names("export")}


def _own() -> Sequence[Option]:
    """The options for every language."""
    about = (
        f"the language to write (default: by the ending of --output; {DEFAULT_EXPORT} without one)"
    )
    return Option.text("to", about, choices=tuple(sorted(languages()))), OUTPUT


def export_signature() -> inspect.Signature:
    """With the options of each language, by its title if no other language has that."""
    tables: dict[str, Sequence[Option]] = {}
    for name, kind in languages().items():
        tables[name if kind.title in ("", *tables) else kind.title] = kind.options
    first = getattr(languages().get(DEFAULT_EXPORT), "title", "")
    return signature((MODEL,), {"Options": _own()}, tables, first)


def export(**values: Any) -> None:
    """Write a model in another language: as a function, an expression, a graph, a table or a page.

    `corels plugins` says what each language gives.

    $ corels export model.json --to sql --table people
    $ corels export model.json --function risk -o risk.js
    $ corels export model.json -o model.html
    """
    typed, own = given(values), (MODEL, *_own())
    asked = checked(own, typed)
    path, output = asked["model"], asked["output"]
    form = asked["to"] or _by_ending(output)
    language: type[Export] = registry().get("export", form)
    if language.binary and output is None:
        raise OptionError(f"--to {form} needs --output FILE: it is not text")
    refuse_unknown(f"--to {form}", typed, (*own, *language.options), tables_of("export"))
    named = {option.name for option in language.options} - {option.name for option in own}
    found = read_document(path)
    target = None if output is None else OutputFile(output)
    chosen = {name: value for name, value in typed.items() if name in named}
    put(target, language.written(open_model(path, found), chosen, found))


def _by_ending(output: str | None) -> str:
    """The language that a file is called by, compressed or not."""
    ending = Path((output or "").removesuffix(".gz")).suffix.lower()
    endings = {one.ending: name for name, one in reversed(languages().items()) if one.ending}
    if ending not in ("", ".txt", *endings):
        there = ", ".join(sorted(endings))
        raise OptionError(
            f"--output is {output!r}: no language has the ending {ending} (there are: {there}); "
            "--to names one"
        )
    return endings.get(ending, DEFAULT_EXPORT)
