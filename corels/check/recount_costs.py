"""What deciders cost, counted row by row, if outcomes have costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corels.check.finding import Finding
from corels.check.recount import Counts

if TYPE_CHECKING:
    from corels.model.decider import Decider

STATED = ("names", "kinds", "asked", "default_only")  # of outcomes; the scale is only a unit


def comparable(counts: Counts) -> bool:
    """Whether the rows have costs of the outcomes that the model has, if it has any."""
    if counts.outcomes is None or counts.costs is None:
        return counts.outcomes is None
    here, stated = counts.costs.outcomes, counts.outcomes
    return all(getattr(here, name) == getattr(stated, name) for name in STATED)


def wrong_costs(
    counts: Counts, may: Mapping[Decider, Sequence[int]] | None = None
) -> Iterator[Finding]:
    """A finding for each decider with an outcome that costs something else than the model says, or
    which is right for another weight; one alone if the rows have no such costs.

    The model has outcomes. may: of deciders that have to say the cheapest one, what they may say.
    """
    outcomes, known = counts.outcomes, counts.costs
    assert outcomes is not None
    if known is None or not comparable(counts):
        here = "none are known"
        if known is not None:
            here = ", ".join(f"{name} {getattr(known.outcomes, name)}" for name in STATED)
        yield Finding("costs", False, f"the outcomes here: {here}")
        return
    scale, stated, may = known.outcomes.scale, outcomes.scale, may or {}
    of_costs, of_right = (
        counts.decided_by(counts.deciders, of) for of in (counts.paid, counts.right)
    )
    rows = zip(counts.deciders, of_costs, of_right, strict=True)
    for number, (decider, costs, rights) in enumerate(rows):
        right = rights[decider.outcome]
        if [cost * stated for cost in costs] != [cost * scale for cost in decider.costs]:
            each = (float(cost * counts.table.unit / scale) for cost in costs)
            amounts_text = ", ".join(f"{cost:g}" for cost in each)
            yield Finding(counts.name(number), False, f"the outcomes cost {amounts_text}")
        elif decider.right not in (None, right):
            yield Finding(counts.name(number), False, f"it is right for {counts.amount(right)}")
        elif decider in may and costs[decider.outcome] != min(costs[one] for one in may[decider]):
            yield Finding(counts.name(number), False, "that is not the cheapest outcome")
