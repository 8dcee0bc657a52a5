"""A model's deciders as a page has them: conditions in a table, formulas of their numbers.

A formula is a number (a condition, by its place in the table of conditions), {"all": [formulas]},
{"any": [formulas]} or {"points": [numbers], "of": [formulas], "least": number}; the page evaluates
it for "my case". The first decider that holds decides; the
last one has the formula {"all": []}, which always holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corels.export.cells import Asked, Grid
from corels.export.explaining import one_row
from corels.export.format import of_cells
from corels.export.words import cost
from corels.model import Clause, Decider, Model
from corels.options import whole
from corels.tables import Antecedent, Condition, as_columns
from corels.tables.comparing import equal_values

ConditionTexts = list[list[str]]


def deciders(model: Model) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(deciders, conditions) of a model, JSON-ready; the conditions as they are asked of cells."""
    model = of_cells(model)
    numbers: dict[tuple[type, Condition], int] = {}  # of each one, in the order of asking

    def conjunction(antecedent: Antecedent) -> dict[str, Any]:
        parts = [(type(one.value), one) for one in antecedent.conditions]  # 1 is no true
        return {"all": [numbers.setdefault(part, len(numbers)) for part in parts]}

    rows = []
    kinds = ["class"] * len(model.classes) if model.outcomes is None else model.outcomes.kinds
    for number, decider in enumerate(model.deciders()):
        lead = ("Otherwise, if" if number else "If") if decider.clauses or decider.quantity else ""
        row = {
            "lead": lead or ("Otherwise" if number else "Always"),
            "quantity": decider.quantity,
            "need": decider.need,
            "clauses": [_clause(clause, decider) for clause in decider.clauses],
            "formula": _counted(decider, conjunction),
            "then": decider.outcome,
            "counts": list(decider.counts),
            "order": sorted(range(len(decider.counts)), key=lambda c: c != decider.outcome),
            "captured": decider.captured,
            "errors": decider.captured - decider.correct if decider.judged else None,
            "cost": cost(model, decider),
            "undecided": kinds[decider.outcome] == "abstain",
        }
        stated = {} if decider.stated is None else {"stated": float(decider.stated)}
        rows.append({**row, **stated})
    return rows, [condition.to_json() for _, condition in numbers]


def _counted(decider: Decider, conjunction: Callable[[Antecedent], Any]) -> dict[str, Any]:
    """The formula of a decider; of one that counts points the formulas of its clauses."""
    joins: Any = (lambda parts: {"all": parts}), (lambda parts: {"any": parts})
    if decider.quantity != "points":
        return decider.fold(conjunction, *joins)
    parts = decider.parts(conjunction, *joins)
    return {"points": list(decider.points), "of": parts, "least": decider.threshold}


def listed(model: Model) -> dict[str, Any]:
    """A model as a script lists it, JSON-ready."""
    return {
        "label": model.label_name,
        "classes": [str(said) for said in model.says],
        "deciders": [{k: v for k, v in o.items() if k != "formula"} for o in deciders(model)[0]],
    }


IN_WORDS = {
    **{">": "above {}", "<=": "at most {}", "==": "{}", "!=": "not {}", "in": "{}"},
    **{"not in": "something else", "present": "is known", "true": "yes", "false": "no"},
}
OF_DATES = {">": "after {}", "<=": "until {}", "==": "on {}", "!=": "not on {}"}


def asked(
    model: Model, conditions: Sequence[Mapping[str, Any]], ways: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The columns that a model asks for, JSON-ready, with their cells (`corels.export.cells`), from
    which the page makes its form. conditions: as `deciders` lists them. ways: column -> how its
    value can be changed; others freely.

    A cell has a `text` if it can be an answer, of each of its column's conditions, which are
    numbers, whether it makes it true, and the cells that a person can reach from there.
    """
    every = [Condition.from_json(one) for one in conditions]
    found = []
    for column in Grid(of_cells(model)).columns:
        own = [number for number, one in enumerate(every) if one.column == column.name]
        truth = column.truth[:, [column.conditions.index(every[number]) for number in own]].tolist()
        kept, way = model.reading.get(column.name), ways.get(column.name)
        known = () if kept is None else kept.values
        cells = [
            {
                "truth": truth[cell],
                "pieces": list(pieces),
                "text": _cell(column, cell, known),
                "reach": column.reachable(cell, way),
            }
            for cell, pieces in enumerate(column.cells)
        ]
        about = {"cuts": column.cuts, "way": way or ""}
        pieces = [[_plain(part) for part in piece] for piece in column.pieces]
        found.append(
            {"column": column.name, "conditions": own, "pieces": pieces, "cells": cells, **about}
        )
    return found


def _cell(column: Asked, cell: int, known: Sequence[Any]) -> str | None:
    """A cell as an answer; the other values of a column of names have their name if training
    saw just one of them."""
    if not column.named([cell]):
        return None
    said = column.text([cell])
    if said is None:
        return "something else"
    named = [value for one in said for value in one.values]
    others = [value for value in known if not any(equal_values(value, one) for one in named)]
    if said[0].operator in ("!=", "not in") and len(others) == 1:
        return str(whole(others[0]))
    words = []
    for one in said:
        dated = column.ordered and isinstance(one.value, str) and one.operator in OF_DATES
        text = (OF_DATES if dated else IN_WORDS)[one.operator]
        words.append(text.format(" or ".join(str(whole(value)) for value in one.values)))
    return " and ".join(words)


def case(model: Model, columns: Any, row: int) -> dict[str, Any]:
    """A row, from 1: of each column of `asked` its cell and its value, None for a missing one.

    Raises InputError if there is no such row.
    """
    grid = Grid(of_cells(model))
    given, cells = grid.cells(one_row(as_columns(columns), row - 1))
    values = [_plain(given[column.name].cells()[0]) for column in grid.columns]
    return {"row": row, "cells": cells[0].tolist(), "values": values}


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, float)) else str(value)


def _clause(clause: Clause, decider: Decider) -> dict[str, Any]:
    """Of a rule each condition by itself, of a set's clause each antecedent."""
    each = [[pieces_of(one) for one in asked.conditions] for asked in clause.antecedents]
    shown = [_together(told, clause.join == "or") for told in each]
    worth = decider.points[decider.clauses.index(clause)] if decider.points else 0
    return {
        "points": worth,
        "texts": shown if decider.quantity else each[0],
        "join": clause.join,
        "counts": list(clause.counts),
    }


def pieces_of(condition: Condition) -> ConditionTexts:
    """A condition in words: ["column", text] and ["name", text] for foreign text and ["", text] for
    ours, so that a column whose name is written from right to left does not turn `<= 3` round."""
    whole, column = str(condition), str(Condition(condition.column, "true"))
    before = "not " if condition.operator == "false" else ""
    after = whole.removeprefix(before + column)
    operator = f" {'=' if condition.operator == '==' else condition.operator} "
    if condition.value is None:
        pieces = [["", before], ["column", column], ["", after]]
    else:
        pieces = [["column", column], ["", operator], ["name", after.removeprefix(operator)]]
    return [piece for piece in pieces if piece[1]]


def _together(conditions: Sequence[ConditionTexts], closed: bool) -> ConditionTexts:
    """A conjunction as one text; closed: in brackets if it is of several conditions."""
    joined: ConditionTexts = []
    for number, told in enumerate(conditions):
        joined += ([["", " and "]] if number else []) + told
    return [["", "("], *joined, ["", ")"]] if closed and len(conditions) > 1 else joined
