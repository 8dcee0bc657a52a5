"""Words for the readers of a page: its authors, and the names of columns and classes.

They are in a file of `--describe` (`corels.tables.descriptions`), or in the model's own file, which
keeps those of the table that it was learned from. An empty text says nothing. A page still speaks
of a column by its own name if it shows texts of other files (the rules of `corels near`, of a
proof).
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from typing import Any

from corels.errors import InputError
from corels.model import Model
from corels.options import unknown
from corels.tables import Condition
from corels.tables.descriptions import Descriptions


def asked_columns(model: Model) -> list[str]:
    """The columns that a model asks for, in its order."""
    conditions = (one for asked in model.antecedents for one in asked.conditions)
    return list(dict.fromkeys(condition.column for condition in conditions))


def read_description(path: str, model: Model, others: Collection[str] = ()) -> Descriptions:
    """The words of a file.

    others: the columns of its data, if this is at hand: a table has more than a model asks for.
    Raises InputError naming what is wrong, also for a column or a class that there is not.
    """
    found, classes = Descriptions.of(path), [str(label) for label in model.classes]
    if others:
        found.refuse_unknown([*asked_columns(model), *others], path)
    for name in found.classes:
        if name not in classes:
            raise InputError(f"{path}: {unknown('class', name, classes[:20])}")
    return found


def kept_words(data: Mapping[str, Any]) -> Descriptions:
    """What a model's file keeps of the description of its table. data: its entry `data`."""
    reading = data.get("reading") or {}
    return Descriptions.from_json(
        {**reading.get("words", {}), "columns": reading.get("columns", {})}
    )


def today() -> str:
    """The date: "29 November 2026"."""
    now = datetime.date.today()
    return f"{now.day} {now:%B %Y}"


def described(document: Mapping[str, Any], description: Descriptions) -> dict[str, Any]:
    """A page's document in these words."""
    label, family, classes = (document[name] for name in ("label", "family", "classes"))
    columns = {column: words.name for column, words in description.columns.items() if words.name}
    of_class = {name: words.name for name, words in description.classes.items() if words.name}
    named = description.label.name or label
    # Pieces of a condition show a column as its text does, which may be quoted.
    shown = {str(Condition(column, "true")): name for column, name in columns.items()}
    of_columns: list[tuple[str, Any]] = [*description.columns.items()]
    explained = [(label, description.label), *description.classes.items(), *of_columns]
    path = document.get("path", ())
    for decider in (one for part in (document, *path) for one in part["deciders"]):
        texts = (text for clause in decider["clauses"] for text in clause["texts"])
        for piece in (piece for text in texts for piece in text if piece[0] == "column"):
            piece[1] = shown.get(piece[1], piece[1])
    for segment in path:
        segment["label"] = named
        segment["classes"] = [of_class.get(name, name) for name in segment["classes"]]
    return {
        **document,
        "title": description.title or f"{family[:1].upper()}{family[1:]} for {named}",
        "byline": [text for text in (description.author, description.date) if text],
        "about": description.about,
        "label": named,
        "classes": [of_class.get(name, name) for name in classes],
        "labels": [of_class.get(name, name) for name in document["labels"]],
        "columns": {c: words.about for c, words in description.columns.items() if words.about},
        "called": columns,
        "glossary": [
            [one.name or own, own, one.about] for own, one in explained if one.about or one.name
        ],
    }
