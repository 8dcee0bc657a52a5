"""What a worker does with one shard: read it, search it, list what is good on it, count lists.

A shard is a file of packed rows in a folder that the workers and the client share, so a worker that
dies takes nothing with it: another one reads the file again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from corels import Problem, Result, RuleList, near
from corels.model import Certificate, Stopped
from corels.model.documents import to_json
from corels.problem import Captures
from corels.run.output import save
from corels.run.solve import solve
from corels.search.good_lists import TooManyListsError
from corels.tables import Antecedent, Dataset

Rules = tuple[int, ...]  # antecedents of the data set, first rule first
MOST_LISTS = 100_000  # that one shard may name; a shard with more says its lower bound only


def shard_file(folder: str, number: int, ending: str) -> str:
    """Of one shard."""
    return os.path.join(folder, f"shard-{number:05d}.{ending}")


@dataclass(frozen=True)
class Task:
    """What all shards share. From max_rules on, options of `corels.solve` for each shard."""

    folder: str
    antecedents: tuple[Antecedent, ...]
    classes: tuple[Any, ...]
    regularization: Fraction
    max_rules: int | None = None
    time_limit: float | None = None
    proofs: bool = False
    no_bound: tuple[str, ...] = ()

    def file(self, number: int, ending: str) -> str:
        """Of one shard."""
        return shard_file(self.folder, number, ending)


@dataclass(frozen=True)
class Found:
    """What was found on one shard of this weight: its best list, and what every list costs."""

    number: int
    key: str
    weight: int
    rules: Rules
    objective: Fraction
    lower_bound: Fraction
    stopped: str

    @property
    def optimal(self) -> bool:
        """Whether no list is better on this shard."""
        return self.objective == self.lower_bound

    def to_document(self) -> dict[str, Any]:
        """JSON-ready."""
        exact = {"objective": str(self.objective), "lower_bound": str(self.lower_bound)}
        return {**vars(self), "rules": list(self.rules), **exact}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Found:
        """Read `to_document`."""
        exact = {name: Fraction(document[name]) for name in ("objective", "lower_bound")}
        return cls(**{**document, "rules": tuple(document["rules"]), **exact})


def problem_of(task: Task, number: int) -> Problem:
    """The rows of a shard as a problem."""
    return Problem.from_dataset(read(task, number), task.regularization)


def read(task: Task, number: int) -> Dataset:
    """The rows of a shard."""
    with np.load(task.file(number, "npz")) as stored:
        labels = stored["labels"].astype(np.int64)
        weights = stored.get("weights")
        captures = Captures(stored["words"], len(labels))
    return Dataset(task.antecedents, captures, labels, task.classes, weights=weights)


def search(task: Task, number: int, key: str) -> Found:
    """Search a shard; what is found is kept in the folder, and is not searched for again.

    What was found is written last: so a proof beside it is of the same search.
    """
    problem = problem_of(task, number)
    for kind in ("json", "proof"):
        Path(task.file(number, kind)).unlink(missing_ok=True)
    proof = task.file(number, "proof") if task.proofs else None
    options: dict[str, Any] = {"no_bound": task.no_bound} if task.no_bound else {}
    result = solve(
        problem, proof=proof, time_limit=task.time_limit, max_rules=task.max_rules, **options
    )
    index = {antecedent: at for at, antecedent in enumerate(task.antecedents)}
    model, certificate = result.model, result.certificate
    assert isinstance(model, RuleList)
    rules = tuple(index[rule.antecedent] for rule in model.rules if rule.antecedent is not None)
    bounds = certificate.objective, certificate.lower_bound, str(certificate.stopped)
    found = Found(number, key, problem.total, rules, *bounds)
    save(task.file(number, "json"), to_json(found.to_document()) + "\n")
    return found


def good_lists(task: Task, found: Found, more: Fraction) -> list[Rules] | None:
    """All lists that cost at most `more` than the optimum of a shard; None where they are too many
    or a limit came first. `more` is less than lambda, so no rule of such a list is without rows."""
    problem = problem_of(task, found.number)
    index = {antecedent.name: at for at, antecedent in enumerate(task.antecedents)}
    equal = {antecedent.name: [index[antecedent.name]] for antecedent in problem.antecedents}
    for dropped, kept in problem.merged:
        equal[kept].append(index[dropped])
    here = {index[antecedent.name]: at for at, antecedent in enumerate(problem.antecedents)}
    model = RuleList.of(problem, [here[rule] for rule in found.rules])
    certificate = Certificate(
        found.objective,
        found.lower_bound,
        Stopped.CERTIFIED,
        task.regularization,
        data_hash=problem.data_hash,
        max_rules=task.max_rules,
    )
    try:
        with near(
            problem,
            within=more,
            result=Result(model, certificate),
            time_limit=task.time_limit,
            max_rules=task.max_rules,
        ) as lists:
            if not lists.certificate.complete or lists.count_names > MOST_LISTS:
                return None
            named = [[equal[name] for name in one.names] for one in lists]
    except TooManyListsError:
        return None
    return [rules for one in named for rules in product(*one)]


def counts(task: Task, number: int, lists: Sequence[Rules]) -> list[Any]:
    """For each list int64[rules + 1, C]: the weight of each class that each rule captures."""
    data = read(task, number)
    weights = np.ones(data.n_rows, np.int64) if data.weights is None else data.weights
    classes, found = len(data.classes), []
    for rules in lists:
        captured = np.full(data.n_rows, len(rules), dtype=np.int64)
        for at in reversed(range(len(rules))):
            captured[data.captures[rules[at]]] = at
        table = np.zeros((len(rules) + 1) * classes, dtype=np.int64)
        np.add.at(table, captured * classes + data.labels, weights)
        found.append(table.reshape(-1, classes))
    return found
