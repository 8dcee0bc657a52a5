"""What a proof of falling or softly falling lists says of the rules that may come next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from corels.check.opening import Opened
from corels.check.points import Table
from corels.check.watch import UNWATCHED, Watch
from corels.errors import InputError
from corels.proof.format import NextRule, NextRules
from corels_falling.proofcheck.bounds import RestCosts
from corels_falling.proofcheck.checking import Checking, Prefix, concluded
from corels_falling.proofcheck.costs import Cost, Costs, taking_part
from corels_falling.proofcheck.reading import FallingProof


def conclusion(proof: FallingProof, costs: Costs) -> Cost:
    """What no list costs less than. Raises InputError if the proof has no such conclusion."""
    _, total, failure = concluded(proof, costs)
    if failure is not None:
        raise InputError(f"the proof does not hold: {failure}")
    if total is None:
        raise InputError("the proof ends early: it has no conclusion")
    return total


def costs_in(proof: Opened, table: Table) -> tuple[Mapping[str, Any], Costs]:
    """A proof's header with the antecedents that take part, and its costs in a raw table."""
    header, points = taking_part(proof.header, table, UNWATCHED)
    return header, Costs(header, points)


def next_rules(
    costs: Costs, proof: FallingProof, rules: Sequence[int] = (), watch: Watch = UNWATCHED
) -> NextRules:
    """What every list costs at least that begins with these rules, in this order; and each next
    rule, the cheapest first.

    The numbers are what the proof says or what can be counted; the proof is not checked here.
    Raises InputError if the rules are no prefix of the family, or the proof has no conclusion.
    """
    checking = Checking(costs, proof, conclusion(proof, costs), watch)
    prefix = checking.prefixes[0]
    for rule in rules:
        state = costs.extended(prefix.state, rule)
        if state is None:
            raise InputError(f"no list begins so: {checking.names[rule]} captures nothing or rises")
        prefix = Prefix(-1, state, prefix, rule)
    scale, names = costs.unit * costs.rows, checking.names
    rows = [
        NextRule(name, None if least is None else Fraction(least) / scale, why)
        for name, (least, why) in zip(names, _rows(checking, prefix), strict=True)
    ]
    ends = [Fraction(costs.closed(prefix.state)) / scale]
    ends += [row.least for row in rows if row.least is not None]
    return NextRules(
        [proof.header["antecedents"][r]["conditions"] for r in proof.lists[-1]],
        tuple(names[rule] for rule in rules),
        max(Fraction(checking.total) / scale, min(ends)),
        proof.header.get("max_rules"),
        tuple(sorted(rows, key=lambda row: (row.least is None, row.least or 0))),
    )


def _rows(checking: Checking, prefix: Prefix) -> Iterator[tuple[Cost | None, str]]:
    """Of each antecedent what the lists with it cost at least, in units of the header, and why."""
    costs, total = checking.costs, checking.total
    for r in range(costs.antecedents):
        state = costs.extended(prefix.state, r)
        if state is None:
            yield (None, "captures nothing or all that is left, or rises")
        elif costs.violation is None and not costs.threshold < state.least >= state.proportion:
            yield (None, "not above the threshold, or below what it leaves")
        else:
            closed, rest = costs.closed(state), RestCosts(costs, state)
            if costs.violation is None:
                further: Cost = state.paid + costs.rule + rest.rows(state.least)
            else:
                further = total if rest.reach(total) else 0
            if state.length == costs.max_length or not rest.positives or not rest.negatives:
                yield (max(closed, total), "counted: it is the last rule")
            elif further >= total:
                yield (max(total, min(closed, further)), "counted")
            elif checking.swapped(prefix, r, state):
                yield (None, "another order does as well")
            else:
                why = "the prefixes of the proof" if checking.is_listed(state) else "the conclusion"
                yield (total, why)
