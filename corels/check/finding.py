"""One thing that a check has looked at, and how it is known; what a file says without a proof
or counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from corels.check.points import fraction

LOWER_BOUND = "lower bound"  # the finding about it decides what a check as a whole has shown
# Of these a check always says more: they are counted, say what is counted, or agree with what is.
LOOKED_AT = frozenset(
    {"optimal", "objective", "gap", "lower_bound", "exact", "limits", "piece", "constraints"}
)
OF_THE_DATA = ("name", "options", "unused", "handed")  # entries that no row settles


class Known(StrEnum):
    """How a fact of a model file is known."""

    PROVED = "proved"  # by a proof
    COUNTED = "counted"  # in the rows of the data
    CLAIMED = "claimed"  # by the file alone


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: what it is, whether it holds, and the numbers.

    settles: entries of the certificate about which no more than this is to be said, such as
    "expanded" or "extra.accuracy".
    """

    what: str
    holds: bool
    detail: str
    known: Known = Known.COUNTED
    settles: tuple[str, ...] = ()


def exact_of(value: Any) -> Fraction | None:
    """The number that an entry of a file is, also as text; None for what is not a number."""
    with suppress(ValueError, ZeroDivisionError):
        return fraction(value)
    return None


def claimed_only(document: Mapping[str, Any], findings: Sequence[Finding]) -> Iterator[Finding]:
    """A finding for each entry of a file that none of these findings settles."""
    certificate = document.get("certificate", {})
    settled = LOOKED_AT.union(*(one.settles for one in findings))
    if certificate and all(one.what != LOWER_BOUND for one in findings):
        yield _bound(certificate)
    data, extra = document.get("data", {}), certificate.get("extra", {})
    entries = {**certificate, **{f"data.{name}": data.get(name) for name in OF_THE_DATA}}
    entries["extra"] = {n: of for n, of in extra.items() if f"extra.{n}" not in settled}
    if held := document.get("held_out"):
        entries["held_out"] = f"counts of {held['rows']:,} rows of {held['name']}"
    for name, value in entries.items():
        if name not in settled and value not in (None, "", {}, []):
            yield Finding(name, True, _text(value), Known.CLAIMED)


def _bound(certificate: Mapping[str, Any]) -> Finding:
    exact = certificate["exact"]
    best = "so that this model is optimal" if certificate["optimal"] else "no model costs less"
    rests = [*certificate.get("foreign", ())]
    if resumed := certificate.get("resumed"):
        rests.append(f"proof {resumed}")
    given = f", if the {' and the '.join(rests)} is right" if rests else ""
    return Finding(LOWER_BOUND, True, f"{exact['lower_bound']}, {best}{given}", Known.CLAIMED)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {of}" for name, of in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
