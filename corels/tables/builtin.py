"""Built-in data sets, which need no download.

- `tic-tac-toe` is generated: all boards at which a game can end when x moves first, and whether x
  has three in a row (the "tic-tac-toe endgame" of the UCI repository, Aha 1991).
- `titanic` is the table of Dawson (1995), "The 'unusual episode' data revisited": everybody on
  board by class, sex and age, and who survived.
- `breast-cancer` ships with scikit-learn and needs it installed.
- `heart` and `blood-donors` are files in `shipped/`, whose README names their authors.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from corels.errors import InputError
from corels.installed import needed
from corels.options import closest
from corels.tables.column import Column, as_columns
from corels.tables.dataset import Dataset
from corels.tables.labelled import columns_dataset
from corels.tables.options import TableOptions

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
CELLS = tuple(
    f"{row}-{column}"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)

# class, sex, age, survived, in all
TITANIC = (
    ("1st", "Male", "Child", 5, 5),
    ("1st", "Female", "Child", 1, 1),
    ("2nd", "Male", "Child", 11, 11),
    ("2nd", "Female", "Child", 13, 13),
    ("3rd", "Male", "Child", 13, 48),
    ("3rd", "Female", "Child", 14, 31),
    ("1st", "Male", "Adult", 57, 175),
    ("1st", "Female", "Adult", 140, 144),
    ("2nd", "Male", "Adult", 14, 168),
    ("2nd", "Female", "Adult", 80, 93),
    ("3rd", "Male", "Adult", 75, 462),
    ("3rd", "Female", "Adult", 76, 165),
    ("Crew", "Male", "Adult", 192, 862),
    ("Crew", "Female", "Adult", 20, 23),
)


class BuiltIn(NamedTuple):
    """One line of `corels datasets`; antecedents as `load` gives them by default."""

    name: str
    rows: int
    antecedents: int
    description: str


class _Source(NamedTuple):
    line: BuiltIn
    label: str
    table: Callable[[], dict[str, list[Any]]]


def datasets() -> list[BuiltIn]:
    """The built-in data sets."""
    return [source.line for source in _SOURCES.values()]


def load(name: str, options: TableOptions | None = None) -> Dataset:
    """A built-in data set, binarised like any table.

    Args:
        name: as in `datasets()`.
        options: as for `table_dataset`.

    Raises:
        InputError: if there is no such data set, or a package that it needs is not installed.
    """
    columns, label = load_columns(name)
    options = options or TableOptions()
    columns = as_columns(columns, reading=options.reading)
    return columns_dataset(columns, label, options, f"data set {name!r}", name)


def load_columns(name: str) -> tuple[Mapping[str, Column], str]:
    """The columns of a built-in data set before binarising, and the name of its label.

    Raises InputError as `load`.
    """
    if name not in _SOURCES:
        close = closest(name, _SOURCES)
        hint = "" if close is None else f"did you mean {close!r}? "
        if os.path.exists(name) or "." in str(name):
            call = f"corels.tables.table_dataset({str(name)!r}, LABEL)"
            hint = f"a file is read without --dataset, in Python by {call}; "
        raise InputError(
            f"there is no built-in data set {name!r}; {hint}there are {', '.join(_SOURCES)}"
        )
    source = _SOURCES[name]
    return as_columns(source.table()), source.label


def _tic_tac_toe() -> dict[str, list[Any]]:
    """The boards that end a game, as cells of "x", "o" and "b" (blank), by depth-first play."""
    boards: dict[str, bool] = {}
    seen: set[str] = set()

    def play(board: str, player: str) -> None:
        if board in seen:
            return
        seen.add(board)
        winner = next(
            (board[a] for a, b, c in LINES if "b" != board[a] == board[b] == board[c]), ""
        )
        if winner or "b" not in board:
            boards[board] = winner == "x"
            return
        for at in range(9):
            if board[at] == "b":
                play(board[:at] + player + board[at + 1 :], "o" if player == "x" else "x")

    play("b" * 9, "x")
    table: dict[str, list[Any]] = {cell: [b[at] for b in boards] for at, cell in enumerate(CELLS)}
    table["x wins"] = ["yes" if won else "no" for won in boards.values()]
    return table


def _titanic() -> dict[str, list[Any]]:
    people = [
        (class_, sex, age, outcome)
        for class_, sex, age, survived, total in TITANIC
        for outcome, count in (("yes", survived), ("no", total - survived))
        for _ in range(count)
    ]
    names = ("class", "sex", "age", "survived")
    return dict(zip(names, map(list, zip(*people, strict=True)), strict=True))


def _breast_cancer() -> dict[str, list[Any]]:
    why = "data set 'breast-cancer' comes with scikit-learn"
    bunch = needed("sklearn.datasets", why, "sklearn", InputError).load_breast_cancer()
    table: dict[str, list[Any]] = dict(
        zip(map(str, bunch.feature_names), bunch.data.T, strict=True)
    )
    table["diagnosis"] = [str(bunch.target_names[target]) for target in bunch.target]
    return table


def _shipped(name: str) -> dict[str, list[Any]]:
    """A file of `shipped/`: numbers as floats, an empty cell as a missing value."""
    with (Path(__file__).parent / "shipped" / f"{name}.csv").open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return {
        name: _cells(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    }


def _cells(texts: tuple[str, ...]) -> list[Any]:
    """The cells of a column, as numbers if all that are not empty are numbers."""
    try:
        return [float(text) if text else None for text in texts]
    except ValueError:
        return [text or None for text in texts]


_SOURCES = {
    source.line.name: source
    for source in (
        _Source(
            BuiltIn("titanic", 2201, 8, "class, sex and age of everybody on board; who survived"),
            "survived",
            _titanic,
        ),
        _Source(
            BuiltIn("tic-tac-toe", 958, 27, "the boards that end a game; whether x has won"),
            "x wins",
            _tic_tac_toe,
        ),
        _Source(
            BuiltIn("breast-cancer", 569, 180, "30 measures of cell nuclei; benign or malignant"),
            "diagnosis",
            _breast_cancer,
        ),
        _Source(
            BuiltIn("heart", 303, 56, "patients before a coronary angiography; diseased or not"),
            "disease",
            partial(_shipped, "heart"),
        ),
        _Source(
            BuiltIn("blood-donors", 748, 18, "when people gave blood; who came back in March 2007"),
            "came back",
            partial(_shipped, "blood-donors"),
        ),
    )
}
