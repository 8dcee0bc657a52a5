"""One expansion, shared by both searches: from a prefix to the children that are worth exploring.

    count     what every antecedent captures of the points that the prefix leaves
    improve   the best list that ends with one more rule may be the new incumbent
    prune     one bound after another drops children that cannot lead to anything better

The C engine has the same steps in the same order (backends/c/src/search/expand.c).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.search import COLUMNS, Children, Expansion
from corels.search.calls import priorities
from corels.search.children import read_only
from corels_python.masks import Counter, Mask, full, mask, without, words
from corels_python.tally import Tally

FAR = 1 << 40  # more regret than there is


class Prefix(NamedTuple):
    """A prefix that may be expanded. Costs are scaled integers."""

    remaining: Mask  # points that it does not capture
    viable: Mask  # antecedents that may still follow (bit j = antecedent j)
    antecedents: tuple[int, ...]
    errors: int  # avoidable errors of its rules
    minority: int  # unavoidable errors among the captured points
    captured: int  # weight captured
    lower_bound: int


class Counts(NamedTuple):
    """What one set of points holds, and what every antecedent captures of it."""

    regrets: NDArray[np.int64]  # [C, m] errors beyond the unavoidable ones if it is predicted c
    totals: NDArray[np.int64]  # [C] the same of the whole set
    worst: NDArray[np.int64]  # [m] if each point got its worst class
    support: NDArray[np.int64]  # [m] weight; zero if no part reads it
    minority: NDArray[np.int64]  # [m] unavoidable errors; zero if no part reads it
    for_rules: int  # of the classes, those that a rule may predict: the first ones
    may_say: NDArray[np.bool_] | None  # [m, C]: of these, those of each antecedent; None: all

    @property
    def of_rules(self) -> NDArray[np.int64]:
        """int64[., m]: the regrets of what a rule may predict, and `FAR` for what it may not."""
        found = self.regrets[: self.for_rules]
        if self.may_say is None:
            return found
        return np.where(self.may_say.T[: self.for_rules], found, FAR)

    @property
    def errors(self) -> NDArray[np.int64]:
        """int64[m]: the avoidable errors of a rule with each antecedent."""
        return np.asarray(self.of_rules.min(axis=0))

    @property
    def closing(self) -> NDArray[np.int64]:
        """int64[m]: the avoidable errors of the list that ends with it."""
        return self.errors + self.left

    @property
    def left(self) -> NDArray[np.int64]:
        """int64[m]: the avoidable errors of a default rule behind it."""
        return np.asarray((self.totals[:, None] - self.regrets).min(axis=0))


class Expand(Tally):
    """The instance as masks and weights, and the arithmetic on them."""

    def load(self) -> None:
        """Lay out the instance for counting: the regrets of each class, the regret of the worst
        class, and if parts ask for original weights what is captured and what is minority."""
        instance = self.instance
        self.masks = [mask(row) for row in instance.masks]
        weights = [*instance.regrets, instance.regrets.max(axis=0, initial=0)]
        if instance.counts_captured:
            weights += [instance.captured, instance.minority]
        self._counter = Counter(self.masks, np.array(weights, dtype=np.int64))

    def everything(self) -> Mask:
        """All points."""
        return full(self.instance.n_points)

    def root(self) -> Prefix:
        """The empty prefix."""
        antecedents = full(self.instance.n_antecedents)
        return Prefix(self.everything(), antecedents, (), 0, 0, 0, self.price(0, 0, 0))

    def ahead(self, sets: Sequence[Mask]) -> None:
        """Announce the sets that `count` will be called with next. Nothing to do here; a subclass
        that counts on other machines can then ask for all of them at once."""

    def count(self, points: Mask) -> Counts:
        """What every antecedent captures of a set of points."""
        self.counted += 1
        classes, (counts, totals) = self.instance.n_classes, self._counter.count(points)
        none = np.zeros_like(counts[0])
        weights = counts[classes + 1 :] if self.instance.counts_captured else (none, none)
        found = counts[:classes], totals[:classes], counts[classes], *weights
        return Counts(*found, self.instance.for_rules, self.instance.may_say)

    def children(self, prefix: Prefix, counted: Counts, viable: NDArray[np.intp]) -> Children:
        """The table of children: what each new rule captures and costs, and what it leaves.

        Bounds are incremental: the parent's, and what the new rule adds.
        """
        length, none = len(prefix.antecedents) + 1, np.zeros_like(viable)
        errors, default_errors = counted.errors[viable], counted.left[viable]
        support, minority = counted.support[viable], counted.minority[viable]
        columns = {
            "antecedent": viable,
            "prediction": counted.of_rules[:, viable].argmin(axis=0),  # of equal classes the first
            "length": none + length,
            "serial": none,  # comes with the survivors
            "support": support,
            "correct": support - minority - errors if self.instance.counts_captured else none,
            "captured": prefix.captured + support,
            "errors": errors,
            "worst": counted.worst[viable],
            "default_errors": default_errors,
            "lower_bound": self.price(length, prefix.errors + errors, prefix.minority + minority),
            "objective": self.list_cost(length, prefix.errors + errors + default_errors),
        }
        return Children(
            **{name: read_only(columns[name].astype(kind)) for name, kind in COLUMNS},
            unit=self.unit,
            rule_cost=self.rule_cost,
            total=self.instance.total,
            n_antecedents=self.instance.n_antecedents,
            expansion=self._expansion(prefix, counted) if self.reads_sets else None,
            rules_left=max(-1, self.rules_left(length)),
        )

    def price(self, length: int, errors: Any, minority: Any) -> Any:
        """Lower bound of a prefix (Theorem 1), or of each of many.

        With equivalent points (Theorem 20) every list pays for all unavoidable errors, without
        them only for those among the points that it has captured.
        """
        unavoidable = self.instance.base if self.equivalent_points else self.unit * minority
        return self.rule_cost * length + self.unit * errors + unavoidable

    def list_cost(self, length: int, errors: Any) -> Any:
        """Objective of a list, its default rule's errors included."""
        return self.rule_cost * length + self.unit * errors + self.instance.base

    def extend(self, prefix: Prefix, children: Children, row: int) -> Prefix:
        """The prefix with the rule of one row of its table."""
        antecedent, support = int(children.antecedent[row]), int(children.support[row])
        errors = int(children.errors[row])
        wrong = support - int(children.correct[row]) if self.instance.counts_captured else errors
        return Prefix(
            remaining=without(prefix.remaining, self.masks[antecedent]),
            viable=prefix.viable.bit_clear(antecedent),
            antecedents=(*prefix.antecedents, antecedent),
            errors=prefix.errors + errors,
            minority=prefix.minority + wrong - errors,
            captured=prefix.captured + support,
            lower_bound=int(children.lower_bound[row]),
        )

    def improve(self, node: int, prefix: Prefix, counted: Counts, viable: NDArray[np.intp]) -> None:
        """The best list that ends with one more rule becomes the incumbent if it is better; the
        first of equals."""
        if len(viable) and self.rules_left(len(prefix.antecedents)):
            closing = counted.closing[viable]
            row = int(closing.argmin())
            antecedents = (*prefix.antecedents, int(viable[row]))
            objective = self.list_cost(len(antecedents), prefix.errors + int(closing[row]))
            self.take(node, antecedents, objective)

    def order(self, children: Children, first: int) -> tuple[Children, NDArray[np.float64]]:
        """The survivors with their numbers, from `first` on, and the policy's priorities."""
        serial = read_only(first + np.arange(len(children), dtype=np.int64))
        numbered = replace(children, serial=serial)
        return numbered, priorities(self.policy, numbered)

    def _expansion(self, prefix: Prefix, counted: Counts) -> Expansion:
        """What bounds that read sets are given."""
        return Expansion(
            masks=self.instance.masks,
            remaining=words(prefix.remaining, self.instance.masks.shape[1]),
            counts=counted.regrets,
            totals=counted.totals,
            worst=self.instance.regrets.max(axis=0).astype(np.int64),
            regrets=self.instance.regrets.astype(np.int64),
            cost=self.list_cost(len(prefix.antecedents), prefix.errors),
        )
