"""Proofs that rest on symmetries of the table: searches write them, and no other is believed."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from corels_rule_list.proof.records import end
from corels_rule_list.proof.trim import trimmed
from corels_rule_list.proofcheck import read_proof
from corels_rule_list.proofcheck.table import read_table
from small import Small
from written import symmetry

from corels.proof.records import claim, found_list

CHECKERS = ("python", "c")


class Design(Small):
    """All cases of some flags. The label depends on how many flags are set, and so does the weight.
    Antecedents: each flag, its opposite, each two flags."""

    def __init__(self, flags, seed, lam, classes=2):
        random = np.random.default_rng(seed)
        cases = np.array(list(product([False, True], repeat=flags))).T
        pairs = [cases[a] & cases[b] for a, b in combinations(range(flags), 2)]
        self.captures = np.vstack([cases, ~cases, pairs])
        kind = random.permutation(np.arange(flags + 1) % classes)
        self.labels = kind[cases.sum(axis=0)]
        self.weights = random.integers(1, 4, size=flags + 1)[cases.sum(axis=0)]
        self.classes = classes
        self._collapse(lam)

    @property
    def table(self):
        return read_table(self.header, self.columns, self.labelled(), self.weights.tolist())


def records_of(content):
    return read_proof(content).symmetries


@pytest.mark.parametrize("classes", [2, 3])
def test_searches_prove_by_symmetries(classes, tmp_path, early_blocks):
    """Their proofs are accepted, and not without the symmetries that stand in them."""
    path, leaning, stated = tmp_path / "p.bin", 0, 0
    for seed in range(8):
        small = Design(4 + seed % 2, seed, "1/40", classes)
        result = small.search(path, search="depth-first")
        content = path.read_bytes()
        assert result.certificate.optimal
        assert all(small.check(content, checker).failure is None for checker in CHECKERS)
        found = records_of(content)
        assert len(found) == max(0, result.certificate.extra["symmetries"] - 1)
        stated += bool(found)
        without = content
        for move in found:
            without = without.replace(symmetry(*move), b"")
        refused = [small.check(without, checker).failure is not None for checker in CHECKERS]
        assert refused[0] == refused[1]
        leaning += refused[0]
    assert stated > 3 and leaning


def test_trimmed_and_resumed_proofs_keep_them(tmp_path, early_blocks):
    path, again, small = tmp_path / "p.bin", tmp_path / "q.bin", Design(5, 0, "1/40")
    small.search(path, search="depth-first")
    proof = read_proof(path.read_bytes())
    assert proof.symmetries
    fewer, kept = trimmed(small.table, proof)
    assert kept <= len(proof.values) and records_of(fewer) == proof.symmetries
    result = small.search(again, search="depth-first", resume=str(path))
    assert result.certificate.optimal
    for content in (fewer, again.read_bytes()):
        assert all(small.check(content, checker).failure is None for checker in CHECKERS)
        assert len(records_of(content)) == len(proof.symmetries), "each stands there once"


class Two(Design):
    """Two flags, exactly one of which is to be set; and no other antecedents."""

    def __init__(self, lam="1/20"):
        super().__init__(2, 0, lam)
        self.captures = self.captures[:2]
        self.labels = self.captures.sum(axis=0) % 2
        self.weights = np.array([5, 4, 4, 3])
        self._collapse(lam)


def complete(small):
    """All claims that hold, and the conclusion."""
    sets = [z for n in range(3) for z in combinations(range(2), n)]
    best = small.f(small.left(()))
    claims = [claim(z, small.f(small.left(z))) for z in sets]
    return [*claims, found_list(small.optimal_list(), best), end(best)]


def orders(small, flags):
    """For each order of the flags, the points with their flags in that order."""
    patterns = [tuple(small.captures[:flags, small.points == p][:, 0]) for p in range(1 << flags)]
    for order in permutations(range(flags)):
        yield [patterns.index(tuple(pattern[i] for i in order)) for pattern in patterns]


def one_of_each_kind(small, images):
    """Claims that say all there is, about one set of those that are images of each other."""
    known, claims = set(), []
    for n in range(6):
        for rules in combinations(range(small.problem.n_antecedents), n):
            rows = small.left(rules)
            points = set(small.points[rows].tolist())
            if frozenset(points) in known:
                continue
            known |= {frozenset(image[p] for p in points) for image in images}
            claims.append(claim(rules, small.f(rows)))
    best = small.f(small.left(()))
    return [*claims, found_list(small.optimal_list(), best), end(best)]


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_claim_is_about_the_images_of_its_set(checker):
    leaning = 0
    for seed in range(2):
        small = Design(4, seed, "1/60")
        images = list(orders(small, 4))
        whole = list(range(16))
        stated = [symmetry(whole, image) for image in images if image != whole]
        records = one_of_each_kind(small, images)
        assert small.check(small.proof(*stated, *records), checker).failure is None
        leaning += small.check(small.proof(*records), checker).failure is not None
        high = claim((0,), small.f(small.left((0,))) + 1)
        assert small.check(small.proof(*stated, high, *records), checker).failure, "it is false"
    assert leaning


WHOLE = [0, 1, 2, 3]
FALSE = {
    "another regret": (WHOLE, [3, 1, 2, 0]),
    "not one to one": ([0], [1]),
    "antecedents go nowhere": (WHOLE, [0, 2, 3, 1]),
    "no such point": ([0], [9]),
}


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("what", FALSE)
def test_other_permutations_are_refused(what, checker):
    small = Two()
    records = complete(small)
    failure = small.check(small.proof(symmetry(*FALSE[what]), *records), checker).failure
    assert failure and ("symmetry" in failure or "not there" in failure)
    assert small.check(small.proof(*records), checker).failure is None


@pytest.mark.parametrize("checker", CHECKERS)
def test_equal_regrets_do_not_make_a_symmetry(checker):
    """What antecedents capture has to be taken to what antecedents capture."""
    small = Two()
    small.weights = np.array([4, 4, 4, 4])
    small._collapse("1/20")
    content = small.proof(symmetry([0, 3], [3, 0]), *complete(small))
    assert "symmetry" in small.check(content, checker).failure
