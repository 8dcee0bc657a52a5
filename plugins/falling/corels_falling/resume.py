"""What a proof says to a search that goes on from it (docs/internals/proof-families.md)."""

from __future__ import annotations

from dataclasses import dataclass

from corels.proof.records import record
from corels_falling.proof import list_record
from corels_falling.proofcheck.reading import FallingProof


@dataclass(frozen=True)
class Earlier:
    """The proof of an earlier run, stopped, killed or done. It is believed: `corels check --proof`
    is for those who do not. found: its list, None where it had none."""

    proof: FallingProof
    name: str

    @property
    def found(self) -> tuple[int, ...] | None:
        """The antecedents of its list."""
        return self.proof.lists[-1] if self.proof.lists else None

    def finished(self) -> list[bool]:
        """Of each prefix, whether everything that begins with it was searched: depth first,
        whatever is not on the way to the last prefix was finished before it."""
        finished = list(self.proof.claimed)
        for number in () if self.proof.optimal else self._path_to_the_last():
            finished[number] = False
        return finished

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
            for (shared, rule), done in zip(self.proof.prefixes, self.finished(), strict=True)
        ]
        if self.found is not None:
            parts.append(list_record(self.found))
        return b"".join(parts)
