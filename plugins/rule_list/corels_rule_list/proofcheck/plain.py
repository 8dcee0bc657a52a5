"""The plain checker of rule lists: what one has to believe of a proof, in one file.

It is written to be read beside docs/internals/proof.md, from the top to the bottom:

    table_of    the points of the raw table -> costs
    priced      constraints and their multipliers -> costs
    Tables      cells, which a proof gives as data -> lower bounds of sets of points
    Plain       every claim, counted again

The points themselves, and which conditions hold where, are `corels.check.points`, and what
constraints count is `corels.check.rated`. The bytes of a proof are read by `reading`: whatever
claims it gives, each is counted again here. Nothing here is faster than it needs to be, but if
many claims are counted together as one product of matrices. All numbers that decide are whole
numbers.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.check.points import fraction
from corels.check.rated import RatedRows, sums_of
from corels.check.verdict import Failure, FalseDataError

MOST_COST = 1 << 56  # of what a point or a rule pays: sums of sixty-four do not overflow
MOST_SHIFT = 62
EXACT = 1 << 53  # sums of whole numbers below are exact as floats
NUMBERS_AT_ONCE = 1 << 22  # in the matrix of a batch
FAR = 1 << 62  # more than any cost, and more rules than any list has

Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]
Priced = list[tuple[list[int], int]]  # numbers of antecedents, and a cost
Rows = list[list[int]]  # the number of a point or an antecedent, and one more for each class
Cells = Iterable[tuple[Rows, Rows]]  # points with weights; antecedents with prices
Given = list[tuple[int, Cells]]  # the shift of the prices; cells
# Sets, how many rules may follow, and how many come before -> a lower bound.
Reason = Callable[[Bools, Any, Any], Whole]
# What checks a record of a plugin's bound, and the record's numbers. It is made of the table, the
# numbers and the listener to progress, and raises FalseDataError; its `least` is a reason.
Facts = Sequence[tuple[Any, Sequence[int]]]


# What the table says -------------------------------------------------------------------------


class Table(NamedTuple):
    """The points of the raw table, and what mistakes and rules cost.

    A point's *regret* for a class is what it costs, in weight of rows, to predict that class and
    not its most frequent one. Points without regret cost nothing, whatever is predicted, and are
    left out. A mistake costs `unit`. All costs are beyond `base`, what every list pays. If
    outcomes have costs, these stand for classes, their costs for mistakes; `total` is then no less
    than all that the worst outcomes cost.

    captures: bool[M, P], which antecedents hold where; regrets: int64[C, P]; kept: for each point
    that a proof may name by its number, its index among the P points, or -1. An objective times
    `scale` is a cost and `offset`; objectives are multiples of 1/`whole`. Rules predict one of the
    first `for_rules` classes, of these those that may_say allows, bool[M, C], and the default rule
    any. demanded: what lists have to keep to.
    """

    captures: Bools
    regrets: Whole
    kept: Whole
    unit: int
    rule_cost: int
    base: int
    total: int
    scale: int | Fraction
    offset: int | Fraction
    whole: int | Fraction
    for_rules: int
    may_say: Bools
    demanded: "Demanded | None" = None

    def objective(self, cost: int) -> Fraction:
        """The objective that a cost stands for; at the prices of constraints, the least one of a
        list that keeps to them and costs so much."""
        return Fraction(
            math.ceil(Fraction(cost + self.offset, self.scale) * self.whole), self.whole
        )

    def cost(self, rules: Sequence[int]) -> int:
        """What a list costs, with the best class for what each rule captures and for the rest."""
        left = np.ones(self.captures.shape[1], np.bool_)
        errors = 0
        for rule in rules:
            errors += self.errors(left & self.captures[rule], self.may_say[rule])
            left &= ~self.captures[rule]
        errors += self.errors(left)
        return self.rule_cost * len(rules) + self.unit * errors

    def errors(self, points: Bools, classes: Any = slice(None)) -> int:
        """Of the best class for all of these points: one of some, or of all."""
        return int(self.regrets[classes][:, points].sum(axis=1).min())


def table_of(  # noqa: PLR0917
    header: Mapping[str, Any],
    captures: Bools,
    counts: Whole,
    amounts: Whole | None = None,
    whole: int | Fraction = 1,
    for_rules: int | None = None,
    may_say: Bools | None = None,
    first: Sequence[int] = (),
) -> Table:
    """The table of all points: captures bool[M, points]; counts int64[C, points], weight by class;
    amounts int64[O, points], what outcomes cost in units of 1/whole: by default, the mistakes.
    for_rules: outcomes that rules may say, the first ones; by default, all. may_say: bool[M, O], of
    these what a rule with each antecedent may say; by default, all. first: the antecedents of the
    rules that every list begins with; what they capture is taken out, and paid with the base.

    A mistake costs 1 of `worth`, N times `whole` with the weight N of all rows, and a rule lambda:
    `unit` and `rule_cost` are the smallest whole numbers in the ratio of 1/worth and lambda. Raises
    ValueError if costs are negative, or 64 bits do not hold them.
    """
    weight = counts.sum(axis=0)
    if amounts is None:
        amounts = weight - counts
    lowered = np.minimum(amounts.min(axis=0), 0)  # what outcomes cost below nothing
    amounts = amounts - lowered
    penalty, worth = fraction(header["regularization"]), whole * int(weight.sum())
    total = max(math.ceil(worth), int(amounts.max(axis=0).sum()))
    both = math.lcm(Fraction(1, worth).denominator, penalty.denominator)
    unit, rule_cost = int(Fraction(both, worth)), int(penalty * both)
    divisor = math.gcd(unit, rule_cost)
    unit, rule_cost = unit // divisor, rule_cost // divisor
    if rule_cost < 0 or max(rule_cost, unit * total) >= 1 << 60:
        raise ValueError(f"costs of {penalty} a rule are below 0 or too large to be counted")
    least = amounts.min(axis=0)
    for_rules = len(amounts) if for_rules is None else for_rules
    said = np.ones((len(captures), len(amounts)), np.bool_) if may_say is None else may_say
    said = said & (np.arange(len(amounts)) < for_rules)
    left, paid = np.ones(len(least), np.bool_), 0
    for rule in first:
        held, left = left & captures[rule], left & ~captures[rule]
        paid += int(amounts[said[rule]][:, held].sum(axis=1).min())
    some = left & (amounts > least).any(axis=0)  # points with a regret, behind the first rules
    return Table(
        captures=captures[:, some],
        regrets=(amounts - least)[:, some],
        kept=np.where(some, np.cumsum(some) - 1, -1),
        unit=unit,
        rule_cost=rule_cost,
        base=unit * (paid + int(least[left].sum())) + rule_cost * len(first),
        total=total,
        scale=unit * worth,
        offset=unit * int(lowered.sum()),
        whole=unit * worth,
        for_rules=for_rules,
        may_say=said,
    )


# What constraints make of costs ----------------------------------------------------------------


class Demanded(NamedTuple):
    """Of all P points: captures: bool[M, P]; priced: int64[O, P], costs with the prices of
    constraints, beyond the least one at each point; amounts: int64[O, P], without; values:
    int[K, O, P], what an outcome adds to the sum of each constraint, which has to be from low to
    high. first: the antecedents of the rules that every list begins with. A list's objective times
    Table.whole is its amounts times `unit` and `rule_cost` for each rule."""

    captures: Bools
    priced: Whole
    amounts: Whole
    values: Any
    low: list[int]
    high: list[int]
    unit: int
    rule_cost: int
    first: list[int]


def priced(  # noqa: PLR0917
    header: Mapping[str, Any],
    captures: Bools,
    counts: Whole,
    rows: RatedRows,
    amounts: Whole,
    whole: int | Fraction,
    for_rules: int,
    may_say: Bools,
    first: Sequence[int] = (),
) -> Table:
    """The table of a proof under constraints, whose costs contain the prices of these.

    amounts: int64[O, points], what outcomes cost in units of 1/whole. With a multiplier m for each
    constraint low <= g <= high, a list that keeps to them costs at least what it costs with
    m g added, less m b, where b is high if m > 0, else low. In the header's unit each outcome's
    cost at each point is rounded down, which makes no list dearer.
    """
    scale = fraction(header["scale"])
    multipliers = [fraction(one) for one in header["multipliers"]]
    parts = math.lcm((scale / whole).denominator, *((m * scale).denominator for m in multipliers))
    costs, less = amounts.astype(object) * int(scale / whole * parts), Fraction(0)
    kept_to = [sums_of(one, rows, captures.shape[1]) for one in header["constraints"]]
    for m, (values, low, high) in zip(multipliers, kept_to, strict=True):
        costs = costs + values * int(m * scale * parts)
        less += m * (high if m > 0 else low)
    costs = costs // parts
    if np.abs(costs).sum() >= 1 << 60:
        raise ValueError("costs with the prices of constraints are too large to be counted")
    costs = costs.astype(np.int64)
    table = table_of(header, captures, counts, costs, scale, for_rules, may_say, first)
    plain = table_of(header, captures, counts, amounts, whole)
    sums, least, most = map(list, zip(*kept_to, strict=True))
    beyond = costs - costs.min(axis=0)
    return table._replace(
        offset=table.offset - table.unit * scale * less,
        whole=plain.whole,
        demanded=Demanded(
            captures, beyond, amounts, sums, least, most, plain.unit, plain.rule_cost, [*first]
        ),
    )


# What cells show -----------------------------------------------------------------------------


class Cell(NamedTuple):
    """A few points, each with a share of what it pays, and the best that lists can do there.

    A set of the cell's points is a number: point i is `bits[i]`. places: the points' indices in the
    table. states: the sets that rules can leave of the cell, rising. table: int64[states],
    what the cheapest list costs.
    """

    places: Whole
    bits: Any
    states: Any
    table: Whole

    def least(self, points: Bools) -> Any:
        """The table's rows for many sets of the table's points: bool[P, n]."""
        left = self.bits @ points[self.places]
        return self.table[np.searchsorted(self.states, left)]


class Tables:
    """The cells of one record: a set of points costs at least what its parts in all cells cost.

    Rules have *prices* in each cell, and costs are taken times 2^shift. The sum is
    a lower bound because no point pays more in all cells than it costs, and no rule more than the
    price of a rule: this is checked here (docs/internals/prices.md).
    """

    def __init__(self, table: Table, shift: int, cells: Cells) -> None:
        self.table = table
        self.up, self.down = max(shift, 0), max(-shift, 0)
        costs = table.unit * table.regrets
        highest = int(costs.max(initial=table.rule_cost))
        if max(self.up, self.down) > MOST_SHIFT or highest << self.up > MOST_COST:
            raise FalseDataError("the unit of the prices is too small")
        # What is still to be paid, of each point for each class, and of each rule for each class.
        self.point_pays = costs << self.up >> self.down
        rule_pays = table.rule_cost << self.up >> self.down
        self.rule_pays = np.full((len(table.captures), len(table.regrets)), rule_pays)
        self.cells = [self._filled(points, cuts) for points, cuts in cells if points or cuts]

    def _filled(self, points: Rows, cuts: Rows) -> Cell:
        """A cell whose points and rules pay what the record says. Raises FalseDataError."""
        rows = np.array(points, np.int64).reshape(len(points), 1 + len(self.table.regrets))
        places, weights = self.table.kept[rows[:, 0]], rows[:, 1:]
        bits = np.uint64(1) << np.arange(len(points), dtype=np.uint64)
        traces = self.table.captures[:, places] @ bits  # what each antecedent captures of the cell
        prices = np.zeros((len(traces), weights.shape[1]), np.int64)
        for antecedent, *price in cuts:  # also of all that capture the same of the cell
            if traces[antecedent] in (0, bits.sum()):
                raise FalseDataError("a cell has a price for what captures none or all of it")
            prices[traces == traces[antecedent]] = price
        self._pay(places, weights, prices)
        traces, first = np.unique(traces, return_index=True)
        return self._solved(places, bits, weights, list(zip(traces, prices[first], strict=True)))

    def _pay(self, places: Whole, weights: Whole, prices: Whole) -> None:
        """Subtract what a cell's points and rules pay from what they have left."""
        np.subtract.at(self.point_pays.T, places, weights)
        self.rule_pays = self.rule_pays - prices
        below = self.point_pays.min() < 0 or self.rule_pays.min(initial=0) < 0
        if below or places.min() < 0 or weights.max() > MOST_COST:
            raise FalseDataError("the cells pay more than there is to pay for a point or a rule")

    def _solved(
        self, places: Whole, bits: Any, weights: Whole, rules: Sequence[tuple[Any, Whole]]
    ) -> Cell:
        """The table of a cell. rules: what each captures, as a set, and its price for each class.

        A rule takes a state to the rest of it, and costs the errors of the best class on what it
        captures, and its price for this class. So many steps of that are done as rules are counted:
        no more than there are points.
        """
        states = bits.sum(keepdims=True)  # all points; and then what rules leave
        for captured, _ in rules:
            states = np.union1d(states, states & ~captured)
        errors = ((states[:, None] & bits) > 0) @ weights  # [states, classes]
        moves = []
        for captured, price in rules:
            rest = np.searchsorted(states, states & ~captured)
            moves.append((rest, (errors - errors[rest] + price).min(axis=1)))
        stop = errors.min(axis=1)
        best = stop
        for _ in bits:
            before, best = best, stop
            for rest, cost in moves:
                best = np.minimum(best, cost + before[rest])
        return Cell(places, bits, states, best)

    def least(self, sets: Bools, _left: Any = FAR, _before: Any = 0) -> Whole:
        """What whatever follows costs at least if it does not stop at once: int64[n], for sets
        of points bool[n, P], however many rules may follow."""
        points = np.ascontiguousarray(sets.T)
        total = np.zeros(len(sets), np.int64)
        for cell in self.cells:
            total += cell.least(points)
        return np.asarray(-(-total << self.down >> self.up))  # rounded up


# The claims ----------------------------------------------------------------------------------


class Counts(NamedTuple):
    """Of n sets S of points and all M antecedents r.

    stop: [n], what it costs to stop at S. errors: [n, M], of the best class on what r captures of
    S. closing: [n, M], what it costs to stop behind r. worst: [n, M], the errors if the worst class
    of each point is predicted if r captures it; 0 if r captures nothing.
    """

    stop: Whole
    errors: Whole
    closing: Whole
    worst: Whole


class Plain:
    """Claims against a table.

    A claim (Z, v) says: whatever follows rules with the antecedents Z costs at least v. It is about
    the points S that they leave. It holds if to stop at S costs v or more, and for each antecedent
    r that captures something of S, every list that begins with r costs v or more, or something else
    is as good as beginning with r (`instead`, and rules that save no more than they cost).

    What T = S without r costs may rest on another claim, about T. They never rest on each other in
    a circle: a claim rests only on those with less *room*, that is what all points of their set
    cost at worst less what they say.

    If lists have at most `most` rules, a claim is about what follows with at most as many rules
    as its own leave (`may`). A claim about k rules holds for fewer; of more it shows what it says,
    or what k + 1 rules cost, if that is less.

    facts: records of bounds from plugins, each with what checks it.
    tell: is called with what is done, how much of it, and of how much.
    """

    def __init__(  # noqa: PLR0917
        self,
        table: Table,
        claims: Priced,
        given: Given,
        tell: Any,
        most: int = FAR,
        facts: Facts = (),
    ) -> None:
        self.claims, self.tell, self.captures = claims, tell, table.captures
        self.unit, self.rule_cost, self.may_say = table.unit, table.rule_cost, table.may_say
        self.worst = table.regrets.max(axis=0, initial=0)  # of each point, over the classes
        self._weigh(table)
        self.values = np.array([value for _, value in claims], np.int64)
        # How many rules may follow, at all and behind those of each claim: an antecedent is of use
        # once.
        self.most = most if most == FAR else min(most, len(self.captures))
        self.may = np.array(
            [FAR if most == FAR else self.most - len(rules) for rules, _ in claims], np.int64
        )
        tables = [Tables(table, *cells).least for cells in reversed(given)]
        # Ways to see what a set T costs at least, if a list does not stop there at once.
        facts_say = [checker(table, numbers, tell).least for checker, numbers in facts]
        self.reasons: list[Reason] = [*facts_say, *tables, self.claimed_of, self.one_rule]
        # By how many rules may follow, then by the set of points: the claim that says most.
        self.said: dict[int, dict[bytes, int]] = {may: {} for may in self.may.tolist()}
        for some in self._parts(np.argsort(self.values, kind="stable"), "claims by their sets"):
            keys = map(bytes, np.packbits(self.left(some), axis=1))
            for may, key, claim in zip(self.may[some], keys, some.tolist(), strict=True):
                self.said[int(may)][key] = claim
        self.worth = np.append(self.values, 0)  # of claims; of none, which is claim -1

    def _weigh(self, table: Table) -> None:
        """What `counted` multiplies sets of points with.

        weights: [P, (C + 1) * (M + 1)]. For each class, and last for the worst class of each point,
        there is a column for each antecedent, of the regrets where it captures; and one of all
        regrets. Sums of whole numbers are exact in these: all are below 2^24, or else below 2^53.
        """
        real = np.float32 if table.total < 1 << 24 else np.float64
        everywhere = np.ones((1, self.captures.shape[1]), np.bool_)
        masks = np.vstack([self.captures, everywhere])
        regrets = np.vstack([table.regrets, self.worst])
        self.real, self.shape = real, (len(regrets), len(masks))
        self.weights: Any = np.hstack([(masks * regret).T for regret in regrets]).astype(real)

    def _parts(self, items: Whole, what: str) -> Iterator[Whole]:
        """Batches of claims whose matrices fit into memory."""
        size = max(1, NUMBERS_AT_ONCE // max(self.weights.shape))
        for at in range(0, len(items), size):
            self.tell(what, at, len(items))
            yield items[at : at + size]

    def left(self, claims: Whole) -> Bools:
        """bool[n, P]: the points that the rules of each claim leave."""
        return np.array([~self.captures[self.claims[i][0]].any(axis=0) for i in claims])

    def claimed_of(self, sets: Bools, left: Any = FAR, _before: Any = 0) -> Whole:
        """int64[n]: the most that a claim about this set shows of what at most `left`
        rules cost, 0 without any."""
        keys = [*map(bytes, np.packbits(sets, axis=1))]
        most = np.zeros(len(sets), np.int64)
        for may, said in self.said.items():
            says = self.worth[np.array([said.get(key, -1) for key in keys], np.int64)]
            one_more = min((may + 1) * self.rule_cost, FAR)
            most = np.maximum(most, np.where(left > may, np.minimum(says, one_more), says))
        return most

    def counted(self, sets: Bools) -> Counts:
        """The counts of sets of points bool[n, P], all in one product of matrices."""
        product = (sets.astype(self.real) @ self.weights).astype(np.int64)
        counts = product.reshape(-1, *self.shape)
        captured, everything = counts[:, :-1, :-1], counts[:, :-1, -1:]  # by class
        return Counts(
            stop=self.unit * everything.min(axis=(1, 2)),
            errors=np.where(self.may_say.T, captured, FAR).min(axis=1),
            closing=self.unit * (everything - captured).min(axis=1),
            worst=counts[:, -1, :-1],
        )

    def check(self, bound: int | None) -> Failure | None:
        """The first of the claims that does not hold; or that none says the bound of all lists."""
        for some in self._parts(np.arange(len(self.claims)), "claims"):
            failure = self._check_some(some)
            if failure is not None:
                return failure
        everything = np.ones((1, self.captures.shape[1]), np.bool_)
        least = int(self.claimed_of(everything, self.most)[0])
        return None if bound is None or least >= bound else Failure(-1, bound, -1, least)

    def _check_some(self, some: Whole) -> Failure | None:
        """The first of a batch of claims that does not hold."""
        sets, values = self.left(some), self.values[some]
        counts = self.counted(sets)
        # What lists have to cost behind r, [n, M]: to stop there, and to go on by one rule or more.
        need = values[:, None] - self.rule_cost - self.unit * counts.errors
        may = self.may[some, None]
        rules = np.array([len(self.claims[i][0]) for i in some])
        going_on = np.where(may > 1, self.rule_cost, FAR)  # at least, if that is allowed
        open_ = (np.minimum(counts.closing, going_on) < need) & (may > 0)
        # A rule that saves no more than it costs: the list without it is as good.
        open_ &= self.unit * (counts.worst - counts.errors) > self.rule_cost
        parts = 1 + int(open_.sum()) * max(self.weights.shape) // NUMBERS_AT_ONCE
        for pairs in np.array_split(np.argwhere(open_), parts):
            i, r = pairs.T
            open_[i, r] = False
            for reason in self.reasons:
                behind = reason(sets[i] & ~self.captures[r], may[i, 0] - 1, rules[i] + 1)
                shown = np.minimum(counts.closing[i, r], behind)
                short = shown < need[i, r]
                i, r = i[short], r[short]
            cells = sets[i] & self.captures[r]
            open_[i, r] = ~self.instead(cells, r, counts.errors[i], counts.worst[i])
        for k, claim in enumerate(some.tolist()):
            if counts.stop[k] < values[k]:
                return Failure(claim, int(values[k]), -1, int(counts.stop[k]))
            for r in np.flatnonzero(open_[k]).tolist():
                return Failure(claim, int(values[k]), r, int(counts.stop[k]))
        return None

    def one_rule(self, sets: Bools, left: Whole, _before: Any = 0) -> Whole:
        """What one rule or more cost at least: the best single rule, or two rules if they may."""
        counts = self.counted(sets)
        one = self.rule_cost + self.unit * counts.errors + counts.closing
        one = np.where(counts.worst > 0, one, FAR)  # of those that capture something
        two = np.where(left > 1, 2 * self.rule_cost, FAR)
        return np.asarray(np.minimum(one.min(axis=1, initial=FAR), two))

    def instead(self, cells: Bools, r: Whole, errors: Whole, worst: Whole) -> Bools:
        """bool[n]: some other antecedent q does as well as r and comes first.

        q makes no more errors than r, even if all points that r captures and q leaves are counted
        as errors at worst. Removals do not lean on each other in a circle, since q makes fewer
        errors, or captures more, or has the smaller number. cells: what r captures of the set;
        errors, worst: [n, M], of all antecedents in the same set.
        """
        row = np.arange(len(r))
        own_errors, own_worst = errors[row, r][:, None], worst[row, r][:, None]
        missed = own_worst - self.counted(cells).worst  # of what r captures, q leaves at worst
        as_good = errors + missed <= own_errors
        smaller = np.arange(len(self.captures)) < r[:, None]
        first = (errors < own_errors) | (worst > own_worst) | smaller
        return np.asarray((as_good & first).any(axis=1))
