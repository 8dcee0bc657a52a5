"""Brute force over all rule sets of a small problem, by plain counting. Shares no code with the
plugin; it is what the proofs are held against."""

from fractions import Fraction
from itertools import combinations

import numpy as np

from corels.problem.captures import unpack
from corels.problem.costs import Costs, classes_and


def all_clauses(n_features, max_conditions):
    sizes = range(1, min(n_features, max_conditions or n_features) + 1)
    return [clause for size in sizes for clause in combinations(range(n_features), size)]


def satisfied(form, clause, row):
    values = [bool(row[j]) for j in clause]
    return all(values) if form == "dnf" else any(values)


def mistakes(problem, target, options):
    """What it costs at each point not to say the class, and to say it."""
    if problem.costs is not None:
        scale = problem.costs.outcomes.scale
        return [[Fraction(int(a), scale) for a in problem.costs.amounts[c]] for c in (0, 1)]
    weight = Fraction(options.get("positive_weight", 1))
    inside = [int(w) * weight for w in problem.weights[target]]
    others = problem.weights.sum(axis=0) - problem.weights[target]
    return inside, [Fraction(int(w)) for w in others]


def objective(problem, target, form, clauses, options):
    """The objective of a rule set for one class, row by row, in exact fractions. The option `loss`
    may be "errors": a row that is wrong counts once, whatever clauses do."""
    captures = unpack(problem.masks, problem.n_points).T
    total = int(problem.weights.sum())
    loss = Fraction(0)
    for row, inside, outside in zip(captures, *mistakes(problem, target, options), strict=True):
        acts = sum(satisfied(form, clause, row) == (form == "dnf") for clause in clauses)
        left, caught = (inside, outside) if form == "dnf" else (outside, inside)
        times = min(1, acts) if options.get("loss") == "errors" else acts
        loss += caught * times if acts else left
    penalty = sum(
        Fraction(options.get("penalty_clause", 0))
        + Fraction(options.get("penalty_condition", 0)) * len(clause)
        for clause in clauses
    )
    return loss / total + penalty


def best_objective(problem, target, options):
    """The least objective over all rule sets within the budget."""
    form = options.get("form", "dnf")
    clauses = all_clauses(problem.n_antecedents, options.get("max_conditions"))
    budget = options.get("complexity")
    most = len(clauses) if budget is None else budget // 2
    parts = _parts(problem, target, form, clauses, options)
    best = None
    for count in range(most + 1):
        for chosen in combinations(range(len(clauses)), count):
            size = sum(1 + len(clauses[k]) for k in chosen)
            if budget is not None and size > budget:
                continue
            value = _value(parts, chosen)
            best = value if best is None else min(best, value)
    return best


def _parts(problem, target, form, clauses, options):
    """Per clause: the points where it acts (holds in a DNF, is broken in a CNF), and its cost."""
    captures = unpack(problem.masks, problem.n_points).T
    inside, outside = mistakes(problem, target, options)
    if form == "cnf":
        inside, outside = outside, inside
    total = int(problem.weights.sum())
    acts = [
        frozenset(
            i for i, row in enumerate(captures) if satisfied(form, clause, row) == (form == "dnf")
        )
        for clause in clauses
    ]
    costs = [
        sum((outside[i] for i in points), Fraction(0)) / total
        + Fraction(options.get("penalty_clause", 0))
        + Fraction(options.get("penalty_condition", 0)) * len(clause)
        for clause, points in zip(clauses, acts, strict=True)
    ]
    return acts, costs, [Fraction(value) / total for value in inside]


def _value(parts, chosen):
    acts, costs, inside = parts
    covered = frozenset().union(*(acts[k] for k in chosen)) if chosen else frozenset()
    missed = sum((value for i, value in enumerate(inside) if i not in covered), Fraction(0))
    return missed + sum((costs[k] for k in chosen), Fraction(0))


def random_options(rng):
    """Options for which brute force ends: a small budget, or few clauses."""
    options = {"form": str(rng.choice(["dnf", "cnf"]))}
    if rng.random() < 0.7:
        options["complexity"] = int(rng.integers(2, 8))
    if rng.random() < 0.5 or "complexity" not in options:
        options["penalty_clause"] = Fraction(int(rng.integers(0, 6)), 100)
        options["penalty_condition"] = Fraction(int(rng.integers(0, 6)), 90)
        if not (options["penalty_clause"] or options["penalty_condition"]):
            options["penalty_clause"] = Fraction(1, 50)
    if rng.random() < 0.4:
        options["max_conditions"] = int(rng.integers(1, 4))
    if rng.random() < 0.4:
        options["positive_weight"] = Fraction(int(rng.integers(0, 8)), 3)
    return options


def random_features(rng, options):
    """How many features brute force can take under these options."""
    return int(rng.integers(1, 6)) if "complexity" in options else int(rng.integers(1, 4))


def random_costs(rng, labels):
    """Of two classes: costs of mistakes that are the same in all rows, or are not; some are 0."""
    rows, scale = len(labels), int(rng.integers(1, 7))
    paid = rng.integers(0, 12, (2, 1 if rng.random() < 0.4 else rows))
    wrong = np.array([labels == 1, labels == 0])
    amounts = np.where(wrong, paid, 0).astype(np.int64)
    return Costs(classes_and((0, 1), (), scale), amounts, (~wrong).astype(np.int64))
