"""Data as the original program reads it: `.out` with its `.label` and, perhaps, `.minor` file.

Each line of a label file marks the rows of one class. Usually there are two, class 0 first:

    {recidivate-within-two-years:No} 1 0 0
    {recidivate-within-two-years:Yes} 0 1 1

Every row must be marked by exactly one line. The names give the classes their names where all lines
share what stands before ":" or "=" (here "No" and "Yes" of "recidivate-within-two-years"). One line
alone marks the rows of the class that it names; the other rows are the class "not that".
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem.captures import Captures
from corels.tables.bitlines import BitLines, read_bit_lines
from corels.tables.condition import Antecedent, Condition
from corels.tables.dataset import Dataset, Label, Labels
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.files import Path_, unpacked
from corels.tables.options import MiningOptions, SupportLimits

WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})")

# The other class, where one line names only one of a usual pair; the first of each pair is class 0.
PAIRS = (("0", "1"), ("no", "yes"), ("false", "true"), ("negative", "positive"), ("n", "y"))


def read_rules(
    out_path: Path_, label_path: Path_ | None = None, minor_path: Path_ | None = None
) -> Dataset:
    """Read mined antecedents and labels.

    Args:
        out_path: M lines "{name} 0 1 ...", a bit for each of N samples; each a column of 0 and 1.
        label_path: a line for each class; by default the file beside `out_path` that ends in
            `.label`.
        minor_path: checked against the data; it holds nothing that is not in the data. By default
            the file beside `out_path` that ends in `.minor`, if it is there.

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
    captures = Captures.of(lines.bits)
    minor_path = minor_path if minor_path is not None else _beside(out_path, ".minor")
    if minor_path is not None:
        if len(labels.classes) > 2:
            raise InputError(f"{minor_path}: a .minor file is for two classes, not more")
        _check_minority(minor_path, captures, labels.values)
    return Dataset(
        antecedents=tuple(Antecedent(name, (Condition(name, "true"),)) for name in lines.names),
        captures=captures,
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
    """The path of the label file that goes with a rule file."""
    found = _beside(out_path, ".label")
    if found is None:
        beside = unpacked(out_path).with_suffix(".label")
        raise InputError(f"{out_path}: no label file was given, and there is no {beside}")
    return found


def _beside(out_path: Path_, ending: str) -> Path | None:
    """The file that goes with a rule file, also a compressed one; None where there is none."""
    beside = unpacked(out_path).with_suffix(ending)
    return next((one for one in (beside, Path(f"{beside}.gz")) if one.exists()), None)


def mine_rules(
    data: Dataset,
    *,
    max_cardinality: int = 2,
    min_support: float = 0.01,
    max_support: float | None = None,
    negations: bool = False,
    max_antecedents: int = MiningOptions.max_antecedents,
    deadline: Deadline = NO_DEADLINE,
) -> Dataset:
    """The data set of a rule file with negations and conjunctions of its antecedents.

    In order: the antecedents, their negations, the conjunctions. Antecedents outside the limits on
    support are left out first.

    Args:
        data: as `read_rules` gave it.
        max_cardinality: the most antecedents in one conjunction.
        min_support, max_support: as of `MiningOptions`.
        negations: also "not x" for each antecedent x.
        max_antecedents: the most antecedents; of the conjunctions, those that tell the classes
            apart best.
        deadline: learns how far mining is, and may end it.

    Raises:
        OptionError: if an option is out of range.
        InputError: if the data set was not read from a rule file.
    """
    from corels.tables.mining import frequent  # not to read a file as it is
    from corels.tables.use import TableUse

    limits = SupportLimits.of(min_support, max_support, data.n_rows)
    antecedents, captures = list(data.antecedents), data.captures
    if negations:
        antecedents += [_negated(a) for a in data.antecedents]
        words = np.concatenate([captures.words, captures.complement().words])
        captures = Captures(words, captures.length)
    mined = frequent(
        antecedents,
        captures,
        max_cardinality,
        limits,
        labels=data.labels,
        max_antecedents=max_antecedents,
        deadline=deadline,
    )
    use = TableUse((), len(mined.antecedents), mined.left_out)
    return replace(data, antecedents=mined.antecedents, captures=mined.captures, use=use)


def _negated(antecedent: Antecedent) -> Antecedent:
    if [c.operator for c in antecedent.conditions] != ["true"]:
        raise InputError(
            f"the negation of {antecedent.name!r} is not known here: "
            "ask for negations when the table is read"
        )
    return Antecedent(f"not {antecedent.name}", (antecedent.conditions[0].negated(),))


def _check_minority(path: Path_, captures: Captures, labels: NDArray[np.int64]) -> None:
    """Compare a `.minor` file with the data: which rows no rule list can get right.

    In each group of rows that all antecedents treat alike, those of the less frequent label are
    misclassified by every rule list. The original program reads them from this file; here they
    follow from the data, and a file that says otherwise belongs to other data or is damaged.

    labels: (N,) of 0 and 1. Raises InputError naming the line and the first wrong sample.
    """
    lines = read_bit_lines(path)
    if len(lines.names) != 1:
        raise InputError(
            f"{path}, line {lines.lines[1]}: expected one line, the file has {len(lines.names)}"
        )
    stated = lines.bits[0]
    where = f"{path}, line {lines.lines[0]}"
    if len(stated) != len(labels):
        raise InputError(f"{where}: {len(stated)} bits, but the data has {len(labels)} samples")
    wrong = np.flatnonzero(~_agrees(stated, captures.groups()[0], labels))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"{where}: sample {row + 1} is {int(stated[row])}, but the data says "
            f"{int(not stated[row])} (the minority among samples with equal antecedents)"
        )


def _agrees(
    stated: NDArray[np.bool_], group: NDArray[np.intp], labels: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(N,) whether each bit is right; where a group is split evenly, either label may be marked."""
    positives = np.bincount(group, weights=labels).astype(np.int64)
    sizes = np.bincount(group)
    tied = 2 * positives == sizes
    # In a tied group the file chooses: take the label of a marked row as its minority.
    minority = (2 * positives < sizes).astype(np.int64)
    marked = np.flatnonzero(stated & tied[group])
    minority[group[marked]] = labels[marked]
    return np.asarray(stated == (labels == minority[group]))


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
