"""Proofs of rule sets: all true ones are accepted, and say what is proved without a MIP solver."""

import json

import numpy as np
import pytest
from corels_colgen.proofcheck import checking
from corels_colgen.proofcheck.clauses import Limits
from corels_colgen.proofcheck.costs import amounts_of, stated_limits
from corels_colgen.proofcheck.reading import read_rule_sets
from seeds import ranges
from small_families import SmallSets, columns_of

from corels.check.opening import opened
from corels.check.points import Table, read_points
from corels.errors import InputError
from corels.problem.costs import Costs, classes_and


def accepted(seed, path, **options):
    if seed % 4 == 3:  # large enough for gaps
        small = SmallSets(seed, features=7, rows=40, costed=seed % 3 == 1)
    else:
        classes = 3 if seed % 5 == 0 else 2
        costed = classes == 2 and seed % 3 == 1
        small = SmallSets(seed, classes=classes, features=3 + seed % 3, costed=costed)
    result = small.write(path, **options)
    shown = small.check(path.read_bytes())
    assert shown.failure is None, (seed, shown.failure)
    assert shown.objective == result.certificate.objective
    assert shown.lower_bound <= shown.claimed == result.certificate.lower_bound
    return small, shown


@pytest.mark.parametrize("numbers", ranges(8, 1000))
def test_true_proofs_are_accepted_and_closed(numbers, tmp_path):
    for seed in numbers:
        small, shown = accepted(seed, tmp_path / "p.bin")
        assert shown.lower_bound == shown.claimed  # small gaps are closed in whole numbers
        if len(small.captures) < 5:
            assert shown.lower_bound == small.best()


def test_stopped_searches_prove_what_they_have(tmp_path):
    for seed in range(5):
        accepted(seed, tmp_path / "p.bin.gz", node_limit=1 + seed)


def test_what_rests_on_the_search_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "CLOSING", Limits(0, None))
    monkeypatch.setattr(checking, "NODES", 0)
    told = 0
    for seed in range(3, 80, 4):
        _, shown = accepted(seed, tmp_path / "p.bin")
        if shown.lower_bound < shown.claimed:
            assert shown.sentence.endswith(f"is claimed {checking.WORD}")
            told += 1
    assert told


def test_a_file_that_ends_early_concludes_nothing(tmp_path):
    small, _ = accepted(1, tmp_path / "p.bin")
    content = (tmp_path / "p.bin").read_bytes()
    shown = small.check(content[:-1])
    assert shown.failure is None
    assert shown.lower_bound is None


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (b"q", "record 113 is of no known kind"),
        (b"s\x05", "class 5"),
        (b"s\x01\x01\x63", "conditions of a clause 99"),
        (b"ee", "more behind the end"),
    ],
)
def test_malformed_records_are_refused(records, message, tmp_path):
    accepted(1, tmp_path / "p.bin")
    header, *_ = opened((tmp_path / "p.bin").read_bytes(), "p")
    with pytest.raises(InputError, match=message):
        read_rule_sets(header, records, "p")


@pytest.mark.parametrize("limit", ["max_conditions", "complexity"])
@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_no_set_goes_beyond_what_the_header_states(form, limit, tmp_path):
    """Not even if it states 0, and the bound is true of more rule sets."""
    small = SmallSets(4)
    small.options |= {"form": form, "complexity": 6, "max_conditions": None}
    small.write(tmp_path / "p.bin")
    line, _, records = (tmp_path / "p.bin").read_bytes().partition(b"\n")
    header = json.loads(line)
    assert any(read_rule_sets(header, records, "p").sets.values())
    for most, refused in ((6, False), (0, True)):
        shown = small.check(json.dumps(header | {limit: most}).encode() + b"\n" + records)
        said = str(shown.failure).partition(": ")[2]
        assert refused is (said == "the rule set breaks the limits of complexity or of conditions")


def test_a_complexity_of_0_is_stated_as_it_is():
    header = {"complexity": 0, "penalty_clause": "0", "penalty_condition": "0"}
    assert stated_limits(header) == {"max_complexity": 0, "max_conditions_a_clause": None}


def test_costs_whose_sums_would_leave_64_bits_are_refused(tmp_path):
    """Eight costs of 2^61 add up to 0 there."""
    small = SmallSets(1, costed=True)
    small.labels, small.weights = np.repeat([0, 1], 8), np.ones(16, np.int64)
    right = np.array([small.labels == 0, small.labels == 1]).astype(np.int64)
    small.costs = Costs(classes_and((0, 1), [], 1), 1 - right, right)
    small.captures[:] = np.arange(16) >> np.arange(len(small.captures))[:, None] & 1
    small.collapse()
    small.write(tmp_path / "p")
    header, *_ = (tmp_path / "p").read_bytes().partition(b"\n")
    finer = json.loads(header)
    finer["outcomes"]["scale"] = 2**61
    table = Table(columns_of(small.captures), small.labels, None, small.costs)
    with pytest.raises(InputError, match="the costs of this proof are too large"):
        amounts_of(finer, read_points(finer, table), table)
