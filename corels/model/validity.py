"""What every model has to be, whatever its family: checked when one is made or found.

Every run asks this, so nothing here needs msgspec, which reads files.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from operator import index
from typing import TYPE_CHECKING, Any

from corels.errors import InputError

if TYPE_CHECKING:
    from corels.model.certificate import Certificate
    from corels.model.decider import Decider
    from corels.model.model import Model
    from corels.problem.costs import Name, Outcomes


DIGITS = 1e-12  # decimals are compared to so much; the exact fractions beside them exactly


def check_model(
    deciders: Sequence[Decider], classes: Sequence[Name], outcomes: Outcomes | None
) -> None:
    """Raise InputError if these make no model: the last decider has to hold always, and each
    needs an outcome, a count for each class and, if outcomes have costs, a cost for each."""
    says = len(classes if outcomes is None else outcomes.names)
    if not deciders or not deciders[-1].always:
        raise InputError("the model has no default: its last part has to hold for every row")
    for number, decider in enumerate(deciders, 1):
        for wrong in _wrong(decider, len(classes), says, costed=outcomes is not None):
            raise InputError(f"part {number} of the model {wrong}")


def _wrong(decider: Decider, classes: int, says: int, *, costed: bool) -> list[str]:
    found = []
    if not 0 <= index(decider.outcome) < says:
        found.append(f"says outcome {decider.outcome}: expected 0 to {says - 1}")
    for counts in (decider.counts, *(clause.counts for clause in decider.clauses)):
        if len(counts) != classes or any(index(count) < 0 for count in counts):
            found.append(
                f"has the counts {tuple(counts)}: expected {classes} numbers of at least 0, the "
                "training weight of each class"
            )
    if len(decider.costs) != (says if costed else 0):
        expected = f"{says}, one for each outcome" if costed else "none without outcomes"
        found.append(f"has {len(decider.costs)} costs: expected {expected}")
    if len(decider.points) != (len(decider.clauses) if decider.quantity == "points" else 0):
        found.append(f"has {len(decider.points)} points for {len(decider.clauses)} clauses")
    if decider.quantity == "points" and min(map(index, (*decider.points, decider.threshold))) < 1:
        sentence = f"has the points {decider.points} and the threshold {decider.threshold}"
        found.append(f"{sentence}: expected whole numbers of at least 1")
    if decider.stated is not None and not (classes == 2 and 0 <= decider.stated <= 1):
        found.append(f"states the probability {decider.stated} of one of {classes} classes")
    return found


def check_found(model: Model, certificate: Certificate, weight: int) -> None:
    """Raise InputError for a model that is not what its search says it has found.

    weight: what the counts of a model of this problem add up to.
    """
    deciders = model.deciders()
    check_model(deciders, model.classes, model.outcomes)
    if any(one.always and not one.quantity for one in deciders[:-1]):  # a set may, without clauses
        raise InputError("a rule of the model before the last one holds for every row")
    if model.training_weight != weight:
        raise InputError(
            f"its counts add up to {model.training_weight}, the problem has a weight of {weight}"
        )
    check_costs(certificate, model.counted_objective(certificate))
    for name, limit in certificate.limits.items():
        found = model.within(name)
        if found is not None and not keeps(name, found, int(limit)):
            raise InputError(f"the search is limited to {name} {limit}, the model has {found}")


def keeps(name: str, found: int, limit: int) -> bool:
    """Whether what a model has of something is within a limit, `max_...` or `min_...`."""
    return found >= limit if name.startswith("min_") else found <= limit


def check_costs(certificate: Certificate, counted: Fraction | None) -> None:
    """Raise InputError if the model's own counts cost something else than is certified.

    counted: the objective by the model's counts; None if a family cannot tell.
    """
    if counted is not None and counted != certificate.objective:
        raise InputError(
            f"the counts of the model give the objective {counted}, the certificate says "
            f"{certificate.objective}"
        )


def contradictions(certificate: Mapping[str, Any]) -> Iterator[str]:
    """If the numbers of a certificate, as JSON, contradict each other, a sentence each."""
    exact = certificate["exact"]
    objective, bound = Fraction(exact["objective"]), Fraction(exact["lower_bound"])
    gap, stopped = objective - bound, str(certificate["stopped"])
    if not 0 <= bound <= objective:
        yield f"its lower bound is {bound}, its objective {objective}"
    for name, exactly in {"objective": objective, "lower_bound": bound, "gap": gap}.items():
        if not math.isclose(certificate[name], exactly, rel_tol=DIGITS, abs_tol=DIGITS):
            yield f"its {name.replace('_', ' ')} is {certificate[name]} and also {exactly}"
    if certificate["optimal"] != (gap == 0):
        yield f"it says optimal: {str(certificate['optimal']).lower()}, with a gap of {gap}"
    if (stopped == "certified") != (gap == 0):
        yield f"it says {stopped!r}, with a gap of {gap}"
