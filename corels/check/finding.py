"""One thing that a check has looked at, and how it is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LOWER_BOUND = "lower bound"  # the finding about it decides what a check as a whole has shown


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
