"""Groups of categories: made if they pay, checked against brute force, used like conditions."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corels.errors import InputError, OptionError
from corels.tables import Antecedent, BinarizeOptions, Binarizer, Condition, as_column, cuts
from corels.tables.binarizing import binarize
from corels.tables.cuts import FEWEST
from corels.tables.mining import combines


def groups_of(column, labels, n_cuts, weights=None):
    """By the rows of each class that have each value."""
    counts = np.zeros((len(column.categories), int(labels.max()) + 1))
    np.add.at(counts, (column.values, labels), 1 if weights is None else weights)
    return cuts.groups_of(column.categories, counts, n_cuts)


def city_table(counts):
    """A column and labels: counts[value] = (negatives, positives)."""
    values = [v for v, pair in counts.items() for _ in range(sum(pair))]
    labels = [y for pair in counts.values() for y, n in enumerate(pair) for _ in range(n)]
    return as_column("city", values), np.array(labels)


def entropy(negatives, positives):
    total = negatives + positives
    shares = [n / total for n in (negatives, positives) if n]
    return -total * sum(share * np.log2(share) for share in shares)


@settings(derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=2, max_size=7))
def test_the_first_cut_is_the_best_of_all_ways_to_part_the_values(pairs):
    """Breiman et al. 1984: of 2^(k-1) - 1 ways, one along the order of class shares is best."""
    pairs = [(n + FEWEST, p) for n, p in pairs]
    column, labels = city_table({f"v{at}": pair for at, pair in enumerate(pairs)})
    found = groups_of(column, labels, 1)
    best = min(
        sum(entropy(*np.sum([pairs[i] for i in side], axis=0)) for side in (left, rest))
        for size in range(1, len(pairs))
        for left in itertools.combinations(range(len(pairs)), size)
        for rest in [sorted(set(range(len(pairs))) - set(left))]
    )
    for lower, upper in found:
        sides = [[pairs[int(v[1:])] for v in side] for side in (lower, upper)]
        assert sum(entropy(*np.sum(side, axis=0)) for side in sides) == pytest.approx(best)
        assert sorted(lower + upper) == sorted(f"v{at}" for at in range(len(pairs)))


def test_groups_tell_the_classes_apart_and_rare_values_are_in_none():
    column, labels = city_table(
        {"a": (90, 10), "b": (10, 90), "c": (85, 15), "d": (12, 88), "rare": (0, FEWEST - 1)}
    )
    assert groups_of(column, labels, 3) == [(("a", "c"), ("b", "d"))]


def test_noise_makes_no_groups():
    rng = np.random.default_rng(3)
    for count in (10, 60, 200):
        column = as_column("city", [f"c{v}" for v in rng.integers(0, count, 4000)])
        assert groups_of(column, rng.integers(0, 2, 4000), 3) == []


def test_three_classes_are_parted_along_the_line_on_which_they_differ_most():
    values = np.repeat([f"v{at}" for at in range(6)], 100)
    labels = np.concatenate([np.full(100, at % 3) for at in range(6)])
    found = groups_of(as_column("x", values), labels, 2)
    parts = {frozenset(side) for pair in found for side in pair}
    assert all({"v0", "v3"} <= p or not {"v0", "v3"} & p for p in parts) and len(found) == 2


def test_weights_count_like_repeated_rows():
    column, labels = city_table({"a": (50, 5), "b": (5, 50), "c": (40, 9)})
    cells = sorted(set(zip(column.values.tolist(), labels.tolist(), strict=True)))
    weights = [int(((column.values == c) & (labels == y)).sum()) for c, y in cells]
    short = as_column("city", [column.categories[c] for c, _ in cells])
    ys = np.array([y for _, y in cells])
    assert groups_of(short, ys, 3, np.array(weights)) == groups_of(column, labels, 3)


def conditions(way, counts, **options):
    column, labels = city_table(counts)
    found = binarize({"city": column}, BinarizeOptions(cuts=way, **options), labels)
    return [str(a) for a in found.antecedents]


MANY = {"a": (90, 10), "b": (10, 90), "c": (85, 15), "d": (12, 88), "e": (88, 9)}


def test_ways_to_use_categories():
    values = [f"city = {v}" for v in "abcde"]
    groups = ["city in {a, c, e}", "city in {b, d}"]
    assert conditions("each", MANY) == values
    assert conditions("grouped", MANY) == groups
    assert conditions("both", MANY) == values + groups
    few = {name: MANY[name] for name in "abc"}
    assert conditions("grouped", few) == values[:3]
    assert conditions("grouped", dict.fromkeys("abcde", (50, 50))) == values  # no group pays
    assert conditions("grouped", MANY, negations=True) == groups  # each is the other's negation


def test_groups_need_labels():
    column, _ = city_table(MANY)
    with pytest.raises(OptionError, match="cuts 'grouped' learns from the labels"):
        binarize({"city": column}, BinarizeOptions(cuts="grouped"))
    with pytest.raises(InputError, match="cuts 'grouped' requires y"):
        Binarizer(cuts="grouped").fit({"city": ["a", "b"]})
    with pytest.raises(OptionError, match="cuts is 'groups'; did you mean 'grouped'"):
        binarize({"city": column}, BinarizeOptions(cuts="groups"))


def test_a_group_survives_json_and_takes_unseen_values_for_strangers():
    group = Antecedent.of(Condition("city", "in", ("Bonn", "Graz, old")))
    again = Antecedent.from_json(json.loads(json.dumps(group.to_json())))
    assert again == group and str(group) == 'city in {Bonn, "Graz, old"}'
    new = ["Bonn", "Rome", None, "Graz, old"]
    assert group.evaluate({"city": new}).tolist() == [True, False, False, True]


def test_groups_combine_where_they_overlap():
    low, high = Condition("x", "in", ("a", "b")), Condition("x", "in", ("b", "c"))
    inner, other = Condition("x", "in", ("b",)), Condition("x", "in", ("d",))
    assert combines(low, high) and not combines(low, inner) and not combines(low, other)
    assert not combines(low, low.negated()) and combines(low.negated(), high.negated())
