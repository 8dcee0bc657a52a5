"""Constraints as prices: multipliers turn them into costs, which any search minimises.

With a multiplier m for each constraint, a list that keeps to them costs at least

    min over all lists d of [ cost(d) + sum m (g(d) - b) ],   b = high if m > 0, else low.

A search wants whole numbers that 32 bits can hold. So a cost a and a value v together become
floor((q D a + p v) / D) with m = p/(q D) and whole p, q, D: rounded down, prices stay a lower
bound, and the loss is less than 1/q for each point. A search counts digit by digit, so it gets
fewer parts than q of a cost if rounding down to these loses next to nothing.
docs/internals/constraints.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError, OverflowRefusedError
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.problem.constraints import documents
from corels.problem.costs import MOST

# A multiplier makes values at most so many times as large as all costs together; less if 32 bits
# do not hold as much: the bounds of such multipliers may be weaker, and hold all the same.
STEEPEST = 16
ROOM = 1 << 60
MOST_PARTS = 256  # of a cost, for multipliers that are simple fractions
MOST_RELABELLED = 1024  # lists of the same antecedents that are tried
LOST = Fraction(1, 50)  # of a rule: what rounding may cost a search
MOST_PREFIXES = 1 << 18  # of different sums, if the cheapest of them is looked for

Multipliers = tuple[int, ...]  # p of each constraint; m = p / (q D)


def dearest(problem: Problem) -> int:
    """What any list costs at most, scaled."""
    rules = min(problem.n_antecedents, problem.n_points)
    return problem.unit * problem.most + problem.rule_cost * rules


def steepened(constraints: int, steepest: int = STEEPEST) -> int:
    """How many times as much costs and values add up to, at any multipliers, as all costs do."""
    return 1 + 2 * steepest * constraints


class Listed(NamedTuple):
    """A list as numbers: antecedents and what each rule says, the default last; its scaled cost,
    and the sum of each constraint's values."""

    antecedents: tuple[int, ...]
    said: tuple[int, ...]
    cost: int
    sums: Sequence[int]


class Prices:
    """A problem's costs and values, and the problems that multipliers make of them.

    amounts: int64[O, P]. steepest: the largest |p| of each constraint. may: bool[M, R], of the
    outcomes that rules may say, those that each antecedent's may.
    There may be a constraint for each two of many groups, so sums are those of the rates: summed:
    int64[1 + R, O, P], what outcomes cost, then the R arrays of all rates. mix: int64[1 + K, 1 +
    R], how often costs and values have these.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.most = problem, dearest(problem)
        self.low = [one.low for one in problem.constraints]
        self.high = [one.high for one in problem.constraints]
        self.summed, self.mix = _rates(problem)
        self.amounts = self.summed[0]
        size = max(1, int(self.amounts.max(axis=0).sum()))
        spreads = [max(1, one.spread) for one in problem.constraints]
        room = MOST - problem.n_points
        steepest = STEEPEST
        while steepest > 1 and size * steepened(len(spreads), steepest) > room:
            steepest -= 1
        most = max(problem.worth, size * steepened(len(spreads), steepest))
        scaled = problem.unit * most + problem.rule_cost * (problem.n_antecedents + 1)
        if most > room:
            raise OverflowRefusedError(
                f"costs add up to {most} with the constraints, more than the {room} that counts "
                "can hold: expected fewer rows, smaller weights, or costs with fewer digits"
            )
        if scaled > ROOM:
            raise OverflowRefusedError(
                f"lambda {problem.regularization} and costs that add up to {most} with the "
                "constraints leave 60 bits in units of both: expected lambda with fewer digits"
            )
        self.q = min(room // most, ROOM // scaled)
        self.d = max(1, ROOM // (self.q * scaled))
        self.steepest = [steepest * size * self.q * self.d // spread for spread in spreads]
        self.of_rules = range(problem.outcomes.for_rules)  # what rules may say; the default: any
        may, rules = problem.may_say, len(self.of_rules)
        whole = (problem.n_antecedents, rules)
        self.may = np.ones(whole, np.bool_) if may is None else may[:, :rules]

    @cached_property
    def captures(self) -> NDArray[np.bool_]:
        """bool[M, P]."""
        return unpack(self.problem.masks, self.problem.n_points)

    def _together(self, prices: Multipliers) -> NDArray[np.int64]:
        """int64[O, P]: costs and values together, in 1/(q D).

        The parts of a rate may leave 64 bits; modulo 2^64 they add up to a sum that fits.
        """
        first, *parts = np.array([self.q * self.d, *prices], dtype=np.int64) @ self.mix
        found: NDArray[np.int64] = self.amounts * first
        for part, counted in zip(parts, self.summed[1:], strict=True):
            if part:
                found += counted * part
        return found

    def priced(self, prices: Multipliers) -> NDArray[np.int64]:
        """int64[O, P]: costs and values together, rounded down, in 1/q."""
        return np.asarray(self._together(prices) // self.d)

    def free(self, prices: Multipliers) -> Problem:
        """The problem without constraints that the multipliers make, in few parts of a cost."""
        parts, amounts = self._in_few_parts(prices)
        if self.problem.offset:  # so that its objective is that of the problem
            assert self.problem.costs is not None
            amounts += parts * (self.problem.costs.amounts - self.problem.amounts)
        scale = self.problem.outcomes.scale * parts
        return replace(self.problem.priced(amounts, scale), constraints=())

    def _in_few_parts(self, prices: Multipliers) -> tuple[int, NDArray[np.int64]]:
        """(into how many parts a cost is divided, int64[O, P] costs and values together in these,
        rounded down)."""
        own = self.q * self.d
        whole, rest = np.divmod(self._together(prices), own)
        parts = self._fewest_parts(prices, rest)
        whole *= parts  # in place: of many points these are large
        if parts < self.q:
            rest *= parts
        rest //= own if parts < self.q else self.d
        whole += rest
        return parts, whole

    def _fewest_parts(self, prices: Multipliers, rest: NDArray[np.int64]) -> int:
        """The fewest parts of a cost in which the multipliers are whole numbers, or a power of two,
        if rounding down `rest`, in 1/(q D), loses at most LOST of a rule in any list; else q."""
        own = self.q * self.d
        fractions = (Fraction(p, own).limit_denominator(MOST_PARTS) for p in prices)
        simple = math.lcm(*(one.denominator for one in fractions))
        powers = (1 << k for k in range(4, self.q.bit_length()))
        most = LOST * self.problem.rule_cost / self.problem.unit
        for parts in sorted({simple, *powers}):
            if parts >= self.q or parts * own >= ROOM:
                break
            lost = np.zeros(rest.shape[1], dtype=np.int64)
            for outcome in rest:
                np.maximum(lost, outcome * parts % own, out=lost)
            if float(lost.sum(dtype=np.float64)) <= most * parts * own:
                return parts
        return self.q

    def allowance(self, prices: Multipliers) -> int:
        """What lists that keep to the constraints pay less than it seems, at least: sum p b."""
        bounds = (
            p * (high if p > 0 else low)
            for p, low, high in zip(prices, self.low, self.high, strict=True)
        )
        return sum(bounds)

    def allowed(self, prices: Multipliers) -> Fraction:
        """The same in units of the objective."""
        return Fraction(self.allowance(prices), self.q * self.d * self.problem.worth)

    def multipliers(self, prices: Multipliers) -> list[Fraction]:
        """What a sum of 1 adds to the cost of a row, by constraint."""
        parts = self.q * self.d * self.problem.outcomes.scale
        return [Fraction(p, parts) for p in prices]

    def of_differences(self, prices: Multipliers) -> list[Fraction]:
        """What a value of 1 of each constraint, such as the whole difference of two rates, adds to
        the objective."""
        parts = self.q * self.d * self.problem.worth
        return [
            Fraction(p * one.scale, parts)
            for p, one in zip(prices, self.problem.constraints, strict=True)
        ]

    def within(self, sums: NDArray[Any]) -> NDArray[np.bool_]:
        """Of sums [..., K] whether they keep to all constraints."""
        return np.asarray(((sums >= self.low) & (sums <= self.high)).all(axis=-1))

    def keeps(self, found: Listed) -> bool:
        """Whether the rules of a list say what they may, and it keeps to all constraints."""
        rules = zip(found.antecedents, found.said, strict=False)
        may = all(self.problem.says([rule])[said] for rule, said in rules)
        return may and bool(self.within(np.array(found.sums)))

    def reached(self, found: Listed) -> tuple[Mapping[str, Any], ...]:
        """What is demanded, and what a list reaches, JSON-ready."""
        said = self.outcomes(found.antecedents, found.said)
        return tuple(documents(self.problem.constraints, said))

    def listed(self, antecedents: Sequence[int], said: Sequence[int]) -> Listed:
        """Cost and sums of a list."""
        paid, *sums = self.paid(antecedents, said)
        cost = self.problem.unit * paid + self.problem.rule_cost * len(antecedents)
        return Listed(tuple(antecedents), tuple(said), cost, sums)

    def paid(self, antecedents: Sequence[int], said: Sequence[int]) -> tuple[int, ...]:
        """What the outcomes of a list cost, in the unit of `amounts`, and its sums."""
        outcomes = self.outcomes(antecedents, said)
        points = np.arange(self.problem.n_points)
        return tuple((self.mix @ self.summed[:, outcomes, points].sum(axis=1)).tolist())

    def relabelled(self, antecedents: Sequence[int]) -> list[Listed]:
        """The lists with these antecedents that say anything, or nothing if these are many."""
        choices = [self._says(one) for one in antecedents] + [range(len(self.amounts))]
        if math.prod(map(len, choices)) > MOST_RELABELLED:
            return []
        unit, rules = self.problem.unit, self.problem.rule_cost * len(antecedents)
        return [
            Listed(tuple(antecedents), said, unit * paid + rules, sums)
            for said, paid, sums in self._together_say(self._cells(antecedents), choices)
        ]

    def begun(self) -> list[Listed]:
        """The first rules of the problem with all that they may say together, without a default:
        costs and sums of what they capture. One without rules if none are given."""
        first = self.problem.first
        said = self._together_say(self._cells(first)[:-1], [self._says(one) for one in first])
        return [Listed(first, *one) for one in said]

    def _together_say(
        self, cells: Sequence[NDArray[np.int64]], choices: Sequence[Sequence[int]]
    ) -> Iterator[tuple[tuple[int, ...], int, list[int]]]:
        """All that cells may say together: what each says, what that costs, its sums."""
        nothing = np.zeros(1 + len(self.low), np.int64)
        for said in product(*choices):
            parts = [cell[:, o] for cell, o in zip(cells, said, strict=True)]
            paid, *sums = np.sum([nothing, *parts], axis=0).tolist()
            yield said, paid, sums

    def _says(self, antecedent: int) -> list[int]:
        """What a rule with this antecedent may say."""
        return np.flatnonzero(self.problem.says([antecedent])).tolist()

    def _cells(self, antecedents: Sequence[int]) -> list[NDArray[np.int64]]:
        """int64[1 + K, O] of each rule, the default last: what its cell costs and adds."""
        free, cells = np.ones(self.problem.n_points, dtype=np.bool_), []
        for antecedent in antecedents:
            cells.append(self.summed @ (free & self.captures[antecedent]))
            free &= ~self.captures[antecedent]
        return [self.mix @ cell for cell in (*cells, self.summed @ free)]

    def cheapest(self, antecedents: Sequence[int]) -> Listed | None:
        """The cheapest list with these antecedents that keeps to the constraints, or None.

        Cell by cell: what the first rules say matters by their cost and sums alone, so of equal
        sums the cheapest is kept, and none whose sums the other rules cannot bring within bounds.
        Raises OptionError if that leaves too many.
        """
        cells = self._cells(antecedents)
        says = [np.array(self._says(one)) for one in antecedents] + [np.arange(len(self.amounts))]
        cells = [cell[:, may] for cell, may in zip(cells, says, strict=True)]
        known = np.zeros((1, 1 + len(self.low)), dtype=np.int64)
        said = np.zeros((1, 0), dtype=np.int16)
        for place, cell in enumerate(cells):
            if len(known) > MOST_PREFIXES:
                raise OptionError(f"what {len(antecedents)} rules can say is too much to try it")
            further = (known[:, None] + cell.T).reshape(-1, known.shape[1])
            new = np.tile(says[place].astype(said.dtype), len(known))[:, None]
            said = np.concatenate([np.repeat(said, cell.shape[1], axis=0), new], axis=1)
            rest = [other[1:] for other in cells[place + 1 :]]
            least = sum((one.min(axis=1) for one in rest), np.zeros(len(self.low), np.int64))
            most = sum((one.max(axis=1) for one in rest), np.zeros(len(self.low), np.int64))
            sums = further[:, 1:]
            fits = ((sums + least <= self.high) & (sums + most >= self.low)).all(axis=1)
            order = np.flatnonzero(fits)
            order = order[np.argsort(further[order, 0], kind="stable")]
            first = np.unique(further[order, 1:], axis=0, return_index=True)[1]
            known, said = further[order[first]], said[order[first]]
        if not len(known):
            return None
        best = int(known[:, 0].argmin())
        return self.listed(antecedents, said[best].tolist())

    def outcomes(self, antecedents: Sequence[int], said: Sequence[int]) -> NDArray[np.intp]:
        """intp[P]: what a list says at each point."""
        found = np.full(self.problem.n_points, said[-1], dtype=np.intp)
        for antecedent, outcome in reversed(list(zip(antecedents, said, strict=False))):
            found[self.captures[antecedent]] = outcome
        return found


def _rates(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`Prices.summed` and `mix`."""
    arrays = {id(a): a for one in problem.constraints for _, a in one.terms}
    places = {key: 1 + place for place, key in enumerate(arrays)}
    mix = np.zeros((1 + len(problem.constraints), 1 + len(arrays)), dtype=np.int64)
    mix[0, 0] = 1
    for one, row in zip(problem.constraints, mix[1:], strict=True):
        for times, array in one.terms:
            row[places[id(array)]] += times
    return np.stack([problem.amounts, *arrays.values()]), mix
