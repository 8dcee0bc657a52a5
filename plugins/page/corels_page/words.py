"""Words for the readers of a page: who made it, and what columns and classes are called.

They are in a TOML or JSON file (`corels report --describe FILE`):

    title = "Who survived"            author, date and about are text, too
    [label]                           what is predicted
    name = "fate"
    [classes.yes]
    name = "survived"
    about = "Alive on the 16th."
    [columns.sex]
    ...

Every entry may be left out; an empty text says nothing. A page still speaks of a column by its own
name where it shows texts of other files (the rules of `corels near`, of a proof).
"""

from __future__ import annotations

import datetime
import json
import tomllib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct, ValidationError, convert, field

from corels.errors import InputError, sentence
from corels.model import Model
from corels.options import unknown
from corels.tables import Condition
from corels.tables.files import decode, read_bytes


class Words(Struct, forbid_unknown_fields=True):
    """What something is called, and a sentence about it; '' for nothing."""

    name: str = ""
    about: str = ""


class Description(Struct, forbid_unknown_fields=True):
    """A file of `--describe`."""

    title: str = ""
    author: str = ""
    date: str = ""
    about: str = ""
    label: Words = field(default_factory=Words)
    classes: dict[str, Words] = field(default_factory=dict)
    columns: dict[str, Words] = field(default_factory=dict)


def asked_columns(model: Model) -> list[str]:
    """The columns that a model asks for, in its order."""
    conditions = (one for asked in model.antecedents for one in asked.conditions)
    return list(dict.fromkeys(condition.column for condition in conditions))


def read_description(path: str, model: Model, others: Iterable[str] = ()) -> Description:
    """The words of a file, TOML or, where its name ends in .json, JSON.

    others: columns that the model does not ask for, but its data has. Raises InputError naming what
    is wrong, also for a column or a class that there is not.
    """
    text = decode(path, read_bytes(path))
    form = "JSON" if path.lower().endswith(".json") else "TOML"
    try:
        found = json.loads(text) if form == "JSON" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not {form} ({error})") from None
    if isinstance(found, dict) and isinstance(found.get("date"), datetime.date):  # a date of TOML
        found["date"] = found["date"].isoformat()
    try:
        description = convert(found, Description)
    except ValidationError as error:
        raise InputError(f"{path}: {sentence(str(error))}") from None
    _known(path, "column", description.columns, dict.fromkeys([*asked_columns(model), *others]))
    _known(path, "class", description.classes, [str(label) for label in model.classes])
    return description


def _known(path: str, what: str, described: Iterable[str], known: Collection[str]) -> None:
    for name in described:
        if name not in known:
            raise InputError(f"{path}: {unknown(what, name, list(known)[:20])}")


def template_text(model: Model, name: str) -> str:
    """A file of `--describe` for a model, to be filled in. name: of the model's file."""
    lines = [
        f"# Words for the report of {_quoted(name)}. What stays empty says nothing.",
        *(f'{entry} = ""' for entry in ("title", "author", "date", "about")),
        "",
        f"[label]  # {_quoted(model.label_name)}",
        *_EMPTY,
    ]
    tables = [("classes", str(label)) for label in model.classes]
    tables += [("columns", column) for column in asked_columns(model)]
    for kind, entry in tables:
        lines += [f"[{kind}.{_quoted(entry)}]", *_EMPTY]
    return "\n".join(lines).rstrip() + "\n"


_EMPTY = ('name = ""', 'about = ""', "")


def _quoted(text: str) -> str:
    """A text of TOML: as in JSON, which lets a delete character stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def title_of(family: str, label: str) -> str:
    """What a page is called where nobody says it."""
    return f"{family[:1].upper()}{family[1:]} for {label}"


def described(document: Mapping[str, Any], description: Description) -> dict[str, Any]:
    """A page's document in these words."""
    label, classes = str(document["label"]), document["classes"]
    columns = {column: words.name for column, words in description.columns.items() if words.name}
    of_class = {name: words.name for name, words in description.classes.items() if words.name}
    named = description.label.name or label
    # Pieces of a condition show a column as its text does, which may be quoted.
    shown = {str(Condition(column, "true")): name for column, name in columns.items()}
    path = document.get("path", ())
    for decider in (one for part in (document, *path) for one in part["deciders"]):
        for clause in decider["clauses"]:
            _rename(clause["texts"], shown)
    for segment in path:
        segment["label"] = named
        segment["classes"] = [of_class.get(name, name) for name in segment["classes"]]
    return {
        **document,
        "title": description.title or title_of(str(document["family"]), named),
        "byline": [text for text in (description.author, description.date) if text],
        "about": description.about,
        "label": named,
        "classes": [of_class.get(name, name) for name in classes],
        "labels": [of_class.get(name, name) for name in document["labels"]],
        "columns": {column: words.about for column, words in description.columns.items()},
        "called": columns,
        "glossary": [
            [words.name or own, own, words.about]
            for own, words in (
                (label, description.label),
                *description.classes.items(),
                *description.columns.items(),
            )
            if words.about or words.name
        ],
    }


def _rename(texts: list[list[list[str]]], names: Mapping[str, str]) -> None:
    """Put readable names into the pieces of conditions."""
    for pieces in texts:
        for piece in pieces:
            if piece[0] == "column":
                piece[1] = names.get(piece[1], piece[1])
