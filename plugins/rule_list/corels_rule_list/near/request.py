"""What was asked for: the tolerance, and which lists count."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.options import exact_within, unknown
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.search.good_lists import Antecedents, Wanted

MOST_REQUIRED = 64  # antecedents that lists must use: a bit each of one word


def threshold(within: object, optimum: Fraction) -> Fraction:
    """The greatest objective that counts: "5%" of the optimum more, or so much more.

    Raises OptionError for what is neither.
    """
    text = str(within).strip()
    wrong = f"within is {within!r}: expected a number such as 0.01, or 5%"
    number = exact_within(text.removesuffix("%"), wrong, 1e300)  # is written as a float
    return optimum * (1 + number / 100) if text.endswith("%") else optimum + number


def wanted(
    problem: Problem,
    begins_with: Sequence[str],
    must_use: Sequence[str],
    avoid: Sequence[str],
    max_rules: int | None = None,
) -> Wanted:
    """The antecedents of these names. Raises OptionError on a wrong name or a contradiction."""
    begins_with, must_use, avoid = (
        (names,) if isinstance(names, str) else names for names in (begins_with, must_use, avoid)
    )
    begins, uses, avoids = (find(problem, names) for names in (begins_with, must_use, avoid))
    for name, index in zip((*begins_with, *must_use), begins + uses, strict=True):
        if index in avoids:
            raise OptionError(f"antecedent {name!r} is to be used and to be avoided")
    found = Wanted(begins, tuple(dict.fromkeys(uses)), tuple(dict.fromkeys(avoids)), max_rules)
    needed = len({*found.begins_with, *found.must_use})
    if max_rules is not None and needed > max_rules:
        raise OptionError(f"lists are to use {needed} antecedents and at most {max_rules} rules")
    if len(found.must_use) > MOST_REQUIRED:
        raise OptionError(f"lists can be asked to use {MOST_REQUIRED} antecedents at most")
    _check_prefix(problem, found.begins_with, begins_with)
    return found


def find(problem: Problem, names: Sequence[str]) -> Antecedents:
    """Indices of antecedents, by their names or those of equal ones that were merged."""
    known = {antecedent.name: i for i, antecedent in enumerate(problem.antecedents)}
    known |= {str(antecedent): i for i, antecedent in enumerate(problem.antecedents)}
    known |= {dropped: known[kept] for dropped, kept in problem.merged}
    for name in names:
        if name not in known:
            raise OptionError(unknown("antecedent", name, list(known)))
    return tuple(known[name] for name in names)


def _check_prefix(problem: Problem, prefix: Antecedents, names: Sequence[str]) -> None:
    captures = unpack(problem.masks[list(prefix)], problem.n_points)
    left: NDArray[np.bool_] = np.asarray(problem.weights.any(axis=0))
    for name, captured in zip(names, captures, strict=True):
        if not (left & captured).any():
            raise OptionError(f"no list begins so: {name!r} captures nothing behind the others")
        left = left & ~captured
