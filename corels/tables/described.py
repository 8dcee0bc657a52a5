"""What a column's description makes of its values: as what they are read, its codes, what is given.

Sentences about a column begin without its name, which the caller puts before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corels.errors import InputError
from corels.tables.column import Column, Scalar
from corels.tables.comparing import among, at_most, equal_values
from corels.tables.dates import CLOCK_TIME, DATE, moment, uniform
from corels.tables.description import ColumnDescription
from corels.tables.files import clipped
from corels.tables.recognise import as_dates, measured


def as_described(column: Column, asked: ColumnDescription) -> Column:
    """As numbers, as dates, or as texts in an order, if these are asked for.

    Raises InputError if the column holds none, and for a direction of values without an order.
    """
    if column.unreadable:
        return column
    found = column
    if asked.as_ == "numbers":
        found = measured(column, asked)
        if not found.is_number or (found.missing.all() and column.present.any()):
            raise _no_such(column, "numbers")
    elif asked.as_ == "dates" and column.form not in (DATE, CLOCK_TIME):
        dates = as_dates(column, asked.date_order, 0.5)
        if dates is None:
            raise _no_such(column, "dates")
        found = dates
    elif asked.order:
        found = _in_order(column, asked.order)
    named = not (found.is_number or found.form or found.ordered)
    if asked.given_cuts is not None and (named or asked.as_ == "names"):
        raise InputError(
            f"column {column.name!r} has cuts, but its values are names: list them in 'as' from "
            "low to high, or cut them into groups"
        )
    if asked.direction and named:
        raise InputError(
            f"column {column.name!r} has direction {asked.direction}, but its values have no "
            "order: list them in 'as'"
        )
    return found


def _no_such(column: Column, what: str) -> InputError:
    text = str(column.distinct()[0]) if column.present.any() else ""
    return InputError(
        f"column {column.name!r} is described as {what}, but its values are no {what}: "
        f"{clipped(text)}"
    )


def _in_order(column: Column, order: Sequence[str]) -> Column:
    """The values that are listed, from low to high, and others behind them."""
    named = column.as_categories()
    values = named.categories or ()
    place = {v: text for v in values for text in order if equal_values(v, text)}
    if not place:
        raise InputError(
            f"column {column.name!r} has none of the values {', '.join(order)} that 'as' lists"
        )
    others = [value for value in values if value not in place]
    return named.renamed((place.get(v, v) for v in values), (*order, *others), ordered=True)


def unmet_words(column: Column, said: ColumnDescription | None) -> list[str]:
    """Notes about words that a column's own entry calls missing, and that no cell has."""
    words = (said.no_values or ()) if said else ()
    unmet = [word for word in words if word and word not in column.met]
    return [f"no cell has the value {word!r}, which means 'no value'" for word in unmet]


def codes_of(
    column: Column, asked: ColumnDescription
) -> tuple[tuple[Scalar, ...], Column, tuple[str, ...]]:
    """(codes that some row has, the column with the rows of codes as missing, notes).
    Raises InputError for a code that the column cannot have.
    """
    codes: list[Scalar] = []
    notes = []
    ordinary = column
    for code in asked.code_words:
        value: Scalar = code
        if column.form in (DATE, CLOCK_TIME):
            value = uniform(str(code), asked.date_order) or code
        elif not column.is_number:
            value = next((v for v in column.categories or () if equal_values(v, code)), str(code))
        rows = among(column, (value,)) & column.present
        if not rows.any():
            notes.append(f"code {code} occurs in no row")
            continue
        codes.append(value)
        ordinary = replace(ordinary, missing=ordinary.missing | rows)
    if ordinary is not column and ordinary.categories is not None:
        values = np.where(ordinary.missing, -1, ordinary.values)
        ordinary = replace(ordinary, values=values)
    if asked.order:
        others = (column.categories or ())[len(asked.order) :]
        unlisted = [value for value in others if value not in codes]
        if unlisted:
            shown = ", ".join(map(repr, unlisted[:3])) + ", ..." * (len(unlisted) > 3)
            notes.append(f"'as' does not list {shown}")
    return tuple(codes), ordinary, tuple(notes)


def given_cuts(
    column: Column, asked: ColumnDescription
) -> tuple[tuple[Scalar, ...], tuple[str, ...]]:
    """(the cuts that are listed and have rows on both sides, notes about the others).

    Raises InputError for one that the values cannot be compared with.
    """
    cuts: list[Scalar] = []
    notes = []
    dates = column.form in (DATE, CLOCK_TIME)
    for cut in asked.given_cuts or ():
        value = moment(uniform(str(cut), asked.date_order) or str(cut)) if dates else cut
        if value is None or isinstance(value, str) != dates:
            what = "date" if dates else "number"
            raise InputError(
                f"column {column.name!r}: the cut {cut!r} is no {what}, as its values are"
            )
        below = at_most(column, value) & column.present
        if below.any() and (column.present & ~below).any():
            cuts.append(value)
        else:
            side = "above it" if below.any() else "up to it"
            notes.append(f"the cut {cut} is left out: no row has a value {side}")
    return tuple(cuts), tuple(notes)


def given_groups(
    column: Column, asked: ColumnDescription
) -> tuple[list[tuple[Scalar, ...]], tuple[str, ...]]:
    """(the groups that are listed, of the values that there are; notes about the others)."""
    groups, unmet = [], []
    for group in asked.groups:
        found: list[Scalar] = []
        for name in group:
            value = next((v for v in column.categories or () if equal_values(v, name)), None)
            if value is None:
                unmet.append(f"no cell has the value {name!r} of its groups")
            else:
                found.append(value)
        if found:
            groups.append(tuple(found))
    return groups, tuple(unmet)
