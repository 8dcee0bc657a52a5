"""The path over a price of rows: what it costs to say "don't know", to hand a row over, or to miss
a positive one.

With lambda fixed, a list that pays C for its rules and classes, and says "don't know" for A of n
rows, costs C + x A/n at the price x: a line, as over lambda. So `bends.py` finds every price at
which the best list changes: coverage against price, each list certified.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from corels.errors import OptionError
from corels.options import exact_within, unknown
from corels.plots.figure import Figure, Panel
from corels.problem import Problem, check_problem
from corels.problem.costs import MOST
from corels.run.interrupts import CtrlC
from corels_rule_list.fair.prices import steepened
from corels_rule_list.model import RuleList
from corels_rule_list.path.bends import Axis, Builder, Line, Report, Segment, simplest
from corels_rule_list.path.path import PLACE, Path
from corels_rule_list.path.plot import COLUMNS, curve, figures, objectives, stairs

OVER = {
    "abstain": ("abstain", "--abstain"),
    "defer-cost": ("defer", "--defer-cost"),
    "cost": ("class", "the fn of --cost"),
}
NEEDED = {  # over -> what its lists can do, and the options that let them
    "abstain": "may abstain: give the greatest price (--abstain PRICE)",
    "defer-cost": "may hand over: give the other model's answers (--defer COLUMN) and the greatest "
    "price (--defer-cost PRICE)",
    "cost": "pay for mistakes: give the costs where it ends, of two classes (--cost fp=1,fn=20)",
}


@dataclass(frozen=True, kw_only=True)
class PricePath(Path):
    """From the dearest price, and most rows decided, to the cheapest.

    Each list's own costs are those at a price inside its segment. over: of `OVER`. other: what a
    false positive costs, over the cost of a missed one.
    axis: what the lists cost at any price. regularization: lambda of all of them. Slivers are
    if 32 bits do not hold costs as fine.
    """

    axis_name = "price"

    over: str
    axis: Axis
    regularization: Fraction
    other: Fraction = Fraction(0)

    def at(self, price: object) -> Segment:
        exact = self._exact(price)
        for segment in self.segments:
            if segment.low <= exact <= self.high:
                return segment
        raise OptionError(f"price {price}: the path goes from {self.low} to {self.high}")

    def _exact(self, place: object) -> Fraction:
        return _price(place, self.over)

    def _cost(self, segment: Segment, at: Fraction) -> Fraction:
        return self.axis.cost(segment.line, at)

    def _figures(self, found: RuleList) -> dict[str, Any]:
        """`accuracy` is of the rows that are not left undecided."""
        if self.over == "cost":
            return figures(found)
        every = super()._figures(found)
        return {name: every[name] for name in ("coverage", "accuracy")}

    def to_document(self) -> dict[str, Any]:
        own = {
            "over": self.over,
            "regularization": str(self.regularization),
            "slivers": [[str(at) for at in sliver] for sliver in self.slivers],
        }
        return {**super().to_document(), "schema": "corels/price-path", **own}

    def to_rows(self) -> list[dict[str, Any]]:
        rows = super().to_rows()
        if self.over == "cost":
            for row, segment in zip(rows, self.segments, strict=True):
                row["option"] = f"--cost fp={self.other},fn={_inside(segment)}"
        return rows

    def to_text(self) -> str:
        columns = {
            "price": PLACE,
            "rules": "{rules}",
            "coverage": "{coverage:.4f}",
            "accuracy": "{accuracy:.4f}",
            "objective": "{objective_low:.6f} to {objective_high:.6f}",
            "certified": "{certified}",
        }
        if self.over == "cost":
            columns = {f"fn, fp={self.other}": PLACE, **COLUMNS}
        lines = [
            f"Best lists by {OVER[self.over][1]}, lambda {float(self.regularization):g}:",
            self._table(columns, ".2g"),
        ]
        if self.slivers:
            wide = max(float(high - low) for low, high in self.slivers)
            most = float(max(map(self.largest_gap, self.segments)))
            lines += [
                "",
                f"Next to {len(self.slivers)} of these prices, 32 bits do not hold prices as "
                "fine as a search would need.",
                f"There, over a width of at most {wide:.1g}, another list may be better by at most "
                f"{most:.1g}.",
            ]
        return "\n\n".join(["\n".join(lines), *self._best_of()])

    def figure(self) -> Figure:
        """Coverage and accuracy, and the objective with its lower bound, over the price."""
        if self.over == "cost":
            return curve(self.to_rows(), "The best lists for all ratios of costs")
        price = f"{OVER[self.over][1]}: the price of a row"
        rising, rows = [*reversed(self.segments)], [*reversed(self.to_rows())]
        notes = [str(row["rules"]) for row in rows]
        said = [(s, row["accuracy"]) for s, row in zip(rising, rows, strict=True)]
        said = [(s, share) for s, share in said if share is not None]
        shares = [
            stairs("coverage", rising, [row["coverage"] for row in rows], notes=notes),
            stairs("accuracy", [s for s, _ in said], [share for _, share in said]),
        ]
        title = "Coverage and accuracy of the best list, with its number of rules"
        panels = (Panel(title, price, "share of the rows", shares),)
        costs = Panel("Objective of the best list", price, "", objectives(self))
        return Figure("", (*panels, costs))


@CtrlC()
def price_path(
    problem: Problem,
    over: str,
    low: object = 0,
    high: object | None = None,
    *,
    report: Report | None = None,
    total_time: float | None = None,
    **options: Any,
) -> PricePath:
    """The best lists for every price of a row that is left undecided, or handed over.

    Args:
        problem: with an outcome of that kind. With constraints, only lists that keep to them count.
        over: "abstain", "defer-cost", or "cost", what a missed positive costs.
        low, high: prices; the problem's own one is the largest if none is given.
        report: called after each search: with its price, the list and its certificate.
        total_time: seconds for all searches together; what is not proved by then shows as a gap.
        options: of the solver "rule-list" and of `corels.solve`; limits count for each search.

    Raises:
        OptionError: for an option or a price out of range, and for a problem without the outcome.
        InfeasibleError: if no list keeps to the constraints, or none is known at a limit.
    """
    check_problem(problem, "price_path")
    kind, own, other = _charged(problem, over)
    last = own if high is None else _price(high, over)
    first = _price(low, over)
    if last <= first:
        raise OptionError(
            f"the path over {over} goes from {first} up to {OVER[over][1]}, which is {last}: "
            f"expected a price above {first}"
        )
    axis = _axis(problem, kind, own, last)
    lists = _without_rules(axis.problem(first))
    bends = Builder(axis, lists, report, options, total_time).build(first, last)
    shown = {**vars(bends), "segments": tuple(_shown(axis, one) for one in bends.segments)}
    regularization = problem.regularization
    return PricePath(**shown, over=over, axis=axis, regularization=regularization, other=other)


def _charged(problem: Problem, over: str) -> tuple[str, Fraction, Fraction]:
    """The kind of outcome that has the price of a path, that price, and what a false positive
    costs, if it is that of a missed positive."""
    if over not in OVER:
        raise OptionError(unknown("over", str(over), list(OVER)))
    kind, costs, other = OVER[over][0], problem.costs, Fraction(0)
    charged = {} if costs is None else {**costs.charged}
    if costs is not None and over == "cost" and (pair := costs.of_mistakes) is not None:
        charged = {"class": pair[1]} if costs.outcomes.kinds == ("class", "class") else {}
        other = pair[0]
    if kind not in charged:
        raise OptionError(f"a path over {over} is one of lists that {NEEDED[over]}")
    return kind, charged[kind], other


def _without_rules(problem: Problem) -> list[RuleList]:
    """The lists that have no rules, or only the first ones, and keep to the constraints."""
    if problem.first:
        return [] if problem.constraints else [RuleList.of(problem, problem.first)]
    outcomes = [
        outcome
        for outcome in range(len(problem.outcomes))
        if all(one.low <= one.values[outcome].sum() <= one.high for one in problem.constraints)
    ]
    return [RuleList.of(problem, [], [outcome]) for outcome in outcomes]


def _price(value: object, over: str) -> Fraction:
    wrong = f"price {value} of a path over {over}: expected a number, 0 or more"
    return exact_within(value, wrong)


def _axis(problem: Problem, kind: str, charged: Fraction, most: Fraction) -> Axis:
    """Problems that differ in the price of an outcome, which now is `charged`; prices are at most
    so much. Of a class that is the first one, for rows of the other."""
    free = _priced(problem, kind, -charged)
    outcome = problem.outcomes.kinds.index(kind)
    scale = free.outcomes.scale

    @cache
    def at(price: Fraction) -> Problem:
        return _priced(free, kind, price)

    def line(found: RuleList) -> Line:
        said = [rule for rule in found if rule.prediction == outcome]
        asked = sum(one.counts[-1] if kind == "class" else one.captured for one in said)
        return asked, free.count(found.plain_rules()).cost

    def attainable(least: int) -> int:
        """Whole units for what outcomes cost, and whole rules."""
        unit, rule = free.unit, free.rule_cost
        rules = range(min(problem.n_antecedents, least // rule + 1) + 1) if rule else (0,)
        return min(rule * k + unit * max(0, -(-(least - rule * k) // unit)) for k in rules)

    size = max(free.worth, free.most + math.ceil(most * scale) * free.total)
    room = MOST
    if problem.constraints:  # their prices come on top of these costs, and are rounded down
        room = (MOST - problem.n_points) // steepened(len(problem.constraints))
    return Axis(
        units=free.scale,
        per=free.total,
        problem=at,
        line=line,
        known=lambda found, price: RuleList.of(at(price), found.numbers(free), found.said),
        finest=max(1, room // size),
        grid=scale,
        attainable=attainable,
    )


def _priced(problem: Problem, kind: str, more: Fraction) -> Problem:
    """The problem in which an outcome costs so much more for each row."""
    finer = (more * problem.outcomes.scale).denominator
    scale = problem.outcomes.scale * finer
    amounts = problem.amounts * finer
    outcome = problem.outcomes.kinds.index(kind)
    paying = problem.weights[-1] if kind == "class" else problem.weights.sum(axis=0)
    amounts[outcome] += paying * int(more * scale)
    return problem.priced(amounts, scale)


def _inside(segment: Segment) -> Fraction:
    """A simple price inside."""
    quarter = (segment.high - segment.low) / 4
    return simplest(segment.low + quarter, segment.high - quarter)


def _shown(axis: Axis, segment: Segment) -> Segment:
    """The segment with its list's costs at a simple price inside."""
    price = _inside(segment)
    if axis.near(price) != [price]:
        return segment
    return replace(segment, rule_list=axis.known(segment.rule_list, price))
