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

from corels.problem.captures import pack, supports, unpack, weight_planes
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
        # The same as packed sets; the last one, number DEFAULT, is empty: there is no rule.
        nothing = np.zeros_like(instance.masks[:1])
        self._packed = np.concatenate([instance.masks, nothing])
        (self._points,) = pack(self._all[None])
        self._planes = [weight_planes(row) for row in self._regrets]
        classes = len(self._regrets)
        self._digits = np.arange(max(1, (classes - 1).bit_length()), dtype=np.int16)

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
    ) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """uint64[n, digits, words]: which points have each binary digit of the class that each list
        predicts; bool[n]: whether leaving any rule out, the others as they are, changes some
        prediction of the list.

        said: of each list what its rules say, the default rule last; None, or no list at all: each
        says what costs least in its cell.
        """
        longest = max(map(len, lists), default=0)
        rules = np.full((len(lists), longest), DEFAULT)
        says = np.full((len(lists), longest + 1), -1)
        for row, (one, chosen) in enumerate(zip_longest(lists, said)):
            rules[row, : len(one)] = one
            if chosen is not None:
                says[row, : len(one)], says[row, longest] = chosen[:-1], chosen[-1]
        captured = [self._packed[rules[:, place]] for place in range(longest)]
        left, cells = np.tile(self._points, (len(lists), 1)), list[NDArray[np.uint64]]()
        for place in range(longest):
            cells.append(left & captured[place])
            left &= ~cells[-1]
        for place, cell in enumerate((*cells, left)):
            may = self._for_rules if place < longest else len(self._regrets)
            costs = [supports(cell, planes) for planes in self._planes[:may]]
            says[:, place] = np.where(says[:, place] < 0, np.argmin(costs, axis=0), says[:, place])
        digits = (says[:, :, None] >> self._digits & 1).astype(np.uint64)
        everywhere = -digits[..., None]  # [n, places, digits, 1]: all bits, or none
        found = everywhere[:, longest] & self._points  # what the rules behind a place predict
        matter = np.ones(len(lists), dtype=np.bool_)
        for place in reversed(range(longest)):
            other = found ^ (everywhere[:, place] & self._points)
            differs = (other & cells[place][:, None]).any(axis=(1, 2))
            matter &= differs | (rules[:, place] == DEFAULT)
            found ^= other & captured[place][:, None]
        return found, matter

    def labels(self, rules: Antecedents) -> NDArray[np.int16]:
        """The class that a list predicts for each bit; 0 where there is no point."""
        found, _ = self.predicted([rules])
        held = unpack(found[0], len(self._all)).astype(np.int16)
        return np.asarray((held << self._digits[:, None]).sum(axis=0, dtype=np.int16))

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
