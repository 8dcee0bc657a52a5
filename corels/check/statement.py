"""Whether a proof is about the problem at hand, compared entry by entry.

A proof of fewer antecedents, of other costs, of another place of "defer" or of other constraints
may hold, and yet it says nothing about this problem. The problem at hand was rebuilt from the data,
and the header says what the proof is about. All entries have to be the same, by a comparison that
shares no code with the search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENTRIES = (
    "label",
    "classes",
    "antecedents",
    "outcomes",
    "weights",
    "directions",
    "first",
    "regularization",
    "limits",
    "constraints",
    "rows",
)


def other_problem(header: Mapping[str, Any], here: Mapping[str, Any]) -> str | None:
    """What a proof's header states otherwise than the statement of the problem at hand, in a
    sentence; None if both are about one problem."""
    for entry in ENTRIES:
        stated, own = header.get(entry), here.get(entry)
        if entry == "antecedents" and isinstance(stated, list) and isinstance(own, list):
            if not same(stated, own) and same(*(sorted(all_, key=str) for all_ in (stated, own))):
                return "its antecedents are those here in another order, as were the columns"
            for number, (one, other) in enumerate(zip(stated, own, strict=False), 1):
                if not same(one, other):
                    return f"its antecedent {number} is {one}, and here it is {other}"
            if len(stated) != len(own):
                return f"it has {len(stated)} antecedents, and here are {len(own)}"
        elif not same(stated, own):
            return f"its {entry} entry is {stated}, and here it is {own}"
    limit = here.get("limits", {}).get("max_rules")
    if "max_rules" in header and header["max_rules"] != limit:
        return f"its max_rules is {header['max_rules']}, and here it is {limit}"
    return None


def same(one: Any, other: Any) -> bool:
    """Whether two values of JSON are the same: true is not 1, and an entry that is left out is not
    one that is empty."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
