"""How the rows are spread over the columns that a model cuts; the colours of pictures."""

from itertools import pairwise

import numpy as np
import pytest

import corels
from corels.plots.figure import COLOURS, HATCHES
from corels.plots.models import distributions
from corels.tables import Antecedent, Condition, as_columns

AGE = Antecedent.of(Condition("age", "<=", 30))
COSTLY = Antecedent.of(Condition("$a$ $b", "==", "x"))
MODEL = corels.RuleList(
    (corels.Rule(AGE, 1, (1, 2)), corels.Rule(COSTLY, 0, (2, 0))),
    corels.Rule(None, 1, (0, 1)),
    ("no", "yes"),
)
TABLE = {"age": [20.0, 25.0, np.nan, 40.0, 50.0, 60.0], "$a$ $b": ["x", "x", "y", "x", "x", "y"]}
TRUTH = ["yes", "no", "yes", "no", "no", "yes"]


def luminance(colour: str) -> float:
    """How bright "#rrggbb" is, 0 to 1, as the guidelines for accessible pages (WCAG) define it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(colour, other):
    """1 to 21: how far two colours are apart in grey, by the guidelines for accessible pages."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_distribution_counts_each_row_with_a_number_once():
    (found,) = distributions(MODEL, as_columns(TABLE), TRUTH, [1, 2, 4, 8, 16, 32])
    assert [sum(counts) for counts in found.counts] == [2 + 8 + 16, 1 + 32]
    assert found.missing == (0, 4) and found.values == (20.0, 25.0, 40.0, 50.0, 60.0)
    assert found.cuts == ((30.0, 2.0),), "behind the bars of 20 and 25"


def test_a_few_great_values_do_not_push_all_others_into_one_bin():
    """The end bins count what is beyond, and a cut is never beyond."""
    cut = Antecedent.of(Condition("x", "<=", 7))
    model = corels.RuleList(
        (corels.Rule(cut, 1, (0, 1)),), corels.Rule(None, 0, (1, 0)), ("no", "yes")
    )
    skewed = [*map(float, range(100)), 1e9, -2000.0]
    gains = [0.0] * 100 + [*map(float, range(5, 45)), 1e6]
    for values, tallest, least in ((skewed, 6, -2000.0), (gains, 100, 0.0)):
        truth = ["no", "yes"] * (len(values) // 2) + ["no"] * (len(values) % 2)
        (found,) = distributions(model, as_columns({"x": values}), truth)
        sums = np.sum(found.counts, axis=0)
        assert sums.sum() == len(values)
        assert np.count_nonzero(sums) > 15
        assert abs(sums.max() - tallest) <= 2
        assert found.ends == (least, max(values))
        assert found.places[0] <= 7 <= found.places[-1]
        assert f"what is above, up to {max(values):g}" in found.beyond
    (found,) = distributions(MODEL, as_columns(TABLE), TRUTH)
    assert not found.beyond


def left_of(found, place):
    """The weight by class of the bins that end at this place, or before it."""
    ends = np.array(found.places[1:]) <= place + 1e-12
    return [int(np.array(counts)[ends].sum()) for counts in found.counts]


COLUMNS_OF_NUMBERS = {
    "few": lambda draw, n: draw.integers(0, 4, n).astype(float),
    "many": lambda draw, n: draw.normal(0, 50, n),
    "zeros": lambda draw, n: np.where(draw.random(n) < 0.7, 0.0, draw.lognormal(3, 1, n)),
    "skewed": lambda draw, n: draw.lognormal(0, 3, n),
    "halves": lambda draw, n: draw.integers(-40, 40, n) / 2,
}


@pytest.mark.parametrize("kind", COLUMNS_OF_NUMBERS)
@pytest.mark.parametrize("seed", range(8))
def test_what_meets_a_cut_stands_left_of_its_line(kind, seed):
    """Counted on the drawn bins: as many of each class as meet `<=`, and rows without a value in
    a bar of their own."""
    draw = np.random.default_rng(seed)
    values = COLUMNS_OF_NUMBERS[kind](draw, 300)
    values[draw.random(300) < 0.1] = np.nan
    truth = np.where(draw.random(300) < 0.4, "yes", "no")
    known = np.sort(values[np.isfinite(values)])
    cuts = [known[0], known[-1], *draw.choice(known, 3), (known[10] + known[40]) / 2]
    rules = tuple(
        corels.Rule(Antecedent.of(Condition("x", "<=", float(cut))), 1, (0, 1))
        for cut in np.unique(cuts)
    )
    model = corels.RuleList(rules, corels.Rule(None, 0, (1, 0)), ("no", "yes"))
    (found,) = distributions(model, as_columns({"x": values}), truth.tolist())
    assert found.missing == tuple(
        int((np.isnan(values) & (truth == c)).sum()) for c in ("no", "yes")
    )
    for cut, place in found.cuts:
        meets = [int(((values <= cut) & (truth == c)).sum()) for c in ("no", "yes")]
        assert left_of(found, place) == meets, (cut, place)
    weights = [
        sum(h * w for h, w in zip(one, np.diff(found.places), strict=True))
        for one in found.heights()
    ]
    usual = np.diff(found.places).mean()
    assert np.allclose(np.array(weights) / usual, [sum(one) for one in found.counts])


def test_the_palette_is_told_apart_in_grey():
    for colours in COLOURS.values():
        assert len(set(colours)) == len(colours) == len(HATCHES)
        assert contrast(colours[0], colours[1]) > 1.9
        assert all(
            contrast(a, b) > 1.2 or HATCHES[n] != HATCHES[n + 1]
            for n, (a, b) in enumerate(pairwise(colours))
        )
    assert contrast(COLOURS["light"][0], COLOURS["light"][1]) > 3
