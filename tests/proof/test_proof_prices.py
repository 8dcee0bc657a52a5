"""Cells with prices: whatever they are, no claim that rests on them is false."""

import numpy as np
import pytest
from corels_rule_list.proofcheck.plain import Tables
from corels_rule_list.proofcheck.reading import read_proof
from corels_rule_list.proofcheck.table import read_table
from seeds import seeds
from small import Small, prices

from corels.errors import InputError
from corels.proof.records import claim

CHECKERS = ("python", "c")


def table_of(small):
    return read_table(small.header, small.rows)


def random_cells(small, random, shift):
    """Points cut into cells twice, weights and prices shared out at random within the budgets."""
    table = table_of(small)
    numbers = np.flatnonzero(table.kept >= 0)
    left = (table.unit * table.regrets) << shift
    budget = np.full((len(table.captures), len(left)), table.rule_cost << shift, dtype=np.int64)
    cells = []
    for last in (False, True):
        order, at = random.permutation(numbers), 0
        while at < len(order):
            members = order[at : at + int(random.integers(1, 9))]
            at += len(members)
            items = []
            for number in members.tolist():
                place = table.kept[number]
                share = left[:, place] if last else left[:, place] // int(random.integers(1, 4))
                left[:, place] -= share
                items.append([number, *share.tolist()])
            cells.append((items, cuts_of(table, table.kept[members], budget, random)))
    return cells


def cuts_of(table, places, budget, random):
    held = [tuple(row) for row in table.captures[:, places]]
    cuts = []
    for trace in dict.fromkeys(held):
        if any(trace) and not all(trace):
            makers = [r for r, row in enumerate(held) if row == trace]
            price = budget[makers].min(axis=0) // int(random.integers(1, 3))
            budget[makers] -= price
            cuts.append([makers[-1], *price.tolist()])
    return cuts


def problem_of(seed):
    sizes = {"antecedents": 2 + seed % 5, "rows": 8 + 7 * (seed % 5)}
    return Small(seed, **sizes, classes=2 + (seed % 3 == 0), weighted=seed % 2 == 1, lam="1/30")


@pytest.mark.parametrize("seed", seeds(40, 8))
def test_cells_cost_no_more_than_the_best_list(seed):
    small, random = problem_of(seed), np.random.default_rng(seed)
    cells, table = random_cells(small, random, 6), table_of(small)
    bound = Tables(table, 6, cells)
    for _ in range(30):
        some = random.integers(0, len(small.masks), size=int(random.integers(0, 4)))
        left = np.ones((1, table.captures.shape[1]), dtype=bool)
        for r in some:
            left &= ~table.captures[r]
        assert bound.least(left)[0] <= small.f(small.left(some))


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", seeds(40, 8))
def test_both_checkers_use_them_alike(seed, checker):
    """What the cells show of a set is accepted; a claim above the truth is not."""
    small, random = problem_of(seed), np.random.default_rng(seed)
    cells, table = random_cells(small, random, 6), table_of(small)
    everything = np.ones((1, table.captures.shape[1]), dtype=bool)
    shown = int(Tables(table, 6, cells).least(everything)[0])
    given = prices(6, cells)
    assert small.check(small.proof(given, claim((), shown)), checker).failure is None
    false = claim((), small.f(small.left(())) + 1)
    assert small.check(small.proof(given, false), checker).failure is not None
    refused = small.check(small.proof(prices(-6, cells), claim((), 1)), checker).failure
    assert refused is not None or not any(any(row[1:]) for cell in cells for row in cell[0])


@pytest.mark.parametrize("checker", CHECKERS)
def test_cells_of_more_than_eight_points_are_refused(checker):
    """A state is a byte."""
    small = Small(3, antecedents=6, rows=150, lam="1/30")
    numbers = np.flatnonzero(table_of(small).kept >= 0)[:9].tolist()
    items = [[number, *[0] * len(table_of(small).regrets)] for number in numbers]
    assert not small.check(small.proof(prices(6, [(items[:8], [])]), claim((), 0)), checker).failure
    with pytest.raises(InputError, match="the rows of a cell"):
        small.check(small.proof(prices(6, [(items, [])]), claim((), 0)), checker)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", range(10))
def test_budgets_are_counted(seed, checker):
    """A weight or a price beyond what there is."""
    small, random = problem_of(seed), np.random.default_rng(seed)
    cells = random_cells(small, random, 6)
    more = small.problem.unit * small.problem.total + small.problem.rule_cost << 7
    for part in (0, 1):
        rows = [row for cell in cells for row in cell[part]]
        if not rows:
            continue
        row = rows[random.integers(len(rows))]
        row[1 + int(random.integers(len(row) - 1))] += more
        failure = small.check(small.proof(prices(6, cells), claim((), 0)), checker).failure
        assert failure is not None
        row[1:] = [0] * (len(row) - 1)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("whole", [False, True])
def test_a_price_for_what_does_not_cut_the_cell_is_refused(whole, checker):
    """Both checkers refuse a price of an antecedent that captures none of a cell, or all of it."""
    small = problem_of(4)
    table, numbers = table_of(small), np.flatnonzero(table_of(small).kept >= 0)
    number = next(n for n in numbers.tolist() if (table.captures[:, table.kept[n]] == whole).any())
    antecedent = int(np.flatnonzero(table.captures[:, table.kept[number]] == whole)[0])
    nothing = [0] * len(table.regrets)
    for items in ([[number, *nothing]], [])[: 1 if whole else 2]:
        given = prices(6, [(items, [[antecedent, *nothing]])])
        assert small.check(small.proof(given, claim((), 0)), checker).failure is not None
    given = prices(6, [([[number, *nothing]], [])])
    assert small.check(small.proof(given, claim((), 0)), checker).failure is None


def test_cells_are_read_as_written():
    small = problem_of(4)
    cells = random_cells(small, np.random.default_rng(4), 6)
    proof = read_proof(small.proof(prices(6, cells), prices(6, cells)))
    assert proof.tables == [(6, cells)]
    with pytest.raises(IndexError):
        Tables(table_of(small), 6, [([[999, 1, 0]], [])])


NONE = {"tables_tried": 1 << 20}
ALL = {"tables_tried": 1, "tables_tries_first": 10**9, "tables_tries_least": 10**9}


@pytest.mark.parametrize(
    ("threads", "counts", "most"), [(1, 1, None), (1, 64, 4), (2, 1, 4), (2, 64, None)]
)
def test_proofs_with_trials_are_accepted(threads, counts, most, tmp_path, early_tables):
    """`counts`: a trial is left after one count, or is searched to its end."""
    path, more = tmp_path / "p.bin", 0
    for seed in range(2):
        small = Small(seed, antecedents=10, rows=70, classes=2 + seed % 2, lam="1/60")
        options = {"search": "depth-first", "threads": threads, "max_rules": most}
        options["no_bound"] = ("leaves",)  # which drops so much here that nothing is left to try
        without = small.search(path, tune=NONE, **options).certificate
        tune = ALL | {"tables_tried_counts": counts}
        tried = small.search(path, tune=tune, **options).certificate
        assert tried.optimal and tried.objective == without.objective
        for checker in ("python", "c"):
            verdict = small.check(path.read_bytes(), checker)
            assert verdict.failure is None, (seed, verdict)
            assert verdict.objective == verdict.lower_bound == tried.objective
        more += tried.expanded - without.expanded
    assert more > 0, "children were searched that tables had dropped"
