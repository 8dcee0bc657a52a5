"""The problem: weighted points, antecedents, and a regularization as exact integers.

A data set of N rows and M antecedents is collapsed once, without loss:

* Rows that satisfy the same antecedents are one *point*; a point carries, per class, the weight of
  its rows. No model can tell the rows of a point apart.
* Antecedents that capture the same points are one antecedent; the first is kept, and the others
  are reported in `merged`.

Costs are integers. With regularization lambda = p/q and total weight n,

    R(d) = errors/n + (p/q) * length   =   (unit * errors + rule_cost * length) / (unit * n),

where `unit` = q/g, `rule_cost` = p*n/g and g = gcd(q, p*n). Every comparison that prunes compares
these integers, so both backends prune alike and a certificate is exact.

With `costs`, what outcomes cost takes the place of errors, in units of 1/s, and s*n that of n. The
engines want costs of 0 or more: at a point if an outcome costs less than nothing, `amounts` has
all outcomes raised by as much, and `offset` is what has to be added again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError, OverflowRefusedError
from corels.options import unknown
from corels.problem.captures import Captures, OverPoints, finished
from corels.problem.collapsing import check_antecedents, collapsed_in_pieces, distinct_in_pieces
from corels.problem.constraints import Constraint, summed_up
from corels.problem.costs import (
    Costs,
    Outcomes,
    classes_and,
    refuse_large,
    summed,
    whole_or_fraction,
)
from corels.problem.counting import Counted, PlainRules, counted
from corels.problem.regularization import MAX_COST, fitting_regularization, most_rules
from corels.problem.statement import antecedents_in_short, difference, rows_hash, statement

if TYPE_CHECKING:
    from corels.tables import Antecedent, Dataset
    from corels.tables.directions import Direction
    from corels.tables.learned import Learned

ClassLabel = str | int | float | bool

MAX_WEIGHT = 2**31 - 1  # total weight: what a 32-bit count of the kernels can hold


@dataclass(frozen=True, eq=False)
class Problem(OverPoints):
    """What is to be learned: `M` antecedents over `P` weighted points of `C` classes.

    captures: M sets of P points. weights: int64[C, P], the weight of each class at each point.
    costs: what each of O outcomes costs at each point; None: a class costs what it gets wrong.
    constraints: only models that keep to these count.
    weighed: what was done to make the weights whole numbers; "" if they are as given.
    weight_unit: what a weight of 1 stands for. row_counts: int64[C, P], the rows of each class at
    each point; None if they are what `weights` says. reading,
    handed: as of a `Dataset`. unused: of the columns that make no antecedent, why. directions: of
    columns; first: numbers of the antecedents of the rules that every list begins with. may_say:
    what these two leave a rule with each antecedent to say, bool[M, O], one outcome or more; None:
    all that `Outcomes.for_rules` does.
    """

    captures: Captures
    weights: NDArray[np.int64]
    regularization: Fraction
    antecedents: tuple[Antecedent, ...]
    classes: tuple[ClassLabel, ...]
    label_name: str = "label"
    name: str = ""
    merged: tuple[tuple[str, str], ...] = ()  # (dropped antecedent, the equal one that was kept)
    rows: int = 0
    known: Learned = field(default_factory=dict)  # what is kept of the columns
    costs: Costs | None = None
    constraints: tuple[Constraint, ...] = ()
    weighed: str = ""
    weight_unit: Fraction = Fraction(1)
    row_counts: NDArray[np.int64] | None = None
    reading: Mapping[str, Any] | None = None
    handed: tuple[str, ...] = ()
    unused: Mapping[str, str] = field(default_factory=dict)
    directions: tuple[Direction, ...] = ()
    may_say: NDArray[np.bool_] | None = None
    first: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.costs is not None:
            refuse_large(self.most, self.costs.outcomes.scale)
        costs = self.unit * self.most + self.rule_cost * most_rules(self.n_antecedents)
        if self.total > MAX_WEIGHT:
            raise OverflowRefusedError(
                f"the total weight is {self.total}, more than the {MAX_WEIGHT} that counts can "
                f"hold: divide the weights by {-(-self.total // MAX_WEIGHT)} or more, or learn "
                "from some of the rows"
            )
        if costs >= MAX_COST:
            raise OverflowRefusedError(
                f"regularization {self.regularization} is too fine: costs are whole numbers, which "
                f"would reach {costs}, above 2^62; expected 0, or a smaller denominator"
            )

    @cached_property
    def numbers(self) -> Mapping[Antecedent | None, int]:
        """Antecedent -> its index."""
        return {antecedent: number for number, antecedent in enumerate(self.antecedents)}

    @cached_property
    def total(self) -> int:
        """Total weight n (the number of rows, if rows are not weighted)."""
        return int(self.weights.sum())

    @property
    def outcomes(self) -> Outcomes:
        """What a rule may say: the classes, if there are no costs."""
        return classes_and(self.classes, (), 1) if self.costs is None else self.costs.outcomes

    @property
    def amounts(self) -> NDArray[np.int64]:
        """int64[O, P]: what each outcome costs at each point, 0 or more: errors, or the costs less
        `offset`."""
        if self.costs is None:
            return np.asarray(self.weights.sum(axis=0) - self.weights)
        return self.costs.amounts - self._lowered

    @property
    def _lowered(self) -> NDArray[np.int64]:
        """int64[P]: of the costs below 0 at each point, the least."""
        assert self.costs is not None
        return np.asarray(np.minimum(self.costs.amounts.min(axis=0), 0))

    @cached_property
    def offset(self) -> int:
        """What has to be added to `amounts` for the costs as they are; 0 without negative costs."""
        return 0 if self.costs is None else int(self._lowered.sum())

    @property
    def worth(self) -> int | Fraction:
        """What the objective counts as 1: s*n."""
        if self.costs is None:
            return self.total
        return whole_or_fraction(Fraction(self.total * self.costs.outcomes.scale))

    @cached_property
    def most(self) -> int:
        """What the worst predictions cost in all, or `worth`, if that is more."""
        if self.costs is None:
            return self.total
        return max(math.ceil(self.worth), int(self.amounts.max(axis=0).sum()))

    @cached_property
    def _rule_worth(self) -> Fraction:
        """What a rule costs in errors, or units of costs: `rule_cost / unit`, in lowest terms."""
        return self.regularization * self.worth

    @property
    def unit(self) -> int:
        """Scaled cost of one error, or of one unit of costs."""
        return self._rule_worth.denominator

    @property
    def rule_cost(self) -> int:
        """Scaled cost of one rule."""
        return self._rule_worth.numerator

    @property
    def scale(self) -> int | Fraction:
        """Objective = (scaled cost + unit * offset) / scale."""
        return whole_or_fraction(Fraction(self.unit * self.worth))

    def objective(self, cost: int) -> Fraction:
        """The objective R that a scaled cost stands for."""
        return Fraction(cost + self.unit * self.offset, self.scale)

    def scaled(self, objective: Fraction) -> Fraction:
        """The scaled cost that an objective stands for."""
        return objective * self.scale - self.unit * self.offset

    def priced(self, amounts: NDArray[np.int64], scale: int | Fraction) -> Problem:
        """The same data and outcomes with other costs: int64[O, P] of any sign, in 1/scale."""
        right = self.weights if self.costs is None else self.costs.right
        outcomes = replace(self.outcomes, scale=scale)
        costs = Costs(outcomes, np.asarray(amounts, dtype=np.int64), right).reduced()
        return replace(self, costs=costs)

    @cached_property
    def class_supports(self) -> NDArray[np.int64]:
        """int64[C, M]: the weight of each class that each antecedent captures."""
        return np.stack([self.captures.supports(weights) for weights in self.weights])

    @cached_property
    def data_hash(self) -> str:
        """SHA-256 of the rows; see `corels.problem.statement.rows_hash`."""
        return rows_hash(self.captures, self.weights, self.costs, self.constraints)

    @cached_property
    def antecedents_in_short(self) -> dict[str, Any]:
        """The number and the hash of the antecedents."""
        from corels.tables.condition import as_mappings

        return antecedents_in_short(as_mappings(self.antecedents))

    def statement(
        self,
        limits: Mapping[str, Any] | None = None,
        *,
        regularized: bool = True,
        short: bool = False,
    ) -> dict[str, Any]:
        """What is to be learned, JSON-ready: everything that a proof or a certificate is about.

        limits: of the models, as of `Search.limits`. regularized: whether lambda counts. short:
        with the number and the hash of the antecedents in their place. The same table gives the
        same statement, whatever reads or counts it.
        """
        return statement(self, limits or {}, regularized=regularized, short=short)

    def statement_like(self, stated: Mapping[str, Any]) -> dict[str, Any]:
        """The statement of this problem with the limits of another one, which no data says, and
        without lambda if that has none."""
        regularized = not stated or "regularization" in stated
        return self.statement(stated.get("limits"), regularized=regularized)

    def difference_to(self, stated: Mapping[str, Any]) -> str | None:
        """The first thing in which a statement differs from this problem, in a sentence; None if
        it is of this problem."""
        return difference(stated, self.statement_like(stated))

    @cached_property
    def behind_first(self) -> NDArray[np.bool_]:
        """bool[P]: the points that the first rules leave."""
        left = np.ones(self.n_points, dtype=np.bool_)
        for number in self.first:
            left &= ~self.captures[number]
        return left

    @property
    def base(self) -> int:
        """What every list costs, scaled: the first rules, and behind them at each point what the
        cheapest outcome does."""
        left, paid = np.ones(self.n_points, dtype=np.bool_), 0
        for number in self.first:
            caught, left = left & self.captures[number], left & ~self.captures[number]
            paid += int(self.amounts[self.says([number])][:, caught].sum(axis=1).min())
        paid += int(self.amounts.min(axis=0)[left].sum())
        return self.unit * paid + self.rule_cost * len(self.first)

    def count(self, rules: PlainRules) -> Counted:
        """What the rules of a model capture and cost here. Nothing else turns rules into numbers.

        Raises OptionError for what is no model of this problem: a rule that is none of its
        antecedents, an outcome that it has not, no default rule.
        """
        return counted(self, rules)

    def says(self, antecedents: Iterable[int]) -> NDArray[np.bool_]:
        """bool[O]: what a rule that asks these antecedents may say; of none, what any rule may."""
        free = np.arange(len(self.outcomes)) < self.outcomes.for_rules
        asked = list(antecedents)
        return free if self.may_say is None else free & self.may_say[asked].all(axis=0)

    def number_of(self, antecedent: Antecedent, place: str = "the model") -> int:
        """The number of an antecedent, or of the equal one that was kept.

        Raises OptionError if there is none. place: the caller's name in the sentence.
        """
        number = self.numbers.get(antecedent)
        if number is None:
            kept = dict(self.merged).get(antecedent.name)
            number = next((n for n, a in enumerate(self.antecedents) if a.name == kept), None)
        if number is None:
            raise OptionError(
                f"{place} asks {antecedent.name!r}, which is no antecedent of this problem"
            )
        return number

    def beginning(self, rules: Sequence[str]) -> Problem:
        """The problem of the lists that begin with these rules: "NAME then OUTCOME", or "NAME" to
        say what is cheapest, by names of antecedents; after those that it has already.

        Raises OptionError for another name or outcome, or one that such a rule may not say.
        """
        from corels.tables.first import again, split

        texts = [rules] if isinstance(rules, str) else rules
        known = {a.name: number for number, a in enumerate(self.antecedents)}
        known |= {dropped: known[kept] for dropped, kept in self.merged}
        free = np.ones((self.n_antecedents, len(self.outcomes)), dtype=np.bool_)
        may, first = free if self.may_say is None else self.may_say.copy(), [*self.first]
        for text in texts:
            name, said = split(text, self.outcomes.names, self.label_name)
            if name not in known:
                raise OptionError(unknown("antecedent", name, list(known)))
            if known[name] in first:
                raise OptionError(again(text))
            first.append(known[name])
            if said is not None and not self.says([known[name]])[said]:
                raise OptionError(f"first rule {text!r} says what it may not")
            if said is not None:
                may[known[name]] &= np.arange(len(self.outcomes)) == said
        return replace(self, first=tuple(first), may_say=None if may.all() else may)

    def with_regularization(self, regularization: object) -> Problem:
        """The same data with another regularization."""
        size = (self.most, self.n_antecedents)
        exact = fitting_regularization(regularization, *size, costed=self.costs is not None)
        return replace(self, regularization=exact)

    def restricted(self, kept: Sequence[int]) -> Problem:
        """The problem with these of its antecedents only."""
        place, first, captures = finished(distinct_in_pieces(self.captures.take(kept)))
        return replace(
            self,
            captures=captures,
            weights=summed(self.weights, place, len(first)),
            row_counts=None
            if self.row_counts is None
            else summed(self.row_counts, place, len(first)),
            antecedents=tuple(self.antecedents[number] for number in kept),
            costs=self.costs and self.costs.summed(place, len(first), None),
            constraints=summed_up(self.constraints, place, len(first)),
            merged=(),
            may_say=None if self.may_say is None else self.may_say[list(kept)],
            first=tuple(list(kept).index(number) for number in self.first),
        )

    def one_sided(self) -> Problem:
        """The problem with the antecedents alone that speak for the positive class, the last one,
        wherever they ask a column with a direction. Raises OptionError if there are none."""
        if self.may_say is None:
            return self
        if len(self.classes) > 2:
            raise OptionError(
                f"column {self.directions[0].column!r} has a direction, and the label "
                f"{len(self.classes)} classes: here directions are about one of two"
            )
        kept = np.flatnonzero(self.may_say[:, len(self.classes) - 1])
        if not len(kept):
            raise OptionError("the directions of the columns leave no condition")
        found = self.restricted(kept.tolist())
        names = {antecedent.name for antecedent in found.antecedents}
        merged = tuple(pair for pair in self.merged if pair[1] in names)
        return replace(found, may_say=None, merged=merged)

    @classmethod
    def from_dataset(
        cls,
        data: Dataset,
        regularization: object = "0.01",
        *,
        check: Callable[[], None] | None = None,
        empty: bool = False,
    ) -> Problem:
        """Collapse a data set.

        Args:
            data: rows, antecedents and labels.
            regularization: lambda, what a rule costs: a share of the rows, or if outcomes have
                costs, an average cost of a row.
            check: is called now and then, and may raise to end the work.
            empty: whether there may be no antecedents.

        Raises:
            InputError: on data without antecedents.
            OptionError: on a wrong lambda.
        """
        if not hasattr(data, "n_antecedents"):
            raise OptionError(
                f"from_dataset takes a Dataset, not a {type(data).__name__}: "
                "corels.tables.table_dataset(data, LABEL) makes one of a frame or a path"
            )
        if not empty:
            check_antecedents(data)
        total = data.total
        if data.costs is not None:
            total *= math.ceil(max(data.costs.outcomes.scale, int(data.costs.amounts.max())))
        size = (total, data.n_antecedents)
        exact = fitting_regularization(regularization, *size, costed=data.costs is not None)
        return cls(regularization=exact, **finished(collapsed_in_pieces(data), check))


def check_problem(given: Any, asker: str) -> None:
    """Raise OptionError for what is no `Problem`, with what to call instead of `asker`."""
    if isinstance(given, Problem):
        return
    raise OptionError(
        f"{asker} takes a Problem, not a {type(given).__name__}: corels.learn(data, label=NAME) "
        "takes a frame or a path, and corels.Problem.from_dataset makes one of a Dataset"
    )
