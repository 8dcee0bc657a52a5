"""Writes the proof of a running search: the prefixes that it expands, its lists, its bound.

The bytes are in docs/reference/proof-format.md, what they show in docs/internals/proof-families.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from corels.errors import OptionError
from corels.model import Stopped
from corels.proof import ProofFile
from corels.proof.records import FORMAT, VERSION, record
from corels.search import Sink

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run import Result
    from corels.search import Progress, Search
    from corels_falling.setting import Setting

FAMILY = "falling-rule-list"


def header_of(problem: Problem, setting: Setting, max_rules: int | None) -> dict[str, Any]:
    """The problem as the proof states it, JSON-ready."""
    violation = setting.violation_cost
    return {
        "format": FORMAT,
        "version": VERSION,
        "family": FAMILY,
        "name": problem.name,
        "label": problem.label_name,
        "classes": list(problem.classes),
        "positive_weight": str(setting.positive_weight),
        "rule_cost": str(setting.rule_cost),
        "violation_cost": None if violation is None else str(violation),
        "max_rules": max_rules,
        "total": setting.rows,
        "unit": setting.scale(problem.n_antecedents).unit,
        "data_hash": problem.data_hash,
        "antecedents": [antecedent.to_json() for antecedent in problem.antecedents],
    }


def expanded(lengths: NDArray[Any], antecedents: NDArray[Any]) -> bytes:
    """Prefixes that were expanded, each as the rules that it shares with the one before, which are
    all but its last one, and that one."""
    pairs = zip(lengths.tolist(), antecedents.tolist(), strict=True)
    return b"".join(record("x", length - 1, antecedent) for length, antecedent in pairs)


class FallingProofSink(Sink):
    """The proof of one search in the file `path`; gzip where the name ends in `.gz`.

    header: as `header_of`. records: of an earlier proof of the same problem that this search goes
    on from. Raises OptionError where the search cannot write one, OutputError where the file
    cannot be written.
    """

    name = "proof"

    def __init__(
        self,
        path: str,
        header: Mapping[str, Any],
        search: Search,
        records: bytes = b"",
    ) -> None:
        refusal = search.prove()
        if refusal is not None:
            raise OptionError(f"no proof can be written: {refusal}")
        self._search, self._scale = search, header["unit"] * header["total"]
        self._listed: tuple[int, ...] | None = None
        self._file = ProofFile(path)
        self._file.begin(header, records)

    def events(self, records: NDArray[Any], search: Search) -> None:
        """What was expanded since, and the best list where it is a new one."""
        self._grow(search.proof())

    def progress(self, snapshot: Progress, search: Search) -> None:
        """What was expanded since."""
        self._grow(search.proof())

    def finish(self, result: Result) -> None:
        """The list and the bound; a search that failed in the middle concludes nothing."""
        self._grow(self._search.proof(last=True))
        self._found()
        certificate = result.certificate
        if certificate.optimal:
            self._file.write(record("o"))
        elif certificate.stopped not in (Stopped.FAILED, Stopped.OUT_OF_MEMORY):
            self._file.write(record("e", math.floor(certificate.lower_bound * self._scale)))
        self._file.close()

    def _grow(self, records: bytes) -> None:
        """The list comes first: what is finished leans on it, also where the file is cut off."""
        if records:
            self._found()
            self._file.write(records)

    def close(self) -> None:
        """Of a search that failed the file holds what it has expanded until then."""
        self._file.close()

    def _found(self) -> None:
        path: tuple[int, ...] = self._search.path()  # type: ignore[attr-defined]
        if path != self._listed:
            self._listed = path
            self._file.write(record("l", len(path), *path))
