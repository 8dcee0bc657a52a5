"""The proof format of falling and softly falling lists, as the core asks for it.

The bytes are in docs/reference/proof-format-families.md, what they show in
docs/internals/proof-families.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from corels.check.opening import Opened
from corels.check.points import Table
from corels.check.verdict import Verdict, Watch
from corels.model import Stopped
from corels.proof.format import ProofFormat
from corels.proof.records import record
from corels.search import ProofLog
from corels_falling.proofcheck.reading import FAMILY, read_falling

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run.result import Result
    from corels.search import Search
    from corels_falling.search import FallingSearch


def list_record(path: Sequence[int]) -> bytes:
    """A list by its antecedents."""
    return record("l", len(path), *path)


def tell(log: ProofLog, path: Sequence[int], grown: Sequence[tuple[int, int]]) -> None:
    """The best list, and the prefixes that were expanded, given as their lengths and last rules:
    each as the rules that it shares with the one before, which are all but its last one, and that.

    The list comes first: what is finished leans on it, also if the file is cut off.
    """
    if grown:
        log.found(list_record(path))
        log.proved(b"".join(record("x", length - 1, rule) for length, rule in grown))


class FallingProofs(ProofFormat):
    """Prefixes, each of which costs no less than the conclusion."""

    family = FAMILY

    def states(self, problem: Problem, search: Search) -> Mapping[str, Any]:
        return cast("FallingSearch", search).states()

    def records(self, problem: Problem, search: Search, result: Result) -> bytes:
        """The bound; a search that failed in the middle concludes nothing."""
        certificate = result.certificate
        if certificate.optimal:
            return record("o")
        if certificate.stopped in (Stopped.FAILED, Stopped.OUT_OF_MEMORY):
            return b""
        stated = self.states(problem, search)
        bound = certificate.lower_bound * stated["unit"] * stated["total"]
        return record("e", math.floor(bound))

    def model(self, problem: Problem, search: Search, result: Result) -> bytes:
        return list_record(cast("FallingSearch", search).path())

    def check(
        self, proof: Opened, table: Table, checker: str | None, threads: int, watch: Watch
    ) -> Verdict:
        from corels_falling.proofcheck.checking import check_falling

        return check_falling(read_falling(*proof), table, watch)
