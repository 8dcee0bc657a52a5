"""Rule sets under constraints by the definition: all of them, row by row, in exact fractions."""

import itertools
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "fair"))

from corels_colgen.searches import RuleSetSearch
from corels_colgen.solver import OPTIONS
from demanded import keeps, of_groups, random_demand
from rule_set_oracle import all_clauses, objective, random_costs, random_options, satisfied

from corels import solve
from corels.check.opening import opened
from corels.check.points import Table
from corels.check.proof import check_proof
from corels.errors import InfeasibleError, OptionError
from corels.options import check_all
from corels.problem import Problem
from corels.search import Status
from corels.tables import Dataset
from corels.tables.column import as_column
from corels.testing.problems import dataset_of


@dataclass
class Small:
    """A random table with groups, what is demanded of a rule set, and options of the search."""

    data: Dataset
    problem: Problem
    options: dict

    def said(self, clauses):
        """int[N]: what a rule set says of each row. clauses: in the problem's antecedents."""
        of = [self.data.antecedents.index(a) for a in self.problem.antecedents]
        rows = self.data.captures.unpack()[of].T
        form, joined = self.options["form"], any if self.options["form"] == "dnf" else all
        return np.array(
            [joined(satisfied(form, clause, row) for clause in clauses) for row in rows]
        )

    def keeps(self, said):
        """Whether predictions keep to what is demanded, row by row."""
        return keeps(self.data, said.astype(int))

    def cost(self, clauses):
        """The objective of a rule set."""
        return objective(self.problem, 1, self.options["form"], clauses, self.options)

    def all_sets(self):
        """Every rule set within the limits."""
        clauses = all_clauses(self.problem.n_antecedents, self.options.get("max_conditions"))
        budget = self.options.get("complexity")
        most = len(clauses) if budget is None else budget // 2
        for count in range(most + 1):
            for chosen in itertools.combinations(clauses, count):
                if budget is None or sum(1 + len(c) for c in chosen) <= budget:
                    yield chosen

    def best(self):
        """The least objective of those that keep to the demands, None if none does; of all."""
        kept, free = [], []
        for chosen in self.all_sets():
            free.append(self.cost(chosen))
            if self.keeps(self.said(chosen)):
                kept.append(free[-1])
        return min(kept, default=None), min(free)


def random_small(rng, *, losses=("hamming", "errors"), rows=20):
    """None if a rate would be a share of nothing, or if nothing implies a budget."""
    options = random_options(rng)
    options["loss"] = str(rng.choice(losses))
    features = int(rng.integers(1, 5)) if "complexity" in options else int(rng.integers(1, 3))
    count = int(rng.integers(4, rows))
    captures = rng.random((features, count)) < rng.uniform(0.2, 0.8, size=(features, 1))
    labels = rng.integers(0, 2, count)
    if rng.random() < 0.7:  # mostly something to learn
        clause = rng.choice(features, size=min(features, 2), replace=False)
        labels = np.where(rng.random(count) < 0.85, captures[clause].all(axis=0), labels)
    costs = None
    if rng.random() < 0.25:
        options.pop("positive_weight", None)
        costs = random_costs(rng, labels)
    weights = rng.integers(1, 5, count) if rng.random() < 0.4 else None
    demands = random_demands(rng, count)
    data = dataset_of(captures, labels, weights=weights, costs=costs, demands=demands)
    try:
        return Small(data, Problem.from_dataset(data, 0), options)
    except ValueError:
        return None


def random_demands(rng, rows):
    members = rng.integers(0, int(rng.choice([2, 2, 3])), rows)
    names = "abc"[: int(members.max()) + 1]
    asked = [random_demand(rng, len(names) > 1) for _ in range(int(rng.choice([1, 1, 2])))]
    return of_groups(asked, "group", names, members)


def check_search(small, step=1):
    """Every bound at every step is true, and the end is the optimum; what proved it, and whether
    there is a rule set at all."""
    truth, free = small.best()
    try:
        search = RuleSetSearch(small.problem, check_all(OPTIONS, small.options, "rule-set"))
    except OptionError as error:
        assert "imply no budget" in str(error)
        return None
    status, before = Status.RUNNING, Fraction(-1)
    try:
        while status is Status.RUNNING:
            status = search.step(step)
            now = search.progress()
            bound, found = map(search.objective, (now.lower_bound, now.objective))
            if truth is not None:
                assert before <= bound <= truth <= found, (bound, truth, found, now.extra)
            before = bound
    except InfeasibleError as error:
        assert truth is None and "keeps to " in str(error)
        return "no rule set"
    finally:
        search.close()
    assert status is Status.DONE and found == truth, (truth, bound, now.extra)
    (chosen,) = (search.searches[1].incumbent.clauses,)
    assert small.cost(chosen) == truth and small.keeps(small.said(chosen))
    stated = now.extra.get("objective_without_constraints")
    assert stated is None or abs(float(stated) - float(free)) < 1e-5
    return now.extra["bound from"]


def check_proof_of(small, path):
    """The proof of a search is accepted, closes the gap, and says what is true."""
    result = solve(small.problem, "rule-set", proof=str(path), **small.options)
    content, data = path.read_bytes(), small.data
    columns = {f"a{j}": as_column(f"a{j}", row) for j, row in enumerate(data.captures.unpack())}
    for name, groups in data.demands.groups.items():
        columns[name] = as_column(name, [groups.names[one] for one in groups.members])
    weights = None if data.weights is None else data.weights.tolist()
    stated = small.problem.statement_like(opened(content).header)
    shown = check_proof(content, Table(columns, data.labels.tolist(), weights, data.costs), stated)
    assert shown.failure is None, shown.failure
    assert shown.objective == result.certificate.objective
    assert shown.lower_bound == shown.claimed == result.certificate.lower_bound
