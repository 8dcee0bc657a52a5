"""The plain checker of falling and softly falling lists: every prefix of a proof, counted again.

A proof lists prefixes; the empty one is always among them. It says of each: every list that begins
with it costs V or more, if V is the conclusion. What is checked of a prefix e:

    it is a prefix of the family, and to end there costs V or more
    for every antecedent r: either e + r cannot be, or its list costs V or more and one of these
        nothing follows     no further rule is allowed
        bound               whatever extends e + r costs V or more (bounds.py)
        listed              a prefix of the proof leaves the same points, and has no greater cost,
                            no smaller least proportion and no more rules
        swapped             the last two rules in the other order leave the same points and are
                            better, or the last one alone captures what both do

Why these do not lean on each other in a circle: docs/internals/proof-families.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from corels.check.verdict import UNWATCHED, Verdict, Watch
from corels.errors import InputError
from corels_falling.proofcheck.bounds import RestCosts
from corels_falling.proofcheck.children import Children
from corels_falling.proofcheck.costs import Cost, Costs, Counts, State, taking_part
from corels_falling.proofcheck.reading import FallingProof

ROOM = 1 << 22  # numbers in a batch's matrix
LOOK = 1000  # prefixes between two looks at the clock
PRICES = ("positive_weight", "false_positive_cost", "rule_cost", "violation_cost")


@dataclass(frozen=True)
class Prefix:
    """A prefix of the proof: its number, 0 is the empty one; its state, its parent (None: it is the
    empty one) and its last rule."""

    number: int
    state: State
    parent: Prefix | None = None
    rule: int = -1

    def replaces(self, state: State) -> bool:
        """Of a state that leaves the same points."""
        own = self.state
        return own.paid <= state.paid and own.least >= state.least and own.length <= state.length

    def rules(self) -> tuple[int, ...]:
        return () if self.parent is None else (*self.parent.rules(), self.rule)


def check_falling(proof: FallingProof, table: Any, watch: Watch) -> Verdict:
    """Check every prefix of a proof, its list and its bound against the raw table, a
    `corels.check.points.Table`.

    Raises InputError if the proof cannot be checked on this data, and EndedError if the time
    of `watch` is up.
    """
    header, points = taking_part(proof.header, table, watch)
    if any(rule >= len(points.captures) for _, rule in proof.prefixes) or any(
        rule >= len(points.captures) for rules in proof.lists for rule in rules
    ):
        raise InputError("the proof names an antecedent that takes no part")
    proof, costs = replace(proof, header=header), Costs(header, points)
    cost = costs.listed(proof.lists[-1]) if proof.lists else None
    total, failure = cost if proof.optimal else proof.bound, _conclusion(proof, costs, cost)
    if failure is None and total is not None:
        failure = Checking(costs, proof, total, watch).failure()
    scale, prefixes = costs.unit * costs.rows, 1 + len(proof.prefixes)
    bound = None if total is None else Fraction(total) / scale
    longest = header.get("max_rules")
    rules = proof.lists[-1] if proof.lists else ()
    return Verdict(
        failure=failure,
        sentence=_sentence(costs, longest, prefixes, bound),
        checker="python",
        objective=None if cost is None else Fraction(cost) / scale,
        lower_bound=bound,
        found=[header["antecedents"][r]["conditions"] for r in rules],
        prices={name: header.get(name) for name in PRICES},
        limits={"max_rules": longest},
    )


def _sentence(costs: Costs, longest: int | None, prefixes: int, bound: Fraction | None) -> str:
    looked = f"{prefixes:,} prefixes, checker python"
    if bound is None:
        return f"the file ends before its conclusion ({looked})"
    soft = "" if costs.violation is None else "softly "
    limited = "" if longest is None else f" of at most {longest} rules"
    return (
        f"no {soft}falling rule list{limited} over these {costs.antecedents} antecedents costs "
        f"less than {float(bound):.6g} ({looked})"
    )


def _conclusion(proof: FallingProof, costs: Costs, cost: Cost | None) -> str | None:
    """What is wrong with the proof's list, which costs so much, or with its bound."""
    if proof.header.get("total") != costs.rows:
        return f"the header has total {proof.header.get('total')}, and this data {costs.rows}"
    if not proof.lists:
        return "the proof has no list" if proof.concluded else None
    if cost is None:
        return "the proof's list is none of this family: a rule captures nothing or all, or rises"
    if proof.bound is not None and proof.bound > cost:
        return f"the bound {proof.bound} is above the cost of the proof's own list, {float(cost)}"
    return None


class Checking:
    """One proof against one table, its conclusion `total` in units of the header."""

    def __init__(
        self, costs: Costs, proof: FallingProof, total: Cost, watch: Watch = UNWATCHED
    ) -> None:
        self.costs, self.total, self.watch = costs, total, watch
        self.names = [str(a.get("name")) for a in proof.header["antecedents"]]
        self.children = Children(costs, total)
        self.prefixes = [Prefix(0, costs.root())]
        self.listed: dict[int, list[Prefix]] = {}
        self.broken = self._build(proof)

    def _build(self, proof: FallingProof) -> str | None:
        """The states of all prefixes; a sentence for the first one that cannot be."""
        path = [self.prefixes[0]]
        for number, (shared, rule) in enumerate(proof.prefixes, 1):
            del path[shared + 1 :]
            state = self.costs.extended(path[-1].state, rule)
            if state is None:
                return (
                    f"prefix {number + 1}: its rule {self.names[rule]} captures nothing or all "
                    "that is left, or rises"
                )
            path.append(Prefix(number, state, path[-1], rule))
            self.prefixes.append(path[-1])
            self.listed.setdefault(state.left, []).append(path[-1])
            if number % LOOK == 0:
                self.watch.tell("the states of the prefixes", number, len(proof.prefixes))
        return None

    def failure(self) -> str | None:
        """The first prefix that is not shown to cost so much, in a sentence; or None."""
        if self.broken is not None:
            return self.broken
        done = 0
        for batch in self.batches(self.prefixes):
            self.watch.tell("prefixes", done, len(self.prefixes))
            wrong = self.wrong_of(batch)
            if wrong is not None:
                return wrong
            done += len(batch)
        self.watch.holds(f"{done:,} prefixes")
        return None

    def wrong_of(self, batch: Sequence[Prefix]) -> str | None:
        """The first one of some prefixes that is not shown to cost so much, in a sentence."""
        children = self.children.open([prefix.state for prefix in batch])
        for prefix, some in zip(batch, children, strict=True):
            wrong = self._wrong(prefix, some)
            if wrong is not None:
                names = ", ".join(self.names[r] for r in prefix.rules()) or "no rule"
                return f"prefix {prefix.number + 1} ({names}): {wrong}"
        return None

    def batches(self, prefixes: Sequence[Prefix]) -> Iterator[Sequence[Prefix]]:
        """Of a size that fits into memory."""
        size = max(1, ROOM // max(1, *self.children.each.shape))
        for at in range(0, len(prefixes), size):
            yield prefixes[at : at + size]

    def _wrong(self, prefix: Prefix, children: Sequence[tuple[int, Counts]]) -> str | None:
        if self.costs.closed(prefix.state) < self.total:
            return "to end there costs less than the conclusion"
        if prefix.state.length == self.costs.max_length:
            return None
        for r, captured in children:
            if not self._enough(prefix, r, self.costs.behind(prefix.state, r, captured)):
                return f"antecedent {r + 1} ({self.names[r]}) is not shown to cost so much"
        return None

    def _enough(self, prefix: Prefix, r: int, state: State) -> bool:
        """Whether the child costs enough, and all that extends it."""
        if self.costs.closed(state) < self.total:
            return False
        if state.length == self.costs.max_length or RestCosts(self.costs, state).reach(self.total):
            return True
        listed = self.listed.get(state.left, ())
        return self._swapped(prefix, r, state) or any(one.replaces(state) for one in listed)

    def _swapped(self, prefix: Prefix, r: int, state: State) -> bool:
        """The last two rules in the other order, if that is no worse and in something better."""
        if prefix.parent is None:
            return False
        first = self.costs.extended(prefix.parent.state, r)
        if first is None:
            return False
        second = self.costs.extended(first, prefix.rule)
        if second is None:  # the first one alone captures what both do, or it may not be
            alone = first.left == state.left
            return alone and first.paid <= state.paid and first.least >= state.least
        if second.paid > state.paid or second.least < state.least:
            return False
        return second.paid < state.paid or second.least > state.least
