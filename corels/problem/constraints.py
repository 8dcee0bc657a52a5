"""What predictions are demanded to keep to: equal rates between groups, and coverage.

A *rate* is a share of some rows: of the women, those for whom the model says "yes". A constraint
keeps one rate, or the difference of two, between two numbers. Both are sums over rows of what each
outcome counts there, so over points, too, although the rows of one point may be of different
groups; and with a common denominator they are sums of whole numbers:

    low <= sum over points i of values[said at i][i] <= high.

Rates whose denominator depends on the model (predictive parity) are no such sums.
docs/internals/constraints.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.options import exact_within, unknown, whole
from corels.problem.captures import Captures, unpack

if TYPE_CHECKING:
    from corels.tables import Dataset

MOST_GROUPS = 20
PIECE = 1 << 13  # points
LOOK = 1 << 10  # rows that are looked at first
# Notion -> the rates that it keeps equal: which rows, and what is counted of them.
NOTIONS = {
    "statistical-parity": (("all", "positive"),),
    "equal-opportunity": (("positives", "positive"),),
    "predictive-equality": (("negatives", "positive"),),
    "equalized-odds": (("positives", "positive"), ("negatives", "positive")),
    "accuracy-parity": (("all", "right"),),
}
ALSO = {  # what Fairlearn calls them: its reductions, and `ThresholdOptimizer` below these
    "DemographicParity": "statistical-parity",
    "TruePositiveRateParity": "equal-opportunity",
    "FalsePositiveRateParity": "predictive-equality",
    "EqualizedOdds": "equalized-odds",
    "ErrorRateParity": "accuracy-parity",
    "selection_rate_parity": "statistical-parity",
    "false_negative_rate_parity": "equal-opportunity",  # rates of the same rows add up to 1
    "true_negative_rate_parity": "predictive-equality",
}
OF_LISTS = {  # rates whose denominator depends on the list: good lists are filtered by them
    "predictive-parity": ("precision",),
    "conditional-use-accuracy": ("precision", "negative_predictive_value"),
}
RATES = {  # rows and what is counted -> what the rate is called
    ("all", "positive"): "positive rate",
    ("positives", "positive"): "true positive rate",
    ("negatives", "positive"): "false positive rate",
    ("all", "right"): "accuracy",
}
COVERAGE = "coverage"
DEMANDED = ("notion", "rate", "column", "groups", "least", "most")


@dataclass(frozen=True, eq=False)
class Rate:
    """A share of some rows. counted: int64[O, P], the weight of those that each outcome counts at
    each point; of: the weight of all of them, 1 or more. group: whose rows; "" for everybody's."""

    group: str
    counted: NDArray[np.int64]
    of: int


@dataclass(frozen=True, eq=False)
class Constraint:
    """Keeps a rate, or the first less the second of two, between `least` and `most`.

    notion: of `NOTIONS`, or "coverage". rate: what is compared. column: of the groups.
    """

    notion: str
    rate: str
    column: str
    rates: tuple[Rate, ...]
    least: Fraction
    most: Fraction

    @cached_property
    def scale(self) -> int:
        """The common denominator: a value is a sum / scale."""
        return math.lcm(*(rate.of for rate in self.rates))

    @property
    def values(self) -> NDArray[np.int64]:
        """int64[O, P]: what each outcome adds at each point, in 1/scale; made anew, since there is
        a constraint for each two of many groups."""
        return self._values(...)

    def pieces(self) -> Iterator[NDArray[np.int64]]:
        """The same, an outcome after another, in pieces that the processor keeps at hand."""
        outcomes, points = self.rates[0].counted.shape
        for outcome, start in product(range(outcomes), range(0, points, PIECE)):
            yield self._values((outcome, slice(start, start + PIECE)))

    def _values(self, at: Any) -> NDArray[np.int64]:
        first, *second = (rate.counted[at] * (self.scale // rate.of) for rate in self.rates)
        return np.asarray(first - second[0] if second else first)

    @cached_property
    def spread(self) -> int:
        """The greatest size of a sum, if each point may add to it with either sign."""
        blocks = (slice(at, at + PIECE) for at in range(0, self.rates[0].counted.shape[1], PIECE))
        return sum(int(np.abs(self._values((..., at))).max(axis=0).sum()) for at in blocks)

    @property
    def low(self) -> int:
        """The least sum that is allowed."""
        return math.ceil(self.least * self.scale)

    @property
    def high(self) -> int:
        """The greatest."""
        return math.floor(self.most * self.scale)

    def demanded(self) -> dict[str, Any]:
        """JSON-ready: what is demanded, the entries `DEMANDED` of a document."""
        groups = [rate.group for rate in self.rates]
        values = self.notion, self.rate, self.column, groups, str(self.least), str(self.most)
        return dict(zip(DEMANDED, values, strict=True))


def demanded_of(stated: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the constraints of a document demand, without what a model reaches."""
    return [{name: one.get(name) for name in DEMANDED} for one in stated]


def rates_of(constraints: Iterable[Constraint]) -> list[Rate]:
    """The rates that they compare, in order; pairs share those of their groups."""
    return list(dict.fromkeys(rate for one in constraints for rate in one.rates))


def documents(
    constraints: Iterable[Constraint], said: NDArray[np.intp]
) -> Iterator[dict[str, Any]]:
    """JSON-ready: what is demanded, and what a model reaches of each rate. said: intp[P], its
    outcomes."""
    points = np.arange(len(said))

    @cache  # pairs share the rates of their groups
    def reached(rate: Rate) -> Fraction:
        return Fraction(int(rate.counted[said, points].sum()), rate.of)

    for one in constraints:
        first, *second = map(reached, one.rates)
        rates = [str(rate) for rate in (first, *second)]
        yield {**one.demanded(), "rates": rates, "value": str(first - sum(second))}


@dataclass(frozen=True, eq=False)
class Demands:
    """What is demanded of the predictions for N rows.

    fair: (notion, the greatest difference of a rate between two groups). column, groups: the column
    that says who is in which group, and its values; members: intp[N], the group of each row.
    coverage: the least share of rows that are neither left undecided nor handed over; None: any.
    sizes: what each rate is a share of, one rate after another, where these rows are only a part of
    those; () where they are all.
    """

    fair: tuple[tuple[str, Fraction], ...] = ()
    column: str = ""
    groups: tuple[str, ...] = ()
    members: NDArray[np.intp] | None = None
    coverage: Fraction | None = None
    sizes: tuple[int, ...] = ()

    def take(self, rows: NDArray[np.intp]) -> Demands:
        return self if self.members is None else replace(self, members=self.members[rows])

    def told_by(self, captures: Captures) -> list[int]:
        """Which of M sets divide no group: who knows the group of a row knows whether it is in."""
        if self.members is None:
            return []
        some = unpack(captures.words[:, : LOOK // 64], min(LOOK, captures.length))
        likely = np.flatnonzero(_undivided(some, self.members[:LOOK])).tolist()
        return [at for at in likely if _undivided(captures[at], self.members)]

    def constraints(
        self, data: Dataset, point_of_row: NDArray[np.intp], points: int
    ) -> Iterator[Constraint]:
        """For the points of a data set.

        Raises InputError where a group has no row that a rate is a share of, OptionError where
        nothing can be counted.
        """
        counted, sizes = _Counted(data, point_of_row, points), iter(self.sizes)
        for notion, most in self.fair:
            for rows, what in NOTIONS[notion]:
                rates = [
                    self._rate(counted, g, rows, what, next(sizes, 0))
                    for g in range(len(self.groups))
                ]
                for pair in combinations(rates, 2):
                    yield Constraint(notion, RATES[rows, what], self.column, pair, -most, most)
        if self.coverage is not None:
            everybody = counted.rows("all")
            of = next(sizes, 0) or counted.weight(everybody)
            rate = Rate("", counted.sums("decided", everybody), of)
            yield Constraint(COVERAGE, COVERAGE, "", (rate,), self.coverage, Fraction(1))

    def _rate(self, counted: _Counted, group: int, rows: str, what: str, size: int) -> Rate:
        """size: what it is a share of; 0: of these rows."""
        assert self.members is not None
        among = (self.members == group) & counted.rows(rows)
        of = size or counted.weight(among)
        if not of:
            positive = repr(counted.data.classes[-1])
            which = {"all": "", "positives": f" of class {positive}"}
            raise InputError(
                f"group {self.groups[group]!r} of column {self.column!r} has no row"
                f"{which.get(rows, f' of another class than {positive}')}: its "
                f"{RATES[rows, what]} is a share of nothing"
            )
        return Rate(self.groups[group], counted.sums(what, among), of)


@dataclass(frozen=True, eq=False)
class _Counted:
    """Sums over rows of what outcomes count."""

    data: Dataset
    point_of_row: NDArray[np.intp]
    points: int

    @cached_property
    def kinds(self) -> Sequence[str]:
        """Of the outcomes."""
        data = self.data
        kinds = ["class"] * len(data.classes) if data.costs is None else data.costs.outcomes.kinds
        if "action" in kinds:
            raise OptionError("constraints count classes of the label, and here rules say actions")
        if "defer" in kinds and len(data.classes) > 2:
            raise OptionError("constraints on rules that hand over are for two classes only")
        return kinds

    @cached_property
    def positive(self) -> NDArray[np.bool_]:
        """bool[N]: the rows of the positive class, the last one."""
        return np.asarray(self.data.labels == len(self.data.classes) - 1)

    def rows(self, which: str) -> NDArray[np.bool_]:
        """bool[N]: all, or those of the positive class, or of others."""
        if which == "all":
            return np.ones(self.data.n_rows, dtype=np.bool_)
        return np.asarray(self.positive == (which == "positives"))

    def weight(self, among: NDArray[np.bool_]) -> int:
        return int((among if self.data.weights is None else self.data.weights[among]).sum())

    def sums(self, what: str, among: NDArray[np.bool_]) -> NDArray[np.int64]:
        """int64[O, P]: the weight of these rows that each outcome counts."""
        found = np.zeros((len(self.kinds), self.points), dtype=np.int64)
        for outcome in range(len(found)):
            rows = np.flatnonzero(among & self._counts(what, outcome))
            weights = 1 if self.data.weights is None else self.data.weights[rows]
            np.add.at(found[outcome], self.point_of_row[rows], weights)
        return found

    def _counts(self, what: str, outcome: int) -> NDArray[np.bool_]:
        """bool[N]: whether an outcome counts for each row."""
        kind, costs = self.kinds[outcome], self.data.costs
        right = self.data.labels == outcome if costs is None else costs.right[outcome] > 0
        if what == "right":
            return np.asarray(right)
        if what == "decided":
            return np.full(len(right), kind == "class")
        if kind == "defer":  # the other model says the positive class
            return np.asarray(right == self.positive)
        last = len(self.data.classes) - 1
        return np.full(len(right), kind == "class" and outcome == last)


def notions_of(asked: Any) -> tuple[tuple[str, Fraction], ...]:
    """Notions and the greatest differences, of texts such as "statistical-parity:0.02", or objects
    such as Fairlearn's DemographicParity(difference_bound=0.02); one alone, several, or None.

    Raises OptionError for anything else.
    """
    return tuple(map(_notion, _each(asked)))


def texts_of(asked: Any) -> list[str]:
    """The same as texts; those that are texts as they are. Raises OptionError as `notions_of`."""
    return [one if isinstance(one, str) else "{}:{}".format(*_notion(one)) for one in _each(asked)]


def _each(asked: Any) -> Iterable[Any]:
    if asked is None:
        return ()
    several = isinstance(asked, Iterable) and not isinstance(asked, (str, type))
    return asked if several else (asked,)


def _notion(one: Any) -> tuple[str, Fraction]:
    bound: Any
    if isinstance(one, str):
        name, _, bound = one.partition(":")
    else:
        name, bound = getattr(one, "__name__", type(one).__name__), getattr(one, "eps", None)
        if getattr(one, "ratio", 1.0) != 1.0:
            raise OptionError(f"{name} has a ratio_bound: expected a difference_bound")
    known = {_plain(name): ALSO.get(name, name) for name in (*NOTIONS, *ALSO)}
    notion = known.get(_plain(name))
    if name in OF_LISTS:
        raise OptionError(
            f"{name} is about shares of rows that the list chooses, so no search keeps to it: "
            f"`corels near --fair {name}:D` looks for it among the good lists"
        )
    if notion is None:
        raise OptionError(unknown("notion of fairness", name, [*NOTIONS, *ALSO]))
    wrong = (
        f"⟨fair⟩ is {one!r}: expected a notion and the greatest difference, 0 to 1, such as "
        f"{notion}:0.02"
    )
    return notion, exact_within(bound, wrong, 1)


def _plain(name: str) -> str:
    """A name as it is whether written DemographicParity, demographic_parity or -parity."""
    return name.replace("_", "").replace("-", "").casefold()


def _undivided(bits: NDArray[np.bool_], members: NDArray[np.intp]) -> Any:
    """Whether each row has the bit of the first row of its group; bits: (..., N)."""
    _, first, group = np.unique(members, return_index=True, return_inverse=True)
    return (bits == bits[..., first[group]]).all(axis=-1)


def grouped(
    values: Sequence[Any], column: str, members: NDArray[np.intp] | None = None
) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The groups of a column, and each row's; a row of several columns has a list of values.

    members: which of the values each row has; None where each row has its own. Raises InputError
    unless there are from 2 to 20 groups.
    """
    from corels.tables.held import is_missing

    rows = [value if isinstance(value, list) else [value] for value in values]
    members = np.arange(len(rows)) if members is None else members
    missing = [at for at, row in enumerate(rows) if any(map(is_missing, row))]
    if missing:
        first = int(np.isin(members, missing).argmax()) + 1
        raise InputError(
            f"column {column!r} of the groups has no value in row {first}: give such rows a "
            "group of their own, such as 'unknown', or leave them out"
        )
    texts = joined([tuple(str(whole(cell)) for cell in row) for row in rows])
    names, group = np.unique(np.array(texts, dtype=object), return_inverse=True)
    if not 2 <= len(names) <= MOST_GROUPS:
        found = f"only the value {names[0]!r}" if len(names) == 1 else f"{len(names)} values"
        raise InputError(
            f"column {column!r} of the groups has {found}: expected from 2 to {MOST_GROUPS} groups"
        )
    return tuple(map(str, names)), group.reshape(-1)[members].astype(np.intp)


def joined(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Each row's values as one name; in quotes where else two groups would have the same one."""
    plain = [", ".join(row) for row in rows]
    if len(set(plain)) == len(set(rows)):
        return plain
    return [", ".join(map(repr, row)) for row in rows]


def demands(
    asked: Any,
    coverage: Fraction | None,
    column: str,
    values: Sequence[Any] | None,
    members: NDArray[np.intp] | None = None,
    *,
    undecided: bool,
    words: tuple[str, str] = ("fair", "group"),
) -> Demands | None:
    """What is demanded, checked. values, members: the groups of the rows, as `grouped` has them;
    None where no column is named. undecided: whether a list can leave rows undecided. words: what
    the caller calls the two.

    Raises OptionError, InputError; None where nothing is demanded.
    """
    fair = notions_of(asked)
    if fair and values is None:
        notion = fair[0][0]
        raise OptionError("⟨{}⟩ is given without ⟨{}⟩, the groups of {}".format(*words, notion))
    if coverage is not None and not undecided:
        raise OptionError("⟨coverage⟩ is given without ⟨abstain⟩ or ⟨defer⟩: all rows are decided")
    if not fair and values is not None:
        raise OptionError(
            f"⟨{words[1]}⟩ is given without ⟨{words[0]}⟩, what to keep equal between groups, such "
            "as statistical-parity:0.02"
        )
    if not fair and coverage is None:
        return None
    if values is None:
        return Demands(coverage=coverage)
    return Demands(fair, column, *grouped(values, column, members), coverage)
