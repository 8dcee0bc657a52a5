"""The regularization path: the optimal objective for every lambda of an interval, exactly.

A list with E errors and K rules costs E/n + lambda K: a line over lambda. How the lines that count
are found is in `bends.py`. At lambda = E0/n, where E0 are the errors of the list without rules,
that list is optimal: one rule alone costs as much as it could ever save. Between lines of K and
K + 1 rules no third line fits.

So a path of s segments takes at most 2s - 1 searches, most of them at larger lambdas and therefore
easier than the first. Every search begins with the best list known at its lambda. Proofs are in
docs/internals/path.md. Lambdas and objectives are exact fractions throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from corels.errors import OptionError
from corels.learning.along import ModelsAlong
from corels.model import Certificate
from corels.model.certificate_text import kept_to, limited
from corels.model.weighing import number_in, unit_of
from corels.plots.figure import Figure
from corels.problem import Problem, check_problem, exact_regularization
from corels.problem.regularization import fitting_regularization
from corels.run.interrupts import CtrlC
from corels_rule_list.model import RuleList
from corels_rule_list.path.bends import Axis, Bends, Builder, Segment, between

if TYPE_CHECKING:
    from corels_rule_list.fair.prices import Prices
    from corels_rule_list.path.cross_validation import CrossValidation

PLACE = "{low:.6f} to {high:.6f}"
HELD_OUT = "{held_out:.4f} +- {standard_error:.4f}"


@dataclass(frozen=True)
class Path(Bends, ModelsAlong[Segment]):
    """A regularization path, from the shortest list (largest lambda) to the longest.

    Attributes:
        segments: where each list is the best.
        proofs: (lambda, proven lower bound of the optimal objective), by rising lambda.
        searches: the certificate of each search, in the order in which they were run.
        without_search: breakpoints that whole numbers alone have proven.
        interrupted: Ctrl-C ended it; what is missing shows as a gap.
        held_out: accuracies, or costs, of held-out folds, if they were asked for.
    """

    axis_name: ClassVar[str] = "lambda"

    held_out: CrossValidation | None = None

    @property
    def pieces(self) -> tuple[Segment, ...]:
        return self.segments

    def _model(self, piece: Segment) -> RuleList:
        return piece.rule_list

    @property
    def low(self) -> Fraction:
        """The least lambda of the path."""
        return self.segments[-1].low

    @property
    def high(self) -> Fraction:
        """The largest lambda of the path. If none was asked for, no rule pays above it, and the
        first list stays the best."""
        return self.segments[0].high

    @property
    def max_rules(self) -> int | None:
        """The path is that of lists of at most so many rules; None: of all."""
        return self.searches[0].max_rules if self.searches else None

    @property
    def certified(self) -> bool:
        """Whether the whole path is proven, and that of each fold."""
        return all(segment.certified for segment in self.segments) and (
            self.held_out is None or self.held_out.certified
        )

    def at(self, regularization: object) -> Segment:
        """The segment of one lambda; at a breakpoint, that of the shorter list.

        Raises OptionError below `low`.
        """
        exact = self._exact(regularization)
        for segment in self.segments:
            if exact >= segment.low:
                return segment
        raise OptionError(f"⟨regularization⟩ is {regularization}: the path ends at {self.low}")

    def objective(self, regularization: object) -> Fraction:
        """The objective of the best list found at one lambda."""
        exact = self._exact(regularization)
        return self._cost(self.at(exact), exact)

    def _exact(self, place: object) -> Fraction:
        """A lambda as it is written."""
        return exact_regularization(place, costed=True)

    def _cost(self, segment: Segment, at: Fraction) -> Fraction:
        """The objective of a segment's list."""
        return segment.rule_list.objective(at)

    def lower_bound(self, regularization: object) -> Fraction:
        """Proven: no list costs less at this lambda. Linear between the proofs (F is concave)."""
        exact = self._exact(regularization)
        self.at(exact)
        return between(self.proofs, exact)

    def gap(self, regularization: object) -> Fraction:
        """Objective - lower bound; 0 if the list is proven optimal."""
        return self.objective(regularization) - self.lower_bound(regularization)

    def largest_gap(self, segment: Segment) -> Fraction:
        """The largest gap of a segment: at one of its ends, since the bound is concave."""
        ends = (segment.low, segment.high)
        return max(self._cost(segment, at) - between(self.proofs, at) for at in ends)

    def to_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "low": float(segment.low),
                "high": float(segment.high),
                "rules": len(segment.rule_list),
                **self._figures(segment.rule_list),
                "objective_low": float(self._cost(segment, segment.low)),
                "objective_high": float(self._cost(segment, segment.high)),
                "certified": segment.certified,
                "gap": float(self.largest_gap(segment)),
                **self._outside(segment),
            }
            for segment in self.segments
        ]

    def _figures(self, found: RuleList) -> dict[str, Any]:
        """The figures of a list in a row; accuracy: None if nothing is right or wrong."""
        errors = number_in(found.errors, unit_of(found))
        figures: dict[str, Any] = {"errors": errors, "accuracy": float(found.accuracy)}
        if found.outcomes is not None:
            coverage = found.shares().get("coverage", Fraction(1))
            figures |= {
                "mean_cost": float(found.objective(Fraction(0))),
                "coverage": float(coverage),
            }
            figures["accuracy"] = figures["accuracy"] if "accuracy" in found.shares() else None
        return figures

    def _outside(self, segment: Segment) -> dict[str, float]:
        """Held-out accuracy, or cost, in the middle of a segment, and its standard error."""
        if self.held_out is None:
            return {}
        piece = self.held_out.at((segment.low + segment.high) / 2)
        return {"held_out": piece.mean, "standard_error": piece.error}

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; exact fractions beside the decimals, and every list."""
        reached = () if self.held_out is None else self.held_out.constraints
        return {
            "schema": "corels/path",
            "version": 1,
            "certified": self.certified,
            **({"held_out_constraints": list(reached)} if reached else {}),
            **({} if self.max_rules is None else {"max_rules": self.max_rules}),
            "without_search": self.without_search,
            "segments": self._documents("low", "high"),
            "proofs": [[str(at), str(bound)] for at, bound in self.proofs],
            "searches": [certificate.to_document() for certificate in self.searches],
        }

    def to_text(self) -> str:
        priced = self.segments[0].rule_list.outcomes is not None
        costs = {"mean cost": "{mean_cost:.6f}", "coverage": "{coverage:.4f}"}
        held = {} if self.held_out is None else {"held out": HELD_OUT}
        columns = {"lambda": PLACE, "rules": "{rules}"}
        columns |= costs if priced else {"errors": "{errors}"}
        columns |= {"accuracy": "{accuracy:.4f}", "certified": "{certified}", **held}
        parts = [self._table(columns), *self._best_of()]
        if self.held_out is not None:
            parts.append(self.held_out.to_text())
        return "\n\n".join(parts)

    def _best_of(self) -> list[str]:
        """The lists among which each is the best; nothing if these are all."""
        most = {} if self.max_rules is None else {"max_rules": self.max_rules}
        among = f" among {limited(most, 'lists')}" if most else ""
        keeping = next(map(kept_to, self.searches), "")
        return [f"Each is the best{among}{keeping}."] if among or keeping else []

    def _place(self, piece: Segment) -> str:
        return f"{self.axis_name} {float(piece.low):.6f} to {float(piece.high):.6f}"

    def figure(self) -> Figure:
        """Objective, accuracy and length over lambda, as data of a picture."""
        from corels_rule_list.path.plot import figure

        return figure(self)


@CtrlC()
def regularization_path(
    problem: Problem,
    low: object = "0.01",
    high: object | None = None,
    *,
    report: Callable[[RuleList, Certificate], None] | None = None,
    total_time: float | None = None,
    **options: Any,
) -> Path:
    """The certified path of a problem from `low` upwards.

    Args:
        problem: its own regularization is not read. With constraints, only lists that keep to them
            count.
        low: the least lambda: the hardest search.
        high: the largest lambda; by default, and at most, that from which on no rule pays.
        report: called after each search.
        total_time: seconds for all searches together; what is not proved by then shows as a gap.
        options: of the solver "rule-list" and of `corels.solve`; limits count for each search.

    Raises:
        OptionError: for an option or a lambda out of range.
        InfeasibleError: if no list keeps to the constraints, or none is known at a limit.
    """
    check_problem(problem, "regularization_path")
    constant = best_with(problem, problem.first)
    paid = problem.most if constant is None else constant.paid - problem.offset
    top = Fraction(paid, problem.worth)
    least, most = _ends(problem, low, high, top)
    axis = Axis(
        units=problem.worth,
        per=1,
        problem=lambda at: replace(problem, regularization=at),
        line=lambda found: (len(found), found.paid),
        known=lambda found, _: found,
    )
    last = None
    if most >= top:
        most, last = max(top, least), constant
    line = None if report is None else lambda _, *found: report(*found)
    lists = [] if constant is None else [constant]
    return Path(**vars(Builder(axis, lists, line, options, total_time).build(least, most, last)))


def _ends(
    problem: Problem, low: object, high: object | None, top: Fraction
) -> tuple[Fraction, Fraction]:
    """The least and the largest lambda. top: the least from which on no rule pays."""
    costed, size = problem.costs is not None, (problem.most, problem.n_antecedents)
    for name, end in (("low", low), ("high", high)):
        exact_regularization(end or 0, name, costed=costed)
    least = fitting_regularization(low, *size, costed=costed)
    if high is None:
        return least, max(top, least)
    most = fitting_regularization(high, *size, costed=costed)
    if most < least:
        raise OptionError(f"the path's largest lambda, {most}, is below its least, {least}")
    return least, most


def best_with(
    problem: Problem, antecedents: Sequence[int], prices: Prices | None = None
) -> RuleList | None:
    """The best list with these antecedents; None if none keeps to the constraints. prices: the
    problem's, if it has constraints and they are known."""
    if not problem.constraints:
        return RuleList.of(problem, antecedents)
    from corels_rule_list.fair.prices import Prices

    found = (prices or Prices(problem)).cheapest(antecedents)
    return None if found is None else RuleList.of(problem, antecedents, found.said)
