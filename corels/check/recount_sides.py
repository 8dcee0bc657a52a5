"""Whether the rules of a model keep to the directions that its certificate states, and whether it
begins with the first rules that this states.

The document alone says that: a rule that says the positive class asks nothing that becomes false as
a column rises that points up, and so on (`sides.py`). If a model says probabilities, a greater
one comes first, and its conditions may only become true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.check.finding import Finding
from corels.check.sides import UP, allowed, asked

if TYPE_CHECKING:
    from corels.check.recount import Counts
    from corels.model.decider import Decider


def begun_so(statement: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding if first rules are stated."""
    given = statement.get("first")
    if not given:
        return
    wrong = []
    for number, one in enumerate(given):
        decider = counts.deciders[number] if number < len(counts.deciders) - 1 else None
        asked = [] if decider is None else [a.to_json()["conditions"] for a in decider.antecedents]
        said = None if decider is None else counts.says[decider.outcome]
        if asked != [one["conditions"]] or one["then"] not in (None, said):
            wrong.append(f"rule {number + 1} is not 'if {one['name']}'")
    rules = "; ".join(f"if {one['name']}{_then(one['then'])}" for one in given)
    yield Finding("first rules", not wrong, "; ".join(wrong) or rules)


def _then(said: Any) -> str:
    return "" if said is None else f" then {said}"


def on_their_sides(statement: Mapping[str, Any], counts: Counts) -> Iterator[Finding]:
    """A finding if directions are stated."""
    directions = statement.get("directions")
    if not directions:
        return
    wrong = []
    for number, decider in enumerate(counts.deciders):
        if not sides_allow(decider, directions, counts)[decider.outcome]:
            wrong.append(f"{counts.name(number)}, then {counts.says[decider.outcome]}")
    stated = ", ".join(f"{one['column']} {one['direction']}" for one in directions)
    detail = f"{stated}; {'; '.join(wrong)} says the contrary" if wrong else stated
    yield Finding("directions", not wrong, detail)


def sides_allow(decider: Decider, directions: Any, counts: Counts) -> NDArray[np.bool_]:
    """Which outcomes the directions leave a decider to say, bool[O]."""
    outcomes = counts.outcomes
    kinds = ["class"] * len(counts.says) if outcomes is None else list(outcomes.kinds)
    found = [asked(a.to_json()["conditions"], directions) for a in decider.antecedents]
    if decider.stated is not None:
        rises = all(sides <= {UP} for sides in found)
        return np.full(len(kinds), rises)
    rows = (np.array(allowed(sides, kinds)) for sides in found)
    return reduce(and_, rows, np.ones(len(kinds), dtype=np.bool_))
