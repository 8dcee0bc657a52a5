"""What a cell of a table says, for the functions that are exported: the readers that a model's own
`predict` uses, as source.

A model that keeps how its columns are read (`Model.reading`) reads each cell by itself. The export
to Python holds the very functions of `corels.tables`, also of comparing, with their names behind an
underscore; the one to JavaScript a translation, which the tests hold against them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from importlib import resources
from typing import Any

from corels.model import Model
from corels.tables import comparing, dates, numerals
from corels.tables.column import INT64_MAX
from corels.tables.condition import Condition
from corels.tables.dates import source_of
from corels.tables.options import MISSING_VALUES

# Names in `corels.tables` that comparing needs, and each reader: constants, then functions.
COMPARING = ("PLAIN", "spelled", "is_code", "equal_values")
NUMBER = ("CURRENCY", "WRITTEN", "THOUSANDS_COMMA", "COMMA_WRITTEN", "THOUSANDS_OTHER",
          "MONEY", "PERCENT", "COMMA", "GROUPED", "BY_COMMA",
          "number_of", "_digits", "_with_comma")  # fmt: skip
MOMENT = ("ISO", "SLASHED", "CLOCK", "MONTH", "MIDNIGHT", "uniform", "_fraction")
PART = ("MONTHS", "WEEKDAYS")


def reader(
    model: Model, condition: Condition, cell: Callable[[str], str], literal: Callable[[Any], str]
) -> tuple[str, str]:
    """(which reader is needed, the cell as its call): "" if the cell is asked as it stands.

    cell, literal: how the language names the cell of a column, and a value.
    """
    source = source_of(condition.column, model.reading)
    learned, value = model.reading.get(source), condition.value
    if learned is None and condition.operator in ("<=", ">") and isinstance(value, str):
        form = "time" if value[2:3] == ":" else "date"
        return "moment", f'_date({cell(condition.column)}, "iso", "{form}")'
    asked_for = condition.operator in ("==", "in")  # such a value is no word for "no value"
    if learned is None or (asked_for and not (learned.form or learned.dates or learned.bare)):
        return "", cell(condition.column)
    form = "time" if learned.form == dates.CLOCK_TIME else "date"
    if source != condition.column:
        part = condition.column.partition(" ")[0]
        words = [word for word in learned.no_values or () if learned.moment(word) is not None]
        said = f", {literal(tuple(words))}" if words else ""
        how = f'"{part}", "{learned.date_order}", "{form}"{said}'
        return "part", f"_part({cell(source)}, {how})"
    if learned.dates:
        return "moment", f'_date({cell(source)}, "{learned.date_order}", "{form}")'
    if learned.form:
        return "number", f'_read({cell(source)}, "{learned.decimal}")'
    said = "" if learned.bare and learned.no_values is None else f", {literal(learned.words)}"
    return "text", f"_text({cell(source)}{said}{'' if learned.bare else f', {literal(False)}'})"


def python_readers(needed: Iterable[str]) -> str:
    """Source of what compares, and of the readers of these kinds."""
    kinds = {*needed, ""}
    if "part" in kinds:
        kinds.add("moment")
    parts = [_START]
    for kind, names, own in (
        ("", COMPARING, ""),
        ("number", NUMBER, _READ),
        ("moment", MOMENT, _DATE),
        ("part", PART, _PART),
        ("text", (), _TEXT),
    ):
        if kind in kinds:
            parts += [_behind(_source(name)) for name in names]
            parts.append(own)
    return "\n\n".join(part.strip() for part in parts if part)


def _source(name: str) -> str:
    found = {**vars(dates), **vars(numerals), **vars(comparing)}[name]
    if isinstance(found, re.Pattern):
        return f'{name} = re.compile(r"""{found.pattern}""")'
    return f"{name} = {found!r}" if not callable(found) else inspect.getsource(found)


def _behind(source: str) -> str:
    """With the names of our own behind an underscore."""
    every = (*COMPARING, *NUMBER, *MOMENT, *PART)
    own = "|".join(name for name in every if not name.startswith("_"))
    found = re.sub(rf"(?<![\w.\"])({own})\b(?!\")", r"_\1", source)
    return found.replace("INT64_MAX", str(INT64_MAX)).replace("Scalar", "object")


_START = """
import datetime as dt
import math
import re
"""
_READ = '''
def _read(value, decimal):
    """The number that a cell is or writes, of a duration that of days; None if it is none."""
    if not isinstance(value, str):
        return value / dt.timedelta(days=1) if hasattr(value, "total_seconds") else value
    text = value.strip()
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    found = _number_of(text, decimal)
    return None if found is None else found[0]
'''
_DATE = '''
def _date(value, order, form):
    """The date, or time of day, of a cell as text in UTC; None if it is none."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return None
    text = str(value).strip()
    found = text if _MONTH.fullmatch(text) else _uniform(text, order)
    return found if found is not None and (found[2] == ":") == (form == "time") else None
'''
_PART = '''
def _part(value, part, order, form, words=()):
    """The year, month, weekday or hour of the date of a cell, which is none of the words."""
    text = None if str(value).strip() in words else _date(value, order, form)
    if text is None:
        return None
    if part == "hour":
        return int(text[11:13] or 0) if text[4:5] == "-" else int(text[:2])
    if part == "weekday":
        return _WEEKDAYS[dt.date.fromisoformat(f"{text}-01"[:10]).weekday()]
    return int(text[:4]) if part == "year" else _MONTHS[int(text[5:7]) - 1]
'''
_TEXT = f'''
def _text(value, words={MISSING_VALUES!r}, bare=True):
    """The text of a cell, without blanks around it if it is bare; None if it means "no value"."""
    text = value.strip() if bare and isinstance(value, str) else value
    return None if isinstance(text, str) and text in words else text
'''


def javascript_readers(needed: Iterable[str]) -> str:
    """Source of the readers, if any is needed."""
    if not {*needed} - {""}:
        return ""
    text = resources.files("corels_languages").joinpath("cells.js").read_text("utf-8")
    return text.strip()
