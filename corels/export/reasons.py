"""Why a row gets its outcome, and what would give it another one: exact, and small.

The *sufficient reason* of a row is the smallest set of columns whose cells alone force the outcome,
whatever the other columns have, no value included; of equally small ones, that of the columns that
the model asks first. Its cells are then widened while the outcome stays forced, so that it says
`age <= 60` and not the narrower cell of the row. The *smallest change* replaces the cells of the
fewest columns so that the outcome is another one; of equally small ones, numbers move least, each
as a part of the way between the outermost cuts of its column.

Both come from the outcomes of all choices of cells (`corels.export.cells`). Let D(x) be the columns
in which a choice x with another outcome differs from the row. A set of columns is a sufficient
reason if and only if it meets every D(x): else x agrees with the row on the set. `_forcing` marks
every D(x) in a table of all sets of columns, spreads the marks to supersets, and takes the smallest
set whose complement bears no mark. (Shih, Choi and Darwiche, "A symbolic approach to explaining
Bayesian network classifiers", IJCAI 2018, define sufficient reasons.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.export.cells import Asked, Cells, Grid
from corels.model.model import Model
from corels.options import unknown
from corels.tables import Condition

MOST_CELLS = 1_000_000  # choices of cells that are tried for one answer
MOST_COLUMNS = 3  # that a change may touch
Sets = tuple[tuple[int, ...], ...]  # of each column the cells that are allowed


class Reason(NamedTuple):
    """What forces an outcome. cells: column -> the cells that do. smallest: no smaller set does;
    else it is not known, as there are too many choices of cells."""

    cells: Mapping[int, tuple[int, ...]]
    smallest: bool


class Change(NamedTuple):
    """Another outcome. cells: column -> the cells that give it. decider: which decides then."""

    cells: Mapping[int, tuple[int, ...]]
    decider: int


@dataclass(frozen=True)
class Explained:
    """What is to be said of a row.

    tried: changes of up to so many columns were tried. values: column -> what the row has.
    """

    row: int
    decider: int
    reason: Reason
    changes: tuple[Change, ...]
    tried: int
    values: Mapping[int, Any]


class Reasons:
    """The reasons and changes of rows of a table.

    Args:
        model: of any family.
        data: a frame, or a mapping of columns.
        change: column -> "never", "up" or "down", how its value can be changed; others freely.
        wanted: the class, or other outcome, that changes should give; None for any other one.

    Raises:
        InputError: for a table without the columns that the model asks for.
        OptionError: for a wanted outcome that the model does not know.
    """

    def __init__(
        self, model: Model, data: Any, change: Mapping[str, str] | None = None, wanted: Any = None
    ) -> None:
        self.grid = Grid(model)
        self.given, self.cells = self.grid.cells(data)
        self.columns, deciders = self.grid.columns, self.grid.deciders
        self.absent = self._absent()
        for column in self.columns:
            if (change or {}).get(column.name) in {"up", "down"} and not column.ordered:
                raise InputError(
                    f"column {column.name!r}: change is {(change or {})[column.name]!r}, and the "
                    "model asks for its names, which have no order: expected never"
                )
        self._change = [(change or {}).get(column.name) for column in self.columns]
        names = [one.outcome if one.stated is None else one.stated for one in deciders]
        self.outcome = np.array([names.index(one) for one in names], dtype=np.intp)
        """(deciders,) deciders with the same number have the same outcome."""
        self._good = self._wanted(model, wanted)
        self._sizes = [len(column.cells) for column in self.columns]
        self._table: NDArray[np.intp] | None = None
        if prod(self._sizes) <= MOST_CELLS:
            self._table = self._decided([range(size) for size in self._sizes])
        self._narrow = cache(self._narrowed)
        self._wide = cache(self._widened)

    def _absent(self) -> NDArray[np.bool_]:
        """(rows, columns) which values are missing, or are codes."""
        found = np.zeros(self.cells.shape, np.bool_)
        for number, column in enumerate(self.columns):
            found[:, number] = self.given[column.name].missing
            for code in column.codes:
                is_code = Condition(column.name, "==", code)
                found[:, number] |= is_code.holds(self.given[column.name])
        return found

    def _wanted(self, model: Model, wanted: Any) -> NDArray[np.bool_] | None:
        """(deciders,) which say what is wanted."""
        if wanted is None:
            return None
        names = list(map(str, model.says))
        if str(wanted) not in names:
            raise OptionError(f"⟨wanted⟩: {unknown('outcome', str(wanted), names)}")
        return np.array([names[one.outcome] == str(wanted) for one in self.grid.deciders])

    def has_wanted(self, decider: int) -> bool:
        """Whether a decider says what is wanted."""
        return self._good is not None and bool(self._good[decider])

    def _decided(self, sets: Sequence[Sequence[int]]) -> NDArray[np.intp]:
        """Which decider decides each choice from these sets, an axis a column."""
        grid = np.meshgrid(*(np.array(one, np.intp) for one in sets), indexing="ij", copy=False)
        choices = np.stack([one.reshape(-1) for one in grid], axis=1) if grid else np.zeros((1, 0))
        found = self.grid.decided(choices.astype(np.intp))
        return found.reshape([len(one) for one in sets])

    def _among(self, sets: Sequence[Sequence[int]]) -> NDArray[np.intp]:
        """The same, from the table if there is one."""
        if self._table is None:
            return self._decided(sets)
        return self._table[np.ix_(*sets)] if sets else self._table

    # --- the sufficient reason --------------------------------------------------------------------

    def forced(self, sets: Sets, outcome: int) -> bool:
        """Whether every choice from these sets has the outcome; if there are too many, False may
        also mean that it is not known."""
        if prod(map(len, sets)) <= MOST_CELLS:
            return bool((self.outcome[self._among(sets)] == outcome).all())
        for number in range(len(self.outcome)):
            holds, fails = self._possible(number, sets)
            if holds and self.outcome[number] != outcome:
                return False
            if not fails:
                return True
        return True

    def _possible(self, number: int, sets: Sets) -> tuple[bool, bool]:
        """(whether a decider can hold, whether it can fail), each column by itself."""
        decider = self.grid.deciders[number]
        if decider.quantity == "points":
            parts = decider.parts(lambda a: self.grid.possible(a, sets), _every, _some)
            worth = list(zip(decider.points, parts, strict=True))
            most = sum(points for points, (holds, _) in worth if holds)
            least = sum(points for points, (_, fails) in worth if not fails)
            return most >= decider.threshold, least < decider.threshold
        return decider.fold(lambda a: self.grid.possible(a, sets), _every, _some)

    def _narrowed(self, cells: tuple[int, ...]) -> Reason:
        """The sufficient reason of a row with these cells."""
        outcome = int(self.outcome[self._at(cells)])
        smallest = self._table is not None
        chosen = self._forcing(cells, outcome) if smallest else self._enough(cells, outcome)
        sets = self._sets(cells, set(range(len(cells))) - set(chosen))
        return Reason(dict(zip(chosen, self._wider(chosen, sets, outcome), strict=True)), smallest)

    def _at(self, cells: tuple[int, ...]) -> int:
        """Which decider decides a choice."""
        if self._table is not None:
            return int(self._table[cells])
        return int(self.grid.decided(np.array([cells], np.intp))[0])

    def _sets(self, cells: tuple[int, ...], free: set[int]) -> Sets:
        return tuple(
            tuple(range(self._sizes[n])) if n in free else (cell,) for n, cell in enumerate(cells)
        )

    def _forcing(self, cells: tuple[int, ...], outcome: int) -> tuple[int, ...]:
        """The smallest set of columns whose cells force the outcome (see above)."""
        assert self._table is not None
        marks = self.outcome[self._table] != outcome
        for axis, cell in enumerate(cells):
            same = marks.take(cell, axis)
            marks = np.stack([same, np.delete(marks, cell, axis).any(axis)], axis)
        for axis in range(len(cells)):
            with_column = np.moveaxis(marks, axis, 0)
            with_column[1] |= with_column[0]
        enough = ~np.flip(marks)  # by set, no longer by complement
        places = np.argwhere(enough) if len(cells) else np.zeros((1, 0), np.intp)
        sizes = places.sum(axis=1)
        least = places[sizes == sizes.min()]
        best = least[np.lexsort(-least.T[::-1])[0]] if len(cells) else least[0]
        return tuple(np.flatnonzero(best).tolist())

    def _enough(self, cells: tuple[int, ...], outcome: int) -> tuple[int, ...]:
        """A set of columns whose cells force the outcome, none of them without use; there may be
        smaller ones."""
        free: set[int] = set()
        for number in reversed(range(len(cells))):
            if self.forced(self._sets(cells, free | {number}), outcome):
                free.add(number)
        return tuple(sorted(set(range(len(cells))) - free))

    def _wider(
        self, chosen: Sequence[int], sets: Sets, outcome: int, *, longer: bool = False
    ) -> list[tuple[int, ...]]:
        """Of each chosen column the cells, and those beside them with which the outcome is forced
        all the same and that conditions can say together. longer: with more values, too."""
        found = list(sets)
        for number in chosen:
            column = self.columns[number]
            if found[number][0] not in column.targets:
                continue
            start = column.targets.index(found[number][0])
            nearest = sorted(column.targets, key=lambda one: abs(column.targets.index(one) - start))
            for cell in nearest[1:]:
                more = (*found[number], cell)
                tried = (*found[:number], more, *found[number + 1 :])
                before, said = column.text(found[number]), column.text(more)
                if said is None or said[0].operator == "present":
                    continue
                if not longer and _values(said) > _values(before or ()):
                    continue
                if self.forced(tried, outcome):
                    found[number] = more
        return [found[number] for number in chosen]

    # --- changes ----------------------------------------------------------------------------------

    def _allowed(self, number: int, cell: int, absent: bool) -> tuple[int, ...]:
        """The cells that a column's value may be changed to. absent: it is missing, or a code."""
        column, way = self.columns[number], self._change[number]
        if way is not None and absent:  # nobody knows what is above it
            return ()
        return column.reachable(cell, way)

    def _candidates(
        self, cells: tuple[int, ...], absent: Sequence[bool], most: int
    ) -> tuple[list[tuple[tuple[int, ...], list[tuple[int, ...]]]], int]:
        """(of each set of columns whose change can give another outcome, but those with a smaller
        one inside, the choices of cells that do; up to how many columns all sets were tried)."""
        here, tried = self.outcome[self._at(cells)], 0
        found: list[tuple[tuple[int, ...], list[tuple[int, ...]]]] = []
        allowed = [self._allowed(n, cell, absent[n]) for n, cell in enumerate(cells)]
        for size in range(1, min(MOST_COLUMNS, len(cells)) + 1):
            for chosen in combinations(range(len(cells)), size):
                if any(set(smaller) <= set(chosen) for smaller, _ in found):
                    continue
                sets = tuple(allowed[n] if n in chosen else (cell,) for n, cell in enumerate(cells))
                tried += prod(map(len, sets))
                if tried > MOST_CELLS:
                    return found, size - 1
                deciders = self._among(sets).reshape(-1)
                good = self.outcome[deciders] != here
                if self._good is not None:
                    good &= self._good[deciders]
                if good.any():
                    choices = list(product(*(allowed[n] for n in chosen)))
                    found.append((chosen, [choices[n] for n in np.flatnonzero(good)]))
            if len(found) >= most:
                break
        return found, min(MOST_COLUMNS, len(cells))

    def _widened(
        self, cells: tuple[int, ...], chosen: tuple[int, ...], to: tuple[int, ...]
    ) -> Change:
        """A change to these cells, and to those beside them that give the same."""
        changed = list(cells)
        for number, cell in zip(chosen, to, strict=True):
            changed[number] = cell
        decider = self._at(tuple(changed))
        sets = tuple((cell,) for cell in changed)
        wider = self._wider(chosen, sets, int(self.outcome[decider]), longer=True)
        return Change(dict(zip(chosen, wider, strict=True)), decider)

    def _distances(self, number: int, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """(columns' cells, rows) how far each row's value is from each cell: a part of the way
        between the outermost cuts, at most 1; and 1 if the values have no order."""
        column, name = self.columns[number], self.columns[number].name
        found = np.ones((self._sizes[number], len(rows)))
        given = self.given[name]
        if not column.cuts or given.categories is not None:
            return found
        values, absent = given.values[rows].astype(np.float64), self.absent[rows, number]
        width = (column.cuts[-1] - column.cuts[0]) or 1.0
        for to in column.targets:
            ends = [end for place in column.cells[to] for end in _ends(column, place)]
            far = [np.maximum(low - values, values - high).clip(0.0) for low, high in ends]
            nearest = np.minimum.reduce(far) / width
            found[to] = np.where(absent, 1.0, np.minimum(1.0, nearest))
        return found

    def _changes(
        self, cells: tuple[int, ...], rows: NDArray[np.intp], most: int
    ) -> tuple[list[tuple[Change, ...]], int]:
        """(of each of these rows, which have the same cells, its smallest changes; up to how many
        columns all were tried)."""
        if self.has_wanted(self._at(cells)):
            return [() for _ in rows], 0
        found, tried = self._candidates(cells, self.absent[rows[0]].tolist(), most)
        asked = {number for chosen, _ in found for number in chosen}
        far = {number: self._distances(number, rows) for number in asked}
        best: list[list[tuple[int, float, int, tuple[int, ...]]]] = [[] for _ in rows]
        for place, (chosen, choices) in enumerate(found):
            sums = np.zeros((len(choices), len(rows)))
            for at, number in enumerate(chosen):
                sums += far[number][[to[at] for to in choices]]
            for row, choice in enumerate(sums.argmin(axis=0).tolist()):
                own = float(sums[choice, row])
                best[row].append((len(chosen), own, place, choices[choice]))
        return [
            tuple(self._wide(cells, found[place][0], to) for _, _, place, to in sorted(one)[:most])
            for one in best
        ], tried

    # --- all rows ---------------------------------------------------------------------------------

    def explained(self, most: int = 1) -> list[Explained]:
        """Each row, in order. most: how many changes of it, the smallest first; each is of another
        set of columns, and none contains a smaller one."""
        both, kind = _kinds(np.hstack([self.cells, self.absent]))
        patterns = [one[: len(self.columns)] for one in both]
        of = np.argsort(kind, kind="stable")
        groups = np.split(of, np.cumsum(np.bincount(kind, minlength=len(patterns)))[:-1])
        found: dict[int, Explained] = {}
        held = [self.given[column.name].cells() for column in self.columns]
        for cells, rows in zip(patterns, groups[: len(patterns)], strict=True):
            reason, decider = self._narrow(cells), self._at(cells)
            changes, tried = self._changes(cells, rows, most)
            for row, own in zip(rows.tolist(), changes, strict=True):
                values = {number: column[row] for number, column in enumerate(held)}
                found[row] = Explained(row, decider, reason, own, tried, values)
        return [found[row] for row in range(len(self.cells))]


def _values(conditions: Sequence[Condition]) -> int:
    """How many values conditions name."""
    return sum(len(one.values) for one in conditions)


def _ends(column: Asked, place: int) -> Iterator[tuple[float, float]]:
    """Where a piece of numbers begins and ends."""
    piece = column.pieces[place]
    if piece.kind == "between":
        low = -np.inf if piece.low is None else float(piece.low)
        yield low, np.inf if piece.high is None else float(piece.high)
    elif piece.kind == "value" and not isinstance(piece.value, str):
        yield float(piece.value or 0), float(piece.value or 0)


def _kinds(cells: Cells) -> tuple[list[tuple[int, ...]], NDArray[np.intp]]:
    """(the different rows of cells, which of them each row has)."""
    if not cells.size:
        return ([()] if len(cells) else []), np.zeros(len(cells), np.intp)
    distinct, kind = np.unique(cells, axis=0, return_inverse=True)
    return list(map(tuple, distinct.tolist())), kind.reshape(-1)


def _every(parts: list[tuple[bool, bool]]) -> tuple[bool, bool]:
    return all(holds for holds, _ in parts), any(fails for _, fails in parts)


def _some(parts: list[tuple[bool, bool]]) -> tuple[bool, bool]:
    return any(holds for holds, _ in parts), all(fails for _, fails in parts)
