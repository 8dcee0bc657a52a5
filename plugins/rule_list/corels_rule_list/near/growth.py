"""From the optimum up to the tolerance, in steps that are each certain.

The lists within a budget are known only when their graph is complete. So the budget grows: each
graph that is complete is certain, and a limit or Ctrl-C in the next one leaves it to be reported.
The last step is the dearest by far, so the ones before it cost little.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from corels.clock import Clock
from corels.errors import InputError
from corels.model import Stopped
from corels.options import exact_within
from corels.problem import Problem
from corels.run.interrupts import CtrlC
from corels.run.limits import Steps
from corels.run.result import Result
from corels.search.good_lists import NearEngine, NearLimitError, NearProgress, Wanted
from corels_rule_list.fair.prices import dearest
from corels_rule_list.near.result import COMPLETE, NearCertificate, count_all

Report = Callable[[Fraction, NearProgress], None]
REPORT_SECONDS = 0.2  # between two reports


def threshold(within: object, optimum: Fraction) -> Fraction:
    """The greatest objective that counts: "5%" of the optimum more, or so much more.

    Raises OptionError for what is neither.
    """
    text = str(within).strip()
    wrong = f"⟨within⟩ is {within!r}: expected a number such as 0.01, or 5%"
    number = exact_within(text.removesuffix("%"), wrong, 1e300)  # is written as a float
    return optimum * (1 + number / 100) if text.endswith("%") else optimum + number


class _StopError(Exception):
    """A limit, or Ctrl-C."""


def _reason(why: BaseException) -> str:
    """Why a count ended, as a certificate says it."""
    if isinstance(why, MemoryError):
        limit = isinstance(why, NearLimitError)
        return str(Stopped.MEMORY_LIMIT if limit else Stopped.OUT_OF_MEMORY)
    return str(why) or str(Stopped.INTERRUPTED)


@dataclass
class Growth:
    """One count, from the optimum up.

    ctrl_c: of everything before, too; what has come ends the growth at once.
    """

    problem: Problem
    make: Callable[[], NearEngine]
    result: Result
    clock: Clock
    report: Report | None
    ctrl_c: CtrlC
    complete_to: Fraction | None = None
    stopped: str = COMPLETE
    progress: NearProgress | None = None

    def __post_init__(self) -> None:
        self.engine, self._coming_back = self.make(), False
        self._base = self.engine.instance.base
        self._optimum = self.asked = self.result.certificate.objective

    def grow(self, asked: object, best: int | None) -> None:
        """All that was asked for, if the optimum is known."""
        proof = self.result.certificate
        if not proof.optimal:
            self.know_nothing(f"the optimum is not certified: {proof.stopped}")
        elif best is not None:
            self.grow_until(best)
        else:
            self.grow_to(threshold(asked, proof.objective))

    def grow_to(self, asked: Fraction) -> None:
        """All lists up to an objective."""
        self.asked = asked
        slack = asked - self._optimum
        # The more rules fit, the more steps.
        rules = slack * self.problem.scale / max(1, self.problem.rule_cost)
        parts = (8, 4, 2, 1) if rules > 2 else (4, 1) if rules > 1 else (1,)
        self._through(self._optimum + slack / part for part in parts)

    def grow_until(self, best: int) -> None:
        """All lists up to the objective of the best-th one."""
        problem, most = self.problem, self.problem.objective(dearest(self.problem))
        least = max(Fraction(problem.rule_cost, 16 * problem.scale), Fraction(1, problem.worth))

        def thresholds() -> Iterator[Fraction]:
            slack = Fraction(0)
            while self.complete_to is None or (
                self.engine.count < best and self.complete_to < most
            ):
                yield min(most, self._optimum + slack)
                slack = max(2 * slack, least)
            self.asked = self.complete_to or self._optimum
            if number := min(best, self.engine.count):
                level = next(level for level in self.engine.levels() if level.upto >= number)
                self.asked = problem.objective(level.cost + self._base)
            if self.engine.count > best and self.asked < self.complete_to:
                yield self.asked

        self._through(thresholds())

    def _through(self, thresholds: Iterator[Fraction]) -> None:
        """Complete one threshold after another; come back to the last complete one."""
        try:
            for at in thresholds:
                self._complete(at)
        except (_StopError, KeyboardInterrupt, MemoryError) as why:
            self.stopped = _reason(why)
            self.asked = max(self.asked, self.complete_to or self.asked)
            self.engine.close()  # what was half done, and its memory
            self.engine = self.make()
            if self.complete_to is None:
                self.know_nothing(self.stopped)
            else:
                # It was complete once: soon again.
                self.clock.limit, self._coming_back = None, True
                self._complete(self.complete_to)

    def know_nothing(self, why: str) -> None:
        """An empty graph."""
        self.stopped = why
        count_all(self.engine, -1)

    def certificate(
        self, which: Wanted, backend: str, tune: str, *, matters: bool
    ) -> NearCertificate:
        """matters: only lists in which every rule does count."""
        names = [antecedent.name for antecedent in self.problem.antecedents]
        limits = {} if which.max_rules is None else {"max_rules": which.max_rules}
        return NearCertificate(
            optimum=self._optimum,
            threshold=self.asked,
            complete_to=self.complete_to,
            stopped=self.stopped,
            filters={
                "first": [names[i] for i in which.begins_with],
                "must_use": [names[i] for i in which.must_use],
                "avoid": [names[i] for i in which.avoid],
                **limits,
                "every_rule_matters": matters,
            },
            backend=backend,
            statement=self.problem.statement(limits, short=True),
            sets=self.progress.sets if self.progress else 0,
            peak_memory=self.progress.peak_memory if self.progress else 0,
            seconds=self.clock.elapsed,
            search=self.result.certificate,
            tune=tune,
        )

    def _complete(self, at: Fraction) -> None:
        """The graph of one threshold, as far as nothing stops it."""
        most = min(math.floor(self.problem.scaled(at)), dearest(self.problem))  # fits the engine
        self.engine.begin(most - self._base)
        steps, clock = Steps(), Clock(first=REPORT_SECONDS, every=REPORT_SECONDS)
        while True:
            done = steps.take(self.engine.step)
            self.progress = self.engine.progress()
            if done:
                break
            self._check_limits()
            if self.report is not None and clock.due():
                self.report(at, self.progress)
        self._check_optimum()
        self.complete_to = at

    def _check_optimum(self) -> None:
        """The optimum may come from a file, but the engine finds whatever is better."""
        levels = self.engine.levels()
        best = self.problem.objective(levels[0].cost + self._base) if levels else self._optimum
        if best < self._optimum:
            raise InputError(
                f"a rule list with objective {best} is better than the optimum {self._optimum} "
                "of the certificate: search again"
            )

    def _check_limits(self) -> None:
        if self.ctrl_c.pressed and not self._coming_back:
            raise _StopError("interrupted")
        if self.clock.expired():
            raise _StopError("time limit")
