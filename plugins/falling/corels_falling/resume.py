"""What a proof says to a search that goes on from it (docs/internals/proof-families.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.checking.opening import Opened
from corels.proof.format import refuse_other
from corels.proof.records import record
from corels_falling.proofcheck import FallingProof, read_falling

SAME = {
    "data_hash": "the data",
    "classes": "the classes",
    "antecedents": "the antecedents",
    "positive_weight": "positive_weight",
    "rule_cost": "rule_cost",
    "violation_cost": "violation_cost",
    "max_rules": "max_rules",
    "unit": "the unit of costs",
}


@dataclass(frozen=True)
class Arrays:
    """Prefix i has the first shared[i] rules of the one before it, then rules[i]; finished[i]:
    whether everything that begins with it was searched. uint32[n], uint32[n], uint8[n]."""

    shared: NDArray[np.uint32]
    rules: NDArray[np.uint32]
    finished: NDArray[np.uint8]


@dataclass(frozen=True)
class Earlier:
    """The proof of an earlier run, stopped, killed or done. It is believed: `corels check --proof`
    is for those who do not. found: its list, None where it had none."""

    proof: FallingProof
    name: str

    @classmethod
    def read(cls, proof: Opened, header: Mapping[str, Any]) -> Earlier:
        """Raises InputError where the file is the proof of another problem than the header's."""
        refuse_other(proof, header, SAME, proof.name)
        return cls(read_falling(*proof), proof.name)

    @property
    def found(self) -> tuple[int, ...] | None:
        """The antecedents of its list."""
        return self.proof.lists[-1] if self.proof.lists else None

    def arrays(self) -> Arrays:
        """Depth first, whatever is not on the way to the last prefix was finished before it."""
        pairs = np.array(self.proof.prefixes, np.uint32).reshape(-1, 2)
        finished = np.array(self.proof.claimed, np.uint8)
        if not self.proof.optimal:
            finished[self._path_to_the_last()] = 0
        shared, rules = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        return Arrays(shared, rules, finished)

    def _path_to_the_last(self) -> list[int]:
        path, need = list[int](), len(self.proof.prefixes) + 1
        for number in range(len(self.proof.prefixes) - 1, -1, -1):
            if self.proof.prefixes[number][0] < need:
                path.append(number)
                need = self.proof.prefixes[number][0]
        return path

    def records(self) -> bytes:
        """The same prefixes and the list, as the beginning of the next proof. It claims nothing of
        those that were not finished."""
        parts = [
            record("x" if done else "g", shared, rule)
            for (shared, rule), done in zip(
                self.proof.prefixes, self.arrays().finished.tolist(), strict=True
            )
        ]
        if self.found is not None:
            parts.append(record("l", len(self.found), *self.found))
        return b"".join(parts)
