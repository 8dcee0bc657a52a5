"""What a check as a whole has shown: three lists, and a last line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corels.check.finding import LOWER_BOUND, Finding, Known
from corels.model.printable import printable

COUNTED = "what was counted agrees: rows, counts, objective"
NOT_COUNTED = (
    "what was counted agrees: rows, counts; the objective was not counted: the solver of this "
    "family has no count of it"
)
HEADS = {Known.PROVED: "Proved:", Known.COUNTED: "Counted:", Known.CLAIMED: "Claimed:"}


@dataclass(frozen=True)
class Report:
    """findings: all of them, those of each list in order. proof: whether one was looked at.
    unfinished: what was looked at until the check of the proof was ended; None: it was not."""

    findings: Sequence[Finding]
    proof: bool = False
    unfinished: str | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing that was looked at contradicts the file."""
        return all(finding.holds for finding in self.findings)

    @property
    def unproved(self) -> bool:
        """Whether the stated bound is claimed, and not proved, beside a proof."""
        return self.proof and self._bound is not None and self._bound.known is Known.CLAIMED

    @property
    def _bound(self) -> Finding | None:
        return next((one for one in self.findings if one.what == LOWER_BOUND), None)

    def of(self, known: Known) -> list[Finding]:
        """One of the three lists; what contradicts the file comes first."""
        return sorted((one for one in self.findings if one.known is known), key=lambda f: f.holds)

    def conclusion(self) -> str:
        """The last line."""
        checked = [one for one in self.findings if one.known is not Known.CLAIMED or not one.holds]
        wrong, bound = sum(not one.holds for one in checked), self._bound
        if wrong:
            return f"{wrong} of {len(checked)} checks failed: the file says what is not so"
        counted = any(one.what == "objective" for one in self.findings)
        agrees = COUNTED if counted or bound is None else NOT_COUNTED
        if bound is None:
            return f"{agrees}; the file claims nothing of other models"
        if self.unfinished is not None:
            return f"{agrees}; the proof was not checked to its end"
        if bound.known is Known.PROVED:
            return f"{agrees}; proved: the lower bound {bound.detail}"
        beside = "claimed, not proved" if self.proof else "only claimed"
        return f"{agrees}; {beside}: the lower bound {bound.detail}"

    def to_text(self) -> str:
        """A heading for each list, and a line for each finding."""
        lines = []
        for known, head in HEADS.items():
            found = self.of(known)
            lines.append(head if found else f"{head} nothing")
            lines += [_line(one) for one in found]
            if known is Known.PROVED and self.unfinished is not None:
                lines.append(printable(f"open   proof: {self.unfinished}"))
        return "\n".join([*lines, printable(self.conclusion())])

    def to_document(self) -> dict[str, Any]:
        """JSON-ready."""
        found: dict[str, Any] = {"holds": self.holds, "conclusion": self.conclusion()}
        for known in HEADS:
            found[str(known)] = [
                {"what": one.what, "holds": one.holds, "detail": one.detail}
                for one in self.of(known)
            ]
        return found if self.unfinished is None else {**found, "unfinished": self.unfinished}


def _line(one: Finding) -> str:
    word = "WRONG" if not one.holds else "claim" if one.known is Known.CLAIMED else "ok   "
    return printable(f"{word}  {one.what}: {one.detail}")
