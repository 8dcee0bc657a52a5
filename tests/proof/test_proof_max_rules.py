"""Proofs about lists of at most K rules: the true claims and no higher ones are accepted."""

import numpy as np
import pytest
from corels_rule_list.proof.format import end
from small import Small

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


@pytest.mark.parametrize("seed", range(6))
def test_the_highest_claims_that_pass_are_the_true_ones(seed, tmp_path):
    """Claims about every set at what stopping costs, moved half way to the truth if refused."""
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
            content = written(header, values.items(), most, ([], claims[()]), 0)
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
