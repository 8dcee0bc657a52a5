"""Mining: against all conjunctions, tried one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.errors import InputError, OptionError
from corels.tables import Antecedent, BinarizeOptions, Condition, as_columns, binarize, mine
from corels.tables.deadline import Deadline
from corels.tables.directions import may_say
from corels.tables.mining import combines, conjunctions
from corels.tables.options import SupportLimits

tables = st.integers(1, 25).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n), min_size=1, max_size=5)
)


@given(tables, st.integers(1, 4), st.sampled_from([0, 0.01, 0.1, 0.25]), st.booleans())
def test_equal_to_trying_everything(table, max_cardinality, min_support, negations):
    columns = {f"c{j}": values for j, values in enumerate(table)}
    found = mine(
        columns, max_cardinality=max_cardinality, min_support=min_support, negations=negations
    )
    n_rows = len(table[0])
    limits = SupportLimits.of(min_support, None, n_rows)
    single = [Condition(name, "true") for name in columns]
    single += [Condition(name, "false") for name in columns] if negations else []
    single = [c for c in single if limits.allow(int(c.holds(columns[c.column]).sum()))]
    expected = [
        Antecedent.of(*parts)
        for size in range(1, max_cardinality + 1)
        for parts in itertools.combinations(single, size)
        if len({c.column for c in parts}) == size
        and limits.allow(int(Antecedent.of(*parts).evaluate(columns).sum()))
    ]
    assert list(found.antecedents) == expected
    for antecedent, captured in zip(found.antecedents, found.captures, strict=True):
        assert antecedent.evaluate(columns).tolist() == captured.tolist()


VALUES = [-1, 0, 0.5, 1, 1.5, 2, 3, None]


@given(
    st.lists(
        st.builds(Condition, st.just("x"), st.sampled_from(["<=", ">", "==", "!="]),
                  st.integers(0, 2))
        | st.builds(Condition, st.just("x"), st.sampled_from(["missing", "present"])),
        min_size=2, max_size=2,
    )
)  # fmt: skip
def test_conditions_of_one_column_combine_if_that_says_something_new(pair):
    """Two conditions combine exactly if together they say what neither says alone."""
    one, other = pair
    alone = [one.holds(VALUES).tolist(), other.holds(VALUES).tolist()]
    together = (one.holds(VALUES) & other.holds(VALUES)).tolist()
    assert combines(one, other) == (any(together) and together not in alone)
    assert combines(one, other) == combines(other, one)


def test_intervals_are_mined():
    table = as_columns({"age": np.arange(1, 101)})
    found = binarize(table, BinarizeOptions(cuts="quantile 3", max_cardinality=2))
    assert [a.name for a in found.antecedents[6:]] == [
        "age > 25 and age <= 50",
        "age > 25 and age <= 75",
        "age > 50 and age <= 75",
    ]


def test_order_features_negations_conjunctions():
    found = mine({"a": [1, 1, 0, 0], "b": [1, 0, 1, 0]})
    assert [a.name for a in found.antecedents] == [
        *("a", "b", "not a", "not b"),
        *("a and b", "a and not b", "b and not a", "not a and not b"),
    ]


def test_names_and_arrays():
    found = mine(np.array([[1, 0], [0, 1], [1, 1]]), names=["x y", "größe"], negations=False)
    assert [a.name for a in found.antecedents] == ["x y", "größe", "x y and größe"]
    assert np.asarray(found.captures).astype(int).tolist() == [[1, 0, 1], [0, 1, 1], [0, 0, 1]]


def test_what_cannot_be_mined():
    with pytest.raises(InputError, match="column 'a' has the value 2, not 0 or 1"):
        mine({"a": [0, 1, 2]})
    with pytest.raises(OptionError, match="max_cardinality is 0"):
        mine({"a": [0, 1]}, max_cardinality=0)


def test_too_many_are_left_out_and_counted():
    table = np.random.default_rng(0).integers(0, 2, (50, 8))
    every = mine(table, max_cardinality=4, min_support=0)
    assert every.left_out == ()
    for most in (10, 30, 100):
        found = mine(table, max_cardinality=2, min_support=0, max_antecedents=most)
        pairs = mine(table, max_cardinality=2, min_support=0)
        supports = pairs.captures.supports()
        single = np.array([len(a.conditions) == 1 for a in pairs.antecedents])
        room = max(0, most - int(single.sum()))
        order = np.argsort(-np.where(single, 10**6, supports), kind="stable")
        kept = sorted(order[: int(single.sum()) + room].tolist())
        assert list(found.antecedents) == [pairs.antecedents[j] for j in kept]
        left = len(pairs.antecedents) - len(kept)
        assert bool(left) == bool(found.left_out)
        if left:
            assert f"left out {left:,}" in found.left_out[0]


@pytest.mark.parametrize("weighted", [False, True])
def test_what_tells_the_classes_apart_best_stays(weighted):
    """With labels, the score decides: by how many rows of some class a conjunction has more, or
    fewer, than its share; computed here row by row."""
    rng = np.random.default_rng(4)
    table, labels = rng.integers(0, 2, (90, 9)), rng.integers(0, 3, 90)
    weights = rng.integers(1, 4, 90) if weighted else None
    parts = [Antecedent.of(Condition(f"c{j}", "true")) for j in range(9)]
    limits, count = SupportLimits(1, 10**6), np.ones(90) if weights is None else weights
    how = {"weights": weights, "labels": labels}
    every = conjunctions(parts, table.T.astype(bool), 2, limits, **how)
    share = np.array([count[labels == c].sum() for c in range(3)]) / count.sum()
    scores = []
    for held in np.asarray(every.captures)[9:]:
        inside = np.array([count[held & (labels == c)].sum() for c in range(3)])
        scores.append(np.abs(inside - share * inside.sum()).max())
    order = 9 + np.argsort(-np.array(scores).round(9), kind="stable")
    for most in (9, 10, 14, 30):
        found = conjunctions(parts, table.T.astype(bool), 2, limits, max_antecedents=most, **how)
        kept = [*range(9), *sorted(order[: most - 9].tolist())]
        assert list(found.antecedents) == [every.antecedents[j] for j in kept]
        (said,) = found.left_out
        assert f"left out {len(every.antecedents) - most}: max_antecedents=45 " in said


def test_a_true_pair_among_two_hundred_columns_is_kept():
    """19,900 pairs, of which 9,800 fit: the one that matters holds for fewer rows than most do."""
    rng = np.random.default_rng(1)
    columns = {f"c{j}": rng.random(600) < (0.35 if j in (70, 140) else 0.6) for j in range(200)}
    labels = (columns["c70"] & columns["c140"]).astype(np.int64)
    options = BinarizeOptions(max_cardinality=2)
    found = binarize(as_columns(columns), options, labels)
    assert len(found.antecedents) == 10_000
    assert "c70 and c140" in {a.name for a in found.antecedents}
    (said,) = found.left_out
    assert "tell the classes apart best" in said and "(--max-antecedents 20100) keeps all" in said
    without = binarize(as_columns(columns), options)
    assert "c70 and c140" not in {a.name for a in without.antecedents}
    assert "hold for the most rows" in without.left_out[0]


def test_memory_bounds_what_is_kept(monkeypatch):
    monkeypatch.setattr("corels.tables.mining.MOST_BYTES", 160)
    found = mine(np.random.default_rng(0).integers(0, 2, (50, 8)), min_support=0)
    assert len(found.antecedents) == 20 and "left out" in found.left_out[0]


def test_mining_ends_when_the_time_is_up():
    columns = as_columns({f"c{j}": [j & 1, 1, 0, 1] for j in range(6)})
    found = binarize(columns, BinarizeOptions(max_cardinality=3, min_support=0))
    singles = [a for a in found.antecedents if len(a.conditions) == 1]
    parts = [Antecedent.of(Condition(f"c{j}", "true")) for j in range(6)]
    captures = np.array([part.evaluate(columns) for part in parts])
    ended = conjunctions(parts, captures, 3, SupportLimits(1, 4), deadline=Deadline(0))
    assert len(ended.antecedents) < 6 + 15 and "time limit ended mining" in ended.left_out[0]
    assert singles


def test_extensions_in_pieces_are_the_same(monkeypatch):
    table = np.random.default_rng(1).integers(0, 2, (60, 9))
    whole = mine(table, max_cardinality=4, min_support=0.05)
    monkeypatch.setattr("corels.tables.mining.AT_ONCE", 2)
    pieces = mine(table, max_cardinality=4, min_support=0.05)
    assert whole.antecedents == pieces.antecedents
    assert (whole.captures.words == pieces.captures.words).all()


def test_conjunctions_of_conjunctions():
    """Antecedents of several conditions, as in a rule file, combine part by part."""
    a, b, c = (Condition(name, "true") for name in "abc")
    columns = as_columns({"a": [1, 1, 1, 0], "b": [1, 1, 0, 1], "c": [1, 0, 1, 1]})
    parts = [Antecedent.of(a, b), Antecedent.of(b, c), Antecedent.of(c)]
    captures = np.stack([part.evaluate(columns) for part in parts])
    found = conjunctions(parts, captures, 2, SupportLimits(1, 3))
    assert [x.name for x in found.antecedents] == ["a and b", "b and c", "c", "a and b and c"]


def test_the_clock_is_looked_at_where_no_conjunction_is_frequent():
    class Spent(Deadline):
        def expired(self, share=1.0):
            return share < 1

    table = as_columns({"a": [1, 0, 0, 0], "b": [0, 1, 0, 0], "c": [0, 0, 1, 0]})
    options = BinarizeOptions(max_cardinality=2, min_support=0.25)
    found = binarize(table, options, deadline=Spent())
    assert "half of the time limit ended mining" in found.left_out[0]


def test_which_cuts_combine_is_found_as_by_all_pairs():
    rng = np.random.default_rng(3)
    columns = {
        "x": [None if r < 0.1 else int(20 * r) for r in rng.random(60)],
        "d": [f"2024-0{1 + m % 6}-1{m % 3}" for m in rng.integers(0, 30, 60)],
        "c": rng.choice(list("abc"), 60).tolist(),
    }
    options = BinarizeOptions(
        max_cardinality=3, negations=True, cuts="quantile 5", min_support=0.05
    )
    found = binarize(as_columns(columns), options).antecedents
    single = [a for a in found if len(a.conditions) == 1]
    place = {a.conditions[0]: at for at, a in enumerate(single)}
    for antecedent in found[len(single) :]:
        parts = antecedent.conditions
        assert all(combines(a, b) for a, b in itertools.combinations(parts, 2))
        assert [place[c] for c in parts] == sorted(place[c] for c in parts)
    pairs = {a.conditions for a in found if len(a.conditions) == 2}
    table = as_columns(columns)
    for a, b in itertools.combinations(place, 2):
        held = int((a.holds(table[a.column]) & b.holds(table[b.column])).sum())
        assert ((a, b) in pairs) == (combines(a, b) and held >= 3), (a, b)


def test_no_conjunction_asks_both_sides_of_directions():
    """No rule may have one, so that a limit is left to those that a rule may have."""
    draw = np.random.default_rng(5)
    table = as_columns({name: draw.integers(0, 9, 90) for name in "abc"})
    for columns in ({"a": "direction up"}, {"a": "direction up", "b": "direction down"}):
        options = BinarizeOptions(columns=columns, max_cardinality=3, cuts="all")
        found, free = binarize(table, options), BinarizeOptions(max_cardinality=3, cuts="all")
        may = may_say(found.antecedents, found.directions, ["class", "class"])
        assert may.any(axis=1).all()
        every = binarize(table, free).antecedents
        kept = may_say(every, found.directions, ["class", "class"]).any(axis=1)
        assert list(found.antecedents) == [a for a, one in zip(every, kept, strict=True) if one]
        assert len(found.antecedents) < len(every)
