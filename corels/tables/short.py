"""The short text of a column description: "age: cuts 17, 25, 65; direction up".

Fields are parted by semicolons; a field is its name and its value. Values of a list are parted by
commas; groups and a list of one stand in braces, words behind a code or a side after "=":

    grade: as A, B, C; cuts B              months: codes -9 = no record, -8; direction down
    city: cuts {Bonn, Graz}, {Ulm}         "a: b": as names; missing {}

Text in double quotes, as in JSON, is what it says, whatever stands in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from corels.errors import InputError
from corels.options import unknown
from corels.tables.description import OF_NAMES, WAYS, WORDS, ColumnDescription, number_or_text

_IN_QUOTES = r'"(?:[^"\\]|\\.)*"'
_QUOTE = re.compile(r'[;,={}"\n]|^\s|\s$|^$')
FIELDS = tuple(name.rstrip("_") for name in ColumnDescription.__struct_fields__)
OF_TEXT = ("name", "about", "unit", "written", "direction", "change")


def entry_of(text: str) -> tuple[str, str]:
    """(the column, its fields) of a text "NAME: field value; ...". Raises InputError."""
    found = text.strip()
    if found.startswith('"'):
        name, at = quoted(found)
        rest = found[at:].lstrip()
    else:
        name, colon, rest = found.partition(":")
        name, rest = name.rstrip(), colon + rest
    if not rest.startswith(":") or not name:
        raise InputError(
            f'{text!r}: expected "NAME: field value", such as "age: cuts 17, 25"; a name with '
            "':' in double quotes"
        )
    return name, rest[1:].strip()


def quoted(text: str) -> tuple[str, int]:
    """The text in double quotes at the beginning, and where it ends. Raises InputError."""
    try:
        name, at = json.JSONDecoder().raw_decode(text)
    except ValueError:
        raise InputError(f"{text!r}: the double quotes do not end, or are not as in JSON") from None
    return str(name), at


def fields_of(text: str) -> dict[str, Any]:
    """The entry's document, not checked. Raises InputError for an unknown field."""
    found: dict[str, Any] = {}
    for part in parted(text, ";"):
        field, _, value = part.strip().partition(" ")
        if not field:
            continue
        if field not in FIELDS:
            hint = "; a name with ':' stands in double quotes" if ":" in field else ""
            raise InputError(unknown("field", field, FIELDS) + hint)
        if field in found:
            raise InputError(f"{field} is said twice")
        found[field] = _value(field, value.strip())
    return found


def names_in(text: str) -> list[str]:
    """Names that commas part; one with a comma stands in double quotes."""
    return [_plain(part.strip()) for part in parted(text, ",") if part.strip()]


def _value(field: str, text: str) -> Any:
    items = [item.strip() for item in parted(text, ",")]
    if field in OF_TEXT:
        return _plain(text)
    if field == "because" or (field == "codes" and any("=" in _bare(item) for item in items)):
        return dict(_pair(item) for item in items)
    words = (*WAYS, *OF_NAMES) if field == "cuts" else WORDS.get(field, ())
    if items[0].partition(" ")[0] in words and (field == "cuts" or len(items) == 1):
        return text
    if field == "as" and len(items) == 1 and items[0][:1] not in '"{':
        return text
    if field == "cuts":
        return [_group(item) if item.startswith("{") else _number(item) for item in items]
    if len(items) == 1 and items[0].startswith("{"):
        items = [item.strip() for item in parted(items[0].strip("{}"), ",") if item.strip()]
    return [_number(item) if field == "codes" else _plain(item) for item in items]


def _group(text: str) -> list[str]:
    return [_plain(one.strip()) for one in parted(text.strip("{}"), ",") if one.strip()]


def _pair(item: str) -> tuple[str, str]:
    """A key, and the words behind "="; none for a key alone."""
    parts = [part.strip() for part in parted(item, "=")]
    return _plain(parts[0]), _plain("=".join(parts[1:]))


def _number(text: str) -> Any:
    return _plain(text) if text.startswith('"') else number_or_text(text)


def _plain(text: str) -> str:
    return quoted(text)[0] if text.startswith('"') else text


def _bare(text: str) -> str:
    """Text without its quoted pieces."""
    return re.sub(_IN_QUOTES, "", text)


def parted(text: str, mark: str, *, braces: bool = True) -> Iterator[str]:
    """The parts of a text between marks that stand outside quotes and, if these hold lists,
    braces."""
    part, depth = "", 0
    for piece in re.findall(f"{_IN_QUOTES}|{re.escape(mark)}|.", text, re.DOTALL):
        depth += braces * ((piece == "{") - (piece == "}"))
        if piece == mark and not depth:
            yield part
            part = ""
        else:
            part += piece
    yield part


# --- the way back ---------------------------------------------------------------------------------


def entry_text(name: str, fields: str) -> str:
    """The text of an entry. fields: as `fields_of` reads them."""
    return f"{_named(name)}: {fields}"


def _named(name: str) -> str:
    return json.dumps(name, ensure_ascii=False) if ":" in name or _QUOTE.search(name) else name
