"""Good lists of at most K rules: exactly those that brute force has, in both engines."""

import numpy as np
import pytest
from brute import all_lists, random_dataset
from corels_rule_list.near import near
from seeds import seeds

import corels
from corels.errors import OptionError


@pytest.mark.parametrize("chunk", seeds(6, 1))
@pytest.mark.parametrize("backend", ["c", "python"])
def test_they_are_those_of_brute_force(backend, chunk):
    limited = 0
    for seed in range(chunk * 20, chunk * 20 + 20):
        rng = np.random.default_rng([5, seed])
        lam = str(rng.choice(["0", "0.01", "0.05", "1/7"]))
        problem = corels.Problem.from_dataset(random_dataset(seed), lam)
        most, within = int(rng.integers(0, 4)), str(rng.choice(["0", "5%", "0.1", "0.3"]))
        every = all_lists(problem)
        short = [one for one in every if len(one.rules) <= most]
        best = min(one.cost for one in short)
        with near(problem, backend=backend, within=within, max_rules=most) as found:
            certificate = found.certificate
            assert certificate.complete and certificate.search.max_rules == most
            assert certificate.optimum * problem.scale == best
            budget = certificate.threshold * problem.scale
            good = [one.rules for one in short if one.cost <= budget]
            assert [one.antecedents for one in found] == good, (seed, most)
            assert found.count == len(good)
            limited += len(good) < sum(one.cost <= budget for one in every)
            drawn = [found[int(i)].antecedents for i in rng.integers(0, len(good), 3)]
            assert all(rules in good for rules in drawn)
            uses = {r for rules in good for r in rules}
            names = [antecedent.name for antecedent in problem.antecedents]
            assert {u.name for u in found.usage() if u.lists} == {names[r] for r in uses}
    assert limited > 1, "the limit should matter"


def test_what_is_known_of_a_result_is_used_and_contradictions_are_refused():
    problem = corels.Problem.from_dataset(random_dataset(3, antecedents=5, rows=13), "0.01")
    longer = corels.solve(problem)
    assert len(longer.model) > 1
    short = corels.solve(problem, max_rules=1)
    with near(problem, result=short, best=3) as found:
        assert found.certificate.filters["max_rules"] == 1
        assert found.certificate.search == short.certificate
    with near(problem, result=longer, best=3, max_rules=1) as found:
        assert found.certificate.optimum == short.certificate.objective
    with near(problem, result=longer, best=3, max_rules=len(longer.model)) as found:
        assert found.certificate.search == longer.certificate
    names = [antecedent.name for antecedent in problem.antecedents]
    with pytest.raises(OptionError, match="2 antecedents and at most 1 rules"):
        near(problem, max_rules=1, must_use=names[:2])
    for wrong in (-1, "few", 1.5):
        with pytest.raises(OptionError, match="max_rules is"):
            near(problem, max_rules=wrong)
