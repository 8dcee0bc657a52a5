"""Writes the proof of a running search: a listener like the trace and the display."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from corels.data.files import read_raw
from corels.errors import OptionError
from corels.model.rulelist import RuleList
from corels.proof.records import base_of, header_of
from corels.proof.writer import ProofFile
from corels.search.events import Kind, Sink

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run import Result
    from corels.search import Progress, Search


def with_proof(
    problem: Problem, search: Search, proof: str | None, resume: str | None
) -> list[Sink]:
    """The listener that writes `proof`, once the search has learned what `resume` has proved.

    Raises OptionError or InputError where one of them cannot be, and closes the search.
    """
    try:
        records = b"" if resume is None else _resumed(problem, search, resume, proof)
        own = None if proof is None else search.proof_sink(proof, records)
        if own is not None:
            return [own]
        return [] if proof is None else [ProofSink(proof, problem, search, records)]
    except BaseException:
        search.close()
        raise


def _resumed(problem: Problem, search: Search, resume: str, proof: str | None) -> bytes:
    """What the search has learned from the file `resume`, as the first records of the next one."""
    from corels.proof.resume import carried, resumed

    if not search.resumable:
        raise OptionError(
            "this search cannot be resumed: only searches for rule lists and, on backend c, for "
            "falling rule lists can"
        )
    if proof is not None and os.path.realpath(proof) == os.path.realpath(resume):
        raise OptionError(f"{proof} would be written over what is resumed: another name")
    own = search.resume(read_raw(resume), resume)
    return carried(resumed(resume, problem, search)) if own is None else own


class ProofSink(Sink):
    """The proof of one search in the file `path`; gzip where the name ends in `.gz`.

    Raises OptionError where the search cannot write one, OutputError where the file cannot be
    written. records: of an earlier proof of the same problem that this search goes on from.
    """

    name = "proof"

    def __init__(self, path: str, problem: Problem, search: Search, records: bytes = b"") -> None:
        refusal = search.prove()
        if refusal is not None:
            raise OptionError(f"no proof can be written: {refusal}")
        self._problem, self._base, self._search = problem, base_of(problem), search
        self._numbers = {a: number for number, a in enumerate(problem.antecedents)}
        self._file = ProofFile(path)
        self._file.begin(header_of(problem, search.max_rules), records)

    def events(self, records: NDArray[Any], search: Search) -> None:
        """What was proved since, and the best list where it is a new one."""
        self._file.write(search.proof())
        if (records["kind"] == Kind.INCUMBENT).any() or (records["kind"] == Kind.START).any():
            self._found(search.model())

    def progress(self, snapshot: Progress, search: Search) -> None:
        """What was proved since."""
        self._file.write(search.proof())

    def finish(self, result: Result) -> None:
        """The claims about what is open, the list, and the bound."""
        self._file.write(self._search.proof(last=True))
        self._found(result.model)
        bound = result.certificate.lower_bound * Fraction(self._problem.scale) - self._base
        self._file.conclude(max(0, int(bound)))  # less where equivalent points are not counted

    def close(self) -> None:
        """Of a search that failed the file holds what was proved until then."""
        self._file.close()

    def _found(self, model: Any) -> None:
        if isinstance(model, RuleList):
            rules = [self._numbers[rule.antecedent] for rule in model.rules if rule.antecedent]
            self._file.found(rules, model.cost(self._problem) - self._base)
