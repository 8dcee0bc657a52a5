"""What a proof says of the rules that may come next: a row for each antecedent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corels.proofcheck.plain import Plain
from corels.proofcheck.reading import Proof
from corels.proofcheck.table import Table


@dataclass(frozen=True)
class Next:
    """A rule that may come next. least: what every list with it costs at least, beyond the base and
    the errors of the prefix; None where another list is as good, `why` then says which."""

    antecedent: int
    least: int | None
    why: str


def next_rules(table: Table, proof: Proof, prefix: Sequence[int] = ()) -> tuple[int, list[Next]]:
    """What whatever follows the prefix costs at least, and each next rule, the cheapest first.

    The numbers are what the proof claims or what can be counted; the claims are not checked here.
    """
    checker = Plain(table, proof)
    left = np.ones((1, table.captures.shape[1]), dtype=np.bool_)
    for r in prefix:
        left &= ~table.captures[r]
    stop, errors, closing, worst = checker.counted(left)
    rows = []
    for r in np.flatnonzero(worst[0]).tolist():
        behind = left & ~table.captures[r]
        shown = [np.minimum(closing[0, r], reason(behind))[0] for reason in checker.reasons]
        cost = checker.rule_cost + checker.unit * int(errors[0, r])
        least = cost + int(max(*shown, min(closing[0, r], checker.rule_cost)))
        if checker.unit * (worst[0, r] - errors[0, r]) <= checker.rule_cost:
            rows.append(Next(r, None, "saves no more than it costs"))
        elif checker.instead(left & table.captures[r], np.array([r]), errors, worst)[0]:
            rows.append(Next(r, None, "another rule does as well"))
        else:
            rows.append(Next(r, least, _why(shown, least - cost)))
    rows.sort(key=lambda row: (row.least is None, row.least or 0, row.antecedent))
    told = min([int(stop[0]), *(row.least for row in rows if row.least is not None)])
    return max(told, int(checker.claimed_of(left)[0])), rows


def _why(shown: Sequence[int], worth: int) -> str:
    *blocks, claimed, one_rule = (int(value) for value in shown)
    if one_rule >= worth:
        return "counted"
    if claimed >= worth:
        return "claim"
    return "tables" if max(blocks, default=0) >= worth else "its own errors"
