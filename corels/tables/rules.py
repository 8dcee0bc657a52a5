"""Data as the original program reads it: a `.out` file with its `.label` file.

Each line is a name, mostly in braces, and then a 0 or 1 for every sample, separated by blanks. A
line of the `.out` file is an antecedent; a line of the label file marks the rows of one class,
class 0 first:

    {sex:Female,age:18-20} 0 1 0                {recidivate-within-two-years:No} 1 0 0
    {juvenile-crimes:>0} 1 1 0                  {recidivate-within-two-years:Yes} 0 1 1

Every row must be marked by exactly one line. The names give the classes their names if all lines
share what stands before ":" or "=" (here "No" and "Yes" of "recidivate-within-two-years").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem.captures import Captures
from corels.tables.condition import Antecedent, Condition
from corels.tables.dataset import Dataset, Label, Labels
from corels.tables.files import Path_, as_text_bytes, clipped, decode, read_bytes, shown, unpacked

WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})")
BITS = (b"0", b"1")
IN_BRACES = re.compile(rb"\{.*?\}(?=[ \t]+[01](?:[ \t]|$))")  # a name may hold braces itself
BARE = re.compile(rb".*?(?=[ \t]+[01](?:[ \t]|$))")


@dataclass(frozen=True, eq=False)
class BitLines:
    """A file of named bit lines.

    Attributes:
        names: M names, without the outer braces.
        bits: (M, N) bool.
        lines: M line numbers, from 1.
    """

    names: tuple[str, ...]
    bits: NDArray[np.bool_]
    lines: tuple[int, ...]


def read_bit_lines(path: Path_) -> BitLines:
    """Read a file of lines "name bit bit bit ...", all with the same number of bits.

    Raises InputError naming the file, the line and the offending value, if there is no line, a name
    is missing or not UTF-8, a bit is not 0 or 1, or the lines differ in length.
    """
    content = as_text_bytes(shown(path), read_bytes(path))
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    rows = [line.strip() for line in content.split(b"\n")]
    numbers = [number for number, row in enumerate(rows, start=1) if row]
    if not numbers:
        raise InputError(f"{path}: the file is empty, expected lines such as '{{name}} 0 1 1'")
    names, bits = list[str](), list[NDArray[np.bool_]]()
    for number in numbers:
        where = f"{path}, line {number}"
        name, marks = _taken_apart(where, rows[number - 1])
        if bits and len(marks) != len(bits[0]):
            raise InputError(
                f"{where}: {_clip(name)} has {len(marks)} bits, but line {numbers[0]} has "
                f"{len(bits[0])}"
            )
        text = decode(path, name, number).strip()
        text = text[1:-1].strip() if text[:1] == "{" and text[-1:] == "}" else text
        if not text:
            raise InputError(f"{where}: the name is empty")
        names.append(text)
        bits.append(marks)
    return BitLines(tuple(names), np.array(bits), tuple(numbers))


def _taken_apart(where: str, row: bytes) -> tuple[bytes, NDArray[np.bool_]]:
    """Name and bits of one line. Raises InputError."""
    closed = row.startswith(b"{") and b"}" in row
    found = (IN_BRACES if closed else BARE).match(row)
    end = found.end() if found else row.rfind(b"}") + 1 if closed else 0
    name, words = row[:end], row[end:].split()
    if not words:
        raise InputError(f"{where}: {_clip(row)} has no bits after its name")
    joined = b"".join(words)
    if len(joined) != len(words) or joined.translate(None, b"01"):
        sample, word = next((n, w) for n, w in enumerate(words, start=1) if w not in BITS)
        raise InputError(f"{where}: sample {sample} has the value {_clip(word)}, expected 0 or 1")
    return name, np.frombuffer(joined, dtype=np.uint8) == ord("1")


def _clip(text: bytes) -> str:
    return clipped(text.decode("utf-8", "replace"))


def read_rules(out_path: Path_, label_path: Path_ | None = None) -> Dataset:
    """Read mined antecedents and labels.

    Args:
        out_path: M lines "{name} 0 1 ...", a bit for each of N samples; each a column of 0 and 1.
        label_path: a line for each class; by default the file beside `out_path` that ends in
            `.label`.

    Raises:
        InputError: naming file, line and value for anything malformed.
    """
    lines = read_bit_lines(out_path)
    _check_names(out_path, lines)
    label_path = label_path if label_path is not None else label_beside(out_path)
    labels = read_labels(label_path)
    n_rows = lines.bits.shape[1]
    if len(labels.values) != n_rows:
        raise InputError(
            f"{label_path}: labels for {len(labels.values)} samples, but {out_path} has {n_rows}"
        )
    return Dataset(
        antecedents=tuple(Antecedent(name, (Condition(name, "true"),)) for name in lines.names),
        captures=Captures.of(lines.bits),
        labels=labels.values,
        classes=labels.classes,
        name=unpacked(out_path).stem,
        label_name=labels.name,
        reading={},
    )


def _check_names(path: Path_, lines: BitLines) -> None:
    """One name may occur twice only for one and the same antecedent."""
    first: dict[str, int] = {}
    for at, name in enumerate(lines.names):
        before = first.setdefault(name, at)
        if before != at and (lines.bits[before] != lines.bits[at]).any():
            raise InputError(
                f"{path}, line {lines.lines[at]}: {name!r} is also the name of line "
                f"{lines.lines[before]}, which has other bits"
            )


def label_beside(out_path: Path_) -> Path:
    """The path of the label file that goes with a rule file, also of a compressed one."""
    beside = unpacked(out_path).with_suffix(".label")
    for found in (beside, Path(f"{beside}.gz")):
        if found.exists():
            return found
    raise InputError(f"{out_path}: no label file was given, and there is no {beside}")


def read_labels(path: Path_) -> Labels:
    """Read a `.label` file of two or (for several classes) more lines; class 0 comes first.

    Raises InputError naming file, line and row if the file is malformed or the lines do not mark
    every row exactly once.
    """
    lines = read_bit_lines(path)
    if len(lines.names) == 1:
        raise InputError(f"{path}: there is one line, expected one for each class")
    wrong = np.flatnonzero(lines.bits.sum(axis=0) != 1)
    if len(wrong):
        row = int(wrong[0])
        marked = [str(lines.lines[j]) for j in np.flatnonzero(lines.bits[:, row])]
        listed = f"in the lines {' and '.join(marked)}" if marked else "in no line"
        raise InputError(f"{path}: sample {row + 1} is 1 {listed}, expected one class")
    name, classes = _class_names(lines.names)
    if len(set(classes)) < len(classes):
        twice = next(c for at, c in enumerate(classes) if c in classes[:at])
        raise InputError(f"{path}: two lines name the same class {twice!r}")
    return Labels(name, classes, np.argmax(lines.bits, axis=0).astype(np.int64))


def _class_names(names: tuple[str, ...]) -> tuple[str, tuple[Label, ...]]:
    """What is predicted, and the classes: whole numbers if all are."""
    what, classes = "label", names
    for mark in ":", "=":
        parts = [[part.strip() for part in name.partition(mark)] for name in names]
        if all(part[0] and part[2] for part in parts) and len({part[0] for part in parts}) == 1:
            what, classes = parts[0][0], tuple(part[2] for part in parts)
            break
    whole = all(map(WHOLE.fullmatch, classes))
    return what, tuple(map(int, classes)) if whole else classes
