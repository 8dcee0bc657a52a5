"""What a proof says of the rules that may come next: a row for each antecedent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from corels.check.verdict import UNWATCHED, Watch
from corels.proof.format import NextRule
from corels_rule_list.proofcheck.plain import FAR, Counts, Plain, Table
from corels_rule_list.proofcheck.reading import Proof, plainly

ROWS = 1 << 16  # claims that are looked at in one go
AT_ONCE = 16  # antecedents: one product of matrices for all of them
MOST_STATES = 1 << 21  # of tables that are filled: NumPy takes seconds for so many
CELL = 1 << 10  # states that would take as long as to begin with a cell
BITS = 16  # of a state


def next_rules(
    table: Table, proof: Proof, prefix: Sequence[int] = (), watch: Watch = UNWATCHED
) -> tuple[Fraction, list[NextRule]]:
    """What every list with this prefix costs at least, and each next rule, the cheapest first.

    The numbers are what the proof claims or what can be counted; the claims are not checked here.
    Large tables (`MOST_STATES`) are not filled. What they would show of a rule is replaced by the
    claim about the prefix, which says as much of every list behind it: less, but not falsely.
    watch: learns how far the work is.
    """
    left = np.ones((1, table.captures.shape[1]), dtype=np.bool_)
    for r in prefix:
        left &= ~table.captures[r]
    sets = np.concatenate([left, left & ~table.captures])
    fewer = about(proof, table, sets)
    checker = Plain(table, **plainly(fewer, watch))
    may = checker.most - (0 if checker.most == FAR else len(prefix))
    own = int(checker.claimed_of(left, may)[0])  # 0 if there is no claim about these points
    counts = checker.counted(left)
    names = [str(antecedent["name"]) for antecedent in proof.header["antecedents"]]
    known = table.base + table.cost(prefix) - table.unit * table.errors(left[0])
    rows: list[NextRule] = []
    bound = int(counts.stop[0])
    captures = np.flatnonzero(counts.worst[0]) if may > 0 else np.zeros(0, np.intp)
    for part in watch.over(
        "groups of antecedents", np.split(captures, range(AT_ONCE, len(captures), AT_ONCE))
    ):
        for r, cost, shown in _costs(
            table, checker, left, part, of=counts, rules=(len(prefix), may)
        ):
            if cost is None:
                rows.append(NextRule(names[r], None, shown))
                continue
            least = max(cost, own)
            bound = min(bound, least)
            why = shown if cost >= own else "the claim about all"
            rows.append(NextRule(names[r], table.objective(least + known), why))
    rows.sort(key=lambda row: (row.least is None, row.least or 0))
    return table.objective(max(bound, own) + known), rows


def _costs(
    table: Table,
    checker: Plain,
    left: NDArray[np.bool_],
    part: NDArray[np.intp],
    *,
    of: Counts,
    rules: tuple[int, int],
) -> Iterator[tuple[int, int | None, str]]:
    """Of some antecedents what lists cost at least that go on with them; None if an antecedent
    need not be looked at; and why. of: the counts of the points that are left. rules: those before,
    and how many may follow."""
    before, may = rules
    errors, closing, worst = of.errors, of.closing, of.worst
    behind, following = left & ~table.captures[part], np.full(len(part), may - 1)
    reasons = (reason(behind, following, before + 1) for reason in checker.reasons)
    shown = np.array([np.minimum(closing[0, part], one) for one in reasons])
    others = np.repeat(errors, len(part), axis=0), np.repeat(worst, len(part), axis=0)
    instead = checker.instead(left & table.captures[part], part, *others)
    for r, claimed, other in zip(part.tolist(), shown.T.tolist(), instead, strict=True):
        if checker.unit * (worst[0, r] - errors[0, r]) <= checker.rule_cost:
            yield r, None, "saves no more than it costs"
        elif other:
            yield r, None, "another rule does as well"
        else:
            stop = int(closing[0, r])
            worth = max(*claimed, stop if may == 1 else min(stop, checker.rule_cost))
            cost = checker.rule_cost + checker.unit * int(errors[0, r]) + worth
            yield r, cost, _why(claimed, worth)


def about(proof: Proof, table: Table, sets: NDArray[np.bool_]) -> Proof:
    """The proof without the claims that are about none of these sets of points (bool[n, P]).

    A claim can be about a set only if no antecedent of it captures anything there. Few claims are
    left, and the checker builds the set of each that it has. Of prices the last ones are
    left, which were built last and tell most, unless to fill their tables would take too long.
    """
    touches = (sets.astype(np.float32) @ table.captures.T.astype(np.float32)) > 0
    number, kept = len(proof.values), np.zeros(len(proof.values), dtype=np.bool_)
    for at in range(0, number, ROWS):
        starts = proof.starts[at : min(at + ROWS, number) + 1]
        members = np.zeros((len(starts) - 1, touches.shape[1]), dtype=np.float32)
        claims = np.repeat(np.arange(len(members)), np.diff(starts))
        members[claims, proof.rules[starts[0] : starts[-1]]] = 1
        kept[at : at + ROWS] = ((members @ touches.T.astype(np.float32)) == 0).any(axis=1)
    lengths = np.diff(proof.starts)
    return replace(
        proof,
        rules=proof.rules[np.repeat(kept, lengths)],
        starts=np.concatenate([[0], np.cumsum(lengths[kept])]),
        values=proof.values[kept],
        relative=proof.relative[kept],
        tables=[one for one in proof.tables[-1:] if _fillable([len(items) for items, _ in one[1]])],
    )


def _fillable(sizes: Sequence[int]) -> bool:
    """Whether cells of so many points are filled within seconds."""
    return sum(CELL + (1 << min(size, BITS)) for size in sizes) <= MOST_STATES


def _why(shown: Sequence[int], worth: int) -> str:
    *tables, claimed, one_rule = (int(value) for value in shown)
    if one_rule >= worth:
        return "counted"
    if claimed >= worth:
        return "claim"
    return "tables" if max(tables, default=0) >= worth else "its own errors"
