"""The plain checker on its own: its points and its tables."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from corels_rule_list.proof.format import end
from corels_rule_list.proofcheck.plain import Plain, Tables
from corels_rule_list.proofcheck.reading import plainly, read_proof
from corels_rule_list.proofcheck.table import read_table
from small import Small, prices

from corels.check.points import holds, price
from corels.check.verdict import UNWATCHED
from corels.errors import InputError
from corels.proof.records import claim, record
from corels.tables.column import as_column


def plain(small, table, content):
    proof = read_proof(small.proof(content))
    return Plain(table, **plainly(proof, UNWATCHED)).check(proof.bound)


def small_table(**options):
    small = Small(5, antecedents=5, rows=40, **{"lam": "1/60", **options})
    return small, read_table(small.header, small.rows)


def test_the_claim_that_fails_is_named_by_its_place_in_the_file():
    """Also if a best-first search has gone on from claims, or a file mixes both kinds."""
    small, _ = small_table()
    best, false = small.f(small.left(())), claim((2,), 10_000)
    content = small.proof(claim((), best, "x"), false, claim((), best), small.conclusion(best))
    told = {small.check(content, checker).failure.split(" (")[0] for checker in ("python", "c")}
    assert len(told) == 1
    assert next(iter(told)).startswith("claim 2, at least 10000 behind {a2}")


def test_cells_without_a_cell_show_nothing():
    small, table = small_table()
    everything = np.ones((1, table.captures.shape[1]), dtype=bool)
    assert Tables(table, 6, []).least(everything)[0] == 0
    false = small.f(small.left(())) + 1
    assert plain(small, table, prices(6, []) + claim((), false)) is not None


def test_numbers_that_do_not_fit_are_refused_and_wrap_nowhere():
    small, table = small_table()
    item = [[0, (1 << 62), (1 << 62)]]
    with pytest.raises(Exception, match="more than there is to pay"):
        Tables(table, 0, [(item * 4, [])])
    with pytest.raises(InputError, match="more than nine bytes"):
        plain(small, table, record("c", 0, 1 << 63) + end(1))
    for penalty in ("-1/60", "1/0", "x", None, "1e-99999999"):
        with pytest.raises(InputError, match="incomplete or malformed"):
            read_table({**small.header, "regularization": penalty}, small.rows)
    tiny = str(Fraction(1, 1 << 60))
    with pytest.raises(InputError, match="too large to be counted"):
        read_table({**small.header, "regularization": tiny}, small.rows)
    for weights, message in (
        ([0] * 40, "more weight than can be counted"),
        ([1 << 60] * 40, "more weight than can be counted"),
        ([1] * 39 + [-1], "a row has the weight -1, expected 0 or more"),
        ([1] * 39, "40 labels and 39 weights"),
    ):
        with pytest.raises(InputError, match=message):
            read_table(small.header, replace(small.rows, weights=weights))


def test_prices_of_all_families_have_no_exponent():
    """In a few letters it would be a number that takes hours to count with."""
    assert price({"p": "1/200"}, "p") == Fraction(1, 200)
    for text in ("1e-99999999", "1E3", "-1", "1/0", "x", None):
        with pytest.raises(InputError, match=r"^p is .*: expected a number of at least 0"):
            price({"p": text}, "p")


def test_values_of_another_kind_are_named():
    for operator, wanted, value, why in (
        ("<=", "2024-03-01", 2024, "2024, not a date"),
        (">", 3, "x", "'x', not a number"),
        ("true", None, 2, "2, not 0 or 1"),
    ):
        with pytest.raises(InputError, match=f"^column 'a' has the value {why}$"):
            holds({"column": "a", "operator": operator, "value": wanted}, value)


def test_a_table_with_dates_and_gaps_is_read(tmp_path):
    """Conditions about dates are compared as text, and those of missing values are false."""
    small, _ = small_table()
    days = ["2024-01-01", "2024-02-01", None, "2024-03-01"] * 10
    columns = {"day": as_column("day", days), "n": as_column("n", [1, 2, 3, None] * 10)}
    conditions = [
        [{"column": "day", "operator": "<=", "value": "2024-02-01"}],
        [{"column": "n", "operator": ">", "value": 1}, {"column": "day", "operator": "present"}],
    ]
    header = {**small.header, "antecedents": [{"name": "a", "conditions": c} for c in conditions]}
    table = read_table(header, replace(small.rows, columns=columns))
    assert table.captures[:, table.kept[:3]].tolist() == [[True, True, False], [True, False, False]]
