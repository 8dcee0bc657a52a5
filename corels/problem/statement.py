"""The statement of a problem: everything that a proof, a certificate or a result is about.

`statement` makes it from the problem at hand, `difference` compares two of them and names the first
thing in which they differ. A certificate has it in short: instead of the antecedents their number
and a hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from corels.problem.captures import Captures
    from corels.problem.constraints import Constraint
    from corels.problem.costs import Costs
    from corels.problem.problem import Problem

Statement = Mapping[str, Any]

STATED = {  # entry -> what it is, in the order in which they are compared
    "label": "the label is",
    "classes": "the classes are",
    "antecedents": "the antecedents are",
    "outcomes": "the outcomes are",
    "weights": "the weights are",
    "directions": "the directions are",
    "first": "the first rules are",
    "regularization": "lambda is",
    "limits": "the limits are",
    "constraints": "the constraints are",
    "rows": "the rows are",
}


def statement(
    problem: Problem, limits: Mapping[str, Any], *, regularized: bool, short: bool
) -> dict[str, Any]:
    """`Problem.statement`."""
    found = {
        "label": problem.label_name,
        "classes": list(problem.classes),
        "antecedents": problem.antecedents_in_short
        if short
        else [antecedent.to_json() for antecedent in problem.antecedents],
        "outcomes": None if problem.costs is None else problem.outcomes.to_document(),
        "weights": problem.weighed,
        "directions": [one.to_json() for one in problem.directions],
        "first": [_first(problem, number) for number in problem.first],
        "regularization": str(problem.regularization) if regularized else None,
        "limits": dict(limits),
        "constraints": [one.demanded() for one in problem.constraints],
        "rows": {"weight": problem.total, "sha256": problem.data_hash},
    }
    return {
        name: value
        for name, value in found.items()
        if value or name in ("label", "antecedents", "rows")
    }


def _first(problem: Problem, number: int) -> dict[str, Any]:
    """A rule that every list begins with: what it asks, and what it says if that is given."""
    may = np.flatnonzero(problem.says([number])).tolist()
    said = problem.outcomes.names[may[0]] if len(may) == 1 else None
    return {**problem.antecedents[number].to_json(), "then": said}


def rows_hash(
    captures: Captures,
    weights: NDArray[np.int64],
    costs: Costs | None = None,
    constraints: Iterable[Constraint] = (),
) -> str:
    """SHA-256 of the points: what captures them, their weight by class, what each outcome costs
    there, and what each constraint counts. Points have an order of their own, so neither the order
    of the rows nor the reader changes it."""
    digest = hashlib.sha256()
    digest.update(np.ascontiguousarray(captures.words).data)
    digest.update(np.ascontiguousarray(weights).data)
    if costs is not None:
        digest.update(np.ascontiguousarray(costs.amounts).data)
    for one in constraints:
        digest.update(np.ascontiguousarray(one.values).data)
    return digest.hexdigest()


def in_short(stated: Statement) -> dict[str, Any]:
    """The statement with the number and the hash of its antecedents in their place."""
    antecedents = stated.get("antecedents", [])
    if isinstance(antecedents, Mapping):
        return dict(stated)
    return {**stated, "antecedents": antecedents_in_short(antecedents)}


def antecedents_in_short(antecedents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Their number and the SHA-256 of what they are, JSON-ready."""
    text = _text(antecedents).encode("utf-8", "surrogatepass")
    return {"count": len(antecedents), "sha256": hashlib.sha256(text).hexdigest()}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def difference(stated: Statement, here: Statement) -> str | None:
    """The first thing in which a problem that is stated differs from the one at hand, in a sentence
    without a full stop; None if they are the same. Other entries than `STATED` are not looked
    at."""
    if any(isinstance(one.get("antecedents"), Mapping) for one in (stated, here)):
        stated, here = in_short(stated), in_short(here)
    for entry, what in STATED.items():
        there, own = stated.get(entry) or None, here.get(entry) or None
        if _text(there) != _text(own):
            if entry == "antecedents" and isinstance(there or own, list):
                return _first_other(there or [], own or [])
            return f"{what} stated as {_shown(there)}, and here {_shown(own)}"
    return None


def _shown(value: Any) -> str:
    if isinstance(value, Mapping) and "sha256" in value:
        number = value.get("weight", value.get("count"))
        return f"{number}, sha256 {str(value['sha256'])[:12]}..."
    text = "none" if value is None else value if isinstance(value, str) else _text(value)
    return text if len(text) <= 200 else f"{text[:200]}..."


def _first_other(there: Sequence[Any], here: Sequence[Any]) -> str:
    """That only the order differs; else the first antecedent that does, or how many there are."""
    if there != here and sorted(map(_text, there)) == sorted(map(_text, here)):
        return "the antecedents are stated in another order, as are the columns"
    for number, pair in enumerate(zip(there, here, strict=False), 1):
        if _text(pair[0]) != _text(pair[1]):
            names = [str(a.get("name")) if isinstance(a, Mapping) else str(a) for a in pair]
            if names[0] == names[1]:
                return f"what antecedent {number} asks is stated as {_shown(pair[0])}"
            return "antecedent {} is stated as {!r}, and here is {!r}".format(number, *names)
    return f"{len(there)} antecedents are stated, and here are {len(here)}"
