"""Whose proof a file is, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from corels.check.opening import Opened, opened
from corels.check.points import Table
from corels.check.statement import other_problem
from corels.check.verdict import CHECKERS, Verdict
from corels.check.watch import UNWATCHED, Watch
from corels.errors import InputError
from corels.plugins import registry
from corels.search.calls import origin, proof_of

if TYPE_CHECKING:
    from corels.proof.format import ProofFormat
    from corels.search import Solver

MOST_THREADS = 256


def format_of(proof: Opened) -> ProofFormat:
    """The format of the family that a proof is about. Raises InputError for an unknown one."""
    return _family_of(proof)[1]


def _family_of(proof: Opened) -> tuple[Solver, ProofFormat]:
    for name in registry().names("solver"):
        family = registry().get("solver", name)()
        own = proof_of(family)
        if own is not None and own.family == proof.header.get("family"):
            return family, own
    raise InputError(f"{proof.name}: a proof of the unknown family {proof.header.get('family')!r}")


def check_proof(
    content: bytes | Opened,
    table: Table,
    statement: Mapping[str, Any],
    *,
    checker: str | None = None,
    threads: int = 1,
    name: str = "the proof",
    watch: Watch = UNWATCHED,
) -> Verdict:
    """Check a proof of any family against the raw table.

    content: the bytes of the file. statement: of the problem at hand, `Problem.statement`; a proof
    that is about another one fails. checker: "python" or "c"; by default the one that suits the
    size. threads: of the compiled one. Raises InputError if the proof cannot be checked on this
    data, or not by this checker, UnknownRecordError if it has records of a plugin whose checker
    is not installed, and EndedError if the time of `watch` is up.
    """
    proof = opened(content, name) if isinstance(content, bytes) else content
    family, own = _family_of(proof)
    if checker not in (None, *CHECKERS):
        raise InputError(f"checker is {checker!r}, expected one of {', '.join(CHECKERS)}")
    if checker == "c" and not own.compiled:
        raise InputError(
            f"there is no compiled checker for proofs of family {own.family!r}: use checker "
            "'python'"
        )
    if not 1 <= threads <= MOST_THREADS:
        raise InputError(f"⟨threads⟩ is {threads}, expected 1 to {MOST_THREADS}")
    if (other := other_problem(proof.header, statement)) is not None:
        why, looked_at = f"the proof is about another problem: {other}", checker or CHECKERS[0]
        return Verdict(why, "", looked_at, 0, len(proof.header["antecedents"]), None, None)
    verdict = own.check(proof, table, checker, threads, watch)
    elsewhere = origin("solver", family)
    return verdict if elsewhere is None else replace(verdict, plugins=(*verdict.plugins, elsewhere))
