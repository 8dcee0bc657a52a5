"""Mining conjunctions of antecedents, level by level (Agrawal and Srikant 1994, Apriori).

Support can only fall when a condition is added, so a conjunction is built only from one that is
frequent enough and only with an antecedent that is frequent together with each of its parts. The
captures are packed words; one conjunction is extended by all its candidates in one NumPy call.
Order: by number of parts, then lexicographically by position.

Two conditions of one column are combined only if that says something new: "age > 25 and age <=
45" is an interval, but "sex = Male and sex = Female" is never true, and "age <= 25 and age <= 45"
is "age <= 25" again. `combines` decides from the conditions, not from the data. Of columns with
directions, no rule may have conditions that move both ways as they rise (`directions`), so no such
conjunction is made.

**What is left out.** 1,254 antecedents have 785,631 pairs. Mining keeps at most `most` antecedents:
once twice as many conjunctions wait, it keeps those that tell the classes apart best (the earlier
one of two equals), and from then on asks for more than the last of them has. The measure is how
far the rows of a class among those of a conjunction are from the share of the class, as a number of
rows (weighted relative accuracy; Lavrac, Flach and Zupan 1999): a conjunction of many rows that are
mixed as all are helps no model. Without labels those stay that are true of most rows. Every pair is
looked at; a conjunction of three is made of pairs that were kept. So memory is bounded whatever the
data, and what was left out is counted and said. Mining also ends when half of the time of its
`Deadline` is gone, with what it has: a search needs time, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import Captures, pack, supports, weight_planes, words_for
from corels.tables.column import as_columns, row_count
from corels.tables.condition import GROUP, Antecedent, Condition, capture_all
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.directions import NEITHER, Direction, asked_sides
from corels.tables.learned import LearnedColumn
from corels.tables.options import OPTIONS, MiningOptions, SupportLimits
from corels.tables.use import TableUse

MOST_BYTES = 1 << 30  # of packed captures
UNBOUNDED = 1 << 62  # as many antecedents as `MOST_BYTES` holds
MINING_SHARE = 0.5  # of the time limit: the rest is for the search
SIDES = {"<=": 1, ">": -1}
AT_ONCE = 1 << 20  # words that one extension goes through between two looks at the clock


class Mined(NamedTuple):
    """Antecedents, the rows each is true of, what mining left out (sentences), and what became of
    the columns, what a model keeps of them, and their directions, if they come from a table."""

    antecedents: tuple[Antecedent, ...]
    captures: Captures
    left_out: tuple[str, ...] = ()
    use: TableUse | None = None
    known: Mapping[str, LearnedColumn] = {}
    counted: Any = None
    directions: tuple[Direction, ...] = ()


def mine(
    data: Any,
    *,
    names: Sequence[str] | None = None,
    max_cardinality: int = 2,
    min_support: float = 0.01,
    max_support: float | None = None,
    negations: bool = True,
    max_antecedents: int = MiningOptions.max_antecedents,
) -> Mined:
    """Mine conjunctions from a table of 0/1 columns.

    In order: the features, their negations, then the conjunctions of two and more of these. Single
    antecedents outside the limits on support are left out, and never take part in a conjunction.

    Args:
        data: (N, columns) 0/1 or bool: an array, a pandas or polars frame, a mapping of columns.
        names: the column names, for an array.
        max_cardinality: the most conditions in one conjunction, 1 or more.
        min_support, max_support: as of `MiningOptions`.
        negations: also mine "not x" for each feature x.
        max_antecedents: the most antecedents; of the conjunctions, those of the largest support.

    Raises:
        OptionError: if an option is out of range.
        InputError: if a value is not 0 or 1.
    """
    columns = as_columns(data, names)
    features = [Antecedent.of(Condition(name, "true")) for name in columns]
    if negations:
        features += [Antecedent.of(Condition(name, "false")) for name in columns]
    limits = SupportLimits.of(min_support, max_support, row_count(columns))
    captures = capture_all(features, columns)
    kept = np.flatnonzero(limits.allow(captures.supports())).tolist()
    single, captures = [features[j] for j in kept], captures.take(kept)
    return conjunctions(single, captures, max_cardinality, limits, max_antecedents=max_antecedents)


def conjunctions(
    antecedents: Sequence[Antecedent],
    captures: Captures,
    max_cardinality: int,
    limits: SupportLimits,
    weights: NDArray[np.int64] | None = None,
    *,
    labels: NDArray[np.int64] | None = None,
    max_antecedents: int = MiningOptions.max_antecedents,
    rows: int | None = None,
    directions: Sequence[Direction] = (),
    deadline: Deadline = NO_DEADLINE,
) -> Mined:
    """The antecedents, all kept, and then their conjunctions that are frequent enough.

    Args:
        antecedents: M, none of them above the upper limit (so no conjunction is).
        captures: M sets of N rows.
        max_cardinality: the most antecedents in one conjunction, 1 or more.
        weights: (N,) how many rows each stands for; None for one each.
        labels: (N,) classes, which decide what stays if there are too many; None: the most rows.
        max_antecedents: the most antecedents of the result, the single ones included.
        rows: of the table, if equal ones are here once; so many conjunctions are kept as of all.
        directions: of columns.
        deadline: learns how far mining is, and may end it.

    Raises:
        OptionError: if `max_cardinality` is out of range.
    """
    max_cardinality = OPTIONS["max_cardinality"].check(max_cardinality)
    captures = Captures.of(captures)
    if max_cardinality == 1 or not antecedents:
        return Mined(tuple(antecedents), captures)
    base = _Base(antecedents, captures, weight_planes(weights), directions)
    fitting = MOST_BYTES // max(1, words_for(captures.length if rows is None else rows) * 8)
    most = max(0, min(max_antecedents, fitting) - len(antecedents))
    score = _by_rows if labels is None else _separation(labels, weights, base.planes)
    found = _Found(most, limits.least, score)
    stopped = _mine_levels(base, max_cardinality, found, deadline)
    found.trim()
    said = [stopped] if stopped else []
    if found.left_out:
        said.append(_left_out(found, len(antecedents), fitting < max_antecedents, labels))
    return found.result(base, said)


def _left_out(found: _Found, singles: int, full: bool, labels: Any) -> str:
    """What mining has left out, and how to keep it. full: memory was the limit."""
    which = "hold for the most rows" if labels is None else "tell the classes apart best"
    every = singles + found.waiting + found.left_out
    how = f"max_antecedents={every} (--max-antecedents {every}) keeps all, where time allows"
    if full:
        how = f"{MOST_BYTES >> 30} GiB hold no more; fewer cuts (⟨cuts⟩) make fewer"
    return (
        f"mining kept {found.waiting:,} conjunctions, those that {which}, and left out "
        f"{found.left_out:,}: {how}"
    )


_Score = Callable[[NDArray[np.uint64], NDArray[np.int64]], NDArray[np.float64]]


def _by_rows(words: NDArray[np.uint64], held: NDArray[np.int64]) -> NDArray[np.float64]:
    return held.astype(np.float64)


def _separation(
    labels: NDArray[np.int64], weights: NDArray[np.int64] | None, planes: NDArray[np.uint64] | None
) -> _Score:
    """How well sets of rows tell the classes apart, from their words and their weights: by how many
    rows of some class each has more, or fewer, than its share."""
    totals = np.bincount(labels, weights).astype(np.float64)
    shares = totals / totals.sum()
    some = np.flatnonzero(totals)[:-1]  # those of the last follow from the others
    if len(some) > 1:
        some = np.flatnonzero(totals)
    members = pack(labels == some[:, None])

    def score(words: NDArray[np.uint64], held: NDArray[np.int64]) -> NDArray[np.float64]:
        best = np.zeros(len(held))
        for of_class, share in zip(members, shares[some], strict=True):
            inside = supports(words & of_class, planes)
            best = np.maximum(best, np.abs(inside - share * held))
        return best

    return score


@dataclass(eq=False)
class _Base:
    """The single antecedents: M of them.

    captures: M sets of N rows. planes: the weights of the rows as bit-planes, None for 1 each.
    positions: column -> the antecedents that ask for it, rising. side: int8[M], 1 for "<=" alone,
    -1 for ">" alone, 0 for anything else; rank: int64[M], of such a cut among its column's. moves:
    int8[M], how conditions move as the columns with directions rise: a bit for either way.

    What a part does not combine with is found when it is asked for: all pairs of the cuts of one
    column, kept, would be more than anything else if there are thousands.
    """

    antecedents: Sequence[Antecedent]
    captures: Captures
    planes: NDArray[np.uint64] | None = None
    directions: Sequence[Direction] = ()

    def __post_init__(self) -> None:
        sides = map(asked_sides(self.directions), self.antecedents)
        self.moves = np.fromiter(sides, np.int8, len(self.antecedents))
        self.side = np.zeros(len(self.antecedents), dtype=np.int8)
        self.rank = np.zeros(len(self.antecedents), dtype=np.int64)
        positions: dict[str, list[int]] = {}
        cuts: dict[str, dict[int, Any]] = {}
        for at, (first, *more) in enumerate(one.conditions for one in self.antecedents):
            for name in {condition.column for condition in (first, *more)}:
                positions.setdefault(name, []).append(at)
            if first.operator in SIDES and not more:
                self.side[at] = SIDES[first.operator]
                cuts.setdefault(first.column, {})[at] = first.value
        self.positions = {name: np.array(found) for name, found in positions.items()}
        for values in cuts.values():
            rank = {cut: place for place, cut in enumerate(sorted(set(values.values())))}
            self.rank[list(values)] = [rank[cut] for cut in values.values()]

    def combining(self, part: int, later: NDArray[np.intp]) -> NDArray[np.intp]:
        """Of the later positions, those that a part combines with."""
        if self.directions:
            later = later[(self.moves[later] | self.moves[part]) != NEITHER]
        conflicts = [self._conflicts(part, c) for c in self.antecedents[part].conditions]
        return later[~np.isin(later, np.concatenate(conflicts))]

    def _conflicts(self, part: int, condition: Condition) -> NDArray[np.intp]:
        """The later positions with a condition on the same column that does not combine."""
        same = self.positions[condition.column]
        later = same[np.searchsorted(same, part, side="right") :]
        side, own = self.side[later], self.side[part]
        cuts = (side != 0) & (own != 0)  # an interval where the lower cut is ">"
        wrong = cuts & ((side == own) | ((self.rank[later] - self.rank[part]) * side <= 0))
        conditions = self.antecedents[part].conditions
        for at in np.flatnonzero(~cuts).tolist():
            others = self.antecedents[later[at]].conditions
            wrong[at] = not all(combines(a, b) for a in conditions for b in others)
        return np.asarray(later[wrong])


# Positions of its parts, rising; its packed captures; the later parts that combine with all but
# the last of its own.
_Itemset = tuple[tuple[int, ...], NDArray[np.uint64], NDArray[np.intp]]


class _Batch(NamedTuple):
    """Conjunctions of one itemset with one more part each: the parts, words[k, W], supports."""

    parts: tuple[int, ...]
    added: NDArray[np.intp]
    words: NDArray[np.uint64]
    supports: NDArray[np.int64]

    def some(self, which: NDArray[np.bool_]) -> _Batch:
        """Those of a mask."""
        return _Batch(self.parts, self.added[which], self.words[which], self.supports[which])


@dataclass(eq=False)
class _Found:
    """The conjunctions so far, at most `most` of them after each `add` but for twice as many.

    least: the support that a conjunction needs. score: what decides which of too many are kept;
    floor: what one more has to exceed, once some were left out.
    """

    most: int
    least: int
    score: _Score
    batches: list[_Batch] = field(default_factory=list)
    waiting: int = 0
    left_out: int = 0
    floor: float | None = None

    def add(self, batch: _Batch) -> None:
        if self.floor is not None and len(batch.added):
            better = self.score(batch.words, batch.supports) > self.floor
            self.left_out += len(better) - int(better.sum())
            batch = batch.some(better)
        if len(batch.added):
            self.batches.append(batch)
            self.waiting += len(batch.added)
            if self.waiting > 2 * self.most:
                self.trim()

    def trim(self) -> None:
        """Keep the `most` conjunctions of the best score; of equal ones the earlier."""
        if self.waiting <= self.most:
            return
        scores = np.concatenate([self.score(one.words, one.supports) for one in self.batches])
        keep = np.zeros(len(scores), dtype=np.bool_)
        keep[np.argsort(-scores, kind="stable")[: self.most]] = True
        self.floor = float(scores[keep].min()) if self.most else float("inf")
        self.left_out += len(scores) - int(keep.sum())
        ends = np.cumsum([len(batch.added) for batch in self.batches])[:-1]
        parts = zip(self.batches, np.split(keep, ends), strict=True)
        self.batches = [batch.some(own) for batch, own in parts if own.any()]
        self.waiting = int(keep.sum())

    def result(self, base: _Base, said: Sequence[str]) -> Mined:
        antecedents = list(base.antecedents)
        for batch in self.batches:
            for j in batch.added:
                parts = [base.antecedents[part] for part in (*batch.parts, j)]
                conditions = tuple(one for part in parts for one in part.conditions)
                name = " and ".join(part.name for part in parts)
                antecedents.append(Antecedent(name, conditions))
        words = np.concatenate([base.captures.words, *(batch.words for batch in self.batches)])
        return Mined(tuple(antecedents), Captures(words, base.captures.length), tuple(said))


def _mine_levels(base: _Base, max_cardinality: int, found: _Found, deadline: Deadline) -> str:
    """Mine level by level into `found`; a sentence if the time was up before the end."""
    everything = np.arange(len(base.antecedents))
    level: Iterator[_Itemset] = (
        ((j,), base.captures.words[j], everything[j + 1 :]) for j in everything.tolist()
    )
    total = len(everything)
    for size in range(2, max_cardinality + 1):
        for begun, shorter in enumerate(level):
            deadline.tell(f"conjunctions of {size}", begun, total)
            for batch in _extended(base, shorter, found):
                found.add(batch)
                if deadline.expired(MINING_SHARE):
                    return (
                        f"half of the time limit ended mining: conjunctions of {size} conditions "
                        f"were tried for {begun + 1} of {total} beginnings"
                    )
        if size < max_cardinality:
            found.trim()
            batches = [b for b in found.batches if len(b.parts) == size - 1]
            total = sum(len(batch.added) for batch in batches)
            level = _next_level(batches)
    return ""


def _next_level(batches: Sequence[_Batch]) -> Iterator[_Itemset]:
    """Each conjunction of the last level, and its siblings behind it."""
    for parts, group in itertools.groupby(batches, key=lambda batch: batch.parts):
        same = list(group)  # a long itemset was extended in several batches
        added = np.concatenate([batch.added for batch in same])
        words = np.concatenate([batch.words for batch in same])
        for at, part in enumerate(added.tolist()):
            yield (*parts, part), words[at], added[at + 1 :]


def _extended(base: _Base, itemset: _Itemset, found: _Found) -> Iterator[_Batch]:
    """The itemset with one more part, for each that leaves it frequent enough, piece by piece."""
    parts, words, later = itemset
    combining = base.combining(parts[-1], later)
    width = max(1, AT_ONCE // len(words))
    for start in range(0, len(combining), width):
        candidates = combining[start : start + width]
        both = base.captures.words[candidates] & words
        held = supports(both, base.planes)
        enough = held >= found.least
        yield _Batch(parts, candidates[enough], both[enough], held[enough])


def combines(one: Condition, other: Condition) -> bool:
    """Whether the conjunction of two conditions is neither impossible nor one of them again."""
    if one.column != other.column:
        return True
    if {one.operator, other.operator} <= GROUP:  # a group and a negation say another group
        these, those = set(one.values), set(other.values)  # each has some of the other's, not all
        alike = one.operator == other.operator and bool(these & those)
        return alike and not (these <= those or those <= these)
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
