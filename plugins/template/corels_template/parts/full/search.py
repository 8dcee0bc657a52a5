"""The search: one unit of work is one antecedent. What is proved, it tells its log."""

from dataclasses import replace

import numpy as np
from corels_my_part.model import MyPartModel

from corels.problem.captures import unpack
from corels.proof import record
from corels.search import Kind, Progress, Search, Status, event_records


class MyPartSearch(Search):
    def __init__(self, problem):
        self.problem, self.done, self.records = problem, 0, []
        self.captures = unpack(problem.masks, problem.n_points)  # bool[M, P]
        self.chosen, self.cost = (), self.cost_of(np.zeros(problem.n_points, dtype=bool), 0)

    def cost_of(self, held, rules):
        """The scaled cost of predicting the majority where `held`, and where not."""
        counts = [self.problem.weights[:, rows].sum(axis=1) for rows in (held, ~held)]
        wrong = sum(int(found.sum() - found.max()) for found in counts)
        return self.problem.unit * wrong + self.problem.rule_cost * rules

    def step(self, budget):
        for number in range(self.done, min(self.done + budget, self.problem.n_antecedents)):
            self.done, cost = number + 1, self.cost_of(self.captures[number], 1)
            if self.log is not None:
                self.log.proved(record("c", number, cost))
            if cost < self.cost:
                self.chosen, self.cost = (number,), cost
                self.records.append({"kind": Kind.INCUMBENT, "length": 1, "objective": cost})
        return Status.DONE if self.done == self.problem.n_antecedents else Status.RUNNING

    def events(self):
        records, self.records = self.records, []
        return event_records(*records)

    def limits(self):
        """What an option leaves out belongs here: the certificate says so."""
        return {"max_rules": 1}

    def progress(self):
        """lower_bound: what is proved; a list of one rule costs at least that rule."""
        number = self.problem.n_antecedents
        proved = self.cost if self.done == number else min(self.cost, self.problem.rule_cost)
        return Progress(
            expanded=self.done, objective=self.cost, lower_bound=proved, settled=self.done / number
        )

    def model(self):
        found = MyPartModel.of_rules(self.problem, self.chosen)
        return replace(found, choices=self.problem.n_antecedents)
