"""What both searches of this plugin are: the native one, and the one in Python."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.problem import PlainRules, Problem
from corels.search import Search, Status
from corels_falling.model import OWN, FallingRuleList, falling_rule_list
from corels_falling.options import bounds_of
from corels_falling.setting import Setting

PRICES = ("positive_weight", "rule_cost", "violation_cost", "false_positive_cost")


@dataclass(eq=False)
class FallingSearch(Search):
    """A search for a falling list. Costs are whole numbers; soft ones are rounded to such.

    options: checked, all of them given. kept: the numbers of the
    antecedents in the problem that was `given` to the solver; None: it is the same.
    """

    comes_back = True
    backend: ClassVar[str]
    problem: Problem
    setting: Setting
    options: Mapping[str, Any]
    memory_limit: int | None = None
    kept: NDArray[np.int32] | None = None
    given: Problem | None = None

    def __post_init__(self) -> None:
        self.max_rules, self._use = self.options["max_rules"], bounds_of(self.options)
        self._scale = self.setting.scale(self.problem.n_antecedents)
        self._status = Status.RUNNING
        self._best: tuple[tuple[int, ...], FallingRuleList] | None = None  # the last one asked for

    @abstractmethod
    def path(self) -> tuple[int, ...]:
        """The antecedents of the best list, as the problem numbers them."""

    @abstractmethod
    def take(self, path: Sequence[int]) -> bool:
        """Begin with the list of these antecedents, if it is better than what is known."""

    def offer(self, rules: PlainRules) -> bool:
        """Begin with a list, which is counted here. Rules that capture nothing are left out, and
        what a hard list says behind its last rule above the threshold costs no more without them.

        Raises OptionError for what is no falling list of the antecedents that take part.
        """
        path = []
        for number, rule in enumerate(self.problem.count(rules).rules, 1):
            if rule.quantity or [len(clause) for clause in rule.clauses] not in ([], [1]):
                raise OptionError(f"the model is no list: its rule {number} is not one antecedent")
            path += [self.problem.number_of(one) for clause in rule.clauses for one in clause]
        found = falling_rule_list(self.problem, path, self.setting)
        raw = [rule.raw for rule in found if rule.captured]
        rises = [n for n, (one, after) in enumerate(pairwise(raw), 2) if after > one]
        if rises and not self.setting.soft:
            raise OptionError(
                f"the model is no falling rule list of this problem: the proportion of rule "
                f"{rises[0]} is above the one before"
            )
        path = [n for n, rule in zip(path, found.rules, strict=True) if rule.captured]
        if not self.setting.soft:
            path = path[: sum(one > self.setting.threshold for one in raw[: len(path)])]
        most = len(path) if self.max_rules is None else self.max_rules
        return self.take(path[:most])

    def model(self) -> FallingRuleList:
        path = self.path()
        if self._best is None or self._best[0] != path:
            self._best = (path, falling_rule_list(self.problem, path, self.setting))
        return self._best[1]

    def states(self) -> Mapping[str, Any]:
        """Prices and limits, as a proof's header has them."""
        violation, false = self.setting.violation_cost, self.setting.false_positive_cost
        return {
            "positive_weight": str(self.setting.positive_weight),
            "rule_cost": str(self.setting.rule_cost),
            "violation_cost": None if violation is None else str(violation),
            **({} if self.problem.costs is None else {"false_positive_cost": str(false)}),
            "max_rules": self.max_rules,
            "total": self.setting.rows,
            "unit": self._scale.unit,
        }

    def limits(self) -> Mapping[str, int | str]:
        support = self.options["min_class_support"]
        return {
            **({} if self.max_rules is None else {"max_rules": self.max_rules}),
            **({"min_class_support": str(support)} if support else {}),
        }

    def describe(self) -> Mapping[str, str]:
        return {"backend": self.backend, "bounds": " ".join(self._use)}

    def scale(self) -> int:
        return self._scale.unit * self._scale.rows

    def objective(self, cost: int) -> Fraction:
        """Exact for the incumbent, else on the scale."""
        if cost == self.progress().objective:
            return self.setting.objective(self.model().blocks())
        return Fraction(cost, self.scale())

    def origin(self) -> NDArray[np.int32] | None:
        return self.kept

    def _further(self, settled: float, expanded: int) -> dict[str, Any]:
        """What a snapshot says of how far the search is, and further: prices, prefixes expanded.
        settled: the share of the first rules."""
        extra = {n: stated for n, stated in self.states().items() if n in PRICES and stated}
        if self.setting.soft:
            extra[OWN] = str(self.model().predicted_objective())
        extra["counts"] = expanded
        over = self._status is Status.DONE  # also where no prefix had to be expanded
        return {"settled": 1.0 if over else settled, "extra": extra}
