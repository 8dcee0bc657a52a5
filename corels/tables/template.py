"""The plan of a table as a description file to edit: `corels antecedents --describe-template`.

Every cut, group and code is written out, and what is not used is ignored, so that the file makes
the same antecedents of this table, and the same cuts of another one. What stays empty says nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corels.tables.description import ColumnDescription
from corels.tables.descriptions import CARD, Descriptions
from corels.tables.use import ColumnUse, TableUse

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WORDS = ("name", "about", "unit")


def template(
    use: TableUse, said: Descriptions, label: str, classes: Sequence[object], where: str
) -> str:
    """A file of TOML. said: what is said of the table. where: its name, for the first line."""
    words = said.to_json()
    lines = [
        f"# What {_text(where)} is. What stays empty says nothing.",
        *(f"{field} = {_text(words.get(field, ''))}" for field in ("title", "author", "date")),
        f"about = {_text(words.get('about', ''))}",
        "# for a model card:",
        *(
            f"{'' if field in words else '# '}{field} = {_text(words.get(field, ''))}"
            for field in CARD
        ),
        "",
        f"[label]  # {_text(label)}",
        *_named(words.get("label", {})),
    ]
    for one in map(str, classes):
        lines += [f"[classes.{_key(one)}]", *_named(words.get("classes", {}).get(one, {}))]
    for column in use.columns:
        lines += _entry(column, said.column(column.name))
        for part in column.parts:
            if cuts := _found(part).get("cuts"):
                lines += [f"[columns.{_key(part.name)}]", f"cuts = {toml(cuts)}", ""]
    there = {column.name for column in use.columns}
    for name, entry in said.columns.items():  # as --ignore says, too
        if name not in there and entry.as_ == "ignore":
            lines += [f"[columns.{_key(name)}]", 'as = "ignore"', ""]
    return "\n".join(lines).rstrip() + "\n"


def _named(words: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{field} = {_text(words.get(field, ''))}" for field in ("name", "about"))
    yield ""


def _entry(column: ColumnUse, said: ColumnDescription) -> Iterator[str]:
    """The lines of a column: what is said of it, what was found, and words to fill in."""
    yield f"[columns.{_key(column.name)}]  # {column.kind}"
    document = {**said.to_json(), **_found(column)}
    if column.unused and "as" not in document:
        yield f'as = "ignore"  # {column.unused}'
    for field, value in document.items():
        if field not in _WORDS:
            yield f"{field} = {toml(value)}"
    yield from (f"{field} = {_text(document.get(field, ''))}" for field in _WORDS)
    yield ""


def _found(column: ColumnUse) -> dict[str, Any]:
    found: dict[str, Any] = {"as": list(map(str, column.order))} if column.order else {}
    if column.cuts or column.groups:
        found["cuts"] = [*column.cuts, *map(list, column.groups)]
    return found


def toml(value: Any) -> str:
    """A value of TOML on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(key)} = {toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml, value))}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    """A text of TOML: as in JSON, which lets a delete character stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
