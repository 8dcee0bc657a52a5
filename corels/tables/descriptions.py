"""The description of a table: a file of `--describe`, and what options add to it.

    title = "Loans 2026"              author, date, about and the fields of a model card are text
    [label]                           what is predicted: name and about
    name = "default"
    [classes.yes]
    name = "defaulted"
    [columns."*"]                     what holds for every column that does not say otherwise
    cuts = "entropy 5"
    [columns.age]
    cuts = [17, 25, 65]

It is TOML, or JSON if the name ends in .json; a model file stands for the description that it
keeps. The most special wins, field by field: a column's own entry before `*`, an option before the
file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import ValidationError, convert, field
from msgspec.structs import replace

from corels.errors import InputError, located, sentence
from corels.options import closest
from corels.tables.description import NOTHING_SAID, ColumnDescription, Stated, plain
from corels.tables.short import entry_of

EVERY = "*"
CARD = (
    *("version", "license", "owner", "contact", "intended_use", "not_for", "oversight", "risks"),
    *("data_origin", "changes"),
)


class Words(Stated, frozen=True, forbid_unknown_fields=True):
    """What something is called, and a sentence about it; '' for nothing."""

    name: str = ""
    about: str = ""


class Descriptions(Stated, frozen=True, forbid_unknown_fields=True):
    """What is said of a table and its columns.

    Attributes:
        title, author, date, about: of the model's page. version ... changes: of its card.
        label, classes: words for what is predicted, and for each class by its text.
        columns: name, or "*" -> what is said of it.
    """

    title: str = ""
    author: str = ""
    date: str = ""
    about: str = ""
    version: str = ""
    license: str = ""
    owner: str = ""
    contact: str = ""
    intended_use: str = ""
    not_for: str = ""
    oversight: str = ""
    risks: str = ""
    data_origin: str = ""
    changes: str = ""
    label: Words = Words()
    classes: dict[str, Words] = field(default_factory=dict)
    columns: dict[str, ColumnDescription] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Any, *, only: bool = False) -> Descriptions:
        """What `columns=` in Python, or a document, says.

        given: descriptions; the path of a file; a mapping of column -> entry; texts "NAME: field
        value", as of `--column`; or, with `only`, a list of names: no other column is used.
        Raises InputError.
        """
        match given:
            case None:
                return NOTHING
            case Descriptions():
                return given
            case str() | os.PathLike():
                return read_descriptions(os.fspath(given))
            case Mapping():
                return cls(columns=entries_of(given))
        names = [str(one) for one in given]
        if only:
            ignored = ColumnDescription(as_="ignore")
            return cls(columns={EVERY: ignored, **dict.fromkeys(names, NOTHING_SAID)})
        columns: dict[str, ColumnDescription] = {}
        for text in names:
            name, fields = entry_of(text)
            found = ColumnDescription.of(name, fields)
            columns[name] = found.over(columns.get(name, NOTHING_SAID))
        return cls(columns=columns)

    @classmethod
    def from_json(cls, data: Any) -> Descriptions:
        """What `to_json` wrote, or a file holds. Raises InputError naming what is wrong."""
        found = plain(data)
        if not isinstance(found, dict):
            raise InputError("expected a mapping with the entries title, label, classes, columns")
        columns = found.pop("columns", {})
        if not isinstance(columns, Mapping):
            raise InputError("columns: expected a mapping of column names")
        try:
            converted = convert(found, cls)
        except ValidationError as error:
            raise InputError(sentence(str(error))) from None
        return replace(converted, columns=entries_of(columns))

    def column(self, name: str) -> ColumnDescription:
        """What holds for a column: its own entry, and if that says nothing, `*`'s. A column
        that has an entry is not among those that `*` ignores."""
        every = self.columns.get(EVERY, NOTHING_SAID)
        own = self.columns.get(name) if name != EVERY else None
        if own is None:
            return every
        return own.over(replace(every, as_=None) if every.as_ == "ignore" else every)

    def over(self, other: Descriptions) -> Descriptions:
        """These descriptions, and those of another if these say nothing."""
        own = {
            name: value
            for name in self.__struct_fields__
            if name != "columns" and (value := getattr(self, name)) not in ("", {}, Words())
        }
        columns = dict(other.columns)
        for name, one in self.columns.items():
            columns[name] = one.over(columns.get(name, NOTHING_SAID))
        return replace(other, **own, columns=columns)

    def refuse_unknown(self, table: Collection[str], file: str) -> None:
        """Raise InputError for a column that a table does not have, nor as a part of a date.

        table: its columns, by name. file: that says so.
        """
        for name in self.columns:
            if name != EVERY and name not in table:
                close = closest(name, table)
                mean = f": did you mean {close!r}?" if close else ""
                raise InputError(
                    f"{file} describes column {name!r}, which the table does not have{mean}"
                )


NOTHING = Descriptions()


def entries_of(columns: Mapping[Any, Any]) -> dict[str, ColumnDescription]:
    """Each column's entry, checked. Raises InputError."""
    return {str(name): ColumnDescription.of(str(name), one) for name, one in columns.items()}


def read_descriptions(path: str) -> Descriptions:
    """A file: TOML, or JSON if its name ends in .json. Raises InputError for a wrong one."""
    from corels.tables.files import decode, read_bytes

    return parsed(path, decode(path, read_bytes(path)))


def parsed(path: str, text: str) -> Descriptions:
    """The text of a file of this name. Raises InputError for a wrong one."""
    import tomllib  # few tables are described

    form = "JSON" if path.lower().endswith(".json") else "TOML"
    try:
        found = json.loads(text) if form == "JSON" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not {form} ({error})") from None
    with located(path):
        if isinstance(found, dict) and str(found.get("schema", "")).startswith("corels/"):
            found = described_by_model(found)
        return Descriptions.from_json(found)


def described_by_model(document: Mapping[str, Any]) -> dict[str, Any]:
    """The description that a model file keeps. Raises InputError if it keeps none."""
    reading = (document.get("data") or {}).get("reading") or {}
    columns = {name: dict(one) for name, one in reading.get("columns", {}).items()}
    fields = {name.rstrip("_") for name in ColumnDescription.__struct_fields__}
    for name, kept in ((document.get("reading") or {}).get("columns") or {}).items():
        said = {field: value for field, value in kept.items() if field in fields}
        columns[name] = columns.get(name, {}) | said
    if not columns:
        raise InputError("this model does not keep how its columns were read")
    return {**reading.get("words", {}), "columns": columns}
