"""Proofs about lists that keep to directions: accepted, and refused if the header is forged."""

import json
from dataclasses import replace

import numpy as np
import pytest
from corels_rule_list.proofcheck.checking import check_proof
from directed import problem_of, random_directed, with_first
from msgspec import convert
from seeds import seeds
from small import read_with_checkers

from corels import Problem, solve
from corels.check.points import Table
from corels.check.proof import check_proof as check_any
from corels.check.sides import may_say
from corels.errors import InputError
from corels.tables.column import as_column
from corels.tables.directions import Direction
from corels.testing import brute_force

CHECKERS = ("python", "c")


class Directed:
    """A random table with directions, and its proof."""

    def __init__(self, seed, path, *, first=False, **options):
        table, self.data = random_directed(seed)
        self.data = with_first(self.data, seed) if first else self.data
        self.columns = {name: as_column(name, values) for name, values in table.items()}
        self.problem = problem_of(self.data, seed)
        file = path / f"{seed}.proof"
        self.result = solve(self.problem, proof=str(file), **options)
        self.content = file.read_bytes()
        self.labels = [self.data.classes[label] for label in self.data.labels]
        weights = None if self.data.weights is None else self.data.weights.tolist()
        self.rows = Table(self.columns, self.labels, weights, self.data.costs)

    def check(self, content, checker):
        return check_proof(read_with_checkers(content), self.rows, checker)

    def with_directions(self, directions):
        """The proof, whose header has others; and the least objective under these."""
        line, _, records = self.content.partition(b"\n")
        header = {**json.loads(line), "directions": directions}
        ways = tuple(convert(directions, list[Direction]))
        names = {antecedent.name for antecedent in self.problem.antecedents}
        own = [j for j, one in enumerate(self.data.antecedents) if one.name in names]
        data = replace(
            self.data,
            antecedents=tuple(self.data.antecedents[j] for j in own),
            captures=self.data.captures.take(own),
            directions=ways,
        )
        best = brute_force(Problem.from_dataset(data, self.problem.regularization))
        return json.dumps(header).encode() + b"\n" + records, best


def forged(rng, directions, columns):
    """Directions that are not those of the proof: one is left out, turned, or added."""
    kept, way = list(directions), str(rng.choice(["out", "turned", "added"]))
    free = [name for name in columns if name not in [one["column"] for one in kept]]
    if way == "added" and free:
        return [*kept, {"column": str(rng.choice(free)), "direction": "up"}]
    if not kept:
        return None
    at = int(rng.integers(len(kept)))
    one = kept.pop(at)
    if way == "turned":
        turned = {"up": "down", "down": "up"}[one["direction"]]
        kept.insert(at, {**one, "direction": turned})
    return kept


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("part", seeds(4, 1))
def test_both_checkers_accept_proofs(part, first, tmp_path):
    for seed in range(24 * part, 24 * part + 24):
        most = {} if seed % 4 else {"max_rules": 2 + first}
        search = "depth-first" if seed % 5 else "best-first"
        one = Directed(seed, tmp_path, first=first, search=search, **most)
        best = brute_force(one.problem, most.get("max_rules"))
        for checker in CHECKERS:
            verdict = one.check(one.content, checker)
            assert verdict.failure is None, (seed, checker, verdict.failure)
            assert verdict.lower_bound == verdict.objective == best, (seed, checker)
            told = "keeps to the directions" in verdict.sentence
            assert told == bool(one.problem.directions), verdict.sentence
            assert ("that begins with" in verdict.sentence) is first
            asked = [[c.to_json() for c in r.antecedent.conditions] for r in one.result.model.rules]
            assert verdict.found == asked, (seed, checker)


@pytest.mark.parametrize("part", seeds(4, 1))
def test_other_directions_are_never_called_proved(part, tmp_path):
    refused = 0
    for seed in range(40 * part, 40 * part + 40):
        one, rng = Directed(seed, tmp_path), np.random.default_rng(seed)
        stated = [direction.to_json() for direction in one.data.directions]
        other = forged(rng, stated, [name for name in one.columns if name != "colour"])
        if other is None:
            continue
        content, best = one.with_directions(other)
        for checker in CHECKERS:
            try:
                verdict = one.check(content, checker)
            except InputError:
                refused += 1
                continue
            refused += verdict.failure is not None
            assert verdict.failure is not None or verdict.lower_bound <= best, (seed, checker)
        own = one.problem.statement()
        of_other = check_any(content, one.rows, own)
        assert "the directions are stated as" in of_other.failure, of_other.failure
    assert refused >= 10


def test_the_checkers_rule_equals_that_of_the_search():
    compared = 0
    for seed in range(200):
        _, data = random_directed(seed)
        problem = problem_of(data, seed)
        if problem.may_say is not None:
            own = may_say(problem.statement(), problem.outcomes.kinds)
            assert (own == problem.may_say).all(), seed
            compared += 1
    assert compared > 100


def test_other_first_rules_are_never_called_proved(tmp_path):
    refused = 0
    for seed in range(40):
        one = Directed(seed, tmp_path, first=True)
        line, _, records = one.content.partition(b"\n")
        header = json.loads(line)
        change = seed % 3
        if change == 0:
            header["first"].pop()
        elif change == 1:
            header["first"].append({**header["antecedents"][-1], "then": None})
        else:
            names, said = one.problem.outcomes.names, header["first"][0]["then"]
            header["first"][0]["then"] = next(name for name in names if name != said)
        content = json.dumps(header).encode() + b"\n" + records
        for checker in CHECKERS:
            try:
                refused += one.check(content, checker).failure is not None
            except InputError:
                refused += 1
        own = one.problem.statement()
        of_other = check_any(content, one.rows, own)
        assert "the first rules are stated as" in of_other.failure, of_other.failure
    assert refused > 60
