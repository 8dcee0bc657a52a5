"""What the compiled checker works on: its structures, and the arrays that they point to."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.verdict import FalseDataError
from corels.errors import ResourceError
from corels_checker._native import ffi

LANES, BITS, MOST_ITEMS = 8, 31, 8
MOST_CONDITIONS, TOGETHER = 6, 16  # of leaves.h
TERM = np.dtype([("bits", np.uint64), ("word", np.uint32), ("bit", np.uint32)])
MOST_TABLES = 512 << 20  # bytes
FAR = 1 << 62  # ANY_NUMBER of rules
MOST = 1 << 56  # of a point or a rule: sums of sixty-four do not overflow
LARGEST = 1 << 62  # of all that points keep, in the units of costs: sums do not overflow
CLUSTERED = 8  # antecedents
FALSE = "a partition of the proof gives points that it may not, or too much"
GAINS = "weights of leaves give points that they may not, or let a leaf gain more than a rule costs"
TOO_LARGE = "the tables of its cells would take more than 512 MB"


# Of `corels_rule_list.proofcheck`. Its numbers of rules and points are those of the file.
#
# captures: bool[M, P]; regrets: int64[C, P]; kept: the index of a numbered point, or -1; unit,
# rule_cost, total; for_rules: classes that rules may predict, the first ones; may_say: bool[M, C],
# which of these a rule with each antecedent may; the default rule may all.
Table = Any
# Claim i is about rules[starts[i] : starts[i + 1]] and says values[i], or if `relative` holds
# `bound` less that. tables: cells, and the shift of their prices;
# facts: what bounds of plugins give as numbers, by their names; limit: of rules, or None.
Proof = Any
Rows = list[list[int]]
# Items: the point's number, then its weight for each class. Cuts: an antecedent, then its prices.
Cell = tuple[Rows, Rows]


class Memory:
    """A table and a proof for the C code. Raises FalseDataError for cells that are not what they
    must be, ResourceError if memory is short.

    claimed: int64, the values of all claims. cells: of each record, how many. words: of a set.
    tables: a corels_check_tables.
    """

    def __init__(self, table: Table, proof: Proof) -> None:
        self._keep: list[Any] = []  # what C points to lives as long as this object
        self.claimed = np.where(proof.relative, (proof.bound or 0) - proof.values, proof.values)
        self.cells = [len(cells) for _, cells in proof.tables]
        self._order = _order(table, proof)
        try:
            self._in = self._struct("table", self._table(table))
            self.words = int(self._in.words)
            self._proof = self._struct("proof", self._claims(table, proof))
            self.tables = self._struct("tables", self._empty(table, proof))
            self._costs = self._priced(proof)
            slots = 1 << (2 * len(proof.values)).bit_length()
            self._index = {
                "slots": slots,
                "slot": np.zeros(slots, np.uint32),
                "digests": np.zeros(len(proof.values), np.uint64),
            }
        except MemoryError:
            raise ResourceError("the checker: there is not enough memory") from None

    def worker(self) -> Any:
        """A corels_check_worker. Raises ResourceError."""
        rows, stride, words = (getattr(self._in, name) for name in ("rows", "stride", "words"))
        sets = {name: np.zeros(words, np.uint64) for name in ("set", "behind", "other")}
        try:
            conditions = MOST_CONDITIONS * bool(self._proof.leaves)
            fields = {
                **{"in": self._in, "proof": self._proof, "tables": self.tables, **self._index},
                **{"view": np.zeros(self._proof.cells, np.uint8), **sets},
                **{"sums": np.zeros(stride, np.uint64)},
                **{name: np.zeros(stride, np.int32) for name in ("saves", "open")},
                "kept": np.zeros(2 * self._proof.leaves * stride, np.uint64),
                "leaf": np.zeros(conditions * words, np.uint64),
                "of_leaf": np.zeros(2 * conditions * stride, np.uint64),
                "of_parts": np.zeros(2 * TOGETHER * conditions * stride, np.uint64),
            }
            worker = self._struct("worker", fields)
            for tally in (worker.here, worker.next):
                for name, size in (("counts", rows), ("errors", 1), ("ending", 1), ("worst", 1)):
                    setattr(tally, name, self._at(np.zeros(size * stride, np.int32)))
            worker.reasons = reasons = self._new("reason[]", len(self._costs))
            for number, reason in enumerate(reasons):
                reason.number, reason.asked, reason.held = number, 16, 4
        except MemoryError:
            raise ResourceError("the checker: there is not enough memory") from None
        self.sort_reasons(worker)
        return worker

    def sort_reasons(self, worker: Any) -> None:
        """So that those are asked first that held most often for what they cost."""
        reasons = worker.reasons[0 : len(self._costs)]
        found = [(reason.number, reason.asked, reason.held) for reason in reasons]
        found.sort(key=lambda one: self._costs[one[0]] * one[1] / one[2])
        for reason, one in zip(reasons, found, strict=True):
            reason.number, reason.asked, reason.held = one

    def _priced(self, proof: Proof) -> list[float]:
        """What each reason costs, roughly, in the order of their numbers. The two of the reasons
        that go through all antecedents come last."""
        cells = [1.5 * len(cells) for _, cells in proof.tables]
        once = [60 + 2 * self.words, 10 + self._in.stride / 4]
        leaves = 10 + 10 * self._proof.leaves
        return [*(20 + n for n in cells), *once, 1e9, 2e9, leaves]

    def _at(self, value: Any) -> Any:
        """The address of an array."""
        self._keep.append(value)
        return ffi.cast("void *", ffi.from_buffer(value))

    def _new(self, kind: str, *length: int) -> Any:
        self._keep.append(ffi.new(f"corels_check_{kind}", *length))
        return self._keep[-1]

    def _struct(self, name: str, fields: dict[str, Any]) -> Any:
        made = self._new(f"{name} *")
        for field, value in fields.items():
            setattr(made, field, self._at(value) if isinstance(value, np.ndarray) else value)
        return made

    def _table(self, table: Table) -> dict[str, Any]:
        antecedents, points = table.captures.shape
        classes, words = len(table.regrets), max(1, -(-points // 64))
        regrets = table.regrets[:, self._order]
        worst = regrets.max(axis=0, initial=0)[None]
        weights = regrets if classes == 2 else np.concatenate((regrets, worst))
        terms = [_terms(row, words) for row in weights]
        sets = np.ones((antecedents + 1, points), dtype=np.bool_)  # the last is of all points
        sets[:-1] = table.captures[:, self._order]
        masks = _packed(sets, words)
        columns = np.zeros((words, -(-len(masks) // LANES) * LANES), np.uint64)
        columns[:, : len(masks)] = masks.T
        barred = np.zeros((len(weights), columns.shape[1]), np.int32)
        barred[:classes, :antecedents][~table.may_say.T] = np.iinfo(np.int32).max
        return {
            **{"unit": table.unit, "rule_cost": table.rule_cost, "antecedents": antecedents},
            **{"points": points, "words": words, "classes": classes, "rows": len(weights)},
            **{"stride": columns.shape[1], "masks": masks, "columns": columns},
            **{"for_rules": table.for_rules, "barred": barred},
            "terms": np.concatenate(terms),
            "first": np.cumsum([0, *map(len, terms)], dtype=np.uint64),
        }

    def _claims(self, table: Table, proof: Proof) -> dict[str, Any]:
        made, begin = self._new("record[]", len(proof.tables)), 0
        for place, (shift, cells) in zip(made, proof.tables, strict=True):
            for field, value in self._record(table, shift, cells).items():
                setattr(place, field, value)
            place.begin, place.cells = begin, len(cells)
            begin += len(cells)
        most = FAR if proof.limit is None else min(proof.limit, len(table.captures))
        may = np.unique(most - np.diff(proof.starts)) if most < FAR else np.array([FAR])
        return {
            **{"most": most, "levels": len(may), "may": np.ascontiguousarray(may, np.int64)},
            **{"claims": len(proof.values), "records": len(made), "cells": begin, "given": made},
            **{"rules": proof.rules, "starts": proof.starts, "values": self.claimed},
            **{"leaves": len(leaves_of(proof)), "weights": self._leaves(table, proof)},
        }

    def _leaves(self, table: Table, proof: Proof) -> Any:
        """What points keep. Raises FalseDataError if they keep what they have not."""
        given = leaves_of(proof)
        made = self._new("leaves[]", len(given))
        total = int(table.regrets.sum()) * table.unit
        for to, numbers in zip(made, given, strict=True):
            if len(numbers) < 3 or len(numbers) % 2 == 0:
                raise FalseDataError(GAINS)
            longest, role, scale = numbers[:3]
            listed = np.array(numbers[3:], np.int64).reshape(-1, 2)
            places = np.append(table.kept, -1)[np.minimum(listed[:, 0], len(table.kept))]
            alone = len(np.unique(places)) == len(places) and places.min(initial=0) >= 0
            known = role < len(table.regrets) > 1 and 1 <= longest <= MOST_CONDITIONS
            if not alone or not known or not 0 < scale < LARGEST // max(1, total, table.rule_cost):
                raise FalseDataError(GAINS)
            kept = np.zeros(table.captures.shape[1], np.int64)
            kept[places] = listed[:, 1]
            if (kept > scale * table.regrets[role]).any() or kept.max(initial=0) >> BITS:
                raise FalseDataError(GAINS)
            others = np.delete(table.regrets, role, axis=0).min(axis=0)
            to.longest, to.scale, to.role = longest, scale, role
            to.most = scale * table.rule_cost // table.unit
            for field, values in (("kept", kept), ("others", others)):
                terms = _terms(values[self._order], self.words)
                setattr(to, field, self._at(terms))
                setattr(to, f"n_{field}", len(terms))
        return made

    def _record(self, table: Table, shift: int, cells: list[Cell]) -> dict[str, Any]:
        width, place = 1 + len(table.regrets), np.argsort(self._order)
        both = [cell[0] for cell in cells], [cell[1] for cell in cells]
        items, paid = (_rows(lists, width) for lists in both)
        ends = [np.cumsum([0, *map(len, lists)], dtype=np.int64) for lists in both]
        if (items[:, 0] >= len(table.kept)).any():
            raise FalseDataError(FALSE)
        items[:, 0] = np.append(place, -1)[table.kept[items[:, 0]]]  # -1: no such point
        rules = np.full((len(table.captures), width - 1), table.rule_cost, np.int64)
        return {
            "shift": shift,
            "ends": [self._at(end) for end in ends],
            **{"items": self._at(items), "paid": self._at(paid)},
            "points": self._at(_scaled(table.unit * table.regrets.T[self._order], shift)),
            "rules": self._at(_scaled(rules, shift)),
        }

    def _empty(self, table: Table, proof: Proof) -> dict[str, Any]:
        """Memory for the tables of all cells, and what it takes to fill them."""
        if not self._proof.records:
            return {}
        sizes = [1 << len(items) for _, cells in proof.tables for items, _ in cells]
        antecedents, classes, cells = len(table.captures), len(table.regrets), sum(self.cells)
        if cells * (antecedents + 1024) > MOST_TABLES:
            raise FalseDataError(TOO_LARGE)
        states, moves = 1 << MOST_ITEMS, classes * (antecedents + 1)
        return {
            **{"room": sum(sizes), "start": np.zeros(cells, np.int32)},
            "left": np.zeros((antecedents, cells), np.uint8),
            "values": np.zeros(sum(sizes), np.int32),
            "traces": np.zeros(antecedents + 1, np.uint8),
            "prices": np.zeros(states * classes, np.int64),
            "sums": np.zeros(classes * states, np.int64),
            "moves": np.zeros(moves * ffi.sizeof("corels_check_move"), np.uint8),
        }


def _rows(lists: Iterable[list[list[int]]], width: int) -> NDArray[np.int64]:
    """int64[n, width]: all rows of all cells."""
    numbers = chain.from_iterable(chain.from_iterable(lists))
    return np.fromiter(numbers, np.int64).reshape(-1, width)


def _scaled(costs: NDArray[np.int64], shift: int) -> NDArray[np.int64]:
    """The costs times 2^shift, rounded down: as a record has them."""
    if not -62 <= shift <= 62 or costs.max(initial=0) > MOST >> max(shift, 0):
        raise FalseDataError(FALSE)
    return np.ascontiguousarray(costs << shift if shift >= 0 else costs >> -shift)


def leaves_of(proof: Proof) -> list[list[int]]:
    """The records of the bound `leaves`: longest, class, scale, then points with weights."""
    return [numbers for name, numbers in proof.facts if name == "leaves"]


def _terms(weights: NDArray[np.int64], words: int) -> NDArray[Any]:
    """TERM[n]: the points whose weight has a certain bit, bit by bit."""
    bits = np.arange(int(weights.max(initial=0)).bit_length())
    planes = _packed(weights >> bits[:, None] & 1, words)
    bit, word = np.nonzero(planes)
    found = np.empty(len(bit), TERM)
    found["bits"], found["word"], found["bit"] = planes[bit, word], word, bit
    return found


def _packed(sets: NDArray[Any], words: int) -> NDArray[np.uint64]:
    """bool or 0 and 1 [n, P] -> uint64[n, words]."""
    octets = np.zeros((len(sets), words * 8), dtype=np.uint8)
    octets[:, : -(-sets.shape[1] // 8)] = np.packbits(sets, axis=1, bitorder="little")
    return np.ascontiguousarray(octets.view("<u8").astype(np.uint64, copy=False))


def _order(table: Table, proof: Proof) -> NDArray[np.intp]:
    """Points by their class and weight, and by what the claims' rules capture: the checker then
    meets words of few weights, and words that a set has lost."""
    used = np.bincount(proof.rules, minlength=len(table.captures))
    keys = [table.captures[r] for r in np.argsort(used, kind="stable")[-CLUSTERED:]]
    regrets = table.regrets
    return np.lexsort((*keys, -regrets.max(axis=0, initial=0), regrets.argmax(axis=0)))
