"""Proofs about costs of outcomes: both checkers accept them."""

from dataclasses import replace

import pytest
from corels_rule_list.proofcheck.checking import check_proof
from corels_rule_list.proofcheck.reading import read_proof
from seeds import seeds
from small import Priced

from corels import solve
from corels.errors import InputError
from corels.testing import brute_force

CHECKERS = ("python", "c")


@pytest.mark.parametrize("part", seeds(3, 1))
def test_both_checkers_accept_proofs(part, tmp_path):
    for seed in range(24 * part, 24 * part + 24):
        most = {} if seed % 4 else {"max_rules": 2}
        search = "depth-first" if seed % 5 else "best-first"
        one = Priced(seed, tmp_path, search=search, **most)
        best = brute_force(one.problem, most.get("max_rules"))
        assert one.result.certificate.objective == best
        for checker in CHECKERS:
            verdict = one.check(one.content, checker)
            assert verdict.failure is None, (seed, checker, verdict.failure)
            assert verdict.lower_bound == verdict.objective == best, (seed, checker)


def test_costs_whose_sums_would_leave_64_bits_are_refused(tmp_path):
    one = Priced(0, tmp_path)
    finer = one.with_header(lambda header: header["outcomes"].update(scale=2**60))
    for checker in CHECKERS:
        with pytest.raises(InputError, match="the costs of this proof are too large"):
            one.check(finer, checker)


def test_who_may_say_an_outcome_is_part_of_the_proof(tmp_path):
    """The default rule alone may defer; a proof of that shows less if rules may, too."""
    weaker = 0
    for seed in range(2, 60, 6):  # two classes, abstain and defer, default only
        one = Priced(seed, tmp_path)
        assert one.problem.outcomes.default_only
        content = one.with_header(lambda header: header["outcomes"].pop("default_only"))
        free = replace(one.costs.outcomes, default_only=False)
        best = brute_force(one.problem_with(replace(one.costs, outcomes=free)))
        for checker in CHECKERS:
            verdict = one.check(content, checker)
            assert verdict.failure is not None or verdict.lower_bound <= best
            weaker += verdict.failure is not None
    assert weaker


def test_a_proof_without_costs_of_the_rows_cannot_be_checked(tmp_path):
    one = Priced(1, tmp_path)
    with pytest.raises(InputError, match=r"the proof is about costs of .*; the data has none"):
        check_proof(read_proof(one.content), one.small.rows)


def test_a_stopped_search_goes_on_from_its_proof(tmp_path):
    for seed in range(10):
        one = Priced(seed, tmp_path, node_limit=1)
        resumed = solve(one.problem, resume=str(one.path), proof=str(tmp_path / "more"))
        assert resumed.certificate.objective == brute_force(one.problem)
        assert one.check((tmp_path / "more").read_bytes(), "python").failure is None
