"""Sample weights as whole numbers, exactly if that is possible.

The objective R(d) = errors/n + lambda * length does not change when all weights are multiplied by
one number. So rational weights need no rounding: times their common denominator, divided by their
greatest common divisor, they are whole numbers, and the search stays exact.

What counts as rational: integers, `Fraction`, `Decimal`, and floats that are the nearest float of
a fraction with a denominator up to a million: 0.25 is 1/4, 0.1 is 1/10 and 0.3333333333333333 is
1/3. Other floats, and weights whose whole numbers would add up to more than 32-bit counts hold,
are rounded to multiples of a *resolution*, 2^-29 of the total weight (2^-22 of a table whose groups
are compared), and the resolution is reported: the objective then is that of the rounded weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem.problem import MAX_WEIGHT

LARGEST_DENOMINATOR = 10**6
ROUNDED_TOTAL = 2**29  # some families count less than 2^30, and rounding may add to it
COMPARED_TOTAL = 2**22  # if rates of groups are compared: times the sizes of two, in 64 bits


@dataclass(frozen=True, eq=False)
class ExactWeights:
    """Whole weights of N rows.

    Attributes:
        values: (N,) int64, 0 or more; `values * unit` are the weights that were given.
        unit: what a weight of 1 stands for.
        resolution: 0 if nothing was rounded; otherwise weights are multiples of it.
    """

    values: NDArray[np.int64]
    unit: Fraction
    resolution: Fraction

    @property
    def weighed(self) -> str:
        """What was done to make them whole numbers; "" if they are as given."""
        if self.resolution:
            return f"rounded to multiples of {float(self.unit):.6g}"
        return "" if self.unit == 1 else f"counted in units of {self.unit}"

    @property
    def rows(self) -> NDArray[np.int64]:
        """(N,) how many rows each row stands for: whole weights as given, without reduction.

        A weight of 2 then has the same thresholds as a row that occurs twice.
        """
        factor = self.unit.numerator if self.resolution == 0 else 1
        fits = int(self.values.sum()) * factor < 2**62
        return self.values * factor if fits else self.values


def exact_weights(
    weights: Any,
    n_rows: int,
    groups: NDArray[np.intp] | None = None,
    factors: Sequence[Any] = (),
    *,
    compared: bool = False,
) -> ExactWeights:
    """Weights as whole numbers.

    Args:
        weights: (N,) numbers, 0 or more, a single number for all rows, or None for 1 each.
        n_rows: N.
        groups: (N,) indices into `factors`, such as the class of each row.
        factors: what the weights of each group are multiplied with, such as class weights.
        compared: whether rates of groups are compared: they add up to less if they have to be
            rounded.

    Raises:
        InputError: for a weight that is negative, not finite or not a number, for a wrong number
            of weights, and if all are 0.
    """
    known, places = _distinct(weights, n_rows)
    floats = _checked(known, places)
    if groups is None:
        groups, factors = np.zeros(n_rows, dtype=np.intp), (1,)
    pairs, where = np.unique(places * len(factors) + groups, return_inverse=True)
    where = where.reshape(-1)
    amounts = (
        floats[pairs // len(factors)] * np.array([float(f) for f in factors])[pairs % len(factors)]
    )
    total = math.fsum((amounts * np.bincount(where)).tolist())
    if not total > 0:
        raise InputError("the sample weights are all zero, expected at least one greater weight")
    unit, resolution = _common_unit(_products(known, factors, pairs), total), Fraction(0)
    if unit is not None:
        exact = (int(value / unit) for value, _ in _products(known, factors, pairs))
        numbers = np.fromiter(exact, dtype=np.int64, count=len(pairs))
    else:
        unit = resolution = Fraction(total) / (COMPARED_TOTAL if compared else ROUNDED_TOTAL)
        numbers = np.rint(amounts / float(unit)).astype(np.int64)
    return ExactWeights(numbers[where], unit, resolution)


def kept_weights(values: NDArray[Any], *, compared: bool) -> ExactWeights:
    """`exact_weights` of a column of numbers of 0 or more; whole ones stay as they are, if counts
    can hold what they add up to. compared: whether rates of groups are."""
    total = float(values.astype(np.float64).sum())
    if total <= MAX_WEIGHT and (values == np.floor(values)).all():
        return ExactWeights(values.astype(np.int64), Fraction(1), Fraction(0))
    return exact_weights(values, len(values), compared=compared)


_Known = tuple[Fraction, bool]  # the number, and whether it is meant exactly


def _distinct(weights: Any, n_rows: int) -> tuple[Sequence[Any], NDArray[np.intp]]:
    """The distinct weights, and each row's place among them."""
    array = np.asarray(1 if weights is None else weights)
    if array.ndim == 0:
        return [array.item()], np.zeros(n_rows, dtype=np.intp)
    if array.ndim != 1:
        raise InputError(f"Sample weights must be 1D array or scalar, got {array.ndim}D array")
    if len(array) != n_rows:
        raise InputError(f"{len(array)} sample weights were given for {n_rows} rows")
    if array.dtype.kind in "iuf":
        found, places = np.unique(array, return_inverse=True)
        return list(found), places.reshape(-1)
    order: dict[Any, int] = {}
    placed = [order.setdefault(value, len(order)) for value in array.tolist()]
    return list(order), np.array(placed, dtype=np.intp)


def _checked(known: Sequence[Any], places: NDArray[np.intp]) -> NDArray[np.float64]:
    """The distinct weights as floats; refuses the first that is not a weight."""
    floats = np.empty(len(known))
    for at, value in enumerate(known):
        try:
            floats[at] = float(value)
        except (TypeError, ValueError, OverflowError):
            floats[at] = math.nan
        if not 0 <= floats[at] < math.inf:
            row = int(np.flatnonzero(places == at)[0])
            shown = value.item() if isinstance(value, np.generic) else value
            wrong = "Sample weights contain NaN, infinity or text"
            if floats[at] < 0:
                wrong = "Negative values in data passed to sample_weight"
            raise InputError(f"{wrong}: {shown!r} in row {row}, expected a number, 0 or more")
    return floats


def _as_fraction(value: Any) -> _Known:
    """The rational number that a weight means, and whether it is surely that."""
    if isinstance(value, (np.integer, np.bool_)):
        return Fraction(int(value)), True
    if isinstance(value, (Rational, Decimal)):
        return Fraction(value), True
    given = Fraction(float(value))
    simple = given.limit_denominator(LARGEST_DENOMINATOR)
    nearest = type(value) if isinstance(value, np.floating) else float
    exact = nearest(simple.numerator / simple.denominator) == value
    return (simple if exact else given), bool(exact)


def _products(
    known: Sequence[Any], factors: Sequence[Any], pairs: NDArray[np.intp]
) -> Iterator[_Known]:
    """Weight times factor of each pair."""
    groups = [_as_fraction(factor) for factor in factors]
    for pair in pairs.tolist():
        value, value_exact = _as_fraction(known[pair // len(groups)])
        factor, factor_exact = groups[pair % len(groups)]
        yield value * factor, value_exact and factor_exact


def _common_unit(products: Iterable[_Known], total: float) -> Fraction | None:
    """The greatest number that divides all weights; None if one is not rational, or if it is tiny.

    It only falls as further weights are seen, so that millions of different floats are kept apart
    from rational numbers by the first few of them.
    """
    unit = Fraction(0)
    for value, exact in products:
        if not exact:
            return None
        unit = Fraction(
            math.gcd(unit.numerator * value.denominator, value.numerator * unit.denominator),
            unit.denominator * value.denominator,
        )
        if unit and total / unit > MAX_WEIGHT:
            return None
    return unit
