"""From a data set to points: rows that no model can tell apart are one, and so are antecedents;
points have an order of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem.captures import (
    Captures,
    Indices,
    WorkInPieces,
    alike,
    group_rows_in_pieces,
    transposed_in_pieces,
)

if TYPE_CHECKING:
    from corels.tables import Dataset


AS_THEY_ARE = (  # fields that data set and problem share
    *("classes", "label_name", "name", "known", "weighed", "weight_unit"),
    *("reading", "handed", "directions"),
)


def collapsed_in_pieces(data: Dataset) -> WorkInPieces[dict[str, Any]]:
    """The fields of the `Problem` of a data set, but for its regularization; as a generator that
    yields between pieces of work."""
    antecedents, sets, may_say = data.antecedents, data.captures, _may_say(data)
    some = _in_order(data, may_say)
    if some is not None:
        sets = yield from sets.take_in_pieces(some)
        antecedents = tuple(antecedents[j] for j in some)
        may_say = None if may_say is None else may_say[some]
    point_of_row, first_row, captures = yield from distinct_in_pieces(sets)
    kept_as, kept = yield from group_rows_in_pieces(alike(captures.words, may_say))
    merged = tuple(
        (antecedents[j].name, antecedents[kept[k]].name)
        for j, k in enumerate(kept_as)
        if kept[k] != j
    )
    captures = yield from captures.take_in_pieces(kept)
    at_points = point_of_row, len(first_row)
    demands = data.demands and tuple(data.demands.constraints(data, *at_points))
    return {name: getattr(data, name) for name in AS_THEY_ARE} | {
        "captures": captures,
        "weights": _class_sums(data, data.weights, *at_points),
        "row_counts": _class_sums(data, data.repeated, *at_points) if data.weighted else None,
        "antecedents": tuple(antecedents[j] for j in kept),
        "merged": merged,
        "rows": data.counted or data.n_rows,
        "costs": data.costs and data.costs.summed(*at_points, data.weights),
        "constraints": demands or (),
        "unused": {} if data.use is None else data.use.unused,
        "may_say": None if may_say is None else may_say[kept],
        "first": tuple(kept_as[: len(data.first)].tolist()),
    }


def check_antecedents(data: Dataset) -> None:
    """Raise InputError, which says why, for data that has no antecedents."""
    if data.n_antecedents:
        return
    why = (
        "every column is the same in all rows, or its conditions hold for too few rows or too many "
        "(min_support, max_support)"
    )
    if data.use is not None and data.use.columns:
        why = data.use.nothing()
    raise InputError(f"{data.name or 'the data'} has no antecedents: {why}")


def _in_order(data: Dataset, may_say: NDArray[np.bool_] | None) -> NDArray[np.intp] | None:
    """The antecedents that a rule may have, those of the first rules first; None: all as they
    are."""
    may = np.ones(data.n_antecedents, dtype=np.bool_)
    if may_say is not None:
        may &= may_say.any(axis=1)
    if may.all() and not data.first:
        return None
    first = [one.antecedent for one in data.first]
    may[first] = False
    return np.array([*first, *np.flatnonzero(may).tolist()], dtype=np.intp)


def _may_say(data: Dataset) -> NDArray[np.bool_] | None:
    """What the directions of the columns and the first rules leave a rule with each antecedent to
    say."""
    kinds = ["class"] * len(data.classes) if data.costs is None else data.costs.outcomes.kinds
    found = _on_its_side(data, kinds)
    given = [one for one in data.first if one.outcome is not None]
    if not given:
        return found
    if found is None:
        found = np.ones((data.n_antecedents, len(kinds)), dtype=np.bool_)
    for one in given:
        found[one.antecedent] &= np.arange(len(kinds)) == one.outcome
    return found


def _on_its_side(data: Dataset, kinds: Sequence[str]) -> NDArray[np.bool_] | None:
    """What the directions alone leave. Raises InputError if they leave nothing."""
    if not data.directions:
        return None
    from corels.tables.directions import may_say

    found = may_say(data.antecedents, data.directions, kinds)
    if found is not None and not found.any():
        raise InputError(
            f"{data.name or 'the data'} has no antecedent that a rule may have: each asks a column "
            "with a direction for both sides"
        )
    return found


def _class_sums(
    data: Dataset, amounts: NDArray[np.int64] | None, point_of_row: NDArray[np.intp], points: int
) -> NDArray[np.int64]:
    """int64[C, P]: the rows (or their amounts) of each class at each point.

    Sums of floats are exact here: no total that a `Problem` takes is near 2^53.
    """
    cells = data.labels * points
    cells += point_of_row
    counts = np.bincount(cells, amounts, minlength=len(data.classes) * points)
    return counts.reshape(len(data.classes), points).astype(np.int64, copy=False)


def distinct_in_pieces(captures: Captures) -> WorkInPieces[tuple[Indices, Indices, Captures]]:
    """(point of each row, a row of each point, the sets over the points), without loss.

    Points are in the order of what they are, so that neither the order of the rows nor the reader
    changes it: those in the first set come first, among equals those in the second, and so on. A
    generator that yields between pieces.
    """
    group, first, keys = yield from captures.groups_in_pieces()
    group, first = _renumbered(group, first, keys)
    words = yield from transposed_in_pieces(keys, len(captures), first)
    return group, first, Captures(words, len(first))


def _renumbered(
    group: Indices, first: Indices, keys: NDArray[np.uint64]
) -> tuple[Indices, Indices]:
    """The same groups in the order of their words: by word 0, those that tie by word 1, and so on.

    keys: uint64[N, W], the sets that each row is in.
    """
    order, tied, number = np.arange(len(first)), np.arange(len(first)), 0
    within = np.zeros(len(first), dtype=np.intp)  # which rows have tied so far, by place
    while len(tied):
        rows = order[tied]
        found = _word_of(keys, number, first[rows])
        by = np.lexsort((found, within[tied])) if number else np.argsort(found)
        order[tied], found = rows[by], found[by]
        begins = np.ones(len(tied), dtype=np.bool_)
        begins[1:] = (found[1:] != found[:-1]) | (within[tied][1:] != within[tied][:-1])
        within[tied] = np.cumsum(begins)
        alone = begins & np.append(begins[1:], True)
        tied, number = tied[~alone], number + 1
    place = np.empty(len(first), dtype=np.intp)
    place[order] = np.arange(len(first))
    return place[group], first[order]


def _word_of(keys: NDArray[np.uint64], number: int, rows: Indices) -> NDArray[np.uint64]:
    """A word of some rows, its first bit the highest; the more is set, the less."""
    octets = np.ascontiguousarray(keys[rows, number]).astype("<u8", copy=False).view(np.uint8)
    return np.asarray(~_MIRRORED[octets].view(">u8").astype(np.uint64))


_MIRRORED = np.packbits(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)[:, ::-1])
