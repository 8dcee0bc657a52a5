"""Lists one by one: what each of their rules captures and predicts, and sums over them.

Slow and simple. It serves backends that have nothing quicker, subsets of the lists that no graph
describes, and tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest

import numpy as np
from numpy.typing import NDArray

from corels.problem.captures import pack, supports, unpack, weight_planes
from corels.search.good_lists import Antecedents, NearInstance, Shares

DEFAULT = -1  # in place of an antecedent
AT_ONCE = 256  # lists that are summed up together
FAR = 1 << 62  # more than anything costs
Said = Sequence[int] | None
"""What the rules of a list say, the default rule last; None: each what costs least in its cell."""


class OneByOne:
    """The lists of one instance."""

    def __init__(self, instance: NearInstance) -> None:
        regrets = np.zeros((len(instance.regrets), instance.bits), dtype=np.int64)
        regrets[:, : instance.front] = instance.regrets
        self._all = instance.point >= 0
        # What each antecedent's rule may not say; in the last row, if there is no rule, nothing.
        rules, outcomes = len(instance.masks), np.arange(len(instance.regrets))
        self._barred = np.zeros((rules + 1, len(outcomes)), dtype=np.bool_)
        self._barred[:rules] = outcomes >= instance.for_rules
        if instance.may_say is not None:
            self._barred[:rules] |= ~instance.may_say
        # Packed sets; the last one, number DEFAULT, is empty: there is no rule.
        nothing = np.zeros_like(instance.masks[:1])
        self._packed = np.concatenate([instance.masks, nothing])
        (self._points,) = pack(self._all[None])
        self._planes = [weight_planes(row) for row in regrets]
        self._digits = np.arange(max(1, (len(regrets) - 1).bit_length()), dtype=np.int16)

    def _cells(
        self, lists: Sequence[Antecedents], said: Sequence[Said]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], list[NDArray[np.uint64]]]:
        """[n, longest], the antecedents of lists, DEFAULT behind the last; [n, longest + 1], what
        the rules say; and for each place uint64[n, words], what a rule there captures of the rest.
        The default rules have the last place."""
        longest = max(map(len, lists), default=0)
        rules = np.full((len(lists), longest), DEFAULT)
        says = np.full((len(lists), longest + 1), -1)
        for row, (one, chosen) in enumerate(zip_longest(lists, said)):
            rules[row, : len(one)] = one
            if chosen is not None:
                says[row, : len(one)], says[row, longest] = chosen[:-1], chosen[-1]
        left, cells = np.tile(self._points, (len(lists), 1)), list[NDArray[np.uint64]]()
        for place in range(longest):
            cells.append(left & self._packed[rules[:, place]])
            left &= ~cells[-1]
        cells.append(left)
        for place, cell in enumerate(cells):
            costs = np.array([supports(cell, planes) for planes in self._planes])
            if place < longest:
                costs[self._barred[rules[:, place]].T] = FAR
            says[:, place] = np.where(says[:, place] < 0, np.argmin(costs, axis=0), says[:, place])
        return rules, says, cells

    def predicted(
        self, lists: Sequence[Antecedents], said: Sequence[Said] = ()
    ) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """uint64[n, digits, words]: which points have each binary digit of the class that each list
        predicts; bool[n]: whether leaving any rule out, the others as they are, changes some
        prediction of the list.

        said: of each list; none at all: as None for each.
        """
        rules, says, cells = self._cells(lists, said)
        digits = (says[:, :, None] >> self._digits & 1).astype(np.uint64)
        everywhere = -digits[..., None]  # [n, places, digits, 1]: all bits, or none
        found = everywhere[:, -1] & self._points  # what the rules behind a place predict
        matter = np.ones(len(lists), dtype=np.bool_)
        for place in reversed(range(len(cells) - 1)):
            other = found ^ (everywhere[:, place] & self._points)
            differs = (other & cells[place][:, None]).any(axis=(1, 2))
            matter &= differs | (rules[:, place] == DEFAULT)
            found ^= other & self._packed[rules[:, place]][:, None]
        return found, matter

    def labels(self, rules: Antecedents) -> NDArray[np.int16]:
        """The class that a list predicts for each bit; 0 if there is no point."""
        found, _ = self.predicted([rules])
        held = unpack(found[0], len(self._all)).astype(np.int16)
        return np.asarray((held << self._digits[:, None]).sum(axis=0, dtype=np.int16))

    def shares(self, lists: Iterable[tuple[Antecedents, Said]]) -> Shares:
        """How many of the lists use a rule, begin with it, predict a class at a bit."""
        classes, left = len(self._planes), iter(lists)
        uses = np.zeros((len(self._packed) - 1, classes), dtype=np.int64)
        first = np.zeros(len(uses), dtype=np.int64)
        predicted = np.zeros((classes, len(self._all)), dtype=np.int64)
        while some := list(islice(left, AT_ONCE)):
            rules, says, cells = self._cells(*zip(*some, strict=True))
            for place, cell in enumerate(cells):
                for label in range(classes):
                    held = unpack(cell[says[:, place] == label], len(self._all))
                    predicted[label] += held.sum(axis=0)
            used = rules != DEFAULT
            np.add.at(uses, (rules[used], says[:, :-1][used]), 1)
            np.add.at(first, rules[used.any(axis=1), :1], 1)
        return Shares(uses.tolist(), first.tolist(), predicted.tolist())

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
