"""Lambda as an exact fraction, and whether whole numbers can hold the costs that it gives."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from numbers import Rational

import numpy as np

from corels.errors import OptionError
from corels.options import exact_number

MAX_COST = 2**62  # every cost, with room for sums of two
LONG = 15  # digits from which on a decimal is a float that was computed
SIMPLE = 10**6  # largest denominator of a fraction that a float may stand for


def fitting_regularization(
    value: object, total: int, antecedents: int, *, costed: bool = False
) -> Fraction:
    """Lambda as a fraction that the exact arithmetic holds for data of this size.

    Text and fractions mean what is written, and `Problem` refuses them if that does not fit. A
    float of `LONG` digits or more (1/569, a value of `np.logspace`, and such a number as text) has
    more digits than are meant: it is the simple fraction that it is the nearest float of, if
    there is one, and else, if its digits do not fit, the nearest fraction that does. Which it
    is stands in `Problem.regularization` and in the certificate.

    Raises OptionError as `exact_regularization`.
    """
    exact = exact_regularization(value, costed=costed)
    text = str(value)
    digits = re.sub(r"[eE].*|[^0-9]", "", text).strip("0")  # the significant ones of a decimal
    computed = "/" not in text and len(digits) >= LONG
    if isinstance(value, Rational) or not (computed or isinstance(value, (float, np.floating))):
        return exact
    simple = exact.limit_denominator(SIMPLE)
    if computed and float(simple) == float(exact):
        return simple
    rules = math.ceil(exact * most_rules(antecedents)) + 1
    limit = (MAX_COST - 1) // (max(total, 1) * (1 + rules))
    if exact.denominator <= limit:
        return exact
    return exact.limit_denominator(limit) or Fraction(1, limit)


def most_rules(antecedents: int) -> int:
    """Rules that a cost may count: the block bound adds up to nine even if there are fewer."""
    return max(antecedents + 1, 9)


def exact_regularization(
    value: object, name: str = "regularization", *, costed: bool = False
) -> Fraction:
    """Lambda as a fraction: text and floats mean the decimal number that is written.

    `0.005` is 1/200, not the nearest binary fraction; `"1/3"` is allowed.

    costed: outcomes have costs, of any size; else a mistake costs 1, and so at most does a rule.
    Raises OptionError, which calls the number by `name`, unless it is from 0 to 1, or from 0 up.
    """
    expected = "a number of 0 or more" if costed else "a number from 0 to 1"
    try:
        exact = exact_number(value)
    except ValueError:
        raise OptionError(
            f"⟨{name}⟩ is {value!r}: expected {expected}, such as 0.01 or 1/100"
        ) from None
    if exact < 0 or (exact > 1 and not costed):
        raise OptionError(f"⟨{name}⟩ is {value}: expected {expected}")
    return exact
