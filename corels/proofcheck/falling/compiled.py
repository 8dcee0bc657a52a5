"""The compiled checker of falling lists, and what it leaves to exact numbers."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.proofcheck.falling.bounds import Rest
from corels.proofcheck.falling.costs import Cost, Costs
from corels.proofcheck.falling.reading import FallingProof
from corels.proofcheck.watch import Watch


def compiled(
    costs: Costs,
    proof: FallingProof,
    total: Cost,
    watch: Watch,
    wanted: NDArray[np.uint8] | None = None,
) -> tuple[int, int] | None:
    """The first prefix that the compiled checker does not accept, and the antecedent, or None.

    wanted: as corels_checker.falling.check. What it leaves open is decided here, in exact numbers.
    """
    try:
        native = import_module("corels_checker.falling")
    except ImportError:
        raise InputError("the compiled checker is not installed: use checker 'python'") from None
    for step in native.check(costs, proof, total, wanted):
        if step.failing is None:
            watch.tell(step.what, step.done, step.total)
        elif not (step.open and _bounded(costs, proof, total, *step.failing)):
            return tuple(step.failing)
    watch.holds(f"{1 + sum(proof.claimed):,} prefixes")
    return None


def _bounded(costs: Costs, proof: FallingProof, total: Cost, number: int, antecedent: int) -> bool:
    state = costs.root()
    for rule in (*rules_of(proof, number), antecedent):
        behind = costs.extended(state, rule)
        assert behind is not None
        state = behind
    return Rest(costs, state).reach(total)


def rules_of(proof: FallingProof, number: int) -> list[int]:
    """Of prefix `number`, 0 is the empty one."""
    rules = list[int]()
    for shared, rule in reversed(proof.prefixes[:number]):
        if not rules:
            rules, need = [rule], shared
        elif shared < need:
            rules, need = [rule, *rules], shared
        if not need:
            break
    return rules
