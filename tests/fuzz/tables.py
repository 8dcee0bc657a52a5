"""Random small tables of the kinds that people have, and what is known of them.

    chance       antecedents of independent coins
    thresholds   cuts of a few numbers: nested, and near each other
    pairs        conjunctions of a few flags
    copies       the same points twice, and thrice; the same antecedent twice

Labels follow a hidden list, with noise. A table has 2 to 4 classes, weights of rows or none.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from oracle import least_costs

from corels import Problem
from corels.testing.problems import dataset_of

KINDS = ("chance", "thresholds", "pairs", "copies")
LAMBDAS = ("1/200", "1/100", "1/50", "1/30", "1/17", "1/12", "1/7", "0.003", "0")


@dataclass(frozen=True)
class Table:
    """captures bool[M, N], labels int[N], weights int[N] or None."""

    captures: np.ndarray
    labels: np.ndarray
    classes: int
    weights: np.ndarray | None
    features: dict

    def wrong(self):
        """int64[C, N]: the weight that predicting a class at a row gets wrong."""
        amounts = np.ones(len(self.labels), int) if self.weights is None else self.weights
        return np.array([amounts * (self.labels != c) for c in range(self.classes)])

    def problem(self, regularization):
        data = dataset_of(self.captures, self.labels, self.classes, self.weights)
        return Problem.from_dataset(data, regularization)

    def optimum(self, regularization, most=-1):
        """The least objective, as a fraction; of lists of at most so many rules (< 0: of all)."""
        lam, wrong = Fraction(regularization), self.wrong()
        total = int(wrong.sum()) // (self.classes - 1)  # a row is wrong for all classes but one
        unit, rule_cost = lam.denominator, lam.numerator * total
        costs = least_costs(self.captures, wrong, rule_cost, unit, most)
        return Fraction(int(costs[0]), unit * total)


def random_table(rng, most_antecedents=9, most_rows=60):
    """A table with at most so many antecedents and rows."""
    m, n = int(rng.integers(1, most_antecedents + 1)), int(rng.integers(1, most_rows + 1))
    kind, classes = str(rng.choice(KINDS)), int(rng.integers(2, 5))
    captures = random_captures(rng, kind, m, n)
    labels = hidden_labels(rng, captures, classes)
    weighted = str(rng.choice(["none", "small", "large", "some 0"]))
    features = {"table": kind, "classes": classes, "weights": weighted}
    return Table(captures, labels, classes, random_weights(rng, weighted, n), features)


def random_captures(rng, kind, m, n):
    """bool[m, n]"""
    if kind == "thresholds":
        numbers = rng.integers(0, 12, size=(int(rng.integers(1, 4)), n))
        at = rng.integers(0, len(numbers), size=m)
        return (numbers[at] <= rng.integers(0, 12, size=(m, 1))) ^ (rng.random((m, 1)) < 0.3)
    flags = rng.random((m, n)) < rng.uniform(0.1, 0.9, size=(m, 1))
    if kind == "pairs":
        flags = flags[: max(2, m // 2)]
        i, j = rng.integers(0, len(flags), size=(2, m))
        return flags[i] & flags[j]
    if kind == "copies":
        flags = flags[:, rng.integers(0, max(1, n // 3), size=n)]
        return flags[rng.integers(0, m, size=m)] if rng.random() < 0.5 else flags
    return flags


def hidden_labels(rng, captures, classes):
    """int[n]: what a list of some of the antecedents says, with noise."""
    n = captures.shape[1]
    labels = np.full(n, int(rng.integers(classes)))
    for rule in rng.permutation(len(captures))[: int(rng.integers(1, 6))]:
        labels[captures[rule]] = rng.integers(classes)
    noisy = rng.random(n) < rng.choice([0.0, 0.1, 0.3, 1.0])
    return np.where(noisy, rng.integers(0, classes, size=n), labels)


def random_weights(rng, kind, n):
    """int[n], or None."""
    if kind == "none":
        return None
    weights = rng.integers(0 if kind == "some 0" else 1, {"large": 5000}.get(kind, 6), size=n)
    weights[0] = max(1, weights[0])
    return weights
