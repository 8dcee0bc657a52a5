"""Every rule list of a small problem, by trying all sequences of antecedents."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from corels.problem.captures import unpack
from corels.testing.problems import dataset_of


@dataclass
class Listed:
    """One list: its antecedents, classes (the default rule's last), cells as bool[points]."""

    rules: tuple
    cost: int
    classes: tuple
    cells: tuple

    def labels(self, points):
        out = np.zeros(points, dtype=int)
        for cell, label in zip(self.cells, self.classes, strict=True):
            out[cell] = label
        return out


def random_dataset(seed, *, antecedents=None, rows=None, classes=None, weights=None):
    """A small data set; equal antecedents, ties and points of no weight occur."""
    rng = np.random.default_rng(seed)
    m = antecedents or int(rng.integers(1, 6))
    n = rows or int(rng.integers(1, 14))
    c = classes or int(rng.choice([2, 2, 2, 3]))
    captures = rng.random((m, n)) < rng.choice([0.2, 0.4, 0.7])
    if m > 2 and rng.random() < 0.3:
        captures[-1] = captures[0]
    weighted = rng.random() < 0.4 if weights is None else weights
    drawn = rng.integers(0, 5, n)
    if not drawn.any():
        drawn[0] = 1
    return dataset_of(captures, rng.integers(0, c, n), c, drawn if weighted else None)


def all_lists(problem):
    """Every list that counts, in order of cost, then rules, then antecedents."""
    captures = unpack(problem.masks, problem.n_points)
    alive = problem.weights.any(axis=0)
    found = []

    def best(cell):
        counts = problem.weights[:, cell].sum(axis=1)
        return int(counts.argmax()), int(counts.sum() - counts.max())

    def extend(rules, left, errors, classes, cells):
        label, rest = best(left)
        cost = problem.unit * (errors + rest) + problem.rule_cost * len(rules)
        found.append(Listed(rules, cost, (*classes, label), (*cells, left)))
        for r, captured in enumerate(captures):
            cell = left & captured
            if cell.any():
                label, wrong = best(cell)
                extend(
                    (*rules, r), left & ~captured, errors + wrong, (*classes, label), (*cells, cell)
                )

    extend((), alive, 0, (), ())
    return sorted(found, key=lambda one: (one.cost, len(one.rules), one.rules))


def matters(problem, one):
    """Whether leaving any rule out, the others as they are, changes a prediction."""
    captures = unpack(problem.masks, problem.n_points)
    now = one.labels(problem.n_points)
    alive = problem.weights.any(axis=0)
    for skipped in range(len(one.rules)):
        then = np.full(problem.n_points, one.classes[-1])
        for k in reversed(range(len(one.rules))):
            if k != skipped:
                then[captures[one.rules[k]]] = one.classes[k]
        if (then[alive] == now[alive]).all():
            return False
    return True


def keep(lists, threshold, problem, filters=((), (), ())):
    """Those within a threshold that begin with, use and avoid what the filters say."""
    begins_with, must_use, avoid = filters
    return [
        one
        for one in lists
        if Fraction(one.cost, problem.scale) <= threshold
        and one.rules[: len(begins_with)] == tuple(begins_with)
        and set(must_use) <= set(one.rules)
        and not set(avoid) & set(one.rules)
    ]
