"""A proof's bytes, as a header and records. The format: docs/reference/proof-format.md.

The file is a line of JSON and then numbers. A process that was killed leaves a file whose last
record is cut off: what comes before it is read, and the proof has no bound.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.opening import Numbers, Opened, opened, unknown_record
from corels.check.points import well_formed
from corels.check.verdict import UNWATCHED, UnknownRecordError, Watch
from corels.errors import InputError
from corels_rule_list.proofcheck.plain import FAR, Given, Rows

FAMILY = "rule-list"
CLAIM, EXPANDED, LIST, PRICES, FACT, LIMIT, END = map(ord, "cxlpdme")
# The records that claims lean on, and if a proof has what they say.
BESIDE = {PRICES: "tables", FACT: "facts"}
MOST_POINTS = 8  # of a cell
MOST_LETTERS = 200  # of a bound's name
SHIFT = 64  # what is added to the shift of prices, so that it is not a negative number

Fact = tuple[str, list[int]]  # what tables of a bound are made from: the bound's name, and numbers
Cell = tuple[Rows, Rows]  # items: points with weights; and cuts: antecedents with prices


@dataclass
class Proof:
    """What a file says, not yet believed. Rules are numbers of antecedents of the header.

    rules: every claim's, one behind another; claim i has rules[starts[i] : starts[i + 1]].
    values: int64, what whatever follows costs at least. For a claim of the best-first search
    `relative` holds and the value is the prefix's own cost g: the claim is `bound` - g.
    lists: rules and cost of each incumbent, in order. limit: claims are about lists of at most so
    many rules, those of the claim included; None: of any number. tables: cells, and the shift of
    their prices. beside: the records that claims lean on, which say tables to facts, as numbers.
    bound: of every list; None if the file ends before it. checkers: what checks the facts, by
    the name of the bound (`Bound.checker`).
    """

    header: Mapping[str, Any]
    rules: NDArray[np.int64]
    starts: NDArray[np.int64]
    values: NDArray[np.int64]
    relative: NDArray[np.bool_]
    lists: list[tuple[list[int], int]] = field(default_factory=list)
    tables: list[tuple[int, list[Cell]]] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    beside: list[tuple[int, ...]] = field(default_factory=list)
    limit: int | None = None
    bound: int | None = None
    checkers: dict[str, Any] = field(default_factory=dict)

    def unknown(self, known: Container[str]) -> list[str]:
        """The bounds with records that none of these can check."""
        return [name for name in dict.fromkeys(name for name, _ in self.facts) if name not in known]

    def claim(self, number: int) -> tuple[int, ...]:
        return tuple(self.rules[self.starts[number] : self.starts[number + 1]].tolist())

    def stated(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Each claim's rules and value, of a best-first search what it says in the end."""
        values = np.where(self.relative, (self.bound or 0) - self.values, self.values)
        return ((self.claim(number), value) for number, value in enumerate(values.tolist()))


def plainly(proof: Proof, watch: Watch) -> dict[str, Any]:
    """What `Plain` takes besides the table. watch: learns how far the work is.

    Raises UnknownRecordError if a record is of a bound that no plugin checks.
    """
    refuse_unchecked(proof, proof.checkers)
    given: Given = [(s, watch.over("cells of tables", [*cells])) for s, cells in proof.tables]
    return {
        "claims": [(list(rules), value) for rules, value in proof.stated()],
        "given": given,
        "tell": watch.tell,
        "most": FAR if proof.limit is None else proof.limit,
        "facts": [(proof.checkers[name], numbers) for name, numbers in proof.facts],
    }


def refuse_unchecked(proof: Proof, known: Container[str]) -> None:
    """Raises UnknownRecordError if a record is of a bound that none of these can check."""
    if names := proof.unknown(known):
        raise UnknownRecordError("the proof", chr(FACT), f"with the bound {names[0]!r}")


def read_proof(content: bytes, watch: Watch = UNWATCHED) -> Proof:
    """Header and records. Raises InputError for what is not a proof, or one that is damaged."""
    return read_records(opened(content, "the proof"), watch)


def read_records(proof: Opened, watch: Watch = UNWATCHED) -> Proof:
    """The records of a file whose header was read. Raises InputError."""
    family = proof.header.get("family")
    if family != FAMILY:
        raise InputError(f"{proof.name}: this is for proofs of rule lists, not of {family}")
    return _Records(*proof, watch).proof()


class _Records:
    """One pass over the numbers. A record that is cut off at the end is left out."""

    def __init__(self, header: Mapping[str, Any], records: bytes, name: str, watch: Watch) -> None:
        self.header, self.numbers, self.watch = header, Numbers(records, name, watch), watch
        self.antecedents = len(header["antecedents"])
        with well_formed():
            said = header["outcomes"]["names"] if "outcomes" in header else header["classes"]
            self.classes = len(said)
        self.rules, self.starts, self.values = array("q"), array("q", [0]), array("q")
        self.relative = bytearray()

    def proof(self) -> Proof:
        nothing = np.zeros(0, dtype=np.int64)
        proof = Proof(self.header, nothing, nothing, nothing, nothing.astype(np.bool_))
        with suppress(IndexError):  # cut off
            while self.numbers.left and proof.bound is None:
                self._record(proof)
                if len(self.values) % 4096 == 0:
                    self._tell()
        if proof.bound is not None:
            self.numbers.end()
        claims = len(self.values)
        proof.starts = np.array(self.starts[: claims + 1], dtype=np.int64)
        proof.rules = np.array(self.rules[: self.starts[claims]], dtype=np.int64)
        proof.values = np.array(self.values, dtype=np.int64)
        proof.relative = np.array(self.relative[:claims], dtype=np.bool_)
        return proof

    def _tell(self) -> None:
        done, of = self.numbers.at, len(self.numbers.all)
        self.watch.tell("numbers of the proof, read", done, of)

    def _record(self, proof: Proof) -> None:
        at, kind = self.numbers.at, self.numbers.next()
        if kind in (CLAIM, EXPANDED):
            size = self.numbers.below(self.antecedents + 1, "the rules of a claim")
            rules = list(accumulate(self.numbers.next() for _ in range(size)))
            if rules and rules[-1] >= self.antecedents:
                raise InputError(f"{self.numbers.name}: a claim names no antecedent that there is")
            value = self.numbers.next()
            self.rules.extend(rules)
            self.starts.append(len(self.rules))
            self.relative.append(kind == EXPANDED)
            self.values.append(value)
        elif kind == LIST:
            size = self.numbers.below(self.antecedents + 1, "the rules of a list")
            listed = [self.numbers.below(self.antecedents, "a rule") for _ in range(size)]
            proof.lists.append((listed, self.numbers.next()))
        elif kind in BESIDE:
            found, stated = self._beside(kind), tuple(self.numbers.all[at : self.numbers.at])
            if stated not in proof.beside:  # a search that was resumed states all of it again
                proof.beside.append(stated)
                getattr(proof, BESIDE[kind]).append(found)
        elif kind == LIMIT:
            limit = self.numbers.next()
            if proof.limit not in (None, limit):
                raise InputError(f"{self.numbers.name}: claims about lists of different lengths")
            proof.limit = limit
        elif kind == END:
            proof.bound = self.numbers.next()
        else:
            raise unknown_record(self.header, kind, self.numbers.name)

    def _beside(self, kind: int) -> Any:
        """What claims lean on: prices, or what a bound's tables are made from."""
        if kind == PRICES:
            shift, cells = self.numbers.next() - SHIFT, range(self.numbers.next())
            return shift, [(self._rows(MOST_POINTS), self._rows(self.antecedents)) for _ in cells]
        letters = self.numbers.below(MOST_LETTERS + 1, "letters of a bound's name")
        name = bytes(self.numbers.below(128, "a letter") for _ in range(letters)).decode("ascii")
        return name, [self.numbers.next() for _ in range(self.numbers.next())]

    def _rows(self, most: int) -> Rows:
        """Rows of a number and one more for each class; before them, how many there are. A record
        of tables may have millions."""
        self._tell()
        size = self.numbers.below(most + 1, "the rows of a cell")
        return [[self.numbers.next() for _ in range(1 + self.classes)] for _ in range(size)]
