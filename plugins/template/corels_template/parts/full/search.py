"""The search: one unit of work is one first rule, with every second rule behind it."""

from dataclasses import replace

import numpy as np
from corels_my_part.model import MyPartModel

from corels.problem.captures import unpack
from corels.proof.records import record
from corels.search import Kind, Progress, Search, Status, event_records


class MyPartSearch(Search):
    def __init__(self, problem):
        self.problem = problem
        self.captures = unpack(problem.masks, problem.n_points)  # bool[M, P]
        self.done, self.waiting = 0, [{"kind": Kind.START, "count": problem.n_antecedents}]
        self.chosen, self.cost = (), int(problem.unit * misses(problem.weights.sum(axis=1)))

    def step(self, budget):
        for first in range(self.done, min(self.done + budget, self.problem.n_antecedents)):
            self.done = first + 1
            chosen, least = self.best_after(first)
            if least < self.cost:
                self.chosen, self.cost = chosen, least
                found = {"kind": Kind.INCUMBENT, "length": len(chosen), "objective": least}
                self.waiting.append(found)
            if self.log is not None:
                self.log.proved(record("c", first, least))
        return Status.DONE if self.done == self.problem.n_antecedents else Status.RUNNING

    def best_after(self, first):
        """(antecedents, scaled cost) of the best list that begins with this antecedent."""
        weights, held = self.problem.weights, self.captures[first]
        unit, rule_cost = self.problem.unit, self.problem.rule_cost
        left = weights[:, ~held]  # int64[C, points]
        wrong = misses(weights[:, held].sum(axis=1))
        alone = int(unit * (wrong + misses(left.sum(axis=1))) + rule_cost)
        taken = left @ self.captures[:, ~held].T  # int64[C, M]: what each second rule takes
        both = misses(taken) + misses(left.sum(axis=1)[:, None] - taken)
        second = int(both.argmin())
        pair = int(unit * (wrong + both[second]) + 2 * rule_cost)
        return ((first, second), pair) if pair < alone else ((first,), alone)

    def events(self):
        waiting, self.waiting = self.waiting, []
        return event_records(*waiting)

    def progress(self):
        finished = self.done == self.problem.n_antecedents
        return Progress(
            expanded=self.done,
            children=self.done * self.problem.n_antecedents,
            objective=self.cost,
            lower_bound=self.cost if finished else min(self.cost, self.problem.rule_cost),
            settled=self.done / self.problem.n_antecedents,
        )

    def model(self):
        found = MyPartModel.of_rules(self.problem, self.chosen)
        return replace(found, choices=self.problem.n_antecedents)


def misses(counts):
    """Weight that is wrong if the most frequent class is predicted. counts: int64[C, ...]."""
    return counts.sum(axis=0) - np.max(counts, axis=0)
