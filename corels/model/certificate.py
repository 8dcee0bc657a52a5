"""The certificate: what was proven about a model, by whom, on which data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from html import escape
from typing import Any


class Stopped(StrEnum):
    """Why a search ended. As text, it is what certificates and traces say."""

    CERTIFIED = "certified"
    TIME_LIMIT = "time limit"
    NODE_LIMIT = "node limit"
    MEMORY_LIMIT = "memory limit"
    CACHE_LIMIT = "cache limit"
    INTERRUPTED = "interrupted"  # Ctrl-C, or another signal to stop
    ENDED = "search ended"  # nothing more will be tried, but nothing is proved (random searches)
    OUT_OF_MEMORY = "out of memory"
    FAILED = "failed"  # a part or a plugin raised: `Certificate.failure` says what
    SEARCHING = "still searching"  # saved on the way; the run was then cut short


@dataclass(frozen=True)
class Certificate:
    """Objective and proven lower bound as exact fractions; optimal exactly if they meet.

    stopped: whether it was certified, or why the search stopped early. failure: the message of
    the part that failed, if one did.
    pruned: children that each bound removed. merged: those that the symmetry map removed, or the
    memo of a depth-first search. versions: of the packages that took part.
    foreign: parts from outside this distribution on which the proof rests, and where they are from.
    resumed: the file of an earlier search whose proof the search believed; "" if there was none.
    limits: the certificate is about the models within these limits, `Search.limits()`; empty: about
    all models of the family. piece: what the model pays lambda for, `Model.piece`.
    constraints: only models that keep to them count; as `Constraint.to_document` writes them.
    statement: of the problem, in short (`corels.problem.statement`).
    """

    objective: Fraction
    lower_bound: Fraction
    stopped: Stopped
    regularization: Fraction | None = None
    expanded: int = 0
    children: int = 0
    pruned: Mapping[str, int] = field(default_factory=dict)
    merged: int = 0
    solver: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    statement: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    peak_memory: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""
    foreign: tuple[str, ...] = ()
    resumed: str = ""
    limits: Mapping[str, int | str] = field(default_factory=dict)
    constraints: tuple[Mapping[str, Any], ...] = ()
    piece: str = "rule"

    @property
    def data_hash(self) -> str:
        """Of the rows; "" if the certificate does not state its problem."""
        return str(self.statement.get("rows", {}).get("sha256", ""))

    @property
    def gap(self) -> Fraction:
        """Objective - lower bound: no list is better by more than this."""
        return self.objective - self.lower_bound

    @property
    def max_rules(self) -> int | None:
        """The most rules of the lists that the certificate is about; None: any number."""
        most = self.limits.get("max_rules")
        return None if most is None else int(most)

    @property
    def optimal(self) -> bool:
        """Whether no model is better."""
        return self.gap == 0

    @property
    def why_stopped(self) -> str:
        """Why the search ended, in words: the message of what failed, or `stopped`."""
        return self.failure or str(self.stopped)

    def __str__(self) -> str:
        """As `corels run` prints it, but for the name of what was learned."""
        from corels.model.certificate_text import certificate_text

        return certificate_text(self, f"{self.solver} model".strip())

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; fractions as "numerator/denominator" beside their decimal value."""
        document = {
            "optimal": self.optimal,
            "stopped": str(self.stopped),
            "objective": float(self.objective),
            "lower_bound": float(self.lower_bound),
            "gap": float(self.gap),
            "exact": {
                "objective": str(self.objective),
                "lower_bound": str(self.lower_bound),
                "regularization": None if self.regularization is None else str(self.regularization),
            },
            **{name: _plain(getattr(self, name)) for name in FURTHER},
        }
        return {n: v for n, v in document.items() if v or (v is not None and n not in OPTIONAL)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Certificate:
        """The inverse of `to_document`.

        Raises InputError for what is not of the schema, and if its parts disagree.
        """
        from corels.model.coherence import check_certificate
        from corels.model.schema import CertificatePart, validated

        found = validated(document, CertificatePart, "the certificate")
        own = {name: document[name] for name in FURTHER if name in document}
        own |= {name: tuple(own[name]) for name in ("foreign", "constraints") if name in own}
        exact = found.exact
        price = None if exact.regularization is None else Fraction(exact.regularization)
        costs = Fraction(exact.objective), Fraction(exact.lower_bound)
        read = cls(*costs, found.stopped, price, **own)
        check_certificate(document)
        return read


# What is written as it is: all but the numbers that stand under `exact`, and why it stopped.
FURTHER = tuple(field.name for field in fields(Certificate))[4:]
OPTIONAL = (
    "merged",
    "statement",
    "extra",
    "failure",
    "foreign",
    "resumed",
    "limits",
    "constraints",
)  # left out if there is none


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
