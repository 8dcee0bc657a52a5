"""Data as the original program reads it: `.out` with its `.label` and, perhaps, `.minor` file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem.captures import Captures
from corels.tables.bitlines import BitLines, read_bit_lines
from corels.tables.condition import Antecedent, Condition
from corels.tables.dataset import Dataset
from corels.tables.files import Path_, unpacked
from corels.tables.options import MiningOptions, SupportLimits
from corels.tables.pace import UNHURRIED, Pace
from corels.tables.rule_labels import read_labels


def read_rules(
    out_path: Path_, label_path: Path_ | None = None, minor_path: Path_ | None = None
) -> Dataset:
    """Read mined antecedents and labels.

    Args:
        out_path: M lines "{name} 0 1 ...", a bit for each of N samples; each a column of 0 and 1.
        label_path: a line for each class; by default the file beside `out_path` that ends in
            `.label`.
        minor_path: if given, checked against the data; it holds nothing that is not in the data.

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
    beside = unpacked(out_path).with_suffix(".label")
    for candidate in beside, Path(f"{beside}.gz"):
        if candidate.exists():
            return candidate
    raise InputError(f"{out_path}: no label file was given, and there is no {beside}")


def mine_rules(
    data: Dataset,
    *,
    max_cardinality: int = 2,
    min_support: float = 0.01,
    max_support: float | None = None,
    negations: bool = False,
    max_antecedents: int = MiningOptions.max_antecedents,
    pace: Pace = UNHURRIED,
) -> Dataset:
    """The data set of a rule file with negations and conjunctions of its antecedents.

    In order: the antecedents, their negations, the conjunctions. Antecedents outside the limits on
    support are left out first.

    Args:
        data: as `read_rules` gave it.
        max_cardinality: the most antecedents in one conjunction.
        min_support: least share of the rows, from 0 to 1.
        max_support: largest share; None for 1 - min_support.
        negations: also "not x" for each antecedent x.
        max_antecedents: the most antecedents; of the conjunctions, those of the largest support.
        pace: is told how far mining is, and may end it.

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
        antecedents, captures, max_cardinality, limits, max_antecedents=max_antecedents, pace=pace
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
