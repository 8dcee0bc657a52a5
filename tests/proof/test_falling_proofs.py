"""Proofs of falling and softly falling lists: all true ones are accepted, stopped ones say so."""

import pytest
from corels_falling.proofcheck.bounds import RestCosts
from corels_falling.proofcheck.checking import Checking
from corels_falling.proofcheck.costs import Costs
from corels_falling.proofcheck.reading import read_falling
from corels_falling.solver import BOUNDS
from seeds import ranges
from small_families import SmallFalling, columns_of

from corels.check.opening import opened
from corels.check.points import Table, read_points
from corels.errors import InputError
from corels.proof.records import header_line


def options_of(small, seed):
    """A search of one kind or another."""
    options = {}
    if seed % 3 == 0:
        options["max_rules"] = int(small.random.integers(0, 4))
    if seed % 5 == 0:
        options["no_bound"] = list(BOUNDS[: int(small.random.integers(1, len(BOUNDS) + 1))])
    if seed % 7 == 0:
        options["node_limit"] = int(small.random.integers(0, 6))
    return options


def accepted(seed, path, most):
    small = SmallFalling(seed, soft=bool(seed % 2), most=most, costed=seed % 3 == 0)
    result = small.write(path, **options_of(small, seed))
    shown = small.check(path.read_bytes())
    assert shown.failure is None, (seed, shown.failure)
    assert shown.objective == result.certificate.objective
    stated = result.certificate.lower_bound
    assert stated >= shown.lower_bound > stated - 1e-6  # whole units, where the search stopped
    assert not result.certificate.optimal or shown.lower_bound == stated


@pytest.mark.parametrize("numbers", ranges(70, 2500))
def test_true_proofs_are_accepted(numbers, tmp_path):
    for seed in numbers:
        larger = seed % 4 == 3
        accepted(seed, tmp_path / ("p.bin.gz" if larger else "p.bin"), 9 if larger else 5)


@pytest.mark.parametrize("soft", [False, True])
def test_what_is_settled_for_all_children_at_once_holds_in_exact_numbers(soft, tmp_path):
    settled = 0
    for seed in range(60):
        small = SmallFalling(seed, soft=soft, costed=seed % 3 == 0)
        small.write(tmp_path / "p.bin", **options_of(small, seed))
        header, records, name = opened((tmp_path / "p.bin").read_bytes(), "p")
        one, proof = small.instance, read_falling(header, records, name)
        table = Table(columns_of(one.captures), one.labels.tolist(), one.weights.tolist())
        costs = Costs(header, read_points(header, table))
        whole = costs.listed(proof.lists[-1]) if proof.optimal else proof.bound
        for total in (whole, whole * 3 // 4, whole // 2):
            checking = Checking(costs, proof, total)
            looked_at = checking.children.open([prefix.state for prefix in checking.prefixes])
            for prefix, found in zip(checking.prefixes, map(dict, looked_at), strict=True):
                for r in range(costs.antecedents):
                    state = costs.extended(prefix.state, r)
                    if state is None:
                        assert r not in found
                    elif r in found:
                        assert costs.behind(prefix.state, r, found[r]) == state
                    elif soft:
                        last = state.length == costs.max_length
                        assert costs.closed(state) >= total
                        assert last or RestCosts(costs, state).reach(total)
                    else:
                        assert not costs.threshold < state.least >= state.proportion
                    settled += state is not None and r not in found
    assert settled > 100


def test_the_file_of_a_killed_search_concludes_nothing(tmp_path):
    small = SmallFalling(3, soft=True, most=5)
    small.write(tmp_path / "p.bin")
    content = (tmp_path / "p.bin").read_bytes()
    for cut in (1, 2, 3):
        shown = small.check(content[:-cut])
        assert shown.lower_bound is None
        assert shown.failure is None


@pytest.mark.parametrize("soft", [False, True])
def test_a_proof_about_no_or_fewer_antecedents_is_refused(soft, tmp_path):
    """It holds, and is about another problem."""
    small = SmallFalling(3, soft=soft)
    small.write(tmp_path / "p")
    header = opened((tmp_path / "p").read_bytes()).header
    own = header["antecedents"]
    for some in ([], own[:-1], [*own, own[0]], [{**own[0], "name": "other"}, *own[1:]]):
        content = header_line({**header, "antecedents": some}) + b"l\x00o"
        assert "is about another problem: " in small.check(content).failure


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (b"q", "record 113 is of no known kind"),
        (b"x\x01\x00", "shares rules"),
        (b"x\x00\x63", "antecedent 99"),
        (b"l\x63", "rules of a list 99"),
        (b"ox", "more behind the end"),
        (b"e" + b"\xff" * 10, "more than nine bytes"),
    ],
)
def test_malformed_records_are_refused(records, message, tmp_path):
    small = SmallFalling(3, soft=False)
    small.write(tmp_path / "p.bin")
    header, *_ = opened((tmp_path / "p.bin").read_bytes(), "p")
    with pytest.raises(InputError, match=message):
        read_falling(header, records, "p")


def test_rare_antecedents_are_counted_out_by_the_checker(tmp_path):
    """The header has all antecedents of the problem, and the limit that leaves some out."""
    fewer = 0
    for seed in range(12):
        small = SmallFalling(seed, soft=bool(seed % 2))
        try:
            result = small.write(tmp_path / "p", min_class_support=0.5)
        except InputError:
            continue  # no antecedent is frequent enough
        content = (tmp_path / "p").read_bytes()
        shown = small.check(content)
        assert shown.failure is None and shown.lower_bound == result.certificate.lower_bound
        fewer += shown.antecedents < small.problem.n_antecedents
    assert fewer > 2
