"""A model as what decides, in order: the one form in which every family of models is used.

A *decider* is a rule, a set of clauses, or what is left at the end. The first decider that holds
decides a row; the last one always holds. Predictions, exports, reports and the recount of `corels
check` are made from deciders alone, so a family that lists its deciders has all of them.

    Decider.rule(antecedent, ...)             if the antecedent holds
    Decider.rule(None, ...)                   always: the default rule, the else
    Decider(..., (clause, ...), "any")        if any of the clauses holds; without clauses never
    Decider(..., (clause, ...), "all")        if all of them hold; without clauses always
    Decider(..., (clause, ...), "points",     if the points of the clauses that hold add up to the
            points=(2, 1, 1), threshold=2)    threshold or more

A clause joins antecedents by "and" or "or". A reader of deciders need not know these shapes: `fold`
goes through the formula, from the antecedents up, with points unrolled into "any" and "all".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from corels.errors import InputError

if TYPE_CHECKING:
    from corels.tables import Antecedent

MOST_UNROLLED = 10_000
Found = TypeVar("Found")
Joined = Callable[[list[Found]], Found]


class Clause(NamedTuple):
    """One or more antecedents, joined. counts: training weight that satisfies it, per class."""

    antecedents: tuple[Antecedent, ...]
    join: Literal["and", "or"]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decider:
    """What decides some rows, and what it says of them.

    Attributes:
        outcome: index into the model's outcomes, which are its classes if there are no costs.
        counts: training weight that it decides, per class.
        clauses: what it asks; at most one if `quantity` is empty.
        quantity: how many of the clauses have to hold; empty for a rule.
        points, threshold: of "points": what each clause is worth, at least 1, and the least sum.
            For points that are taken away, give them to the contrary and raise the threshold.
        stated: the probability of the second class that the model states; None: it states none.
        costs: of each outcome for what it decides, in the model's `Outcomes.scale`; empty without.
        right: if there are costs, the weight that the outcome is right for; None if nobody
            can say, of "don't know" and of actions.
    """

    outcome: int
    counts: tuple[int, ...]
    clauses: tuple[Clause, ...] = ()
    quantity: Literal["", "any", "all", "points"] = ""
    stated: Fraction | None = None
    costs: tuple[int, ...] = ()
    right: int | None = None
    points: tuple[int, ...] = ()
    threshold: int = 0

    @classmethod
    def rule(  # noqa: PLR0917
        cls,
        antecedent: Antecedent | None,
        outcome: int,
        counts: tuple[int, ...],
        stated: Fraction | None = None,
        costs: tuple[int, ...] = (),
        right: int | None = None,
    ) -> Decider:
        """A rule; without an antecedent the one that gets what is left."""
        clauses = () if antecedent is None else (Clause((antecedent,), "and", counts),)
        return cls(outcome, counts, clauses, "", stated, costs, right)

    @property
    def always(self) -> bool:
        """Whether it holds for every row."""
        return not self.clauses and self.quantity not in ("any", "points")

    @property
    def never(self) -> bool:
        """Whether it holds for no row."""
        if self.quantity == "points":
            return sum(self.points) < self.threshold
        return not self.clauses and self.quantity == "any"

    @property
    def need(self) -> str:
        """What has to hold of its clauses, in words: 'any', 'all' or 'at least 3 points'."""
        if self.quantity != "points":
            return self.quantity or "all"
        return f"at least {self.threshold} {'point' if self.threshold == 1 else 'points'}"

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """What it asks of a row, in order."""
        return tuple(a for clause in self.clauses for a in clause.antecedents)

    def asking(self, other: Callable[[Antecedent], Antecedent]) -> Decider:
        """The same, with other antecedents."""
        clauses = (c._replace(antecedents=tuple(map(other, c.antecedents))) for c in self.clauses)
        return replace(self, clauses=tuple(clauses))

    @property
    def captured(self) -> int:
        """Training weight that it decides."""
        return sum(self.counts)

    @property
    def correct(self) -> int:
        """Of it, the weight that its outcome is right for."""
        return (self.right or 0) if self.costs else self.counts[self.outcome]

    @property
    def judged(self) -> bool:
        """Whether its outcome can be right or wrong."""
        return not self.costs or self.right is not None

    @property
    def cost(self) -> int:
        """What its outcome costs: the errors, if there are no costs."""
        return self.costs[self.outcome] if self.costs else self.captured - self.correct

    @property
    def shown_count(self) -> int:
        """The count that stands beside a rule: what is right, or of the class of `stated`."""
        return self.correct if self.stated is None else self.counts[1]

    @property
    def frequencies(self) -> tuple[float, ...]:
        """The probability of each class: what is stated, or its share of what is decided.

        Uniform if nothing is stated and nothing was decided in training.
        """
        if self.stated is not None:
            return 1.0 - float(self.stated), float(self.stated)
        if not self.captured:
            return tuple(1 / len(self.counts) for _ in self.counts)
        return tuple(count / self.captured for count in self.counts)

    def fold(
        self, leaf: Callable[[Antecedent], Found], every: Joined[Found], some: Joined[Found]
    ) -> Found:
        """The formula in any form: `leaf` of an antecedent, `every` and `some` of parts."""
        parts = self.parts(leaf, every, some)
        if self.quantity == "points":
            parts = [
                self._joined([parts[place] for place in enough], every) for enough in self.enough()
            ]
        return self._joined(parts, some if self.quantity in ("any", "points") else every)

    @staticmethod
    def _joined(parts: list[Found], join: Joined[Found]) -> Found:
        return parts[0] if len(parts) == 1 else join(parts)

    def enough(self) -> list[tuple[int, ...]]:
        """The least sets of clauses, by number, whose points reach the threshold. Raises InputError
        for more than `MOST_UNROLLED`."""
        order = sorted(range(len(self.points)), key=lambda place: -self.points[place])
        found: list[tuple[int, ...]] = []

        def extend(taken: tuple[int, ...], start: int, missing: int) -> None:
            if missing <= 0:
                found.append(tuple(sorted(taken)))
                if len(found) > MOST_UNROLLED:
                    raise InputError(
                        f"a sum of points has more than {MOST_UNROLLED} ways to reach its threshold"
                    )
                return
            for at in range(start, len(order)):
                if sum(self.points[place] for place in order[at:]) < missing:
                    return
                extend((*taken, order[at]), at + 1, missing - self.points[order[at]])

        extend((), 0, self.threshold)
        return found

    def parts(
        self, leaf: Callable[[Antecedent], Found], every: Joined[Found], some: Joined[Found]
    ) -> list[Found]:
        """The formula of each clause; as `fold`."""

        def clause(one: Clause) -> Found:
            parts = [leaf(antecedent) for antecedent in one.antecedents]
            return self._joined(parts, every if one.join == "and" else some)

        return [clause(one) for one in self.clauses]


def in_order(deciders: Sequence[Decider]) -> tuple[list[Decider], Decider]:
    """(those that may decide, the one for the rest): up to the first one that always holds."""
    last = next(number for number, one in enumerate(deciders) if one.always)
    return [one for one in deciders[:last] if not one.never], deciders[last]
