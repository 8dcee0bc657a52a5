"""The tables that the compiled checker fills with few rules are those of all rules."""

import numpy as np
import pytest
from corels_rule_list.proofcheck.table import read_table
from small import Small, prices

from corels.errors import InputError
from corels.proof.records import claim


def table_of(small):
    return read_table(small.header, small.rows)


def random_cells(table, random):
    """Points cut into cells, weights anything within their costs; no rule pays."""
    order, cells = random.permutation(np.flatnonzero(table.kept >= 0)), []
    costs = table.unit * table.regrets
    while len(order):
        members, order = np.split(order, [int(random.integers(1, 9))])
        shares = [random.integers(0, costs[:, table.kept[n]] + 1) for n in members]
        points = [[int(n), *share.tolist()] for n, share in zip(members, shares, strict=True)]
        cells.append((points, []))
    return cells


@pytest.mark.parametrize("record", [prices(0, []), prices(0, [([], [])])])
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
    cells = random_cells(table_of(small), np.random.default_rng(3))
    content = small.proof(prices(0, cells), claim((), best))
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
