"""A row's way through a model and the columns it cuts, as pictures."""

from itertools import pairwise

import numpy as np
import pytest

import corels
from corels.export.explaining import explain_row
from corels.plots.draw import draw, to_matplotlib
from corels.plots.models import NARROW, distributions, way_figure
from corels.plots.palette import COLOURS, HATCHES, contrast
from corels.problem import Problem
from corels.tables import Antecedent, Condition, as_columns, load, load_columns

AGE = Antecedent.of(Condition("age", "<=", 30))
COSTLY = Antecedent.of(Condition("$a$ $b", "==", "x"))
MODEL = corels.RuleList(
    (corels.Rule(AGE, 1, (1, 2)), corels.Rule(COSTLY, 0, (2, 0))),
    corels.Rule(None, 1, (0, 1)),
    ("no", "yes"),
)
TABLE = {"age": [20.0, 25.0, np.nan, 40.0, 50.0, 60.0], "$a$ $b": ["x", "x", "y", "x", "x", "y"]}
TRUTH = ["yes", "no", "yes", "no", "no", "yes"]


def kinds(found):
    return [(one.label, list(one.notes)) for one in way_figure([found]).panels[0].series]


def test_the_way_says_where_a_row_stops_and_why_not_before():
    before, here, after, title = kinds(explain_row(MODEL, TABLE, 3))
    assert title == ("", ["row 4: label = no"])
    assert before[1] == ["1. if age <= 30\nno (age: 40)"]
    assert here[1][0].endswith("decides: label = no ($a$ $b: x)")
    assert after[1] == ["3. else\nnot asked"]
    assert "missing" in kinds(explain_row(MODEL, TABLE, 2))[0][1][0]


@pytest.mark.parametrize("solver", ["rule-list", "falling", "rule-set"])
def test_every_family_has_a_way(solver, tmp_path):
    pytest.importorskip("matplotlib")
    model = corels.solve(Problem.from_dataset(load("titanic")), solver).model
    columns, _ = load_columns("titanic")
    for row in (0, 899):
        found = explain_row(model, columns, row)
        notes = dict(kinds(found))
        assert len(notes["does not hold"]) == found.captured_by
        assert len(notes["decides"]) == 1
        assert sum(map(len, notes.values())) == 1 + len(model.deciders())
    draw(found.figure(), tmp_path.joinpath("row.svg").as_posix(), width=390)
    assert b'width="280.8pt"' in (tmp_path / "row.svg").read_bytes()  # 390 pixels of 100 an inch


def test_a_distribution_counts_each_row_with_a_number_once():
    (found,) = distributions(MODEL, as_columns(TABLE), TRUTH, [1, 2, 4, 8, 16, 32])
    assert [sum(counts) for counts in found.counts] == [2 + 8 + 16, 1 + 32]
    assert found.missing == (0, 4) and found.values == (20.0, 25.0, 40.0, 50.0, 60.0)
    assert found.cuts == ((30.0, 2.0),), "behind the bars of 20 and 25"
    panel = found.panel(MODEL.classes, 40.0)
    assert [one.label for one in panel.series] == ["no", "yes", "cut at 30", "this row: 40"]


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


def test_a_picture_takes_a_dollar_for_a_dollar(tmp_path):
    pytest.importorskip("matplotlib")
    spread = distributions(MODEL, as_columns(TABLE), TRUTH)
    draw(way_figure([explain_row(MODEL, TABLE, 3)], spread), str(tmp_path / "row.png"), width=390)
    assert (tmp_path / "row.png").stat().st_size > 1000


def test_many_ways_stand_below_each_other_in_html(tmp_path):
    """The next text begins below the lines of the one before, and nothing is cut off."""
    pytest.importorskip("matplotlib")
    figure = way_figure([explain_row(MODEL, TABLE, row % 6) for row in range(60)])
    canvas = to_matplotlib(figure, width=NARROW)
    canvas.draw_without_rendering()
    boxes = [one.get_window_extent() for one in canvas.axes[0].texts]
    boxes.sort(key=lambda box: -box.y1)
    assert len(boxes) == 60 * 4
    assert all(box.y0 > after.y1 for box, after in pairwise(boxes))
    whole = canvas.bbox
    assert all(whole.y0 <= box.y0 and box.y1 <= whole.y1 and box.x1 <= whole.x1 for box in boxes)
    draw(figure, str(tmp_path / "ways.html"), width=NARROW)
    page = (tmp_path / "ways.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and page.count("<svg") == 1
    assert "<script" not in page and "max-width: 100%" in page
