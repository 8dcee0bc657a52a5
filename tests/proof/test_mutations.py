"""A proof that was tampered with is refused, unless what it says is true all the same.

Eleven ways to tamper, each tried at random places of the proofs of random problems. What is true is
told by brute force: every claim, the list's cost, and the bound.
"""

import copy

import corels_c.parts
import numpy as np
import pytest
from corels_rule_list.proof.records import end
from corels_rule_list.proofcheck.reading import read_proof
from small import Small
from written import prices

from corels.errors import InputError
from corels.proof.records import claim, found_list, header_line

CHECKERS = ("python", "c")


class Tampered:
    """The pieces of a proof, and the table that it is checked against."""

    def __init__(self, small, content):
        proof = read_proof(content)
        self.small, self.header = small, copy.deepcopy(proof.header)
        self.claims = [[list(proof.claim(i)), int(v)] for i, v in enumerate(proof.values)]
        self.relative = proof.relative.tolist()
        self.lists, self.bound = [list(found) for found in proof.lists], proof.bound
        self.prices = copy.deepcopy(proof.tables)

    def content(self):
        parts = [header_line(self.header)]
        parts += [prices(shift, cells) for shift, cells in self.prices]
        for (rules, value), relative in zip(self.claims, self.relative, strict=True):
            parts.append(claim(rules, value, "x" if relative else "c"))
        parts += [found_list(rules, cost) for rules, cost in self.lists]
        return b"".join([*parts, end(self.bound)])

    def is_true(self):
        small, problem = self.small, self.small.problem
        if self.header["regularization"] != str(problem.regularization):
            return False
        for (rules, value), relative in zip(self.claims, self.relative, strict=True):
            if (self.bound - value if relative else value) > small.f(small.left(rules)):
                return False
        rules, cost = self.lists[-1]
        return cost == price(small, rules) and self.bound <= small.f(small.left(()))


def price(small, rules):
    rows, cost = small.left(()), 0
    for r in rules:
        cost += small.problem.rule_cost + small.problem.unit * small.cell(rows & small.masks[r])
        rows &= ~small.masks[r]
    return cost + small.problem.unit * small.cell(rows)


def raise_a_claim(of, random):
    one = of.claims[random.integers(len(of.claims))]
    one[1] += 1


def remove_a_claim(of, random):
    at = int(random.integers(len(of.claims)))
    del of.claims[at], of.relative[at]


def change_a_prefix(of, random):
    rules = of.claims[random.integers(len(of.claims))][0]
    if rules and random.random() < 0.5:
        del rules[random.integers(len(rules))]
    else:
        rules.append(int(random.integers(len(of.header["antecedents"]))))


def flip_a_label(of, random):
    of.small = of.small.changed(random, drop=False)


def drop_a_row(of, random):
    of.small = of.small.changed(random, drop=True)


def change_the_list(of, random):
    rules = of.lists[-1][0]
    if rules and random.random() < 0.5:
        del rules[random.integers(len(rules))]
    else:
        rules.append(int(random.integers(len(of.header["antecedents"]))))


def price_the_list_lower(of, random):
    of.lists[-1][1] = max(0, of.lists[-1][1] - 1)
    of.bound = min(of.bound, of.lists[-1][1])


def change_lambda(of, random):
    of.header["regularization"] = "1/11"


def raise_the_bound(of, random):
    of.bound += 1
    of.lists[-1][1] += 1


def weigh_a_point_more(of, random):
    cells = of.prices[-1][1] if of.prices else []
    points = cells[random.integers(len(cells))][0] if cells else []
    if not points:
        return raise_a_claim(of, random)
    points[random.integers(len(points))][1 + int(random.integers(of.small.classes))] += 1
    return raise_a_claim(of, random)


def raise_all_claims(of, random):
    for one in of.claims:
        one[1] += 1


WAYS = (
    raise_a_claim,
    remove_a_claim,
    change_a_prefix,
    flip_a_label,
    drop_a_row,
    change_the_list,
    price_the_list_lower,
    change_lambda,
    raise_the_bound,
    weigh_a_point_more,
    raise_all_claims,
)


MADE = {}


def tampered(seed, path, way):
    """A proof with many claims, tampered with."""
    if seed not in MADE:
        MADE[seed] = made(seed, path)
    of, random = copy.deepcopy(MADE[seed])
    way(of, random)
    return of


def made(seed, path):
    """The proof, which is right, and what is drawn with."""
    random = np.random.default_rng(seed)
    sizes = {"antecedents": int(random.integers(3, 8)), "rows": int(random.integers(10, 50))}
    small = Small(seed, **sizes, classes=2 + (seed % 4 == 0), lam=random.choice(["1/50", "1/25"]))
    kind = "best-first" if seed % 3 == 0 else "depth-first"
    bare = () if seed % 2 else ("lookahead", "second_rule", "reduced_support")
    small.search(path, search=kind, no_bound=("one_rule", *bare), start="none")
    of = Tampered(small, path.read_bytes())
    assert of.is_true()
    if not of.claims:
        of.claims, of.relative = [[[], of.bound]], [False]
    return of, random


def refused_unless_true(of):
    for checker in CHECKERS:
        try:
            verdict = of.small.check(of.content(), checker)
        except InputError:
            continue
        assert verdict.failure is not None or of.is_true()


@pytest.mark.parametrize("seed", range(8))
def test_tampering_is_noticed(seed, tmp_path, monkeypatch):
    monkeypatch.setitem(corels_c.parts.STAGES, "prices", (0, 3, 6, 9))
    for way in WAYS:
        refused_unless_true(tampered(seed, tmp_path / "p.bin", way))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_tampering_is_noticed_a_thousand_times(way, tmp_path, monkeypatch):
    monkeypatch.setitem(corels_c.parts.STAGES, "prices", (0, 3, 6, 9))
    for seed in range(100, 191):
        refused_unless_true(tampered(seed, tmp_path / "p.bin", way))


def test_two_equal_antecedents_do_not_remove_each_other(tmp_path):
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
