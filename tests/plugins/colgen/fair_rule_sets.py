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
from rule_set_oracle import all_clauses, random_costs, random_options

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
        """int[N]: what a rule set says of each row."""
        rows = self.data.captures.unpack()
        if self.options["form"] == "dnf":
            return np.any(
                [np.zeros(rows.shape[1], bool), *(rows[list(c)].all(0) for c in clauses)], 0
            )
        return np.all([np.ones(rows.shape[1], bool), *(rows[list(c)].any(0) for c in clauses)], 0)

    def keeps(self, said):
        """Whether predictions keep to what is demanded, row by row."""
        return keeps(self.data, said.astype(int))

    def cost(self, clauses):
        """The objective of a rule set, row by row."""
        data, options = self.data, self.options
        rows = data.captures.unpack()
        weight = np.ones(data.n_rows, int) if data.weights is None else data.weights
        dnf = options["form"] == "dnf"
        acts = [rows[list(c)].all(0) if dnf else ~rows[list(c)].any(0) for c in clauses]
        times = np.sum([np.zeros(data.n_rows, int), *acts], 0)
        if options["loss"] == "errors":
            times = np.minimum(times, 1)
        missed, wrong = self._mistakes()
        left, caught = (missed, wrong) if dnf else (wrong, missed)
        loss = sum(
            (
                int(w) * (left[i] if not times[i] else caught[i] * int(times[i]))
                for i, w in enumerate(weight)
            ),
            Fraction(0),
        )
        conditions = sum(map(len, clauses))
        penalty = Fraction(options.get("penalty_clause", 0)) * len(clauses)
        penalty += Fraction(options.get("penalty_condition", 0)) * conditions
        return loss / int(weight.sum()) + penalty

    def _mistakes(self):
        """What it costs in each row to say no, and to say yes."""
        labels, costs = self.data.labels, self.data.costs
        if costs is not None:
            scale = costs.outcomes.scale
            return [[Fraction(int(a), scale) for a in row] for row in costs.amounts]
        missed = Fraction(self.options.get("positive_weight", 1))
        return [missed * int(one) for one in labels], [Fraction(1 - int(one)) for one in labels]

    def all_sets(self):
        """Every rule set within the limits."""
        clauses = all_clauses(self.problem.n_antecedents, self.options.get("max_conditions"))
        of = [self.data.antecedents.index(a) for a in self.problem.antecedents]
        clauses = [tuple(of[j] for j in clause) for clause in clauses]
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
            bound, objective = map(search.objective, (now.lower_bound, now.objective))
            if truth is not None:
                assert before <= bound <= truth <= objective, (bound, truth, objective, now.extra)
            before = bound
    except InfeasibleError as error:
        assert truth is None and "keeps to " in str(error)
        return "no rule set"
    finally:
        search.close()
    assert status is Status.DONE and objective == truth, (truth, bound, now.extra)
    (chosen,) = (search.searches[1].incumbent.clauses,)
    of = [small.data.antecedents.index(a) for a in small.problem.antecedents]
    chosen = [tuple(of[j] for j in clause) for clause in chosen]
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
