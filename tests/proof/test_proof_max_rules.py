"""Proofs about lists of at most K rules: what is true is accepted, what is false is refused."""

import copy

import numpy as np
import pytest
from corels_rule_list.proof.records import end
from corels_rule_list.proofcheck.reading import read_proof
from seeds import seeds
from small import Small
from test_mutations import price

from corels.errors import InputError
from corels.proof.records import claim, found_list, header_line, limit

CHECKERS = ("python", "c")


def problem_of(seed, random):
    sizes = {"antecedents": int(random.integers(3, 7)), "rows": int(random.integers(8, 40))}
    return Small(seed, **sizes, classes=2 + (seed % 4 == 0), weighted=seed % 3 == 0)


def written(header, claims, most, found, bound):
    parts = [header_line(header), *([] if most is None else [limit(most)])]
    parts += [claim(rules, value) for rules, value in claims]
    return b"".join([*parts, found_list(*found), end(bound)])


def pieces(path):
    """Header, claims with what they say in the end, the limit, the list and the bound."""
    proof = read_proof(path.read_bytes())
    values = np.where(proof.relative, (proof.bound or 0) - proof.values, proof.values)
    claims = [[list(proof.claim(i)), max(0, int(v))] for i, v in enumerate(values)]
    return dict(proof.header), claims, proof.limit, proof.lists[-1], proof.bound


def is_true(small, claims, most, found, bound):
    """Whether brute force says so of every claim, of the list and of the bound."""

    def at_least(rules, value):
        left = -1 if most is None else most - len(rules)
        return (most is not None and left < 0) or value <= small.f(small.left(rules), left)

    return (
        all(at_least(rules, value) for rules, value in claims)
        and at_least((), bound)
        and found[1] == price(small, found[0])
    )


def tampered(random, header, claims, most, found, bound):  # noqa: PLR0917
    """One change at random: of a claim's value or rules, of the limit, or of the bound."""
    claims, kind = copy.deepcopy(claims), int(random.integers(6))
    one = claims[int(random.integers(len(claims)))]
    if kind == 0:
        one[1] += int(random.integers(1, 4))
    elif kind == 1:
        one[0] = sorted({*one[0], int(random.integers(len(header["antecedents"])))})
    elif kind == 2 and one[0]:
        del one[0][int(random.integers(len(one[0])))]
    elif kind == 3:
        most = header["max_rules"] = (most or 0) + 1
    elif kind == 4:
        most = None
    else:
        bound += 1
        claims.append([[], bound])
    return header, claims, most, found, bound


@pytest.mark.parametrize("chunk", seeds(5, 1))
def test_what_is_true_is_accepted_and_what_was_tampered_with_refused(chunk, tmp_path):
    """100 mutations (500 with the slow tests): none is accepted that says anything false."""
    refused = tried = 0
    for seed in range(chunk * 1000, chunk * 1000 + 1000):
        random = np.random.default_rng([41, seed])
        small = problem_of(seed, random)
        search = ("depth-first", "best-first")[seed % 2]
        most = int(random.integers(1, 4))
        small.search(tmp_path / "p", search=search, max_rules=most, start="none")
        whole = pieces(tmp_path / "p")
        if whole[2] is None:  # it cannot bind
            continue
        assert is_true(small, *whole[1:])
        changed = tampered(random, *copy.deepcopy(whole))
        for checker in CHECKERS:
            assert small.check((tmp_path / "p").read_bytes(), checker).failure is None
            try:
                failure = small.check(written(*changed), checker).failure
            except InputError as error:
                failure = str(error)
            if failure is None:
                assert is_true(small, *changed[1:]), (seed, checker)
            refused += failure is not None
        tried += 1
        if tried == 100:
            break
    assert tried == 100 and refused > 60


@pytest.mark.parametrize("seed", range(6))
def test_the_highest_claims_that_pass_are_the_true_ones(seed, tmp_path):
    """Claims about every set at what stopping costs, moved half way to the truth where refused."""
    random = np.random.default_rng([7, seed])
    small, most = problem_of(seed, random), 2
    names = range(small.problem.n_antecedents)
    sets = [(), *((a,) for a in names), *((a, b) for a in names for b in names if a < b)]
    claims = {z: small.problem.unit * small.cell(small.left(z)) for z in sets}
    header = small.header | {"max_rules": most}
    exact = {z: small.f(small.left(z), most - len(z)) for z in sets}
    for checker in CHECKERS:
        values = dict(claims)
        while True:
            content = written(header, values.items(), most, ([], price(small, [])), 0)
            failure = small.check(content, checker).failure
            if failure is None:
                break
            number = int(failure.split()[1].rstrip(","))
            z = [*values][number - 1]
            assert values[z] > exact[z], "a true claim is refused"
            values[z] = exact[z] + (values[z] - exact[z]) // 2
        assert values == exact


def test_resume(tmp_path):
    for seed in range(10):
        random = np.random.default_rng([3, seed])
        small, most = problem_of(seed, random), int(random.integers(1, 4))
        first, second = (tmp_path / name for name in "ab")
        search = ("depth-first", "best-first")[seed % 2]
        small.search(first, search=search, max_rules=most, node_limit=1, start="none")
        result = small.search(second, search=search, max_rules=most, resume=str(first))
        assert result.certificate.optimal
        for checker in CHECKERS:
            assert small.check(second.read_bytes(), checker).failure is None
        with pytest.raises(InputError, match="the limits are stated as"):
            small.search(second, search=search, max_rules=most + 1, resume=str(first))
