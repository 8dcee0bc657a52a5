"""Why every list that begins with a rule costs so much: a proof's word for it, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from corels.model.weighing import separated

PLAIN = {
    "the claim about all": "no list at all costs less",
    "saves no more than it costs": "not looked at: the rule saves no more than it costs",
    "another rule does as well": "not looked at: another rule does as well",
}
BEHIND = {  # of the rows that the rule leaves, where it is counted in numbers
    "claim": "the search has shown this for all rules that can follow",
    "counted": "at most one more rule can pay for them, and all were counted",
    "tables": "no rules avoid more of their errors",
    "its own errors": "whatever the rules for them",
}


@dataclass(frozen=True)
class Begun:
    """A first rule in numbers: the weight that it decides, how much of it wrongly, what is left,
    and the price of a rule; `total` is the weight of all rows. unit: of weight; None where each row
    counts as one."""

    decides: int
    wrong: int
    total: int
    price: float
    unit: Fraction | None = None

    def rows(self, count: int) -> str:
        """A count of rows, or what they weigh."""
        if self.unit is None:
            return f"{count:,} rows"
        return f"rows that weigh {separated(count, self.unit)}"


def reason(why: str, least: float | None, begun: Begun | None) -> str:
    """A sentence. least: what every list with the rule costs at least. begun: None where a list
    costs something else than errors and a price for each rule."""
    if begun is None or least is None or why not in BEHIND:
        return BEHIND.get(why) or PLAIN.get(why, why)
    own = begun.price + begun.wrong / begun.total
    wrong = separated(begun.wrong, begun.unit or Fraction(1))
    decides, left = begun.rows(begun.decides), begun.rows(begun.total - begun.decides)
    return (
        f"the rule costs {own:.6f}: its price, and {wrong} of the {decides} that it decides are "
        f"wrong; the other {left} cost at least {max(0.0, least - own):.6f}: {BEHIND[why]}"
    )
