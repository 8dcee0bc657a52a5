"""What `corels proof` says of the next rules of falling lists is true."""

import pytest
from corels_falling.next_rules import next_rules
from corels_falling.proofcheck.costs import Costs
from corels_falling.proofcheck.reading import read_falling
from small_families import SmallFalling, columns_of, objective, optimum

from corels.check.opening import opened
from corels.check.points import Table, read_points
from corels.errors import InputError


def parts_of(small, content):
    header, records, _ = opened(content, "p")
    one, proof = small.instance, read_falling(header, records, "p")
    labels = [int(label) for label in one.labels]
    points = read_points(header, Table(columns_of(one.captures), labels, one.weights.tolist()))
    return proof, Costs(header, points)


def test_no_list_with_a_next_rule_costs_less(tmp_path):
    for seed in range(12):
        small = SmallFalling(seed, soft=bool(seed % 2), most=4)
        small.write(tmp_path / "p.bin")
        proof, costs = parts_of(small, (tmp_path / "p.bin").read_bytes())
        found = next_rules(costs, proof)
        assert found.least == optimum(small.instance)
        numbers = small.numbers()
        names = [antecedent.name for antecedent in small.problem.antecedents]
        for row in found.rules:
            alone = objective(small.instance, (numbers[names.index(row.antecedent)],))
            if row.least is not None and alone is not None:
                assert row.least <= alone


def test_a_proof_that_ends_early_is_refused(tmp_path):
    small = SmallFalling(3, soft=False)
    small.write(tmp_path / "p.bin")
    proof, costs = parts_of(small, (tmp_path / "p.bin").read_bytes()[:-1])
    with pytest.raises(InputError, match="ends early"):
        next_rules(costs, proof)
