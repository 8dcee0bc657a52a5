"""`--cost f1`: the rule list with the greatest F1, or F-beta, by searches at costs of mistakes.

With TP true positives, E = FP + beta^2 FN + lambda N rules and B = 1 + beta^2, what is maximised is

    B TP / (B TP + E):  F-beta, in which a rule counts as lambda N false positives.

The greatest has the least ratio tau = E/TP. With fp = 1 and fn = beta^2 + tau, a list costs
E + tau (P - TP), for P positives: tau P exactly if its own ratio is tau, and less if that is less.
So a list is best if, at the costs of its own ratio, a certified search finds none below tau P; and
a better one that it finds has the ratio of the next search (Dinkelbach, Management Science 13,
1967). If tau makes whole costs too large, it is rounded down.

The least cost of all lists, L, is concave over tau. So a search at tau that ends early, with a
bound v below tau P, and the bound u of another at 0 prove L(t) >= u + t (v - u) / tau for t up to
tau; if that is t P, no list has a ratio below t.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from corels.clock import Clock
from corels.errors import InfeasibleError, InputError, OptionError
from corels.model import Model
from corels.problem import Problem, exact_regularization
from corels.problem.costs import MOST
from corels.run.result import Result
from corels.run.solve import solve
from corels.tables import Dataset
from corels.tables.pricing import Pricing

LOOK = 0.5  # seconds of a search that only looks for a better ratio
FIRST_LOOK = 5.0  # at tau = 0: its bound counts
SHARE = 0.2  # of the time limit, for these searches
MOST_SEARCHES = 20


class Settled(NamedTuple):
    """Rows with the costs of the ratio of a list, if one is known; least: what E is at least."""

    data: Dataset
    known: Model | None
    least: Fraction


@dataclass(frozen=True)
class Ratio:
    """What is to be maximised. word: as it was asked for."""

    word: str
    beta: Fraction

    @property
    def first(self) -> str:
        """The costs with which a table is read."""
        return _text(self.beta**2)

    def value(self, tau: Fraction) -> Fraction:
        """What is maximised, of the ratio E/TP."""
        both = 1 + self.beta**2
        return both / (both + tau)

    def of_model(self, model: Model, regularization: Fraction) -> Fraction | None:
        """E/TP; None for a list without a true positive."""
        *_, last = range(len(model.classes))
        hits = sum(one.counts[last] for one in model.deciders() if one.outcome == last)
        called = sum(one.captured for one in model.deciders() if one.outcome == last)
        positives = sum(one.counts[last] for one in model.deciders())
        errors = called - hits + self.beta**2 * (positives - hits)
        rules = regularization * len(model) * model.training_weight
        return (errors + rules) / hits if hits else None

    def settled(
        self,
        data: Dataset,
        regularization: Any,
        options: Mapping[str, Any],
        seconds: float | None,
        known: Model | None = None,
    ) -> Settled:
        """The rows with the costs of the least ratio that short searches find.

        known: a list to begin with. options: of the search, of `solver` too.
        """
        self._refuse_further(data)
        clock = Clock(LOOK * MOST_SEARCHES if seconds is None else SHARE * seconds)
        weight, positives = self._sizes(data)
        tau = Fraction(weight - positives, positives)  # of always saying that class
        if known is not None:
            tau = self.of_model(known, exact_regularization(regularization, costed=True)) or tau
        given = {n: v for n, v in options.items() if n not in ("time_limit", "sinks")}
        at, least = Fraction(0), Fraction(0)
        for _ in range(MOST_SEARCHES):
            problem = Problem.from_dataset(self._at(data, at), regularization)
            limit = min(LOOK if at else FIRST_LOOK, max(0.05, clock.left() or 0.0))
            try:
                found = solve(problem, incumbent=known, time_limit=limit, **given)
            except InfeasibleError:  # there is none, or none was found so soon
                break
            if not at:
                least = found.certificate.lower_bound * weight
            ratio = self.of_model(found.model, problem.regularization)
            if ratio is not None and (ratio < tau or known is None):
                known, tau = found.model, ratio
            elif at:  # no better list: the ratio is settled
                break
            if clock.expired():
                break
            at = tau
        return Settled(self._at(data, tau), known, least)

    def _refuse_further(self, data: Dataset) -> None:
        """Raise OptionError for costs of something else than mistakes: the ratio has none."""
        costs = data.costs
        if costs is not None and (
            costs.of_mistakes is None or {*costs.outcomes.kinds} != {"class"}
        ):
            raise OptionError(
                f"⟨cost⟩ is {self.word!r}, which counts mistakes alone: expected no other option "
                "that says what outcomes cost, such as ⟨abstain⟩"
            )

    def _sizes(self, data: Dataset) -> tuple[int, int]:
        """The weight of all rows, and of the positives; raises InputError without these."""
        weights = np.ones(data.n_rows, np.int64) if data.weights is None else data.weights
        positives = int(weights[data.labels == 1].sum())
        if not positives:
            raise InputError(f"no row is of the class {data.classes[-1]!r}, so {self.word} is 0")
        return int(weights.sum()), positives

    def maximised(
        self,
        data: Dataset,
        regularization: Any,
        run: Callable[[Dataset, Model | None], Result],
        *,
        options: Mapping[str, Any],
        left: Callable[[], float | None],
        known: Model | None = None,
    ) -> Result:
        """The list of the greatest value, and what is proved of it.

        run: a search of these rows, with a list to begin with, that tells the user what it does.
        left: the seconds that are left.
        """
        while True:
            data, known, least = self.settled(data, regularization, options, left(), known)
            result = run(data, known)
            price = result.certificate.regularization or Fraction(0)
            own = self.of_model(result.model, price)
            before = None if known is None else self.of_model(known, price)
            better = own is not None and (before is None or own < before)
            if not (better and result.certificate.optimal):
                return self._stated(data, result, own, least)
            known = result.model

    def _stated(
        self, data: Dataset, result: Result, own: Fraction | None, least: Fraction
    ) -> Result:
        """With what the certificate says of the ratio. least: as of `Settled`."""
        certificate = result.certificate
        assert data.costs is not None
        fn = (data.costs.of_mistakes or (0, Fraction(0)))[1]  # the cost of a missed positive
        weight, positives = self._sizes(data)
        tau, proved = fn - self.beta**2, certificate.lower_bound * weight
        most = self.value(tau)
        if proved < tau * positives:
            most = self.value(least / (positives - (proved - least) / tau))
        reached = Fraction(0) if own is None else self.value(own)
        plain = self.of_model(result.model, Fraction(0))
        shown = {
            self.word: f"{float(0 if plain is None else self.value(plain)):.4f}",
            f"{self.word} with rules as mistakes": f"{float(reached):.4f}",
            "at the costs": f"fp=1 fn={float(fn):.6g}",
        }
        if reached < most:
            shown[f"{self.word} with rules as mistakes is at most"] = f"{float(most):.6f}"
        extra = {**certificate.extra, **shown}
        return replace(result, certificate=replace(certificate, extra=extra))

    def _fn(self, data: Dataset, tau: Fraction) -> Fraction:
        """What a missed positive costs: beta^2 + tau, rounded down if whole costs are else too
        large."""
        total = data.total
        cost = self.beta**2 + tau
        room = max(1, MOST // (2 * total * math.ceil(cost + 1)))
        return cost if cost.denominator <= room else Fraction(math.floor(cost * room), room)

    def _at(self, data: Dataset, tau: Fraction) -> Dataset:
        cost = self._fn(data, tau)
        matrix = [[Fraction(0), Fraction(1)], [cost, Fraction(0)]]
        reading = None if data.reading is None else {**data.reading, "cost": _text(cost)}
        costs = Pricing(data.classes, matrix, {}).costs(data.labels)
        return replace(data, costs=costs, reading=reading)


def reached(data: Dataset, regularization: Any) -> Iterator[str]:
    """How large F1 can be, if no list has as much as is demanded: the end of a sentence."""
    asked = () if data.demands is None else data.demands.asked
    wanted = any(one.word == "f1" and one.how == ">=" and not one.by for one in asked)
    if not wanted or data.costs is not None or len(data.classes) != 2:
        return
    ratio = Ratio("f1", Fraction(1))
    known = ratio.settled(replace(data, demands=None), regularization, {}, None).known
    tau = None if known is None else ratio.of_model(known, Fraction(0))
    if tau is not None:
        yield f"at this lambda ⟨cost⟩ f1 reaches {float(ratio.value(tau)):.3f}"


def _text(cost: Fraction) -> str:
    return f"fp=1,fn={cost}"
