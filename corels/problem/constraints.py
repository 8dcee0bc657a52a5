"""What predictions are demanded to keep to: bounds on rates, of all rows or of each group, and
bounds on how much the rates of groups differ.

A *rate* is A/B: of the women (B), those for whom the model says "yes" (A). Both are sums over rows
of what each outcome counts there, so over points, too, although the rows of one point may be of
different groups. A bound on a rate, or on the difference of two whose B are the data's, is a sum of
whole numbers between two others:

    low <= sum over points i of values[said at i][i] <= high.

If B depends on the model (precision), A/B >= p/q is the sum of q A - p B, and 0 or more; so a
precision of no rows keeps to any bound. The difference of two such rates is no such sum.
docs/internals/constraints.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError, OverflowRefusedError
from corels.problem.costs import summed
from corels.problem.rates import RATES, Demand, alike, in_words

if TYPE_CHECKING:
    from corels.tables import Dataset

MOST = 1 << 61  # of a sum
DEMANDED = ("rate", "column", "groups", "least", "most")


@dataclass(frozen=True, eq=False)
class Rate:
    """A share of some rows. counted: int64[O, P], the weight of those that each outcome counts at
    each point; of: the weight of all of them, 1 or more, or int64[O, P], if outcomes decide
    which these are. group: whose rows; "" for all rows."""

    group: str
    counted: NDArray[np.int64]
    of: int | NDArray[np.int64]

    def reached(self, said: NDArray[np.intp]) -> Fraction | None:
        """Of a model; None: it is a share of nothing. said: intp[P], its outcomes."""
        points = np.arange(len(said))
        of = self.of if isinstance(self.of, int) else int(self.of[said, points].sum())
        return Fraction(int(self.counted[said, points].sum()), of) if of else None


@dataclass(frozen=True, eq=False)
class Constraint:
    """Keeps a rate, or the first less the second of two, between `least` and `most`.

    rate: its name, in words. column: of the groups. If the one rate is a share of what the model
    decides, only one of `least` and `most` is a bound, and the other is 0 or 1. strict: that bound
    itself is not allowed.
    """

    rate: str
    column: str
    rates: tuple[Rate, ...]
    least: Fraction
    most: Fraction
    strict: bool = False

    @property
    def _upper(self) -> bool:
        """Of a rate whose B depends on the model: whether `most` is the bound."""
        return self.most < 1

    @cached_property
    def scale(self) -> int:
        """A value is a sum / scale: the common denominator of the rates, or that of the bound."""
        sizes = [rate.of for rate in self.rates if isinstance(rate.of, int)]
        return math.lcm(*sizes) if sizes else self._bound.denominator

    @property
    def _bound(self) -> Fraction:
        return self.most if self._upper else self.least

    @property
    def terms(self) -> list[tuple[int, NDArray[np.int64]]]:
        """Whole numbers, and arrays int64[O, P] of the rates: the values are the sum of these, each
        so many times."""
        first, *_ = self.rates
        if isinstance(first.of, int):
            return [
                (sign * self.scale // int(rate.of), rate.counted)
                for sign, rate in zip((1, -1), self.rates, strict=False)
            ]
        return [(self._bound.denominator, first.counted), (-self._bound.numerator, first.of)]

    @property
    def values(self) -> NDArray[np.int64]:
        """int64[O, P]: what each outcome adds at each point; made anew, since there is a constraint
        for each two of many groups."""
        return np.asarray(sum(array * times for times, array in self.terms))

    @cached_property
    def spread(self) -> int:
        """The greatest size of a sum, if each point may add to it with either sign."""
        return int(np.abs(self.values).max(axis=0).sum())

    @property
    def largest(self) -> int:
        """No sum is larger, whatever its sign: a rate is at most 1."""
        if isinstance(self.rates[0].of, int):
            return 2 * self.scale
        return sum(abs(times) * int(array.max(axis=0).sum()) for times, array in self.terms)

    @property
    def low(self) -> int:
        """The least sum that is allowed."""
        beyond = int(self.strict and not self._upper)
        if isinstance(self.rates[0].of, int):
            exact = self.least * self.scale
            return math.floor(exact) + 1 if beyond else math.ceil(exact)
        return -self.spread if self._upper else beyond

    @property
    def high(self) -> int:
        """The greatest."""
        beyond = int(self.strict and self._upper)
        if isinstance(self.rates[0].of, int):
            exact = self.most * self.scale
            return math.ceil(exact) - 1 if beyond else math.floor(exact)
        return -beyond if self._upper else self.spread

    def demanded(self) -> dict[str, Any]:
        """JSON-ready: what is demanded, the entries `DEMANDED` of a document."""
        groups = [rate.group for rate in self.rates]
        values = self.rate, self.column, groups, str(self.least), str(self.most)
        return dict(zip(DEMANDED, values, strict=True))


def demanded_of(stated: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the constraints of a document demand, without what a model reaches."""
    return [{name: one.get(name) for name in DEMANDED} for one in stated]


def summed_up(
    constraints: Iterable[Constraint], place: NDArray[np.intp], places: int
) -> tuple[Constraint, ...]:
    """The same over fewer points: the old ones add up by the place of each."""

    @cache  # pairs share the rates of their groups
    def rate(one: Rate) -> Rate:
        of = one.of if isinstance(one.of, int) else summed(one.of, place, places)
        return replace(one, counted=summed(one.counted, place, places), of=of)

    return tuple(replace(one, rates=tuple(map(rate, one.rates))) for one in constraints)


def documents(
    constraints: Iterable[Constraint], said: NDArray[np.intp]
) -> Iterator[dict[str, Any]]:
    """JSON-ready: what is demanded, and what a model reaches of each rate; None, if that is a
    share of nothing. said: intp[P], its outcomes."""

    @cache  # pairs share the rates of their groups
    def reached(rate: Rate) -> Fraction | None:
        return rate.reached(said)

    for one in constraints:
        first, *second = map(reached, one.rates)
        rates = [None if rate is None else str(rate) for rate in (first, *second)]
        value = None if first is None else str(first - sum(rate or 0 for rate in second))
        yield {**one.demanded(), "rates": rates, "value": value}


def constraints_text(constraints: Iterable[Constraint]) -> str:
    """In words; constraints of each group, or each two, stand together. What every model keeps to,
    such as the first bound of a path, is left out."""
    asking = [one for one in constraints if one.least > 0 or one.most < 1 or one.strict]
    demanded = []
    for rate, column, least, most, differ in alike(one.demanded() for one in asking):
        by = f" by {column}" if column else ""
        how, bound = ("within", most) if differ else (">=", least) if least != "0" else ("<=", most)
        demanded.append(f"{rate}{by} {how} {float(Fraction(bound)):g}")
    return " and ".join(demanded)


@dataclass(frozen=True, eq=False)
class Groups:
    """Who is in which group. names: of the groups; members: intp[N], of each row."""

    names: tuple[str, ...]
    members: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Demands:
    """What is demanded of the predictions for N rows.

    asked: of rates. groups: what the columns of some groups are called together -> these.
    """

    asked: tuple[Demand, ...]
    groups: Mapping[str, Groups] = field(default_factory=dict)

    def take(self, rows: NDArray[np.intp]) -> Demands:
        """The same for these of the rows."""
        groups = {name: replace(g, members=g.members[rows]) for name, g in self.groups.items()}
        return replace(self, groups=groups)

    def constraints(
        self, data: Dataset, point_of_row: NDArray[np.intp], points: int
    ) -> Iterator[Constraint]:
        """For the points of a data set.

        Raises InputError if a group has no row that a rate is a share of, OptionError if
        nothing can be counted, OverflowRefusedError if sums are too large.
        """
        counted = _Counted(data, self, point_of_row, points)
        rate_of = cache(counted.rate)  # the same rates are the same arrays
        for one in self.asked:
            names = counted.groups(one.column).names
            for rate in one.rates:
                rates = [rate_of(rate, one.column, group) for group in range(len(names))]
                ends = {">=": (one.bound, Fraction(1)), "<=": (Fraction(0), one.bound)}
                least, most = ends.get(one.how, (-one.bound, one.bound))
                pairs = combinations(rates, 2) if one.how == "within" else ((r,) for r in rates)
                for pair in pairs:
                    found = Constraint(in_words(rate), one.column, pair, least, most)
                    if found.largest > MOST:
                        raise OverflowRefusedError(
                            f"'{one}' is a sum of up to {found.largest}, more than 64 bits hold: "
                            "expected smaller weights, or a bound with fewer digits"
                        )
                    yield found


@dataclass(frozen=True, eq=False)
class _Counted:
    """Sums over rows of what outcomes count."""

    data: Dataset
    demands: Demands
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

    @property
    def weights(self) -> NDArray[np.int64]:
        """int64[N]."""
        given = self.data.weights
        return np.ones(self.data.n_rows, dtype=np.int64) if given is None else given

    def groups(self, column: str) -> Groups:
        """Those of a column; "": all rows are one."""
        everybody = Groups(("",), np.zeros(self.data.n_rows, dtype=np.intp))
        return self.demands.groups[column] if column else everybody

    def rate(self, name: str, column: str, group: int) -> Rate:
        """Of a group. Raises InputError if its B is 0, whatever the model."""
        called, among = self.groups(column).names[group], self.groups(column).members == group
        of_class = [
            int(self.weights[among & (self.data.labels == label)].sum())
            for label in range(len(self.data.classes))
        ]
        above, below = RATES[name]
        if below[0][2] == "each class":
            shares = [math.lcm(*(of_class or [0])) // (of or 1) for of in of_class]
            factor = np.array(shares)[self.data.labels]
            of = len(of_class) * math.lcm(*of_class)
            self._refuse_nothing(of, called, column, name)
            return Rate(called, self._sums("right", among, factor), of)
        counted = self._sum_of(above, among)
        if any(what != "row" for _, what, _ in below):
            return Rate(called, counted, self._sum_of(below, among))
        sizes = {"all": sum(of_class), "positives": of_class[-1], "negatives": sum(of_class[:-1])}
        of = sizes[below[0][2]]
        self._refuse_nothing(of, called, column, name)
        return Rate(called, counted, of)

    @staticmethod
    def _refuse_nothing(of: int, group: str, column: str, rate: str) -> None:
        if not of:
            who = f"group {group!r} of column {column!r}" if column else "the data"
            raise InputError(f"the {in_words(rate)} of {who} is a share of nothing")

    def _sum_of(self, terms: Iterable[tuple[int, str, str]], among: Any) -> NDArray[np.int64]:
        rows = {"all": True, "positives": self.positive, "negatives": ~self.positive}
        found = sum(times * self._sums(what, among & rows[which]) for times, what, which in terms)
        return np.asarray(found)

    def _sums(self, what: str, among: NDArray[np.bool_], times: Any = None) -> NDArray[np.int64]:
        """int64[O, P]: the weight of these rows that each outcome counts."""
        found = np.zeros((len(self.kinds), self.points), dtype=np.int64)
        weights = self.weights if times is None else self.weights * times
        for outcome in range(len(found)):
            rows = np.flatnonzero(among & self._counts(what, outcome))
            np.add.at(found[outcome], self.point_of_row[rows], weights[rows])
        return found

    def _counts(self, what: str, outcome: int) -> NDArray[np.bool_]:
        """bool[N]: whether an outcome counts for each row. A model that is asked says the positive
        class of a row if it is right of one that is, or wrong of one that is not."""
        kind, costs = self.kinds[outcome], self.data.costs
        right = self.data.labels == outcome if costs is None else costs.right[outcome] > 0
        if what in ("right", "row"):
            return np.asarray(right | (what == "row"))
        if kind == "defer":
            called = np.asarray(right == self.positive)
        else:
            called = np.full(len(right), outcome == len(self.data.classes) - 1)
        says = np.full(len(right), kind == "class" or (kind == "defer" and what != "decided"))
        return says if what == "decided" else says & (called == (what == "called"))


def joined(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Each row's values as one name; in quotes if else two groups would have the same one."""
    plain = [", ".join(row) for row in rows]
    if len(set(plain)) == len(set(rows)):
        return plain
    return [", ".join(map(repr, row)) for row in rows]
