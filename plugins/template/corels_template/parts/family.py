"""A family of models: the best list of one rule, or of none. What it lacks is refused in words.

For proofs and an estimator: docs/how-to/family.md.
"""

import numpy as np

import corels
from corels.model import ListedModel
from corels.problem.captures import unpack
from corels.search import Kind, Progress, Search, Status, event_records


class MyPartModel(ListedModel):
    schema = "my-part/model"


class MyPartSearch(Search):
    """One unit of work is one antecedent."""

    def __init__(self, problem):
        self.problem, self.done, self.records = problem, 0, []
        self.captures = unpack(problem.masks, problem.n_points)  # bool[M, P]
        self.chosen, self.cost = (), self.cost_of(np.zeros(problem.n_points, dtype=bool), 0)

    def cost_of(self, held, rules):
        """The scaled cost of predicting the majority if `held`, and if not."""
        counts = [self.problem.weights[:, rows].sum(axis=1) for rows in (held, ~held)]
        wrong = sum(int(found.sum() - found.max()) for found in counts)
        return self.problem.unit * wrong + self.problem.rule_cost * rules

    def step(self, budget):
        for number in range(self.done, min(self.done + budget, self.problem.n_antecedents)):
            self.done, cost = number + 1, self.cost_of(self.captures[number], 1)
            if cost < self.cost:
                self.chosen, self.cost = (number,), cost
                self.records.append({"kind": Kind.INCUMBENT, "length": 1, "objective": cost})
        return Status.DONE if self.done == self.problem.n_antecedents else Status.RUNNING

    def events(self):
        records, self.records = self.records, []
        return event_records(*records)

    def progress(self):
        """lower_bound: what is proved; a list of one rule costs at least that rule."""
        finished = self.done == self.problem.n_antecedents
        proved = self.cost if finished else min(self.cost, self.problem.rule_cost)
        return Progress(expanded=self.done, objective=self.cost, lower_bound=proved)

    def model(self):
        return MyPartModel.of_rules(self.problem, self.chosen)


class MyPart(corels.Solver):
    name = "my-part"
    summary = "the best list of at most one rule"

    def search(self, problem, options, *, fine_events=False, memory_limit=None):
        return MyPartSearch(problem)

    def model_type(self):
        return MyPartModel


@corels.hookimpl
def register_parts(register):
    register(MyPart)
