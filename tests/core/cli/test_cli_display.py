"""The numbers of the progress display and of the certificate text."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction

import pytest

import corels
from corels.cli.progress import HELP, ROWS, Moment, cells, decimal, doing, panel, rows, short
from corels.model import Certificate
from corels.model.certificate_text import certificate_text, verdict
from corels.run.certifying import best_so_far
from corels.search import Progress
from corels.tables import load


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (7, "7"),
        (999, "999"),
        (1000, "1.00 k"),
        (12_345, "12.3 k"),
        (999_499, "999 k"),
        (999_700, "1.00 M"),
        (4_560_000, "4.56 M"),
        (3.2e9, "3.20 G"),
        (1.5e15, "1.5 P"),
    ],
)
def test_short_numbers(number, text):
    assert short(number) == text


def test_numbers_that_may_not_be_known():
    assert decimal(math.nan) == "-"
    assert decimal(-math.inf) == "0 left"
    assert decimal(12.3456789) == "12.3457"


def test_every_column():
    problem = corels.Problem.from_dataset(load("titanic"), "0.01")
    progress = Progress(
        queued=15,
        cached=20,
        objective=51501,
        lower_bound=48000,
        settled=0.25,
        building=0.4,
        remaining=lambda: 3.5,
        extra={"widgets": 1_234_567},
    )
    shown = dict(cells(Moment(1.25, progress, best_so_far(progress, problem), 1e6)))
    assert list(shown) == [*(title for title, _ in ROWS), "building tables"]
    assert shown["objective"] == "0.23399"
    assert shown["lower bound"] == "0.21808"
    assert shown["gap"] == "0.01591"
    assert shown["open"] == "15"
    assert shown["building tables"] == "40%"


def test_what_a_search_does_not_know_has_no_column():
    assert math.isnan(Progress().log10_remaining)
    assert "log10 left" not in dict(cells(Moment(1.25, Progress(), (0.0, 0.0), 1e6)))


def test_the_panel_has_the_same_rows_whatever_a_search_knows():
    little, much = Progress(), Progress(settled=0.5, building=0.4, seconds_left=7200.0)
    for height in (16, 24, 40):
        shown = [
            panel(
                [("now", doing(one, "")), *rows(Moment(1.0, one, (0.2, 0.1), 1e6))],
                "if x\n" * 30,
                height,
            )
            for one in (little, much)
        ]
        first, second = ([line[:13] for line in one.plain.splitlines()] for one in shown)
        assert first == second and len(first) < height
        assert first[-1].startswith("... and ")
    assert "building tables, 40%" in shown[1].plain
    assert f"about 2 h{HELP}" in shown[1].plain, "no limit ends it"
    assert (
        HELP
        not in dict(rows(Moment(1.0, replace(much, limit_left=60.0), (0.2, 0.1), 1e6)))["time left"]
    )


def test_certificates_in_words():
    proven = Certificate(Fraction(1, 3), Fraction(1, 3), "certified", solver="rule-list")
    assert verdict(proven, "rule list") == "Certified optimal: no rule list is better"
    assert "0.333333  (exactly 1/3)" in certificate_text(proven, "rule list")
    resting = replace(proven, foreign=("bound b of a-package 1.0",))
    said = "Certified optimal if the bound b of a-package 1.0 is right: no rule list is better"
    assert verdict(resting, "rule list") == said
    two = replace(proven, lower_bound=Fraction(0), foreign=("bound b of x 1", "map m of y 2"))
    said = (
        "Stopped early (certified): if the bound b of x 1 and the map m of y 2 are right, no rule"
    )
    assert verdict(two, "rule list").startswith(said)
    stopped = Certificate(
        Fraction(1, 4),
        Fraction(1, 5),
        "time limit",
        Fraction(1, 100),
        expanded=1234,
        pruned={"support": 0, "lookahead": 5678},
        parts={"backend": "c", "kernel": "avx2", "bounds": "support lookahead leaves prices"},
        versions={"corels": "1"},
        statement={"rows": {"sha256": "abc"}},
        extra={"leaves_stage": 0, "prices_stage": 2},
    )
    text = certificate_text(stopped, "rule list")
    assert re.search(r"bounds +support, lookahead, prices\n", text), "no table of leaves was built"
    assert text.startswith("Stopped early (time limit): no rule list is better by more than")
    assert "1,234 prefixes expanded" in text
    assert "lookahead 5,678" in text
    assert "support 0" not in text
    assert "backend c, kernel avx2" in text
    assert "sha256 abc" in text
