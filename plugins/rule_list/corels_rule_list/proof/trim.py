"""What the conclusion of a proof reaches, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.watch import UNWATCHED, Watch
from corels.errors import InputError
from corels.proof.records import claim, found_list, header_line
from corels_rule_list.proof.records import beside_claims, end
from corels_rule_list.proofcheck.checking import refuse_large, wrong_beside_claims
from corels_rule_list.proofcheck.plain import FAR, Plain, Table
from corels_rule_list.proofcheck.reading import Proof, plainly

AT_ONCE = 4096  # claims


class _Listening(Plain):
    """The plain checker, asked for some claims only; notes those that they were held against."""

    def __init__(self, table: Table, proof: Proof, watch: Watch) -> None:
        super().__init__(table, **plainly(proof, watch))
        *tables, claimed, one_rule = self.reasons
        self.reasons = [claimed, *tables, one_rule]
        self.noted: set[int] = set()

    def claimed_of(
        self, sets: NDArray[np.bool_], left: Any = FAR, before: Any = 0
    ) -> NDArray[np.int64]:
        for key in map(bytes, np.packbits(sets, axis=1)):
            about = (said[key] for said in self.said.values() if key in said)
            self.noted.update(claim for claim in about if self.values[claim] > 0)
        return super().claimed_of(sets, left, before)


def trimmed(table: Table, proof: Proof, watch: Watch = UNWATCHED) -> tuple[bytes, int]:
    """A file that proves the same with fewer claims, and how many they are.

    From the claim about all lists down, a claim is kept where one that is kept needs it. watch: is
    called with how many are kept so far. Raises InputError where the proof has no conclusion, its
    header or list is not of this data, or a claim on the way does not hold.
    """
    if proof.bound is None:
        raise InputError("the proof ends early: there is no conclusion to trim it to")
    if (wrong := wrong_beside_claims(proof, table)) is not None:
        raise InputError(f"the proof does not hold: {wrong}")
    refuse_large(table, proof)
    checker = _Listening(table, proof, watch)
    everything = np.ones((1, table.captures.shape[1]), dtype=np.bool_)
    least = checker.claimed_of(everything, checker.most)[0]
    todo, kept = set(checker.noted) if least >= proof.bound else set[int](), set[int]()
    while todo:
        watch.tell(f"claims that are needed (at most {len(proof.values):,})", len(kept))
        batch = np.array(sorted(todo)[:AT_ONCE], dtype=np.intp)
        failure = checker.check(None, batch)
        if failure is not None:
            raise InputError(f"claim {failure.claim + 1} of the proof does not hold")
        kept.update(batch.tolist())
        todo = (todo | checker.noted) - kept
    parts = [header_line(proof.header), beside_claims(proof)]
    for number in sorted(kept):  # those of a best-first search, too, with what they say in the end
        parts.append(claim(proof.claim(number), int(checker.values[number])))
    if not kept:
        parts.append(claim((), proof.bound))
    parts += [found_list(rules, cost) for rules, cost in proof.lists[-1:]]
    return b"".join([*parts, end(proof.bound)]), len(kept)
