"""Random problems: small ones of every kind, and larger ones in which a list is hidden."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corels.problem import Captures, Problem
from corels.tables import Antecedent, Condition, Dataset


def random_dataset(
    rng: np.random.Generator, *, antecedents: int = 5, rows: int = 16, classes: int = 2
) -> Dataset:
    """A small random data set; some rows and some antecedents are equal, some are empty."""
    m, n = int(rng.integers(1, antecedents + 1)), int(rng.integers(1, rows + 1))
    captures = rng.random((m, n)) < rng.uniform(0.1, 0.9, size=(m, 1))
    if n > 2 and rng.random() < 0.5:
        captures = captures[:, rng.integers(0, max(1, n // 2), size=n)]
    return dataset_of(
        captures,
        rng.integers(0, classes, size=n),
        classes,
        rng.integers(1, 9, size=n) if rng.random() < 0.5 else None,
    )


def random_problem(rng: np.random.Generator, **sizes: int) -> Problem:
    """A small random problem; lambda from 0 to 1, often if it matters."""
    choices = [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(int(rng.integers(1, 30)), 100)]
    lam = choices[int(rng.choice(4, p=[0.05, 0.05, 0.1, 0.8]))]
    return Problem.from_dataset(random_dataset(rng, **sizes), lam)


def planted_problem(
    rng: np.random.Generator,
    *,
    rules: int,
    antecedents: int,
    rows: int,
    classes: int = 2,
    weights: bool = False,
) -> Problem:
    """A problem whose best lists are long: labels follow a list of `rules` rules, mostly.

    Neighbouring rules predict different classes and their antecedents overlap, so that most of
    them are needed, and in this order. Lambda is worth about one row.
    """
    captures = rng.random((antecedents, rows)) < rng.uniform(0.2, 0.5, size=(antecedents, 1))
    order = rng.permutation(antecedents)[:rules]
    labels = np.full(rows, rng.integers(classes))
    for place, j in enumerate(order[::-1]):
        labels[captures[j]] = (place + 1) % classes
    noisy = rng.random(rows) < 0.03
    labels[noisy] = rng.integers(classes, size=int(noisy.sum()))
    return Problem.from_dataset(
        dataset_of(captures, labels, classes, rng.integers(1, 4, size=rows) if weights else None),
        Fraction(int(rng.integers(1, 4)), 2 * rows),
    )


def dataset_of(
    captures: ArrayLike,
    labels: ArrayLike,
    classes: int = 2,
    weights: NDArray[np.int64] | None = None,
    **more: Any,
) -> Dataset:
    """Rows of a table whose antecedents are called a0, a1, .. more: further fields of the set."""
    held = np.asarray(captures, dtype=bool)
    names = [f"a{j}" for j in range(len(held))]
    return Dataset(
        antecedents=tuple(Antecedent(name, (Condition(name, "true"),)) for name in names),
        captures=Captures.of(held),
        labels=np.asarray(labels, dtype=np.int64),
        classes=tuple(range(classes)),
        name="random",
        weights=weights,
        **more,
    )
