"""Lists one by one: what each of their rules captures and predicts, and sums over them.

Slow and simple. It serves backends that have nothing quicker, subsets of the lists that no graph
describes, and tests.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import unpack
from corels.search.good_lists import Antecedents, NearInstance, Shares

DEFAULT = -1  # in place of an antecedent
Cell = tuple[int, NDArray[np.bool_], int]  # antecedent, bool[bits], class


class OneByOne:
    """The lists of one instance."""

    def __init__(self, instance: NearInstance) -> None:
        self._captures = unpack(instance.masks, instance.bits)
        self._regrets = np.zeros((len(instance.regrets), instance.bits), dtype=np.int64)
        self._regrets[:, : instance.front] = instance.regrets
        self._all = instance.point >= 0

    def cells(self, rules: Antecedents) -> list[Cell]:
        """Each rule's cell, the default rule's last."""
        left, found = self._all, list[Cell]()
        for rule in (*rules, DEFAULT):
            cell = left if rule == DEFAULT else left & self._captures[rule]
            found.append((rule, cell, int(self._regrets[:, cell].sum(axis=1).argmin())))
            left = left & ~cell
        return found

    def labels(self, rules: Antecedents) -> NDArray[np.int16]:
        """The class that a list predicts for each bit; 0 where there is no point."""
        labels = np.zeros(len(self._all), dtype=np.int16)
        for _, cell, label in self.cells(rules):
            labels[cell] = label
        return labels

    def every_rule_matters(self, rules: Antecedents) -> bool:
        """Whether leaving any rule out, the others as they are, changes some prediction."""
        cells = self.cells(rules)
        return all(self._matters(cells, place) for place in range(len(rules)))

    def _matters(self, cells: list[Cell], place: int) -> bool:
        _, left, label = cells[place]
        for rule, _, other in cells[place + 1 :]:
            here = left if rule == DEFAULT else left & self._captures[rule]
            if other != label and here.any():
                return True
            left = left & ~here
        return False

    def shares(self, lists: Iterable[Antecedents]) -> Shares:
        """How many of the lists use a rule, begin with it, predict a class at a bit."""
        classes, (antecedents, bits) = len(self._regrets), self._captures.shape
        uses, first = np.zeros((antecedents, classes), dtype=object), [0] * antecedents
        predicted = np.zeros((classes, bits), dtype=object)
        for rules in lists:
            for rule, cell, label in self.cells(rules):
                predicted[label, cell] += 1
                if rule != DEFAULT:
                    uses[rule, label] += 1
            if rules:
                first[rules[0]] += 1
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
