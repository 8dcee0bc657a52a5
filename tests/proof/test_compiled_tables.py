"""The tables that the compiled checker fills with few rules are those of all rules."""

import numpy as np
import pytest
from corels_checker import memory as of_checker
from corels_checker._native import ffi, lib
from corels_checker.memory import Memory
from corels_rule_list.proofcheck.plain import Tables
from corels_rule_list.proofcheck.reading import read_proof
from corels_rule_list.proofcheck.table import read_table
from small import Small
from written import partition, prices

from corels.errors import InputError
from corels.proof.records import claim


def table_of(small):
    weights = None if small.weights is None else small.weights.tolist()
    return read_table(small.header, small.columns, small.labelled(), weights)


def random_blocks(table, random):
    """Points cut into blocks, weights anything within the regrets."""
    order, blocks = random.permutation(np.flatnonzero(table.kept >= 0)), []
    while len(order):
        members, order = np.split(order, [int(random.integers(1, 12))])
        shares = [random.integers(0, table.regrets[:, table.kept[n]] + 1) for n in members]
        blocks.append([[int(n), *share.tolist()] for n, share in zip(members, shares, strict=True)])
    return blocks


def plain_rows(table, blocks):
    """For each block the sets of its points that rules can leave, as bits, and their rows."""
    for *_, left, rows in Tables(table, None, [(block, []) for block in blocks]).cells:
        yield left.astype(np.int64), rows


@pytest.mark.parametrize("seed", range(60))
def test_rows_of_blocks_are_those_of_the_plain_checker(seed):
    random = np.random.default_rng(seed)
    sizes = {"antecedents": 3 + seed % 9, "rows": 30 + seed, "weighted": seed % 2 == 1}
    small = Small(seed, **sizes, classes=2 + (seed % 3 == 0), lam="1/30")
    table = table_of(small)
    blocks = random_blocks(table, random)
    found = Memory(table, read_proof(small.proof(partition(blocks))))
    assert lib.corels_checker_here().fill(found.worker(), 0, 0, len(blocks))
    begin = 0
    for block, (left, exact) in zip(blocks, plain_rows(table, blocks), strict=True):
        rows = ffi.buffer(found.tables.rows + begin, 16 << len(block))
        np.testing.assert_array_equal(np.frombuffer(rows, np.uint16).reshape(-1, 8)[left], exact)
        begin += 8 << len(block)


def test_errors_beyond_sixteen_bits_are_rounded_down():
    """The rows are then lower bounds, in units of a power of two."""
    small = Small(4, antecedents=5, rows=40, weighted=True, lam="1/30")
    small.weights = small.weights * 20_011
    small._collapse("1/30")
    table = table_of(small)
    blocks = random_blocks(table, np.random.default_rng(4))
    found = Memory(table, read_proof(small.proof(partition(blocks))))
    assert lib.corels_checker_here().fill(found.worker(), 0, 0, len(blocks))
    begins = np.cumsum([0, *(1 << len(block) for block in blocks)])
    parts = list(plain_rows(table, blocks))
    exact = np.concatenate([rows for _, rows in parts])
    left = np.concatenate([b + part for b, (part, _) in zip(begins, parts, strict=False)])
    rows = np.frombuffer(ffi.buffer(found.tables.rows, 16 * int(begins[-1])), np.uint16)
    shift = of_checker._fitting(
        np.array([row[1:] for block in blocks for row in block]), np.cumsum([0, *map(len, blocks)])
    )
    lower = rows.reshape(-1, 8)[left].astype(np.int64) << shift
    assert shift > 0
    assert (lower <= exact).all()
    assert (exact - lower < 16 << shift).all()


@pytest.mark.parametrize("record", [partition([]), partition([[]]), prices(0, [])])
@pytest.mark.parametrize("checker", ["python", "c"])
def test_records_without_cells_and_cells_without_points(record, checker):
    small = Small(3, antecedents=4, rows=20, lam="1/30")
    best = small.f(small.left(()))
    content = small.proof(record, *(claim(z, 0) for z in ((), (1,))), claim((), best))
    verdict = small.check(content, checker)
    assert verdict.failure is None or "claim 3" in verdict.failure
    raised = small.check(small.proof(record, claim((), best + 1)), checker)
    assert "claim 1" in raised.failure


def test_tables_beyond_the_limit_are_refused_as_what_they_are(monkeypatch):
    """The Python checker, whose limit is lower, says who can check them, and is not chosen."""
    small = Small(3, antecedents=4, rows=20, lam="1/30")
    best = small.f(small.left(()))
    blocks = random_blocks(table_of(small), np.random.default_rng(3))
    content = small.proof(partition(blocks), claim((), best))
    monkeypatch.setattr("corels_checker.memory.MOST_TABLES", 1000)
    monkeypatch.setattr("corels_rule_list.proofcheck.checking.MOST_TABLES", 7)
    with pytest.raises(InputError, match="more than a gigabyte in Python: use checker 'c'"):
        small.check(content, "python")
    for checker in ("c", None):
        assert "would take more than" in small.check(content, checker).failure


@pytest.mark.parametrize("checker", ["python", "c"])
def test_a_table_without_regret(checker):
    """Every point has one class: there is nothing to count."""
    small = Small(3, antecedents=3, rows=12, lam="1/30")
    small.labels = small.points % 1
    small.labels[small.masks[0]] = 1
    small._collapse("1/30")
    verdict = small.check(small.proof(claim((), 0)), checker)
    assert verdict.failure is None
