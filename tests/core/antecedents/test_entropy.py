"""Cuts by the entropy of the classes, against trying every cut."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corels.errors import OptionError
from corels.tables import BinarizeOptions, as_columns, binarize, cuts


def entropy_cuts(values, labels, n_cuts, weights=None):
    """By the rows of each class that have each value."""
    different, place = np.unique(values, return_inverse=True)
    counts = np.zeros((len(different), int(labels.max()) + 1))
    np.add.at(counts, (place, labels), 1 if weights is None else weights)
    return cuts.entropy_cuts(different, counts, n_cuts)


columns = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 2)), min_size=12, max_size=60)


def information(labels):
    counts = np.bincount(labels)
    return sum(-c * math.log2(c / len(labels)) for c in counts.tolist() if c)


@given(columns)
def test_the_first_cut_leaves_least_information(rows):
    values, labels = (np.array(part) for part in zip(*rows, strict=True))
    if len(np.unique(values)) < 3:
        return
    cut = entropy_cuts(values, labels, 1)[0]
    left = {
        t: information(labels[values <= t]) + information(labels[values > t])
        for t in np.unique(values)[:-1].tolist()
    }
    assert math.isclose(left[cut], min(left.values()), abs_tol=1e-9)


def test_cuts_are_where_the_classes_change():
    values = np.arange(1000)
    labels = ((values > 299) & (values <= 699)).astype(int)
    assert entropy_cuts(values, labels, 5) == [299, 699]
    assert entropy_cuts(values, labels, 1) in ([299], [699])
    chance = np.random.default_rng(0).integers(0, 2, 1000)
    assert len(entropy_cuts(values, chance, 5)) == 1, "one cut where none pays"
    assert entropy_cuts(values % 4, chance, 5) == [0, 1, 2], "few values: every gap"


def test_a_weight_is_as_many_rows():
    rng = np.random.default_rng(1)
    values, labels = rng.integers(0, 50, 80), rng.integers(0, 2, 80)
    weights = rng.integers(0, 4, 80)
    repeated = entropy_cuts(np.repeat(values, weights), np.repeat(labels, weights), 3)
    kept = weights > 0
    assert entropy_cuts(values[kept], labels[kept], 3, weights[kept]) == repeated


def test_as_an_option():
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    table = as_columns({"x": np.where(rng.random(200) < 0.1, np.nan, x)})
    options = BinarizeOptions(cuts="entropy")
    found = binarize(table, options, (x > 0.5).astype(int))
    assert [a.name for a in found.antecedents] == ["x <= 0.5", "x > 0.5", "x is missing"]
    with pytest.raises(OptionError, match="cuts 'entropy' learns from the labels"):
        binarize(table, options)
