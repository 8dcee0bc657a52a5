"""What a proof of rule sets says of its classes: the bounds, and what the duals say of each
clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.check.points import Points
from corels.errors import InputError
from corels_colgen.proofcheck.checking import linear_bound
from corels_colgen.proofcheck.costs import Costs, Demanded, costs_of
from corels_colgen.proofcheck.reading import WORDS, Clause, Duals, RuleSetProof


@dataclass(frozen=True)
class ShownClasses:
    """All classes that get a set, as `corels proof --json` has them. All costs are objectives;
    None if there are no duals. duals: the bound that they show by themselves; complexity_saves:
    what one more of complexity saves at most; reduced_cost: what a clause costs beyond the duals of
    the points that it covers. words: on whose word a class's `claimed` rests."""

    classes: tuple[dict[str, Any], ...]
    words: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"classes": list(self.classes)}

    def lines(self) -> list[str]:
        """The same for people."""
        pairs = zip(self.classes, self.words, strict=True)
        return [line for one, word in pairs for line in _lines(one, word)]


def _lines(one: Mapping[str, Any], word: str) -> Iterator[str]:
    head = (
        f"class {one['class']}: the rule set costs {one['objective']:.6f}; every rule set costs at "
        f"least {one['proved']:.6f}"
    )
    if one["claimed"] > one["proved"]:
        head += f", and {one['claimed']:.6f} is claimed {word}"
    yield head
    if one["duals"] is not None:
        yield (
            f"  the duals alone show {one['duals']:.6f}; by them, one more of complexity saves at "
            f"most {one['complexity_saves']:.6f}"
        )
    for clause in one["clauses"]:
        more = clause["reduced_cost"]
        beyond = "" if more is None else f", {more:.6f} beyond its duals"
        yield f"  {clause['if']}  (costs {clause['costs']:.6f}{beyond})"


def shown(
    proof: RuleSetProof,
    points: Points,
    amounts: NDArray[np.int64] | None = None,
    demanded: Sequence[Demanded] = (),
) -> ShownClasses:
    """Each class that gets a set; nothing is checked here but the costs, which are counted.
    amounts, demanded: as of `demanded_of`. Raises InputError if the proof ends early."""
    if not proof.ended:
        raise InputError("the proof ends early: it has no conclusion")
    targets = sorted(proof.bounds)
    words = tuple(WORDS[proof.bounds[target][2]] for target in targets)
    costs = [costs_of(proof.header, points, target, amounts, demanded) for target in targets]
    of = zip(costs, targets, strict=True)
    return ShownClasses(tuple(_shown(proof, *one) for one in of), words)


def _shown(proof: RuleSetProof, costs: Costs, target: int) -> dict[str, Any]:
    duals = proof.duals.get(target)
    if duals is not None and len(duals.mu) != len(costs.missed):
        raise InputError(f"the proof has {len(duals.mu)} duals, for {len(costs.missed)} points")
    clauses, (proved, claimed, _) = proof.sets.get(target, []), proof.bounds[target]
    alone = saves = None
    if duals is not None:
        alone = float(costs.unit * linear_bound(costs, duals))
        saves = float(costs.unit * duals.price / max(1, duals.scale))
    return {
        "class": str(proof.header["classes"][target]),
        "objective": float(costs.unit * costs.cost(clauses)),
        "proved": float(costs.unit * proved),
        "claimed": float(costs.unit * claimed),
        "duals": alone,
        "complexity_saves": saves,
        "clauses": [_clause(proof, costs, duals, clause) for clause in clauses],
    }


def _clause(
    proof: RuleSetProof, costs: Costs, duals: Duals | None, clause: Clause
) -> dict[str, Any]:
    names = [str(proof.header["antecedents"][j]["name"]) for j in clause]
    joined = (" or " if proof.header.get("form") == "cnf" else " and ").join(names)
    own = int(costs.caught[costs.negatives[list(clause)].all(axis=0)].sum())
    own += costs.clause + costs.condition * len(clause)
    beyond = None
    if duals is not None:
        covered = np.flatnonzero(costs.positives[list(clause)].all(axis=0))
        worth = sum(duals.mu[int(point)] for point in covered) - duals.price * (1 + len(clause))
        beyond = float(costs.unit * (own - Fraction(worth, max(1, duals.scale))))
    return {"if": joined, "costs": float(costs.unit * own), "reduced_cost": beyond}
