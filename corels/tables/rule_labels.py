"""What the lines of a `.label` file say: classes, their names, and the label of each row.

Each line of a label file marks the rows of one class. Usually there are two, class 0 first:

    {recidivate-within-two-years:No} 1 0 0
    {recidivate-within-two-years:Yes} 0 1 1

Every row must be marked by exactly one line. The names give the classes their names where all lines
share what stands before ":" or "=" (here "No" and "Yes" of "recidivate-within-two-years"). One line
alone marks the rows of the class that it names; the other rows are the class "not that".
"""

from __future__ import annotations

import re

import numpy as np

from corels.errors import InputError
from corels.tables.bitlines import BitLines, read_bit_lines
from corels.tables.dataset import Label, Labels
from corels.tables.files import Path_

WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})")

# The other class, where one line names only one of a usual pair; the first of each pair is class 0.
PAIRS = (("0", "1"), ("no", "yes"), ("false", "true"), ("negative", "positive"), ("n", "y"))


def read_labels(path: Path_) -> Labels:
    """Read a `.label` file of one, two or (for several classes) more lines; class 0 comes first.

    Raises InputError naming file, line and row if the file is malformed or the lines do not mark
    every row exactly once.
    """
    lines = read_bit_lines(path)
    if len(lines.names) == 1:
        return _one_line(lines)
    _check_partition(path, lines)
    name, classes = _class_names(lines.names)
    if len(set(classes)) < len(classes):
        twice = next(c for at, c in enumerate(classes) if c in classes[:at])
        raise InputError(f"{path}: two lines name the same class {twice!r}")
    return Labels(name, classes, np.argmax(lines.bits, axis=0).astype(np.int64))


def _check_partition(path: Path_, lines: BitLines) -> None:
    marks = lines.bits.sum(axis=0)
    wrong = np.flatnonzero(marks != 1)
    if not len(wrong):
        return
    row = int(wrong[0])
    marked = [str(lines.lines[j]) for j in np.flatnonzero(lines.bits[:, row])]
    if not marked:
        raise InputError(
            f"{path}: sample {row + 1} is 0 in all {len(lines.names)} lines, expected one class"
        )
    raise InputError(
        f"{path}, line {marked[1]}: sample {row + 1} is 1 here and in line {marked[0]}, "
        "expected one class"
    )


def _one_line(lines: BitLines) -> Labels:
    name, value = _split_name(lines.names[0])
    marked = lines.bits[0]
    if value is None:
        return Labels(name, (0, 1), marked.astype(np.int64))
    for pair in PAIRS:
        if value.lower() in pair:
            place = pair.index(value.lower())
            other = _like(pair[1 - place], value)
            classes = (other, value) if place else (value, other)
            labels = marked if place else ~marked
            return Labels(name, _typed(classes), labels.astype(np.int64))
    return Labels(name, (f"not {value}", value), marked.astype(np.int64))


def _class_names(names: tuple[str, ...]) -> tuple[str, tuple[Label, ...]]:
    parts = [_split_name(name) for name in names]
    values = [value for _, value in parts if value is not None]
    if len({prefix for prefix, _ in parts}) == 1 and len(values) == len(names):
        return parts[0][0], _typed(tuple(values))
    return "label", _typed(names)


def _split_name(name: str) -> tuple[str, str | None]:
    """A line's name as (what is predicted, class); the class is None where none is named."""
    for mark in ":", "=":
        before, found, after = name.partition(mark)
        if found and before.strip() and after.strip():
            return before.strip(), after.strip()
    return name, None


def _typed(values: tuple[str, ...]) -> tuple[Label, ...]:
    """Whole numbers as int if all are, text otherwise."""
    if all(WHOLE.fullmatch(value) for value in values):
        return tuple(map(int, values))
    return values


def _like(word: str, example: str) -> str:
    if len(example) > 1 and example.isupper():
        return word.upper()
    return word.capitalize() if example[0].isupper() else word
