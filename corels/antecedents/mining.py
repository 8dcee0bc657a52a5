"""Mining conjunctions of antecedents, level by level (Agrawal and Srikant 1994, Apriori).

Support can only fall when a condition is added, so a conjunction is built only from one that is
frequent enough and only with an antecedent that is frequent together with each of its parts. The
captures are packed, eight rows a byte; one conjunction is extended by all its candidates in one
NumPy call. Order: by number of parts, then lexicographically by position.

Two conditions of one column are combined only where that says something new: "age > 25 and age <=
45" is an interval, but "sex = Male and sex = Female" is never true, and "age <= 25 and age <= 45"
is "age <= 25" again. `combines` decides from the conditions, not from the data.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.antecedents.column import as_columns, row_count
from corels.antecedents.condition import Antecedent, Condition, evaluate_all
from corels.antecedents.options import MAX_CARDINALITY
from corels.antecedents.support import SupportLimits
from corels.errors import InputError

# A million antecedents, or four billion bits: beyond, the captures alone would not fit.
MOST_BYTES = 4 << 30


class Mined(NamedTuple):
    """Antecedents and their captures, (M, N) bool."""

    antecedents: tuple[Antecedent, ...]
    captures: NDArray[np.bool_]


def mine(
    data: Any,
    *,
    names: Sequence[str] | None = None,
    max_cardinality: int = 2,
    min_support: float = 0.01,
    max_support: float | None = None,
    negations: bool = True,
) -> Mined:
    """Mine conjunctions from a table of 0/1 columns.

    In order: the features, their negations, then the conjunctions of two and more of these. Single
    antecedents outside the limits on support are left out, and never take part in a conjunction.

    Args:
        data: (N, columns) 0/1 or bool: an array, a pandas or polars frame, a mapping of columns.
        names: the column names, for an array.
        max_cardinality: the most conditions in one conjunction, 1 or more.
        min_support: least share of the rows, from 0 to 1.
        max_support: largest share; None for 1 - min_support.
        negations: also mine "not x" for each feature x.

    Raises:
        OptionError: if an option is out of range.
        InputError: if a value is not 0 or 1.
    """
    columns = as_columns(data, names)
    features = [Antecedent.of(Condition(name, "true")) for name in columns]
    if negations:
        features += [Antecedent.of(Condition(name, "false")) for name in columns]
    limits = SupportLimits.of(min_support, max_support, row_count(columns))
    captures = evaluate_all(features, columns)
    kept = [j for j, support in enumerate(captures.sum(axis=1).tolist()) if limits.allow(support)]
    return conjunctions([features[j] for j in kept], captures[kept], max_cardinality, limits)


def conjunctions(
    antecedents: Sequence[Antecedent],
    captures: NDArray[np.bool_],
    max_cardinality: int,
    limits: SupportLimits,
    weights: NDArray[np.int64] | None = None,
) -> Mined:
    """The antecedents, all kept, and then their conjunctions that are frequent enough.

    Args:
        antecedents: M, none of them above the upper limit (so no conjunction is).
        captures: (M, N) bool.
        max_cardinality: the most antecedents in one conjunction, 1 or more.
        weights: (N,) how many rows each stands for; None for one each.

    Raises:
        OptionError: if `max_cardinality` is below 1.
        InputError: if the result would not fit in memory.
    """
    max_cardinality = MAX_CARDINALITY.check(max_cardinality)
    if max_cardinality == 1 or not antecedents:
        return Mined(tuple(antecedents), captures)
    packed = np.packbits(captures, axis=1)
    base = _Base(tuple(antecedents), packed, _conflicts(antecedents), _planes(weights))
    most = max(1, MOST_BYTES // max(1, captures.shape[1])) - len(antecedents)
    found: list[_Itemset] = []
    for itemset in _levels(base, max_cardinality, limits):
        if len(found) >= most:
            raise InputError(
                f"mining up to max_cardinality {max_cardinality} gives more than {len(found)} "
                f"antecedents over {captures.shape[1]} rows, more than fit in memory; raise "
                "min_support or lower max_cardinality"
            )
        found.append(itemset)
    return _assemble(base, captures, found)


@dataclass(frozen=True, eq=False)
class _Base:
    """The single antecedents.

    packed: (M, W) captures, eight rows a byte.
    conflicts: position -> the later positions that it does not combine with.
    planes: (B, W) the weights of the rows as packed bit-planes, the lowest first; None for 1 each.
    """

    antecedents: tuple[Antecedent, ...]
    packed: NDArray[np.uint8]
    conflicts: dict[int, NDArray[np.intp]]
    planes: NDArray[np.uint8] | None = None

    def combining(self, part: int, later: NDArray[np.intp]) -> NDArray[np.intp]:
        """Of the later positions, those that a part combines with."""
        if part not in self.conflicts:
            return later
        return later[~np.isin(later, self.conflicts[part])]

    def supports(self, packed: NDArray[np.uint8]) -> NDArray[np.int64]:
        """(rows,) weight of each row of packed captures."""
        if self.planes is None:
            return count_bits(packed)
        counts = (count_bits(packed & plane) << bit for bit, plane in enumerate(self.planes))
        return np.asarray(sum(counts, np.zeros(len(packed), dtype=np.int64)))


class _Itemset(NamedTuple):
    """Positions of its parts, rising; its packed captures; the later parts that may be added."""

    parts: tuple[int, ...]
    packed: NDArray[np.uint8]
    candidates: NDArray[np.intp]


def _levels(base: _Base, max_cardinality: int, limits: SupportLimits) -> Iterator[_Itemset]:
    everything = np.arange(len(base.antecedents))
    level = [
        _Itemset((j,), base.packed[j], base.combining(j, everything[j + 1 :]))
        for j in everything.tolist()
    ]
    for size in range(2, max_cardinality + 1):
        last = size == max_cardinality
        level = [longer for shorter in level for longer in _extend(base, shorter, limits, last)]
        yield from level


def _extend(
    base: _Base, itemset: _Itemset, limits: SupportLimits, last: bool
) -> Iterator[_Itemset]:
    """The itemset with one more part, for each candidate that leaves it frequent enough."""
    packed = base.packed[itemset.candidates] & itemset.packed
    frequent = np.flatnonzero(base.supports(packed) >= limits.least)
    parts = itemset.candidates[frequent]
    for at, (part, words) in enumerate(zip(parts.tolist(), packed[frequent], strict=True)):
        later = parts[:0] if last else base.combining(part, parts[at + 1 :])
        yield _Itemset((*itemset.parts, part), words, later)


def _assemble(base: _Base, captures: NDArray[np.bool_], found: list[_Itemset]) -> Mined:
    n_rows = captures.shape[1]
    everything = np.empty((len(captures) + len(found), n_rows), dtype=np.bool_)
    everything[: len(captures)] = captures
    antecedents = list(base.antecedents)
    for row, itemset in zip(everything[len(captures) :], found, strict=True):
        row[:] = np.unpackbits(itemset.packed, count=n_rows)
        antecedents.append(_conjunction([base.antecedents[part] for part in itemset.parts]))
    return Mined(tuple(antecedents), everything)


def _conjunction(parts: Sequence[Antecedent]) -> Antecedent:
    return Antecedent(
        " and ".join(part.name for part in parts),
        tuple(condition for part in parts for condition in part.conditions),
    )


def _conflicts(antecedents: Sequence[Antecedent]) -> dict[int, NDArray[np.intp]]:
    """Position -> the later positions that it does not combine with; they share a column."""
    by_column: dict[str, set[int]] = {}
    for j, antecedent in enumerate(antecedents):
        for condition in antecedent.conditions:
            by_column.setdefault(condition.column, set()).add(j)
    found: dict[int, set[int]] = {}
    for members in by_column.values():
        for i, j in itertools.combinations(sorted(members), 2):
            if not all(
                combines(a, b) for a in antecedents[i].conditions for b in antecedents[j].conditions
            ):
                found.setdefault(i, set()).add(j)
    return {i: np.array(sorted(later), dtype=np.intp) for i, later in found.items()}


def combines(one: Condition, other: Condition) -> bool:
    """Whether the conjunction of two conditions is neither impossible nor one of them again."""
    if one.column != other.column:
        return True
    match sorted((one, other), key=lambda condition: "<= > !=".find(condition.operator)):
        case [Condition(operator="<=", value=high), Condition(operator=">", value=low)]:
            return low < high  # type: ignore[operator]
        case [Condition(operator="<=" | ">") as side, Condition(operator="!=", value=value)]:
            inside = value <= side.value  # type: ignore[operator]
            return inside == (side.operator == "<=")
        case [Condition(operator="!=", value=a), Condition(operator="!=", value=b)]:
            return a != b
        case _:
            return False


def _planes(weights: NDArray[np.int64] | None) -> NDArray[np.uint8] | None:
    if weights is None or not len(weights):
        return None
    bits = np.arange(int(weights.max()).bit_length())[:, None]
    return np.packbits((weights[None, :] >> bits) & 1 == 1, axis=1)


def count_bits(packed: NDArray[np.uint8]) -> NDArray[np.int64]:
    """(rows,) number of bits set in each row of packed bytes."""
    if hasattr(np, "bitwise_count"):
        return np.asarray(np.bitwise_count(packed).sum(axis=-1, dtype=np.int64))
    return np.asarray(np.unpackbits(packed, axis=-1).sum(axis=-1, dtype=np.int64))
