"""Proofs of small problems, changed at random: refused, unless brute force says that what they
conclude is true all the same."""

import copy
import random
from dataclasses import replace
from fractions import Fraction
from math import comb

import corels_c.parts
import numpy as np
import pytest
from changing import MORE_WAYS, Pieces, pieces
from corels_falling.solver import BOUNDS
from corels_rule_list.proof.format import end
from entries import put
from seeds import seeds
from small import Priced, Small, read_with_checkers
from small_families import SmallFalling, SmallSets, objective, optimum, set_objective

from corels import Problem
from corels.check.opening import opened
from corels.errors import InputError
from corels.proof.records import claim, found_list
from corels.testing import brute_force

CHECKERS = ("python", "c")


class Kind:
    """A proof that is right. known: what brute force has said, by what it was asked."""

    checkers = ("python",)

    def best(self, asked, least, *given):
        key = repr(asked)
        if key not in self.known:
            self.known[key] = least(*given)
        return self.known[key]

    def with_other_rows(self, rng):
        found = copy.copy(self)
        found.known = {}
        found.change_the_rows(rng)
        return found


class Lists(Kind):
    """Rule lists: with costs of outcomes or without, of any number of rules or of few."""

    checkers = CHECKERS

    def __init__(self, seed, path):
        options = self.options(seed)
        if seed % 3 == 0:
            options["max_rules"] = 1 + seed % 2
        costed = seed % 5 in (1, 3)
        self.one = Priced(seed, path, costed=costed, start="none", **options)
        self.known, self.pieces = {}, Pieces(*pieces(self.one.content))

    def options(self, seed):
        bare = ("lookahead", "reduced_support")[: seed % 4]
        search = "depth-first" if seed % 4 else "best-first"
        return {"search": search, "no_bound": ("one_rule", *bare)}

    def check(self, content, checker):
        return self.one.check(content, checker)

    def change_the_rows(self, rng):
        """A label, a row or an amount is another."""
        self.one = self.one.changed(np.random.default_rng(rng.randrange(2**32)))

    def is_true(self, content, shown):
        """Whether the list costs what is said, and no list costs less; and each claim about lists
        without costs."""
        header, one = opened(content).header, self.one
        numbers = [int(a["conditions"][0]["column"][1:]) for a in header["antecedents"]]
        costs = one.costs if "outcomes" in header else None
        data = one.data_with(costs)
        data = replace(
            data,
            antecedents=tuple(data.antecedents[j] for j in numbers),
            captures=data.captures.take(numbers),
        )
        problem = Problem.from_dataset(data, header["regularization"])
        same = header["antecedents"] == self.pieces.header["antecedents"]
        if same and costs is None and problem.regularization == one.problem.regularization:
            self._claims_are_true(content)
        rules = [int(asked[0]["column"][1:]) for asked in shown.found]
        stands = shown.objective == one.price(rules, header["regularization"], costs)
        most = shown.limits["max_rules"]
        asked = numbers, problem.regularization, most, costs is None
        return stands and shown.lower_bound <= self.best(asked, brute_force, problem, most)

    def _claims_are_true(self, content):
        small, proof = self.one.small, read_with_checkers(content)
        for rules, value in proof.stated():
            left = -1 if proof.limit is None else proof.limit - len(rules)
            if proof.limit is None or left >= 0:
                assert value <= small.f(small.left(rules), left), rules


class Leaves(Lists):
    """Those that rest on the leaf bound's weights."""

    def options(self, seed):
        bare = ("prices", "one_rule", "lookahead")
        return {"search": "depth-first", "bound": ["leaves"], "no_bound": bare}


class Falling(Kind):
    """Falling lists, softly falling ones too."""

    def __init__(self, seed, path):
        self.small = SmallFalling(seed, soft=bool(seed % 2), most=6, costed=seed % 3 == 1)
        options = {"no_bound": list(BOUNDS[: seed % 5])}
        if seed % 5 == 0:
            options["node_limit"] = 3
        if seed % 7 == 0:
            options["max_rules"] = 2
        self.small.write(path / "p.bin", **options)
        self.known, self.pieces = {}, Pieces(*pieces((path / "p.bin").read_bytes()))

    def check(self, content, _):
        return self.small.check(content)

    def change_the_rows(self, rng):
        """A label is another, or a row weighs more."""
        one, self.small = self.small.instance, copy.copy(self.small)
        labels, weights, row = one.labels.copy(), one.weights.copy(), rng.randrange(len(one.labels))
        if rng.random() < 0.5:
            labels[row] = 1 - labels[row]
        else:
            weights[row] += 1
            total = self.pieces.header["total"] + 1
            self.pieces = replace(self.pieces, header=put(self.pieces.header, ("total",), total))
        self.small.instance = replace(one, labels=labels, weights=weights)

    def is_true(self, content, shown):
        header, one = opened(content).header, self.small.instance
        numbers = [int(a["conditions"][0]["column"][1:]) for a in header["antecedents"]]
        rise = header["violation_cost"]
        stated = replace(
            one,
            captures=one.captures[numbers],
            w=Fraction(header["positive_weight"]),
            C=Fraction(header["rule_cost"]),
            C1=None if rise is None else Fraction(rise),
            f=Fraction(header.get("false_positive_cost", "1")),
        )
        rules = [numbers.index(int(asked[0]["column"][1:])) for asked in shown.found]
        stands, most = shown.objective == objective(stated, tuple(rules)), header.get("max_rules")
        asked = numbers, stated.w, stated.C, stated.C1, stated.f, most
        return stands and shown.lower_bound <= self.best(asked, optimum, stated, most)


class Sets(Kind):
    """Rule sets for one class."""

    most = 20_000  # combinations of clauses for brute force

    def __init__(self, seed, path):
        large = {"features": 7, "rows": 40} if seed % 4 == 3 else {"features": 4}
        self.small = SmallSets(seed, **large, costed=seed % 3 == 1)
        options = self.small.options
        options["complexity"] = min(6, options.get("complexity", 6))
        if large["features"] == 7:
            options |= {"max_conditions": 2, "complexity": 4}
        self.small.write(path / "p.bin", **({"node_limit": 3} if seed % 5 == 0 else {}))
        self.known, self.pieces = {}, Pieces(*pieces((path / "p.bin").read_bytes()))

    def check(self, content, _):
        return self.small.check(content)

    def change_the_rows(self, rng):
        """A label is another, or some mistakes cost nothing."""
        self.small = small = copy.copy(self.small)
        small.labels, small.costs = copy.deepcopy((small.labels, small.costs))
        small.random = np.random.default_rng(rng.randrange(2**32))
        if small.costs is not None and rng.random() < 0.5:
            small.uncharged()
        else:
            small.changed()

    def is_true(self, content, shown):
        header, small = opened(content).header, copy.copy(self.small)
        names = ("form", "complexity", "max_conditions")
        small.options = {n: header[n] for n in names if header.get(n) is not None}
        prices = ("positive_weight", "penalty_clause", "penalty_condition")
        small.options |= {n: Fraction(header[n]) for n in prices if header.get(n) is not None}
        numbers = [int(a["conditions"][0]["column"][1:]) for a in header["antecedents"]]
        small.captures = small.captures[numbers]
        if small.costs is not None and "outcomes" not in header:
            small.costs = None  # it is about mistakes that cost 1 each
        small.collapse()
        names = [numbers[int(one.name[1:])] for one in small.problem.antecedents]
        clauses = [
            [names.index(int(one[0]["column"][1:])) for one in clause]
            for clause in shown.found["1"]
        ]
        said = set_objective(small.problem, 1, header["form"], clauses, small.options)
        if shown.objective != said or self._many(small):
            return shown.objective == said
        asked = numbers, small.options, small.costs is None
        return shown.lower_bound <= self.best(asked, small.best)

    def _many(self, small):
        longest = small.options.get("max_conditions") or len(small.captures)
        clauses = sum(comb(len(small.captures), size) for size in range(1, longest + 1))
        most = min(clauses, small.options.get("complexity", 2 * clauses) // 2)
        return sum(comb(clauses, size) for size in range(most + 1)) > self.most


def changed_bytes(content, rng):
    """Some bytes of the records changed, removed or inserted."""
    start = content.index(b"\n") + 1
    octets = bytearray(content[start:])
    for _ in range(rng.randint(1, 3)):
        place = rng.randint(0, len(octets))
        octets[place : place + rng.randrange(2)] = rng.randbytes(rng.randrange(3))
    return content[:start] + bytes(octets)


def changed(of, rng):
    """The table, the file, and what was done."""
    if rng.random() < 0.15:
        return of.with_other_rows(rng), "other rows"
    return of, ""


def refusals(of, content, said):
    """How many checkers refuse; what the others say is true."""
    refused = 0
    for checker in of.checkers:
        try:
            shown = of.check(content, checker)
        except InputError:
            refused += 1
            continue
        shows = shown.failure is None and shown.lower_bound is not None
        assert not shows or of.is_true(content, shown), (checker, said)
        refused += not shows
    return refused


KINDS = {Lists: (14, 40), Leaves: (10, 25), Falling: (24, 40), Sets: (12, 40)}


@pytest.mark.parametrize("part", seeds(8, 1))
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_changed_is_refused_unless_it_is_true(kind, part, tmp_path, monkeypatch):
    monkeypatch.setattr(corels_c.parts, "STAGES", {"prices": (0, 3, 6, 9), "leaves": (0,)})
    many, times = KINDS[kind]
    refused = 0
    for seed in range(many * part, many * part + many):
        whole = kind(seed, tmp_path)
        assert not refusals(whole, whole.pieces.content, "nothing")
        for number in range(times):
            rng = random.Random(f"{seed} {number}")
            of, said = changed(whole, rng)
            case, ways = of.pieces, [said]
            for _ in range(rng.choice([0, 1] if said else [1, 1, 2, 3])):
                way = rng.choice(MORE_WAYS)
                case = way(case, rng)
                ways.append(way.__name__)
            content = case.content
            if rng.random() < 0.1:
                content, ways = changed_bytes(content, rng), [*ways, "bytes"]
            refused += refusals(of, content, (seed, number, ways))
    assert refused > many * times * len(kind.checkers) / 2


def test_two_equal_antecedents_do_not_remove_each_other():
    """The best rule there is, twice: each is dominated by the other but for its index."""
    small = Small(1, antecedents=1, rows=20, lam="1/50")
    twin = Small(1, antecedents=1, rows=20, lam="1/50")
    twin.header = copy.deepcopy(small.header)
    twin.header["antecedents"] *= 2  # equal captures under two numbers
    best, stop = small.f(small.left(())), small.problem.unit * small.cell(small.left(()))
    assert best < stop
    rules = small.optimal_list()
    for checker in CHECKERS:
        right = twin.proof(found_list(rules, best), claim((), best), end(best))
        assert twin.check(right, checker).failure is None
        wrong = twin.proof(found_list((), stop), claim((), stop), end(stop))
        assert "antecedent 1" in twin.check(wrong, checker).failure
