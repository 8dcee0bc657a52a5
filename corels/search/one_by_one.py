"""Lists one by one: what each of their rules captures and predicts, and sums over them.

Slow and simple. It serves backends that have nothing quicker, subsets of the lists that no graph
describes, and tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
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

    def predicted(
        self, lists: Sequence[Antecedents], said: Sequence[Sequence[int] | None] = ()
    ) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
        """int16[n, bits]: the class that each list predicts for each bit, 0 where there is no
        point; bool[n]: whether leaving any rule out, the others as they are, changes some
        prediction of the list.

        said: of each list what its rules say, the default rule last; None, or no list at all: each
        says what costs least in its cell.
        """
        classes, longest = len(self._regrets), max(map(len, lists), default=0)
        rules = np.full((len(lists), longest), DEFAULT)
        says = np.full((len(lists), longest + 1), -1)
        for row, (one, chosen) in enumerate(zip_longest(lists, said)):
            rules[row, : len(one)] = one
            if chosen is not None:
                says[row, : len(one)], says[row, longest] = chosen[:-1], chosen[-1]
        left, cells = np.tile(self._all, (len(lists), 1)), list[NDArray[np.bool_]]()
        for place in range(longest):
            cells.append(left & self._captured(rules[:, place]))
            left &= ~cells[-1]
        for place, cell in enumerate((*cells, left)):
            may = self._for_rules if place < longest else classes
            cheapest = (cell.astype(float) @ self._regrets[:may].T.astype(float)).argmin(axis=1)
            says[:, place] = np.where(says[:, place] < 0, cheapest, says[:, place])
        labels = np.repeat(says[:, longest:], len(self._all), axis=1).astype(np.int16)
        matter = np.ones(len(lists), dtype=np.bool_)
        for place in reversed(range(longest)):  # labels: what the rules behind this one predict
            label, rule = says[:, place, None].astype(np.int16), rules[:, place]
            matter &= (rule == DEFAULT) | (cells[place] & (labels != label)).any(axis=1)
            np.copyto(labels, label, where=self._captured(rule))
        labels[:, ~self._all] = 0
        return labels, matter

    def _captured(self, rules: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[n, bits]: what each of these captures; nothing where it is no rule."""
        return np.asarray(self._captures[rules] & (rules != DEFAULT)[:, None])

    def labels(self, rules: Antecedents) -> NDArray[np.int16]:
        """The class that a list predicts for each bit; 0 where there is no point."""
        labels, _ = self.predicted([rules])
        return np.asarray(labels[0])

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
