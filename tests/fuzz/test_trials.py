"""Some of the random trials, the oracle that they are held against, and the run that goes on."""

import io
import itertools
import json
from collections import Counter
from dataclasses import replace

import corels_c.parts
import inside
import numpy as np
import pytest
import runner
import whole
from corels_rule_list.proofcheck.checking import check_proof
from corels_rule_list.proofcheck.reading import read_proof
from engine import list_cost
from oracle import least_costs
from seeds import ranges
from tables import random_costs, random_table

from corels import solve
from corels.check.points import Table
from corels.tables.column import as_column
from corels.testing import brute_force


@pytest.mark.parametrize("numbers", ranges(50, 50_000))
def test_trials(numbers):
    line, _ = runner.run_chunk(numbers.start, len(numbers))
    assert not line["failures"]


@pytest.mark.parametrize("numbers", ranges(50, 20_000))
def test_trials_of_solve(numbers):
    """Both backends, with any parts, tuning and number of classes."""
    for number in numbers:
        whole.run(np.random.default_rng([41, number]))


@pytest.mark.parametrize("numbers", ranges(300, 20_000))
def test_trials_of_the_engine(numbers):
    """More of these, which take a hundredth of a second: claims go beyond what a search needs."""
    seen = Counter()
    for number in numbers:
        tried = inside.run(np.random.default_rng([17, number]))
        seen.update(name for name in ("claims", "turns", "deepened", "leaves built") if tried[name])
    assert min(seen[name] for name in ("claims", "turns", "deepened", "leaves built")) > 10, seen


def test_the_oracle_equals_the_enumeration_of_all_lists():
    for seed in range(60):
        table = random_table(np.random.default_rng(seed), most_antecedents=4)
        for lam in ("1/100", "1/12", "0"):
            assert table.optimum(lam) == brute_force(table.problem(lam))
            assert table.optimum(lam, 2) == brute_force(table.problem(lam), 2)


def test_the_oracle_of_sets_equals_enumeration_behind_them():
    rng = np.random.default_rng(3)
    captures, wrong = rng.random((4, 9)) < 0.4, inside.random_costs(rng, 9, 3)
    exact = least_costs(captures, wrong, 7, 2)
    for number in range(16):
        left = ~captures[[j for j in range(4) if number >> j & 1]].any(axis=0)
        orders = (o for n in range(5) for o in itertools.permutations(range(4), n))
        costs = [list_cost(captures[:, left], wrong[:, left], list(o), 7, 2) for o in orders]
        assert exact[number] == min(costs)


def test_a_bound_that_drops_too_much_is_noticed(monkeypatch):
    """The oracle with another price of a rule stands for an engine that is wrong."""
    right = least_costs
    for module in (whole, inside):
        assert module.run(np.random.default_rng(5))
    monkeypatch.setattr(inside, "least_costs", lambda *of: right(*of) + 1)
    with pytest.raises(AssertionError):
        inside.run(np.random.default_rng(5))
    monkeypatch.setattr("tables.least_costs", lambda *of: right(*of) - 1)
    with pytest.raises(AssertionError):
        for seed in range(20):
            whole.run(np.random.default_rng(seed))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stopped_search_proves_what_tables_said_of_open_sets(threads, tmp_path, monkeypatch):
    """It has counted for the lower bound, and others may have taken their place, or their sets may
    have been left by then."""
    rng = np.random.default_rng([55, 2230])
    *_, table = (random_table(rng, 7, 40) for _ in range(4))
    rng.random()
    table = replace(table, costs=random_costs(rng, table.labels, table.classes))
    stages = {"prices": (8, 9, 10, 16, 22, 24, 27, 43)}
    monkeypatch.setattr(corels_c.parts, "STAGES", stages)
    names = ("reduced_support", "hierarchical", "lookahead", "equivalent_points", "dominance")
    bounds = {"no_bound": ("all",), "bound": (*names, "one_rule", "prices")}
    options = {"max_rules": 3, "start": "none", "tune": {"prices_trial": 1}, **bounds}
    options["threads"] = threads
    columns = {f"a{j}": as_column(f"a{j}", row) for j, row in enumerate(table.captures)}
    for limit in range(1, 13):
        path = tmp_path / str(limit)
        solve(table.problem("1/50"), proof=str(path), node_limit=limit, **options)
        rows = Table(columns, table.labels.tolist(), table.weights.tolist(), table.costs)
        found = check_proof(read_proof(path.read_bytes()), rows, "python")
        assert found.failure is None, (limit, found.failure)


def test_a_run_goes_on_where_it_was_killed(tmp_path, monkeypatch):
    """Chunks that are in the file are not done again; a line that was cut off is."""
    seen, said, results = [], io.StringIO(), tmp_path / "r.jsonl"
    monkeypatch.setattr(runner, "CHUNK", 10)

    def trial(number):
        seen.append(number)
        if number == 25:
            raise AssertionError("of 25")
        return {"even": number % 2 == 0, "small": number < 20}

    monkeypatch.setattr(runner, "trial", trial)
    assert runner.run(0, 20, results, said) == 0
    results.write_text(results.read_text()[:-9])  # a kill in the middle of a line
    assert runner.run(0, 30, results, said) == 1
    assert seen == [*range(20), *range(10, 30)]
    assert "trial 25 failed" in said.getvalue() and "of 25" in said.getvalue()
    assert "30 trials, 1 failed, 4 pairs" in said.getvalue()
    assert [line["first"] for line in map(json.loads, results.open())] == [0, 10, 20]
