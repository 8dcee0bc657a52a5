"""The plain checker of rule lists: what one has to believe of a proof, in one file.

First records become claims, then the raw table points and costs; then come cells, which a proof
gives as data, and last each claim is counted again. Why it is enough: docs/internals/proof.md.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.proofcheck.failures import Failure, FalseDataError

# The kinds of records: docs/reference/proof-format.md.
CLAIM, EXPANDED, LIST, BLOCKS, PRICES, SYMMETRIES, LIMIT, END = b"cxlbpsme"
LANES = 8  # of a block's table: the errors that 0 .. 7 rules leave
SETS = 16  # a cell's points, or else the sets of them that antecedents capture, are no more
MOST = 1 << 56  # of what a point or a rule pays: sums of sixty-four do not overflow
ROOM = 1 << 22  # numbers in a batch's matrix
FAR = 1 << 62  # more than any cost, and more rules than any list has

Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]
Priced = list[tuple[list[int], int]]  # numbers of antecedents, and a cost
Rows = list[list[int]]  # the number of a point or an antecedent, and one more for each class
Cells = Iterable[tuple[Rows, Rows]]  # points with weights, antecedents with prices
Given = list[tuple[int | None, Cells]]  # a shift where rules have prices, and cells
Reason = Callable[[Bools, Any], Whole]  # sets, and how many rules may follow -> what they cost
Moves = Sequence[Sequence[list[int]]]  # numbers of points, and of their images


def numbers(octets: bytes) -> Iterator[int]:
    """Seven bits a byte, the lowest first; the top bit says that the number goes on."""
    found = shift = 0
    for octet in octets:
        found, shift = found | (octet & 127) << shift, shift + 7
        if octet < 128:
            yield found
            found = shift = 0


def read(records: bytes, classes: int) -> tuple[Priced, Priced, Given, Moves, int, int | None]:
    """What the records of a proof say, not yet believed: claims, what whatever follows some rules
    costs at least; lists that were found; cells; symmetries, as points and where each goes;
    the most rules of the lists that claims are about; and the bound of all these, None where the
    file of a process that was killed ends within a record."""
    number, bound, most = numbers(records).__next__, None, FAR
    found: list[tuple[int, list[int], int]] = []
    given: Given = []
    moves: list[list[list[int]]] = []

    def rows() -> Rows:
        return [[number() for _ in range(1 + classes)] for _ in range(number())]

    with suppress(StopIteration):
        while bound is None:
            kind = number()
            if kind in (CLAIM, EXPANDED, LIST):
                rules, cost = [number() for _ in range(number())], number()
                found.append((kind, rules if kind == LIST else list(accumulate(rules)), cost))
            elif kind == BLOCKS:
                given.append((None, [(rows(), []) for _ in range(number())]))
            elif kind == PRICES:
                given.append((number() - 64, [(rows(), rows()) for _ in range(number())]))
            elif kind == SYMMETRIES:
                size = number()
                moves.append([[number() for _ in range(size)] for _ in range(2)])
            elif kind == LIMIT:
                limit = number()
                if limit != most != FAR:
                    raise ValueError("the claims are about lists of different lengths")
                most = limit
            elif kind == END:
                bound = number()
            else:
                raise ValueError(f"record {kind} is of no known kind")
    claims = [(z, (bound or 0) - v if k == EXPANDED else v) for k, z, v in found if k != LIST]
    return claims, [(z, v) for k, z, v in found if k == LIST], given, moves, most, bound


class Table(NamedTuple):
    """captures: bool[M, P]; regrets: int64[C, P]; kept: the index of a numbered point, or -1.

    A point's regret for a class is what it costs, in weight of rows, to predict that class and not
    its most frequent one. Points without regret cost nothing and are left out. A mistake costs
    `unit`. All costs are beyond `base`, what every list pays.
    """

    captures: Bools
    regrets: Whole
    kept: Whole
    unit: int
    rule_cost: int
    base: int
    total: int

    def cost(self, rules: Sequence[int]) -> int:
        """What a list costs, with the best class for what each rule captures and for the rest."""
        first = np.vstack([self.captures[list(rules)], self.regrets[:1] >= 0]).argmax(axis=0)
        errors = [self.regrets[:, first == k].sum(axis=1).min() for k in range(len(rules) + 1)]
        return self.rule_cost * len(rules) + self.unit * int(sum(errors))


def table_of(header: Mapping[str, Any], captures: Bools, counts: Whole) -> Table:
    """Of `points_of`. Raises ValueError where costs are negative, or 64 bits do not hold them."""
    penalty, total, most = Fraction(header["regularization"]), int(counts.sum()), counts.max(axis=0)
    divisor = math.gcd(penalty.denominator, penalty.numerator * total)
    unit, rule_cost = penalty.denominator // divisor, penalty.numerator * total // divisor
    if rule_cost < 0 or max(rule_cost, unit * total) >= 1 << 60:
        raise ValueError(f"costs of {penalty} a rule are below 0 or too large to be counted")
    some = (most > counts).any(axis=0)
    kept, base = np.where(some, np.cumsum(some) - 1, -1), unit * (total - int(most.sum()))
    return Table(captures[:, some], (most - counts)[:, some], kept, unit, rule_cost, base, total)


def points_of(
    header: Mapping[str, Any], columns: Mapping[str, Any], labels: Any, weights: Sequence[int]
) -> tuple[Bools, Whole]:
    """Rows that satisfy the same antecedents are a point, numbered by the first of them.

    bool[M, P], which antecedents hold where, and int64[C, P], weight by class. columns: name ->
    (its different values, None for a missing one; int64[N], which of them each row has).
    """
    if min(weights, default=-1) < 0 or not 0 < sum(weights) < 1 << 52:
        raise ValueError("no rows, or rows of more weight than can be counted")
    held = np.ones((len(header["antecedents"]), len(labels)), np.bool_)
    for number, antecedent in enumerate(header["antecedents"]):
        for condition in antecedent["conditions"]:
            values, which = columns[condition["column"]]
            held[number] &= np.array([_holds(condition, v) for v in values], np.bool_)[which]
    found: dict[bytes, int] = {}
    points = [found.setdefault(row.tobytes(), len(found)) for row in np.packbits(held, 0).T]
    captures = np.zeros((len(held), len(found)), np.bool_)
    captures[:, points] = held  # the rows of a point are alike
    classes = {str(label): number for number, label in enumerate(header["classes"])}
    counts = np.zeros((len(header["classes"]), len(found)), np.int64)
    np.add.at(counts, ([classes[str(label)] for label in labels], points), weights)
    return captures, counts


def _holds(condition: Any, value: Any) -> bool:
    """Whether a condition is true of a value; of a missing one only that it is missing."""
    operator, wanted = condition["operator"], condition.get("value")
    if value is None or operator in ("missing", "present"):
        return (value is None) is (operator == "missing")
    if operator in ("true", "false"):
        return (str(value).lower() in ("1", "1.0", "true")) is (operator == "true")
    if operator in ("==", "!=", "in", "not in"):
        group = wanted if operator in ("in", "not in") else [wanted]
        return any(_equal(value, one) for one in group) is (operator in ("==", "in"))
    if operator in ("<=", ">"):  # numbers, also written as text; or dates, as ISO text
        spelled = isinstance(value, str) and not isinstance(wanted, str)
        return bool((float(value) if spelled else value) <= wanted) is (operator == "<=")
    raise ValueError(f"unknown operator {operator!r}")


def _equal(value: Any, wanted: Any) -> bool:
    """3, 3.0 and "3" are one value."""
    if isinstance(value, str) == isinstance(wanted, str):
        return bool(value == wanted)
    text, number = (value, wanted) if isinstance(value, str) else (wanted, value)
    try:
        return bool(float(text) == number)
    except ValueError:
        return str(text) == str(number)


class Tables:
    """The cells of a record. Without a shift they are blocks: rules cost nothing in a block, but
    are counted; with one, rules have prices, and costs are in units of which 2^-shift make one.
    The shares of what there is to pay are checked (internals/blocks.md, prices.md)."""

    def __init__(self, table: Table, shift: int | None, cells: Cells) -> None:
        self.table, self.blocks = table, shift is None
        self.up, self.down = max(shift or 0, 0), max(-(shift or 0), 0)
        costs, rule_cost = table.regrets * (1 if self.blocks else table.unit), table.rule_cost
        if max(self.up, self.down) > 62 or int(costs.max(initial=rule_cost)) << self.up > MOST:
            raise FalseDataError("the unit of the prices is too small")
        self.left = costs << self.up >> self.down
        self.spare = np.full((len(table.captures), 1), rule_cost << self.up >> self.down)
        self.cells = [self._filled(*cell) for cell in cells if cell[0]]

    def _filled(self, items: Rows, cuts: Rows) -> tuple[Any, ...]:
        """A cell's points, their bits, the sets of them that rules can leave, as bits, and
        int64[sets, 8 or 1]: errors behind so many rules, or what the cheapest list costs."""
        rows = np.array(items, np.int64)
        places, weights = self.table.kept[rows[:, 0]], rows[:, 1:]
        bits = np.uint64(1) << np.arange(len(items), dtype=np.uint64)
        traces = self.table.captures[:, places] @ bits  # what each antecedent captures
        prices = np.zeros((len(traces), weights.shape[1]), np.int64)
        for antecedent, *price in cuts:
            prices[traces == traces[antecedent]] = price
        np.subtract.at(self.left.T, places, weights)
        self.spare = self.spare - prices
        least = self.left.min(), self.spare.min(initial=0), places.min()
        if np.min(least) < 0 or weights.max() > MOST:
            raise FalseDataError("the cells pay more than there is to pay for a point or a rule")
        traces, first = np.unique(traces, return_index=True)
        if len(items) > 64 or min(len(items), len(traces[traces > 0])) > SETS:
            raise FalseDataError("a cell has too many points or states")
        states = bits.sum(keepdims=True)
        for trace in traces:
            states = np.union1d(states, states & ~trace)
        errors, moves = ((states[:, None] & bits) > 0) @ weights, []
        for trace, price in zip(traces, prices[first], strict=True):
            rest = np.searchsorted(states, states & ~trace)
            moves.append((rest, (errors - errors[rest] + price).min(axis=1)))
        lanes = [errors.min(axis=1)]
        for _ in range(LANES - 1 if self.blocks else SETS):  # more rules cut no further
            further = (cost + lanes[-1][rest] for rest, cost in moves)
            lanes.append(reduce(np.minimum, further, lanes[0]))
        return places, bits, states, np.stack(lanes if self.blocks else lanes[-1:], axis=1)

    def least(self, sets: Bools, _left: Any = FAR) -> Whole:
        """int64[n]: what whatever follows costs at least, where it does not stop at once."""
        points = np.ascontiguousarray(sets.T)
        total = np.zeros((len(sets), LANES if self.blocks else 1), np.int64)
        for places, bits, states, table in self.cells:
            total += table[np.searchsorted(states, bits @ points[places])]
        if not self.blocks:
            return np.asarray(-(-total[:, 0] << self.down >> self.up))
        costs = self.table.unit * total[:, 1:] + self.table.rule_cost * np.arange(1, LANES)
        return np.asarray(costs.min(axis=1, initial=LANES * self.table.rule_cost))


def images_of(table: Table, moves: Moves) -> list[Whole]:
    """int64[P] each: the image of each point, by nothing and by each of the symmetries. These take
    the points one to one to points of the same regrets, and what an antecedent captures comes from
    what some antecedent captures."""
    own = np.arange(table.captures.shape[1])
    masks, images = set(map(bytes, np.packbits(table.captures, axis=1))), [own]
    for points, to in moves:
        image = own.copy()
        image[table.kept[points]] = table.kept[to]
        moved = map(bytes, np.packbits(table.captures[:, image], axis=1))
        alike = np.array_equal(table.regrets[:, image], table.regrets)
        if not alike or set(image) != set(own) or not masks.issuperset(moved):
            raise FalseDataError("what the proof calls a symmetry changes the table")
        images.append(image)
    return images


class Plain:
    """Claims against a table. A claim says what whatever follows some rules costs at least, in
    lists of at most `most` rules: so it is about what has at most as many rules as these leave. One
    about fewer rules says of more what it says, or what one more than the fewer cost. A claim is
    about the points S that they leave, and holds if to stop there costs as much and, for each
    antecedent r that captures something of S, so does what begins with r, or something else is as
    good. What T = S without r costs may rest on other claims, in no circle: on those with less
    room, that is, what all points of their set cost at worst less what they say. A claim about a
    set is one about its images by symmetries, too. tell: a function that is told what is done, how
    much of it, and of how much."""

    def __init__(  # noqa: PLR0917
        self,
        table: Table,
        claims: Priced,
        given: Given,
        tell: Any,
        moves: Moves = (),
        most: int = FAR,
    ) -> None:
        self.claims, self.tell, self.captures = claims, tell, table.captures
        self.images = images_of(table, moves)
        self.unit, self.rule_cost = table.unit, table.rule_cost
        # Regrets of each class and the worst of them, of what each antecedent captures and of all.
        # Sums of whole numbers are exact in these: all are below 2^24, or else below 2^53.
        self.real = np.float32 if table.total < 1 << 24 else np.float64
        regrets = np.vstack([table.regrets, table.regrets.max(axis=0, initial=0)])
        masks = np.vstack([self.captures, regrets[:1] >= 0])
        self.shape = len(regrets), len(masks)
        self.worst = regrets[-1]
        self.weights: Any = np.hstack([(masks * regret).T for regret in regrets]).astype(self.real)
        self.values = np.array([value for _, value in claims], np.int64)
        # As many rules may follow at most; each antecedent is of use once.
        self.most = most if most == FAR else min(most, len(self.captures))
        self.may = np.array(
            [FAR if most == FAR else self.most - len(rules) for rules, _ in claims], np.int64
        )
        tables = [Tables(table, *cells).least for cells in reversed(given)]
        self.reasons: list[Reason] = [*tables, self.claimed_of, self.one_rule]  # what T costs
        # Of rules that may follow, and a set; what a later claim says of it is more.
        self.said: dict[int, dict[bytes, int]] = {may: {} for may in self.may.tolist()}
        for some in self._parts(np.argsort(self.values), "claims by their sets"):
            keys = map(bytes, np.packbits(self.left(some), axis=1))
            for may, key, value in zip(self.may[some], keys, self.values[some], strict=True):
                self.said[int(may)][key] = int(value)

    def _parts(self, items: Whole, what: str) -> Iterator[Whole]:
        size = max(1, ROOM // max(self.weights.shape))
        for at in range(0, len(items), size):
            self.tell(what, at, len(items))
            yield items[at : at + size]

    def left(self, claims: Whole) -> Bools:
        """bool[n, P]: the points that the rules of each claim leave."""
        return np.array([~self.captures[self.claims[i][0]].any(axis=0) for i in claims])

    def claimed_of(self, sets: Bools, left: Any = FAR) -> Whole:
        """int64[n]: the most that a claim about this set or its images says of what at most `left`
        rules cost, 0 without any."""
        keys = [[*map(bytes, np.packbits(sets[:, image], axis=1))] for image in self.images]
        best = np.zeros(len(sets), np.int64)
        for may, said in self.said.items():
            found = np.array([[said.get(key, 0) for key in some] for some in keys], np.int64)
            more = min((may + 1) * self.rule_cost, FAR)  # what one rule more would cost
            told = found.max(axis=0)
            best = np.maximum(best, np.where(left > may, np.minimum(told, more), told))
        return best

    def counted(self, sets: Bools) -> tuple[Whole, Whole, Whole, Whole]:
        """What to stop costs [n]; and [n, M]: errors of a rule, what stopping behind it costs, and
        its errors if it predicts the worst class of each point, 0 where it captures nothing."""
        counts = (sets.astype(self.real) @ self.weights).astype(np.int64).reshape(-1, *self.shape)
        each, all_, worst = counts[:, :-1, :-1], counts[:, :-1, -1:], counts[:, -1, :-1]
        stop, closing = self.unit * all_.min(axis=(1, 2)), self.unit * (all_ - each).min(axis=1)
        return stop, each.min(axis=1), closing, worst

    def check(self, bound: int | None, claims: Any = slice(None)) -> Failure | None:
        """The first of the claims that does not hold; or that none says the bound of all lists."""
        for some in self._parts(np.arange(len(self.claims))[claims], "claims"):
            sets, values = self.left(some), self.values[some]
            stop, errors, closing, worst = self.counted(sets)
            need = values[:, None] - self.rule_cost - self.unit * errors  # of T
            may = self.may[some, None]
            on = np.where(may > 1, self.rule_cost, FAR)
            failed = (np.minimum(closing, on) < need) & (may > 0)  # to stop behind r, or go on
            failed &= self.unit * (worst - errors) > self.rule_cost  # else better without r
            parts = 1 + int(failed.sum()) * max(self.weights.shape) // ROOM
            for pairs in np.array_split(np.argwhere(failed), parts):
                i, r = pairs.T
                failed[i, r] = False
                for reason in self.reasons:
                    behind = reason(sets[i] & ~self.captures[r], may[i, 0] - 1)
                    shown = np.minimum(closing[i, r], behind)
                    i, r = i[shown < need[i, r]], r[shown < need[i, r]]
                failed[i, r] = ~self.instead(sets[i] & self.captures[r], r, errors[i], worst[i])
            for k, r in np.argwhere(np.column_stack([stop < values, failed])).tolist():
                if r == 0 or not self.similar(int(some[k]), r - 1, int(need[k, r - 1])):
                    return Failure(int(some[k]), int(values[k]), r - 1, int(stop[k]))
        everything = np.ones_like(self.weights[None, :, 0], np.bool_)
        least = int(self.claimed_of(everything, self.most)[0])
        return None if bound is None or least >= bound else Failure(-1, bound, -1, least)

    def one_rule(self, sets: Bools, left: Whole) -> Whole:
        """What one rule or more cost at least: the best single rule, or two rules if they may."""
        _, errors, closing, worst = self.counted(sets)
        one = np.where(worst > 0, self.rule_cost + self.unit * errors + closing, FAR)
        two = np.where(left > 1, 2 * self.rule_cost, FAR)
        return np.asarray(np.minimum(one.min(axis=1, initial=FAR), two))

    def similar(self, claim: int, r: int, need: int) -> bool:
        """Whether claims about sets that are no T rule r out. One about a subset of S, what some
        antecedent leaves of it, may say as much as this claim: S costs no less. And what completes
        T completes any V, at worst with all errors where V has points that T has not. As V are
        tried what each antecedent leaves, and what r and all rules of the claim but one leave."""
        rules, value = self.claims[claim]
        rest = ~self.captures[rules].any(axis=0)
        behind = rest & ~self.captures
        children, may = behind[(rest & self.captures).any(axis=1)], self.may[claim]
        if (self.claimed_of(children, may) >= value).any():
            return True
        fewer = [~self.captures[[*{*rules} - {j}, r]].any(axis=0) for j in rules]
        near = np.array([*behind, *fewer])
        least = self.claimed_of(near, may - 1) - self.unit * ((near & ~behind[r]) @ self.worst)
        return bool((least >= need).any())

    def instead(self, cells: Bools, r: Whole, errors: Whole, worst: Whole) -> Bools:
        """bool[n]: some other antecedent does as well and comes first in the order of removals.
        cells: what r captures; errors, worst: [n, M] of all antecedents in the same set."""
        row, index = np.arange(len(r)), np.arange(len(self.captures))
        here, weight = errors[row, r][:, None], worst[row, r][:, None]
        missed = weight - self.counted(cells)[3]  # of what r captures, at worst
        first = (errors < here) | (worst > weight) | (index < r[:, None])
        return np.asarray(((errors + missed <= here) & first).any(axis=1))
