"""Random models of every shipped family on random tables with missing values and odd names."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from corels_rule_list.model import RuleList

import corels
from corels.tables import TableOptions, table_dataset
from corels.testing.cases import ROWS, random_table

FAMILIES = ("rule-list", "falling", "softly-falling", "rule-set dnf", "rule-set cnf")


def random_model(family, seed):
    """(model, the table that it was counted on, the true classes)."""
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    names = ["no", "yes", "may|be"][: 3 if seed % 4 == 0 and "falling" not in family else 2]
    truth = [names[v] for v in rng.integers(0, len(names), ROWS)]
    options = TableOptions(min_support=0.0, negations=True, max_cardinality=2)
    problem = corels.Problem.from_dataset(
        table_dataset({**table, "ill_1": truth}, "ill_1", options), "1/20"
    )

    def some(least, most):
        number = int(rng.integers(least, most))
        return rng.choice(problem.n_antecedents, number, replace=False).tolist()

    return _model(family, problem, some, rng), table, truth


def _model(family, problem, some, rng):
    if family == "rule-list":
        return RuleList.of(problem, some(0, 5))
    if family.startswith("rule-set"):
        from corels_colgen.counting import rule_set

        targets = [1] if len(problem.classes) == 2 else list(range(3))
        chosen = {t: [some(1, 4) for _ in range(int(rng.integers(0, 4)))] for t in targets}
        return rule_set(problem, family.partition(" ")[2], chosen)
    from corels_falling.model import falling_rule_list
    from corels_falling.setting import Setting

    price = Fraction(1, 2) if family == "softly-falling" else None
    setting = Setting(Fraction(2), Fraction(1, 100), price, problem.total)
    return falling_rule_list(problem, some(0, 5), setting)
