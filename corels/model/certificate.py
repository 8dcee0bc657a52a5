"""The certificate: what was proven about a model, by whom, on which data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from corels.errors import InputError

CERTIFIED = "certified"


@dataclass(frozen=True)
class Certificate:
    """Objective and proven lower bound as exact fractions; optimal exactly where they meet.

    stopped: "certified", or why the search stopped early: "time limit", "node limit",
    "memory limit", "interrupted", or a plugin's message.
    pruned: children that each bound removed. versions: of the packages that took part.
    """

    objective: Fraction
    lower_bound: Fraction
    stopped: str
    regularization: Fraction | None = None
    expanded: int = 0
    children: int = 0
    pruned: Mapping[str, int] = field(default_factory=dict)
    solver: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    data_hash: str = ""
    seconds: float = 0.0
    peak_memory: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gap(self) -> Fraction:
        """Objective - lower bound: no list is better by more than this."""
        return self.objective - self.lower_bound

    @property
    def optimal(self) -> bool:
        """Whether no model is better."""
        return self.gap == 0

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; fractions as "numerator/denominator" beside their decimal value."""
        return {
            "optimal": self.optimal,
            "stopped": self.stopped,
            "objective": float(self.objective),
            "lower_bound": float(self.lower_bound),
            "gap": float(self.gap),
            "exact": {
                "objective": str(self.objective),
                "lower_bound": str(self.lower_bound),
                "regularization": None if self.regularization is None else str(self.regularization),
            },
            "expanded": self.expanded,
            "children": self.children,
            "pruned": dict(self.pruned),
            "solver": self.solver,
            "parts": dict(self.parts),
            "versions": dict(self.versions),
            "data_hash": self.data_hash,
            "seconds": self.seconds,
            "peak_memory": self.peak_memory,
            **({"extra": dict(self.extra)} if self.extra else {}),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Certificate:
        """The inverse of `to_document`.

        Raises InputError for what is not of the schema, and where its parts disagree.
        """
        from corels.model.coherence import check_certificate
        from corels.model.schema import CertificatePart, validated

        found = validated(document, CertificatePart, "the certificate")
        exact = found.exact
        read = cls(
            objective=_fraction(exact.objective),
            lower_bound=_fraction(exact.lower_bound),
            regularization=None if exact.regularization is None else _fraction(exact.regularization),
            extra=document.get("extra", {}),
            **{name: getattr(found, name) for name in PLAIN},
        )
        check_certificate(read, document)
        return read


PLAIN = (
    "stopped",
    "expanded",
    "children",
    "pruned",
    "solver",
    "parts",
    "versions",
    "data_hash",
    "seconds",
    "peak_memory",
)


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise InputError(f"the certificate is malformed: {text} is no number") from None
