"""What a proof of rule sets says of its classes: the bounds, and what the duals say of each
clause."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from corels.checking.points import Points
from corels.errors import InputError
from corels_colgen.proofcheck.checking import linear_bound
from corels_colgen.proofcheck.costs import Costs, costs_of
from corels_colgen.proofcheck.reading import WORDS, Clause, Duals, RuleSetProof


@dataclass(frozen=True)
class ShownClass:
    """One class. All costs are objectives. linear: the bound that the duals show by themselves,
    None where there are none. rate: what one more of complexity saves at most. clauses: the
    conditions of each clause, what it costs, and its reduced cost, what it costs beyond the duals
    of the points that it covers (None without duals)."""

    name: str
    cost: Fraction
    proved: Fraction
    claimed: Fraction
    word: str
    linear: Fraction | None
    rate: Fraction | None
    clauses: tuple[tuple[str, Fraction, Fraction | None], ...]

    def to_json(self) -> dict[str, Any]:
        """Numbers as floats."""
        return {
            "class": self.name,
            "objective": float(self.cost),
            "proved": float(self.proved),
            "claimed": float(self.claimed),
            "duals": None if self.linear is None else float(self.linear),
            "complexity_saves": None if self.rate is None else float(self.rate),
            "clauses": [
                {
                    "if": rule,
                    "costs": float(cost),
                    "reduced_cost": more if more is None else float(more),
                }
                for rule, cost, more in self.clauses
            ],
        }

    def lines(self) -> list[str]:
        """The same for people."""
        head = (
            f"class {self.name}: the rule set costs {float(self.cost):.6f}; every rule set costs "
        )
        head += f"at least {float(self.proved):.6f}"
        if self.claimed > self.proved:
            head += f", and {float(self.claimed):.6f} {self.word}"
        lines = [head]
        if self.linear is not None and self.rate is not None:
            lines.append(
                f"  the duals alone show {float(self.linear):.6f}; by them, one more of complexity "
                f"saves at most {float(self.rate):.6f}"
            )
        for rule, cost, more in self.clauses:
            beyond = "" if more is None else f", {float(more):.6f} beyond its duals"
            lines.append(f"  {rule}  (costs {float(cost):.6f}{beyond})")
        return lines


@dataclass(frozen=True)
class ShownClasses:
    """All classes that get a set."""

    classes: tuple[ShownClass, ...]

    def to_json(self) -> dict[str, Any]:
        """Numbers as floats."""
        return {"classes": [one.to_json() for one in self.classes]}

    def lines(self) -> list[str]:
        """The same for people."""
        return [line for one in self.classes for line in one.lines()]


def shown(proof: RuleSetProof, points: Points) -> ShownClasses:
    """Each class that gets a set; nothing is checked here but the costs, which are counted. Raises
    InputError where the proof ends early."""
    if not proof.ended:
        raise InputError("the proof ends early: it has no conclusion")
    return ShownClasses(tuple(_shown(proof, points, target) for target in sorted(proof.bounds)))


def _shown(proof: RuleSetProof, points: Points, target: int) -> ShownClass:
    costs, duals = costs_of(proof.header, points, target), proof.duals.get(target)
    if duals is not None and len(duals.mu) != len(costs.missed):
        raise InputError(f"the proof has {len(duals.mu)} duals, for {len(costs.missed)} points")
    clauses, (proved, claimed, word) = proof.sets.get(target, []), proof.bounds[target]
    return ShownClass(
        str(proof.header["classes"][target]),
        costs.unit * costs.cost(clauses),
        costs.unit * proved,
        costs.unit * claimed,
        f"is claimed {WORDS[word]}",
        None if duals is None else costs.unit * linear_bound(costs, duals),
        None if duals is None else costs.unit * duals.price / max(1, duals.scale),
        tuple(_clause(proof, costs, duals, clause) for clause in clauses),
    )


def _clause(
    proof: RuleSetProof, costs: Costs, duals: Duals | None, clause: Clause
) -> tuple[str, Fraction, Fraction | None]:
    names = [str(proof.header["antecedents"][j]["name"]) for j in clause]
    joined = (" or " if proof.header.get("form") == "cnf" else " and ").join(names)
    own = int(costs.caught[costs.negatives[list(clause)].all(axis=0)].sum())
    own += costs.clause + costs.condition * len(clause)
    if duals is None:
        return joined, costs.unit * own, None
    covered = np.flatnonzero(costs.positives[list(clause)].all(axis=0))
    worth = sum(duals.mu[int(point)] for point in covered)
    worth -= duals.price * (1 + len(clause))
    return joined, costs.unit * own, costs.unit * (own - Fraction(worth, max(1, duals.scale)))
