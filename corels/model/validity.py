"""Whether a model is one: checked when it is made, and when a search says that it is the best.

Every run asks this, so nothing here needs msgspec, which reads files.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from corels.errors import InputError

if TYPE_CHECKING:
    from corels.model.certificate import Certificate
    from corels.model.decider import Decider
    from corels.model.model import Model


def check_deciders(deciders: Sequence[Decider], classes: Sequence[object], says: int) -> None:
    """Raise InputError for deciders that are no model.

    classes: those of the label. says: how many outcomes a decider may choose from.
    """
    if [one.always for one in deciders] != [False] * (len(deciders) - 1) + [True]:
        raise InputError("a model needs one decider that always holds, the last one")
    for number, one in enumerate(deciders, 1):
        if not 0 <= one.outcome < says:
            raise InputError(f"decider {number} says outcome {one.outcome}: there are {says}")
        wrong = {len(counts) for counts in (one.counts, *(c.counts for c in one.clauses))}
        if wrong != {len(classes)}:
            raise InputError(f"decider {number} does not have a count for each class")
        if min((*one.counts, *one.costs)) < 0:
            raise InputError(f"decider {number} has a negative count or cost")


def check_found(model: Model, certificate: Certificate, weight: int) -> None:
    """Raise InputError for a model that is not what its search says it has found.

    weight: what the counts of a model of this problem add up to.
    """
    check_deciders(model.deciders(), model.classes, len(model.says))
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
    """Raise InputError where the model's own counts cost something else than is certified.

    counted: the objective by the model's counts; None where a family cannot tell.
    """
    if counted is not None and counted != certificate.objective:
        raise InputError(
            f"the counts of the model give the objective {counted}, the certificate says "
            f"{certificate.objective}"
        )
