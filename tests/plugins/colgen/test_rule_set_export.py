"""Exports of rule sets predict what the rule set predicts."""

import sqlite3

import numpy as np
import pytest
from corels_colgen.ruleset import ClauseSet, RuleClause, RuleSet

from corels.tables import Antecedent, Condition

CONDITIONS = [
    Condition("size", "<=", 3),
    Condition("size", ">", 3),
    Condition("size", "missing"),
    Condition("col<our", "==", "it's"),
    Condition("col<our", "!=", "it's"),
    Condition("flag", "true"),
    Condition("flag", "false"),
]


def random_model(rng, form, sets=1):
    classes = ("no", "yes") if sets == 1 else ("a", "b", "c")
    nothing = (0,) * len(classes)
    chosen = []
    for target in range(sets):
        clauses = []
        for _ in range(int(rng.integers(0, 4))):
            picked = rng.choice(len(CONDITIONS), size=int(rng.integers(1, 4)), replace=False)
            antecedents = tuple(Antecedent.of(CONDITIONS[j]) for j in picked)
            clauses.append(RuleClause(antecedents, nothing))
        chosen.append(ClauseSet(target if sets > 1 else 1, tuple(clauses), nothing, 0))
    return RuleSet(form, tuple(chosen), 0, nothing, classes, "label")


def random_rows(rng):
    return {
        "size": [None if v == 0 else int(v) for v in rng.integers(0, 7, 40)],
        "col<our": [["it's", "b", None][v] for v in rng.integers(0, 3, 40)],
        "flag": [[0, 1, None][v] for v in rng.integers(0, 3, 40)],
    }


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("sets", [1, 3])
def test_every_language_predicts_the_same(form, sets):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        model, rows = random_model(rng, form, sets), random_rows(rng)
        truth = model.predict(rows).tolist()
        space = {}
        exec(model.export("python", function="guess"), space)
        single = [
            dict(zip(rows, values, strict=True)) for values in zip(*rows.values(), strict=True)
        ]
        assert [space["guess"](row) for row in single] == truth, seed
        base = sqlite3.connect(":memory:")
        base.execute('create table t ("size" int, "col<our" text, "flag" int)')
        base.executemany("insert into t values (?, ?, ?)", zip(*rows.values(), strict=True))
        found = base.execute(f"select {model.export('sql', table='t')} from t").fetchall()
        assert [value for (value,) in found] == truth, seed


def test_tables_escape_what_they_show():
    model = random_model(np.random.default_rng(5), "cnf", 3)
    assert any(len(one.clauses) for one in model.sets)
    assert "<our" not in model.to_html().replace("&lt;our", "")
    assert r"col\<our" in model.export("markdown") or "col" not in model.export("markdown")
    assert model._repr_html_() == model.to_html()


def test_a_large_cnf_is_written_as_it_is():
    """Multiplied out it would have 4^8 clauses."""
    nothing = (0, 0)
    clauses = tuple(
        RuleClause(tuple(Antecedent.of(Condition(f"c{i}_{j}", "true")) for j in range(4)), nothing)
        for i in range(8)
    )
    model = RuleSet("cnf", (ClauseSet(1, clauses, nothing, 0),), 0, nothing, ("no", "yes"))
    assert model.export("python").count("_holds(row") == model.export("sql").count(" = 1") == 32
