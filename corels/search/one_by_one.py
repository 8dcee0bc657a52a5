"""Lists one by one: what each of their rules captures and predicts, and sums over them.

Slow and simple. It serves backends that have nothing quicker, subsets of the lists that no graph
describes, and tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import unpack
from corels.search.good_lists import Antecedents, NearInstance, Shares

DEFAULT = -1  # in place of an antecedent
Cell = tuple[int, NDArray[np.bool_], int]  # antecedent, bool[bits], class
Rules = Any  # a list: its antecedents; or what a subclass makes of it


class OneByOne:
    """The lists of one instance."""

    def __init__(self, instance: NearInstance) -> None:
        self._captures = unpack(instance.masks, instance.bits)
        self._regrets = np.zeros((len(instance.regrets), instance.bits), dtype=np.int64)
        self._regrets[:, : instance.front] = instance.regrets
        self._all, self._for_rules = instance.point >= 0, instance.for_rules

    def cells(self, rules: Rules) -> list[Cell]:
        """Each rule's cell, the default rule's last."""
        left, found = self._all, list[Cell]()
        for rule in (*rules, DEFAULT):
            cell = left if rule == DEFAULT else left & self._captures[rule]
            may = len(self._regrets) if rule == DEFAULT else self._for_rules
            found.append((rule, cell, int(self._regrets[:may, cell].sum(axis=1).argmin())))
            left = left & ~cell
        return found

    def labels(self, rules: Rules) -> NDArray[np.int16]:
        """The class that a list predicts for each bit; 0 where there is no point."""
        labels = np.zeros(len(self._all), dtype=np.int16)
        for _, cell, label in self.cells(rules):
            labels[cell] = label
        return labels

    def every_rule_matters(self, rules: Rules) -> bool:
        """Whether leaving any rule out, the others as they are, changes some prediction."""
        cells = self.cells(rules)
        return all(self._matters(cells, place) for place in range(len(cells) - 1))

    def _matters(self, cells: list[Cell], place: int) -> bool:
        _, left, label = cells[place]
        for rule, _, other in cells[place + 1 :]:
            here = left if rule == DEFAULT else left & self._captures[rule]
            if other != label and here.any():
                return True
            left = left & ~here
        return False

    def shares(self, lists: Iterable[Rules]) -> Shares:
        """How many of the lists use a rule, begin with it, predict a class at a bit."""
        classes, (antecedents, bits) = len(self._regrets), self._captures.shape
        uses, first = np.zeros((antecedents, classes), dtype=object), [0] * antecedents
        predicted = np.zeros((classes, bits), dtype=object)
        for rules in lists:
            cells = self.cells(rules)
            for rule, cell, label in cells:
                predicted[label, cell] += 1
                if rule != DEFAULT:
                    uses[rule, label] += 1
            if len(cells) > 1:
                first[cells[0][0]] += 1
        return Shares(uses.tolist(), first, predicted.tolist())

    def range(
        self, lists: Iterable[Antecedents], scores: NDArray[np.int32]
    ) -> tuple[int, int, Antecedents, Antecedents]:
        """Least and greatest score: the sum over points of that of the class predicted there."""
        points = np.flatnonzero(self._all)
        found = [
            (int(scores[self.labels(rules)[points], points].sum(dtype=np.int64)), tuple(rules))
            for rules in lists
        ]
        low, high = min(found), max(found)
        return low[0], high[0], low[1], high[1]


class SaidOneByOne(OneByOne):
    """Lists as pairs: antecedents, and what each rule says, the default rule last."""

    def cells(self, rules: Rules) -> list[Cell]:
        antecedents, said = rules
        found = super().cells(antecedents)
        return [(rule, cell, o) for (rule, cell, _), o in zip(found, said, strict=True)]
