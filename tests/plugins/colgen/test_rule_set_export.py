"""What an export of a rule set looks like; what it predicts: tests/contract."""

from corels_colgen.ruleset import ClauseSet, RuleClause, RuleSet

from corels.tables import Antecedent, Condition


def test_a_large_cnf_is_written_as_it_is():
    """Multiplied out it would have 4^8 clauses."""
    nothing = (0, 0)
    clauses = tuple(
        RuleClause(tuple(Antecedent.of(Condition(f"c{i}_{j}", "true")) for j in range(4)), nothing)
        for i in range(8)
    )
    model = RuleSet("cnf", (ClauseSet(1, clauses, nothing, 0),), 0, nothing, ("no", "yes"))
    assert model.export("python").count("_holds(row") == model.export("sql").count(" = 1") == 32
