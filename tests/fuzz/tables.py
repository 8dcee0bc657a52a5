"""Random small tables of the kinds that people have, and what is known of them.

    chance       antecedents of independent coins
    thresholds   cuts of a few numbers: nested, and near each other
    pairs        conjunctions of a few flags
    copies       the same points twice, and thrice; the same antecedent twice

Labels follow a hidden list, with noise. A table has 2 to 4 classes, weights of rows or none, and
sometimes costs: of classes, of rows, of a further outcome that anybody or the default rule may say.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from oracle import least_costs

from corels import Problem
from corels.problem.costs import Costs, classes_and
from corels.tables.directions import Direction
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
    costs: Costs | None = None
    directions: dict = field(default_factory=dict)  # number of an antecedent -> up, down

    @property
    def amounts(self):
        """int[N]: what each row weighs."""
        return np.ones(len(self.labels), int) if self.weights is None else self.weights

    @property
    def worth(self):
        """What the objective counts as 1, in the unit of `wrong`."""
        return int(self.amounts.sum()) * (1 if self.costs is None else self.costs.outcomes.scale)

    @property
    def may(self):
        """bool[M, O]: what a rule with each antecedent may say."""
        kinds = ["class"] * self.classes if self.costs is None else self.costs.outcomes.kinds
        rules = len(kinds) if self.costs is None else self.costs.outcomes.for_rules
        may = np.tile(np.arange(len(kinds)) < rules, (len(self.captures), 1))
        outcomes = np.arange(len(kinds))
        for column, way in self.directions.items():
            kept = outcomes == self.classes - 1 if way == "up" else outcomes < self.classes - 1
            may[column] &= kept
        return may

    def wrong(self):
        """int64[O, N]: the weight that saying an outcome at a row gets wrong, or what it costs."""
        if self.costs is not None:
            return self.amounts * self.costs.amounts
        return np.array([self.amounts * (self.labels != c) for c in range(self.classes)])

    def data(self):
        data = dataset_of(self.captures, self.labels, self.classes, self.weights)
        ways = tuple(Direction(f"a{column}", way) for column, way in self.directions.items())
        return replace(data, costs=self.costs, directions=ways)

    def problem(self, regularization):
        return Problem.from_dataset(self.data(), regularization)

    def optimum(self, regularization, most=-1):
        """The least objective, as a fraction; of lists of at most so many rules (< 0: of all)."""
        lam = Fraction(regularization)
        unit, rule_cost = lam.denominator, lam.numerator * self.worth
        given = self.captures, self.wrong(), rule_cost, unit, most, self.may
        return Fraction(int(least_costs(*given)[0]), unit * self.worth)


def random_table(rng, most_antecedents=9, most_rows=60):
    """A table with at most so many antecedents and rows."""
    m, n = int(rng.integers(1, most_antecedents + 1)), int(rng.integers(1, most_rows + 1))
    kind, classes = str(rng.choice(KINDS)), int(rng.integers(2, 5))
    captures = random_captures(rng, kind, m, n)
    labels = hidden_labels(rng, captures, classes)
    weighted = str(rng.choice(["none", "small", "large", "some 0"]))
    features = {"table": kind, "classes": classes, "weights": weighted}
    weights = random_weights(rng, weighted, n)
    costs = random_costs(rng, labels, classes) if rng.random() < 0.4 else None
    features["costs"] = "" if costs is None else "-".join(costs.outcomes.kinds[classes:]) or "yes"
    features["default only"] = costs is not None and costs.outcomes.default_only
    share = rng.choice([0.0, 0.0, 0.3, 0.9])
    directions = {
        column: str(rng.choice(["up", "down"])) for column in range(m) if rng.random() < share
    }
    features["directions"] = bool(directions)
    return Table(captures, labels, classes, weights, features, costs, directions)


def random_costs(rng, labels, classes):
    """A cost matrix, perhaps with costs by row, and perhaps further outcomes."""
    kinds = [("abstain",), ("defer",), ("abstain", "defer"), ()][int(rng.integers(4))]
    further = [(kind, kind) for kind in kinds]
    outcomes = classes_and(range(classes), further, int(rng.choice([1, 3, 20])))
    outcomes = replace(outcomes, default_only=bool(further) and bool(rng.integers(2)))
    matrix = rng.integers(0, int(rng.choice([2, 3, 9, 100])), size=(len(outcomes), classes))
    amounts = matrix[:, labels]
    if rng.random() < 0.4:
        amounts = amounts + rng.integers(0, 9, size=amounts.shape)
    return Costs(outcomes, amounts, np.zeros_like(amounts))


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
