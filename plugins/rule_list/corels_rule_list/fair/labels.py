"""The cheapest list of a graph that keeps to the constraints, by labels.

A *label* is a prefix, as far as it matters for what may follow: the set that it leaves, what it
costs, and what it has added to each constraint. Labels are taken up in order of the least that a
list through them can cost, so the first complete one is the best: A* search. That least comes from
several multipliers at once: for each, the graph's smallest sets first, the least completion in
costs and prices is known exactly, and so are the least and the greatest sum of each constraint
that a completion can still add. A label is dropped if these miss the constraint, and if a
cheaper one at the same set has the same sums. Rules may say any outcome, not only the cheapest: it
may be the expensive one that keeps to a constraint. Proofs: docs/internals/constraints.md.

All sums are whole numbers: in floats only if these hold them exactly, else in 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import popcounts, unpack
from corels.search.good_lists import ENDS, ONE_MORE, NearGraph, NearInstance
from corels_rule_list.fair.prices import Listed, Multipliers, Prices

FAR = 1 << 61  # more than any cost
EXACT = 1 << 52  # floats hold smaller whole numbers, and sums of two
REMEMBERED = 1 << 28  # bytes of sets whose rules are kept counted
LABEL_BYTES = 400  # of a label with its places in heap and table, roughly

Numbers = NDArray[np.int64]
State = int | bytes  # a set of the graph, or, if one more rule fits, its bits


class _Counted(NamedTuple):
    """A set, its rules counted. E rules, O outcomes, K constraints, J multipliers.

    rules: int[E]; behind: int[E], as of a `NearGraph`. cells: int64[E, O, 1 + K], cost and values
    of what a rule captures; rest: the same of what it leaves; total: int64[O, 1 + K], of the set.
    least: int64[E, J], of completions behind a rule; low, high: int64[E, K], what they add.
    """

    set: NDArray[np.bool_]
    rules: NDArray[np.int32]
    behind: NDArray[np.int32]
    cells: Numbers
    rest: Numbers
    total: Numbers
    least: Numbers
    low: Numbers
    high: Numbers


class _Label(NamedTuple):
    """A prefix: amounts and sums so far, and the label it continues by a rule that says outcome."""

    state: State
    paid: int
    sums: tuple[int, ...]
    rules: int
    parent: _Label | None
    antecedent: int
    outcome: int


@dataclass
class _Open:
    """A label whose followers are not all taken up. found: whether a list was, behind it."""

    key: tuple[object, ...]
    cost: int
    rest: Iterator[tuple[int, tuple[object, ...], int, _Label]]
    found: bool = False


@dataclass(eq=False)
class Labels:
    """The search for the cheapest list. `grow` the bounds, then `search`; both in pieces."""

    prices: Prices
    instance: NearInstance
    graph: NearGraph
    multipliers: Sequence[Multipliers]
    best: Listed | None
    begun: Sequence[Listed] = ()  # the prefixes that the graph begins behind; (): no rule
    labels: int = 0
    lower: int = 0  # no list of the graph that keeps to the constraints costs less

    def __post_init__(self) -> None:
        prices, instance, multipliers = self.prices, self.instance, self.multipliers
        problem, sets = prices.problem, len(self.graph.sets)
        self._p = np.array(multipliers, dtype=np.int64)
        self._allowance = np.array([prices.allowance(p) for p in multipliers], dtype=np.int64)
        self._unit, self._rule = problem.unit, problem.rule_cost
        self._low, self._high = np.array(prices.low), np.array(prices.high)
        self._masks = unpack(instance.masks, instance.bits)
        self._columns: NDArray[Any] = np.zeros((0, 0), np.int64)
        self._known, self._size = dict[State, _Counted](), 0
        self._least = np.zeros((sets, len(multipliers)), dtype=np.int64)
        # The least, and minus the greatest.
        self._lows = np.zeros((2, sets, len(self._low)), dtype=np.int64)

    def _arrange(self) -> Iterator[None]:
        """[columns, bits]: each outcome's costs, rates and priced costs; then the least cost, value
        of each constraint and priced cost of any outcome, and minus the greatest values."""
        prices, point = self.prices, self.instance.point
        priced = [prices.priced(p) * self._unit for p in self.multipliers]
        each = [*prices.summed, *priced]
        outcomes, k, exact = len(prices.amounts), len(self._low), True
        found = np.zeros((outcomes * len(each) + 1 + 2 * k + len(priced), len(point)), np.int64)
        self._columns = found  # not yet filled, but its memory is taken
        for number, row in enumerate(self._rows(each, priced)):
            found[number, point >= 0] = row[point[point >= 0]]
            exact &= int(np.abs(found[number]).sum()) < EXACT
            yield
        if exact:
            for row in found:
                row.view(np.float64)[:] = row.astype(np.float64)
                yield
        self._columns = found.view(np.float64) if exact else found

    def _rows(self, each: Sequence[Numbers], priced: Sequence[Numbers]) -> Iterator[Numbers]:
        """The columns by points."""
        constraints = self.prices.problem.constraints
        for outcome in range(len(self.prices.amounts)):
            yield from (one[outcome] for one in each)
        yield self.prices.amounts.min(axis=0)
        yield from (one.values.min(axis=0) for one in constraints)
        yield from (one.min(axis=0) for one in priced)
        yield from (-one.values.max(axis=0) for one in constraints)

    @property
    def _upper(self) -> int:
        """What the best list costs; more than any if none is known."""
        return self.best.cost if self.best is not None else 1 << 62

    @property
    def memory(self) -> int:
        """Bytes, roughly."""
        held = (self._columns, self._masks, self._least, self._lows)
        return self.labels * LABEL_BYTES + self._size + sum(array.nbytes for array in held)

    def _count(
        self, bits: NDArray[np.bool_], rules: NDArray[np.int32], behind: NDArray[np.int32]
    ) -> _Counted:
        """A set's rules, and what may follow each."""
        k, (rates, outcomes) = len(self._low), self.prices.summed.shape[:2]
        width = 1 + k + len(self._p)
        captured = self._masks[rules] & bits
        rows = np.concatenate([captured, bits[None]]).astype(self._columns.dtype)
        upto = outcomes * (rates + len(self._p))
        counted = self._sums(rows, slice(upto)).reshape(len(rows), outcomes, -1)
        values = counted[..., :rates] @ self.prices.mix.T
        said = np.concatenate([values, counted[..., rates:]], axis=2)
        cells, total = said[:-1], said[-1]
        rest = total - cells
        ends = rest.min(axis=1)
        least = ends[:, 1 + k :]
        low = np.stack([ends[:, 1 : 1 + k], -rest[:, :, 1 : 1 + k].max(axis=1)])
        more = behind == ONE_MORE
        if more.any():
            sums, rule = self._sums(rows, slice(upto, None)), self.prices.q * self._rule
            left = sums[-1] - sums[:-1]
            least = np.where(more[:, None], np.minimum(least, left[:, 1 + k : width] + rule), least)
            of_values = np.stack([left[:, 1 : 1 + k], left[:, width:]])
            low = np.where(more[None, :, None], np.minimum(low, of_values), low)
        goes = behind >= 0
        if goes.any():
            least = np.where(goes[:, None], self._least[behind], least)
            low = np.where(goes[None, :, None], self._lows[:, behind], low)
        return _Counted(bits, rules, behind, cells, rest, total, least, low[0], -low[1])

    def _sums(self, rows: NDArray[Any], columns: slice) -> Numbers:
        """Of the points of each row."""
        return np.asarray(rows @ self._columns[columns].T, dtype=np.int64)

    def _of_graph(self, number: int) -> _Counted:
        graph = self.graph
        rules = slice(graph.begins[number], graph.begins[number + 1])
        bits = unpack(graph.sets[number : number + 1], self.instance.bits)[0]
        return self._count(bits, graph.antecedents[rules], graph.behind[rules])

    def grow(self) -> Iterator[None]:
        """What is counted, then the bounds of all sets, from the smallest up; yields after each."""
        yield from self._arrange()
        k = len(self._low)
        says, rule = self.prices.of_rules, self.prices.q * self._rule
        for number in np.argsort(popcounts(self.graph.sets), kind="stable").tolist():
            counted = self._of_graph(number)
            cells, total = counted.cells[:, says], counted.total
            least = total[:, 1 + k :].min(axis=0)
            values = total[:, 1 : 1 + k]
            low = np.stack([values.min(axis=0), -values.max(axis=0)])
            if len(cells):
                priced = np.where(self._may(counted.rules), cells[:, :, 1 + k :], FAR)
                paid = priced.min(axis=1) + rule + counted.least
                least = np.minimum(least, paid.min(axis=0))
                added = cells[:, :, 1 : 1 + k]
                lows = (added.min(axis=1) + counted.low).min(axis=0)
                highs = (added.max(axis=1) + counted.high).max(axis=0)
                low = np.minimum(low, np.stack([lows, -highs]))
            self._least[number], self._lows[:, number] = least, low
            yield

    def _counted(self, state: State) -> _Counted:
        """A state's set; the last ones are remembered."""
        if state in self._known:
            return self._known[state]
        if isinstance(state, int):
            found = self._of_graph(state)
        else:
            bits = np.frombuffer(state, dtype=np.bool_)
            rules = np.flatnonzero((self._masks & bits).any(axis=1)).astype(np.int32)
            found = self._count(bits, rules, np.full(len(rules), ENDS, np.int32))
        if self._size > REMEMBERED:
            self._known.clear()
            self._size = 0
        self._known[state] = found
        self._size += sum(part.nbytes for part in found)
        return found

    def search(self) -> Iterator[None]:
        """Take up label after label; yields after each. At the end `best` is the best."""
        heap = [(0, number, start) for number, start in enumerate(self._starts())]
        number, known = len(heap), dict[tuple[object, ...], int]()
        while heap:
            bound, _, label = heappop(heap)
            if bound >= self._upper:
                break
            self.lower = max(self.lower, bound)
            counted = self._counted(label.state)
            ends = np.flatnonzero(counted.behind < 0)
            ending = self._ending(label, counted, self._upper - 1, ends)
            self.best = min(ending, key=lambda found: found.cost, default=self.best)
            for bound, key, cost, further in self._followed(label, counted, self._upper):
                if cost < known.get(key, cost + 1):
                    known[key] = cost
                    number += 1
                    heappush(heap, (max(bound, self.lower), number, further))
            self.labels = len(known)
            yield
        self.lower = self._upper

    def within(self, most: int) -> Iterator[Listed | None]:
        """Every list of the graph that keeps to the constraints and costs at most `most`, once, in
        no order; None after each label. An empty default cell says the first outcome.

        Depth first. If nothing was found behind a label, there is nothing behind equal ones that
        cost as much or more.
        """
        starts = ((0, (0, number), 0, one) for number, one in enumerate(self._starts()))
        vain = dict[tuple[object, ...], int]()  # equal labels -> the cost from which on it is so
        waiting = [_Open((), 0, iter(starts))]
        while waiting:
            at = waiting[-1]
            for _, key, cost, label in at.rest:
                if cost >= vain.get(key, cost + 1):
                    continue
                counted = self._counted(label.state)
                ends = np.flatnonzero(counted.behind == ENDS)
                ending = list(self._ending(label, counted, most, ends))
                yield from ending
                further = self._followed(label, counted, most + 1)
                waiting.append(_Open(key, cost, further, found=bool(ending)))
                break
            else:
                waiting.pop()
                if not at.found:
                    vain[at.key] = at.cost
                elif waiting:
                    waiting[-1].found = True
            self.labels = len(vain)
            yield None

    def _starts(self) -> Iterator[_Label]:
        """The labels of the set that the graph begins with."""
        root = _Label(0, 0, (0,) * len(self._low), 0, None, -1, -1)
        for one in self.begun or [Listed((), (), 0, root.sums)]:
            label = root
            for rules, (antecedent, said) in enumerate(zip(*one[:2], strict=True), 1):
                label = _Label(0, one.cost, tuple(one.sums), rules, label, antecedent, said)
            yield label

    def _ending(
        self, label: _Label, counted: _Counted, most: int, ends: NDArray[np.intp]
    ) -> Iterator[Listed]:
        """Of the lists that cost at most `most` and keep to the constraints those that end here,
        and those that end behind one of some rules: `ends`, places among the rules."""
        k, says = 1 + len(self._low), self.prices.of_rules
        total = counted.total[:, :k]
        for (outcome,) in np.argwhere(self._keeping(label, total, 0, most)).tolist():
            if not outcome or counted.set.any():
                yield self._listed(label, (), (outcome,), total[outcome])
        if not len(ends):
            return
        cells = counted.cells[ends][:, says, None, :k] + counted.rest[ends][:, None, :, :k]
        keeping = self._keeping(label, cells, 1, most) & self._may(counted.rules[ends])
        for e, said, outcome in np.argwhere(keeping).tolist():
            rule = int(counted.rules[ends[e]])
            if not outcome or (counted.set & ~self._masks[rule]).any():
                yield self._listed(label, (rule,), (says[said], outcome), cells[e, said, outcome])

    def _keeping(self, label: _Label, added: Numbers, rules: int, most: int) -> NDArray[np.bool_]:
        """Whether a label with [..., 1 + K] added keeps to the constraints, and to `most`."""
        sums = added[..., 1:] + label.sums
        costs = self._unit * (added[..., 0] + label.paid) + self._rule * (label.rules + rules)
        return np.asarray(self.prices.within(sums) & (costs <= most))

    def _may(self, rules: NDArray[np.int32]) -> NDArray[np.bool_]:
        """[E, R, 1]: which of the outcomes that rules may say those with these antecedents may."""
        return self.prices.may[rules][:, :, None]

    def _cost(self, paid: int, rules: int) -> int:
        return self._unit * paid + self._rule * rules

    def _listed(
        self, label: _Label, rules: tuple[int, ...], said: tuple[int, ...], added: Numbers
    ) -> Listed:
        """The list of a label's rules and these, which add costs and values: [1 + K]."""
        paid, *sums = (added + np.array([label.paid, *label.sums])).tolist()
        cost = self._cost(paid, label.rules + len(rules))
        at: _Label | None = label
        while at is not None and at.parent is not None:
            rules, said, at = (at.antecedent, *rules), (at.outcome, *said), at.parent
        return Listed(rules, said, cost, sums)

    def _followed(
        self, label: _Label, counted: _Counted, most: int
    ) -> Iterator[tuple[int, tuple[object, ...], int, _Label]]:
        """(bound, key of equal labels, cost, label) behind each rule behind which a list may cost
        less than `most`."""
        goes = np.flatnonzero(counted.behind != ENDS)
        if isinstance(label.state, bytes) or not len(goes):
            return
        k, prices, says = 1 + len(self._low), self.prices, self.prices.of_rules
        cells = counted.cells[goes][:, says, :k]
        paid = label.paid + cells[:, :, 0]
        sums = np.array(label.sums, dtype=np.int64) + cells[:, :, 1:]
        low, high = counted.low[goes][:, None], counted.high[goes][:, None]
        fits = ((sums + low <= self._high) & (sums + high >= self._low)).all(axis=2)
        rules = prices.q * self._rule * (label.rules + 1)
        priced = self._unit * (prices.q * prices.d * paid[:, :, None] + sums @ self._p.T)
        priced = priced + prices.d * (rules + counted.least[goes][:, None])
        priced = priced - self._unit * self._allowance
        bounds = (-(-priced // (prices.q * prices.d))).max(axis=2)  # rounded up
        # A sum beyond which a constraint holds whatever follows is as good as any other.
        least, greatest = np.minimum(sums, self._low - low), np.maximum(sums, self._high - high)
        may = self._may(counted.rules[goes])[:, :, 0]
        for e, s in np.argwhere(fits & may & (bounds < most)).tolist():
            edge = goes[e]
            behind, rule = int(counted.behind[edge]), int(counted.rules[edge])
            state: State = behind
            if behind == ONE_MORE:
                state = (counted.set & ~self._masks[rule]).tobytes()
            total = int(paid[e, s])
            key = (state, *least[e, s].tolist(), *greatest[e, s].tolist())
            further = _Label(
                state, total, tuple(sums[e, s].tolist()), label.rules + 1, label, rule, says[s]
            )
            yield int(bounds[e, s]), key, self._cost(total, label.rules + 1), further
