"""What every set of antecedents leaves to pay, by dynamic programming over all of them.

f(Z) is the least cost of whatever may follow a prefix with the antecedents Z, a sum of integers. No
engine is asked, and no bound: 2^M sets with M rules each, as NumPy arrays. It takes milliseconds
if the enumeration of all lists takes hours (9 antecedents have 986,410 orders).
"""

import numpy as np


def least_costs(  # noqa: PLR0917
    captures, wrong, rule_cost, unit, most=-1, may=None
):
    """int64[2^M]: f of each set of antecedents, a number whose bit j says that j is in the set.

    captures: bool[M, N]. wrong: int[C, N], what it costs to predict a class at a point. most: of
    completions by at most so many rules (< 0: by any number). may: bool[M, C], what a
    rule with each antecedent may predict, the default rule any; None: rules do, too.
    """
    counts = _left(captures, wrong)
    may = np.ones((len(captures), len(wrong)), dtype=bool) if may is None else may
    best = unit * counts.min(axis=0)
    if most >= 0:
        return _limited(counts, best, rule_cost, unit, min(most, len(captures)), may)
    sets = np.arange(len(best))
    sizes = np.array([number.bit_count() for number in range(len(best))])
    for size in range(len(captures) - 1, -1, -1):  # the largest sets first: f of those is known
        of_size = sets[sizes == size]
        for rule in range(len(captures)):
            here = of_size[of_size >> rule & 1 == 0]
            behind = here | 1 << rule
            errors = _errors(counts[may[rule]], here, behind)
            best[here] = np.minimum(best[here], rule_cost + unit * errors + best[behind])
    return best


def _limited(counts, none, rule_cost, unit, most, may):  # noqa: PLR0917
    """By no rule, then by one more each time."""
    best, sets = none, np.arange(len(none))
    for _ in range(most):
        fewer, best = best, none.copy()
        for rule in range(len(sets).bit_length() - 1):
            here = sets[sets >> rule & 1 == 0]
            behind = here | 1 << rule
            errors = _errors(counts[may[rule]], here, behind)
            best[here] = np.minimum(best[here], rule_cost + unit * errors + fewer[behind])
    return best


def _errors(counts, here, behind):
    """Of the best of some classes, on what a rule takes from each set."""
    return (counts[:, here] - counts[:, behind]).min(axis=0)


def _left(captures, wrong):
    """int64[C, 2^M]: the cost of predicting each class at all points outside a set."""
    outside = np.ones((1, captures.shape[1]), dtype=bool)
    for row in captures:
        outside = np.concatenate([outside, outside & ~row])
    # Products of doubles are exact here: every sum is far below 2^53.
    return (wrong.astype(np.float64) @ outside.T.astype(np.float64)).astype(np.int64)
