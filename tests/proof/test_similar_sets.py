"""Claims that rest on claims about similar sets: what these show, and that none hold each other up.

S is the set of a claim, T what an antecedent r leaves of it. Three ways: a claim about what r and
all rules of the claim *but one* leave; one about what *another* antecedent leaves of S; and one
about what any antecedent leaves of S, a *child*, which says as much as the claim does.
"""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from corels_checker._native import lib
from corels_checker.memory import Memory
from corels_rule_list.proofcheck import read_proof
from corels_rule_list.proofcheck.plain import Plain
from corels_rule_list.proofcheck.reading import plainly
from corels_rule_list.proofcheck.table import read_table
from seeds import seeds
from small import Small

from corels.check.watch import UNWATCHED
from corels.proof.records import claim

CHECKERS = ("python", "c")


@cache
def small_of(seed):
    return Small(
        seed,
        antecedents=3 + seed % 3,
        rows=10 + 6 * (seed % 5),
        classes=2 + (seed % 3 == 0),
        weighted=seed % 2 == 1,
    )


def sets_of(small):
    m = small.problem.n_antecedents
    return [z for n in range(m + 1) for z in combinations(range(m), n)]


def held(small, claims, checker):
    """Of each claim whether a checker accepts it. claims: rules -> value."""
    weights = None if small.weights is None else small.weights.tolist()
    table = read_table(small.header, small.columns, small.labelled(), weights)
    proof = read_proof(small.proof(*(claim(z, v) for z, v in claims.items())))
    if checker == "python":
        plain = Plain(table, **plainly(proof, UNWATCHED))
        return [plain.check(None, [i]) is None for i in range(len(claims))]
    memory, native = Memory(table, proof), lib.corels_checker_here()
    worker = memory.worker()
    native.find(worker, 0, len(claims))
    return [bool(native.claims(worker, i, i + 1)) for i in range(len(claims))]


def worst(small, rows):
    """What these rows, all of some points, cost if each point is predicted at worst."""
    amounts = np.ones(len(rows), int) if small.weights is None else small.weights
    counts = np.zeros((small.problem.n_points, len(small.problem.classes)), int)
    np.add.at(counts, (small.points[rows], small.labels[rows]), amounts[rows])
    return small.problem.unit * int((counts.max(axis=1) - counts.min(axis=1)).sum())


def same(small, one, other):
    """Whether two sets of rules leave the same points, but for points without regret."""
    return worst(small, small.left(one) ^ small.left(other)) == 0


def need(small, rules, q, value):
    """What whatever follows q must cost for a claim of so much."""
    errors = small.cell(small.left(rules) & small.masks[q])
    return value - small.problem.rule_cost - small.problem.unit * errors


def with_(rules, q):
    return tuple(sorted({*rules, q}))


class Case:
    """A claim with the rules Z that says what stopping costs. For each antecedent but r, `claims`
    has one that is just enough. They need not be true: only the one about Z is looked at."""

    def __init__(self, small, rules, r):
        self.small, self.rules, self.r = small, rules, r
        self.behind = small.left(with_(rules, r))
        self.value = small.problem.unit * small.cell(small.left(rules))
        self.need = need(small, rules, r, self.value)
        self.claims = {rules: self.value}
        for q in range(small.problem.n_antecedents):
            if q != r and not same(small, with_(rules, q), rules):
                self.claims[with_(rules, q)] = max(0, need(small, rules, q, self.value))
        # Nobody else leaves the same, or there is a claim about T.
        self.alone = not any(same(small, with_(rules, r), z) for z in self.claims)

    def needed(self, rules):
        """What a claim about a similar set must say to rule out r."""
        return self.need + worst(self.small, self.small.left(rules) & ~self.behind)

    def holds(self, also=()):
        """Whether both checkers accept the claim, if there are these claims, too."""
        claims = {**self.claims, **dict(also)}
        plain, compiled = (held(self.small, claims, checker)[0] for checker in CHECKERS)
        assert plain == compiled
        return plain


@cache
def open_cases():
    """Those in which no other reason rules out r."""
    found = []
    for seed in range(14):
        small = small_of(seed)
        for rules in sets_of(small):
            for r in set(range(small.problem.n_antecedents)) - set(rules):
                case = Case(small, rules, r)
                if case.alone and not case.holds():
                    found.append(case)
    return found


def without_a_rule():
    """(case, j, rules): all of a case's rules and r, but not its rule j; no claim is about them."""
    for case in open_cases():
        others = (*case.claims, with_(case.rules, case.r))
        for j in case.rules:
            rules = tuple(sorted({*case.rules, case.r} - {j}))
            if not any(same(case.small, rules, other) for other in others):
                yield case, j, rules


def test_a_claim_about_all_rules_but_one_rules_r_out():
    """It must say more by what the points that the rule captures err at worst; not a bit less."""
    tried = 0
    for case, _, rules in without_a_rule():
        assert case.holds({rules: case.needed(rules)})
        assert not case.holds({rules: case.needed(rules) - 1})
        tried += 1
    assert tried > 50


def test_a_rule_that_a_claim_names_twice_is_left_out_at_both_places():
    tried = 0
    for case, j, rules in without_a_rule():
        (_, value), *more = case.claims.items()
        for twice in ((*case.rules, j), (j, *case.rules)):
            claims = {twice: value, **dict(more), rules: case.needed(rules)}
            assert all(held(case.small, claims, checker)[0] for checker in CHECKERS)
            tried += 1
    assert tried > 50


def test_a_claim_about_what_another_antecedent_leaves_rules_r_out():
    tried = 0
    for case in open_cases():
        for rules in list(case.claims)[1:]:
            if case.claims[rules] < case.needed(rules) < case.value:
                assert case.holds({rules: case.needed(rules)})
                assert not case.holds({rules: case.needed(rules) - 1})
                tried += 1
    assert tried > 50


def test_a_child_that_costs_as_much_is_enough():
    tried = 0
    for case in open_cases():
        for rules in list(case.claims)[1:]:
            assert case.holds({rules: case.value})
            if case.claims[rules] < case.value <= case.needed(rules):
                assert not case.holds({rules: case.value - 1})
                tried += 1
    assert tried > 50


def test_a_set_is_not_its_own_child():
    """An antecedent that captures nothing leaves the set of the claim: what says as much of it is
    the claim itself, or another one that may lean on this one."""
    tried = 0
    for case in open_cases():
        for q in set(range(case.small.problem.n_antecedents)) - set(case.rules):
            if same(case.small, with_(case.rules, q), case.rules):
                assert not case.holds({with_(case.rules, q): case.value})
                tried += 1
    assert tried > 5


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", range(7))
def test_two_false_claims_do_not_hold_each_other_up(seed, checker):
    """All others are true, and each of the two says more than is true by as much as it may."""
    small = small_of(seed)
    true = {z: small.f(small.left(z)) for z in sets_of(small)}
    for both in list(combinations(true, 2))[seed % 7 :: 28]:
        for more in {1, small.problem.unit, small.problem.rule_cost} - {0}:
            raised = {z: v + more * (z in both) for z, v in true.items()}
            assert not all(held(small, raised, checker))


def lowered(small, claims, checker):
    """Claims made smaller, all that do not hold at once, until all hold."""
    unit, rule_cost = small.problem.unit, small.problem.rule_cost
    most = max(claims.values())
    errors, rules = range(most // unit + 1), range(most // max(1, rule_cost) + 1)
    costs = sorted({unit * e + rule_cost * k for e in errors for k in rules})
    while not all(right := held(small, claims, checker)):
        for (z, value), holds in zip(list(claims.items()), right, strict=True):
            if not holds:
                claims[z] = max(cost for cost in costs if cost < value)
    return claims


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", seeds(12, 6))
def test_the_most_that_claims_can_say_together_is_true(seed, checker):
    """All sets begin with what stopping costs, so that false claims have every support there is.
    What is left in the end is the most that a checker accepts. Where all sets have a claim it is
    the truth; where some have none, no more than that."""
    small, random = small_of(seed), np.random.default_rng(seed)
    stopping = {z: small.problem.unit * small.cell(small.left(z)) for z in sets_of(small)}
    true = {z: small.f(small.left(z)) for z in stopping}
    assert lowered(small, dict(stopping), checker) == true
    for share in (0.8, 0.6, 0.4):
        some = {z: v for z, v in stopping.items() if random.random() < share} or stopping
        assert all(v <= true[z] for z, v in lowered(small, dict(some), checker).items())


def sparse(seed):
    """Half of the antecedents capture few rows: sets with and without these are similar."""
    small, random = Small(seed, antecedents=5, rows=30 + seed), np.random.default_rng(seed)
    small.captures[2:] = random.random((3, 30 + seed)) < 0.08
    clean, noise = small.captures[0] ^ small.captures[1], random.integers(0, 2, 30 + seed)
    small.labels = np.where(random.random(30 + seed) < 0.6, clean, noise)
    small.labels[:2] = 0, 1
    small._collapse(("1/40", "1/25", "1/15")[seed % 3])
    return small


def fallen(small, claims):
    return [z for z, right in zip(claims, held(small, claims, "c"), strict=True) if not right]


def leaning(small, claims):
    """Ways in which claims, all of them accepted, lean on one about a similar set; and the claims
    where that one says less than this takes, but what a claim about it takes by itself."""
    for about in claims:
        alike = [z for z in claims if same(small, z, about)]
        for z in fallen(small, {**claims, **dict.fromkeys(alike, 0)}):
            antecedents = range(small.problem.n_antecedents)
            makers = [q for q in antecedents if same(small, with_(z, q), about)]
            way, enough = "but one", 0
            if makers and claims[about] >= claims[z]:
                way, enough = "child", claims[z] - 1
            elif makers:
                way, enough = "another", max(need(small, z, q, claims[z]) for q in makers)
            less = {**claims, **dict.fromkeys(alike, max(0, enough))}
            if enough < claims[about] and z in fallen(small, less):
                yield way, less


def test_whole_proofs_lean_on_claims_in_each_of_the_three_ways():
    """All claims of them are true, and accepted; without the one they are refused."""
    found = set()
    for seed in (7, 15, 38):
        small, random = sparse(seed), np.random.default_rng(seed)
        true = {z: small.f(small.left(z)) for z in sets_of(small)}
        for _ in range(3):
            some = {z: v for z, v in true.items() if random.random() < 0.5}
            claims = lowered(small, some, "c")
            for way, less in leaning(small, claims):
                for checker in CHECKERS:
                    whole, part = (map(claim, one, one.values()) for one in (claims, less))
                    assert small.check(small.proof(*whole), checker).failure is None
                    assert small.check(small.proof(*part), checker).failure is not None
                found.add(way)
    assert found == {"but one", "another", "child"}
