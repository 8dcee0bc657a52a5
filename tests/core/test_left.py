"""The time that a search still takes: by proportion, once three looks agree; else not known."""

import math

import pytest

import corels
from corels.cli.progress import ROWS
from corels.clock import span_text
from corels.run.time_left import TimeLeft, time_left_text
from corels.search import Progress, Sink

NAN = math.nan


def fed(shares, every=1.0):
    """What is told when the search has settled these shares, one look after the other."""
    left = TimeLeft()
    return [left.look(i * every, Progress(settled=share)) for i, share in enumerate(shares)]


def test_three_looks_that_agree_foretell_the_end():
    told = fed([i / 50 for i in range(50)])
    assert all(map(math.isnan, told[:3])), "not before three looks"
    for second in (10, 25, 45):
        assert told[second] == pytest.approx(50 - second, rel=0.05)


def test_nothing_is_told_of_a_search_that_cannot_tell_or_settles_nothing():
    assert all(map(math.isnan, fed([NAN] * 30) + fed([0.0] * 30) + fed([0.3] * 30)))


def test_looks_that_differ_foretell_nothing():
    """The first level goes ever slower: each look foretells a later end."""
    assert all(map(math.isnan, fed([1 - 0.5**i for i in range(12)], every=60.0)))


def test_an_estimate_that_was_refuted_is_withdrawn_at_once():
    ten = [i / 10 for i in range(6)]
    still = fed([*ten, *[0.5] * 20])
    assert still[5] == pytest.approx(5)
    assert all(map(math.isnan, still[11:])), "the end that was foretold has passed"
    crawls = fed([*ten, *[0.5 + i / 1000 for i in range(1, 40)]])
    assert math.isnan(crawls[8]), "so little is settled that the end is far off"
    assert crawls[40] == pytest.approx(460, rel=0.1), "by the pace since then"


def test_another_pass_begins_anew():
    told = fed([i / 10 for i in range(10)] + [i / 100 for i in range(10)])
    assert told[9] == pytest.approx(1, rel=1e-3) and all(map(math.isnan, told[10:13]))
    assert told[19] == pytest.approx(91, rel=0.1), "the time before does not count"


def test_what_is_shown():
    assert time_left_text(Progress()) == "not known"
    assert time_left_text(Progress(seconds_left=250.0)) == "about 4 min"
    late = Progress(seconds_left=250.0, limit_left=60.0)
    assert time_left_text(late) == "about 4 min, beyond the limit"
    titles = [title for title, _ in ROWS]
    assert titles.index("time left") == titles.index("settled") + 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "1 s"), (6, "6 s"), (150, "2 min"), (9000, "2 h"), (86_400, "24 h"), (3e5, "3 days")],
)
def test_spans(seconds, text):
    assert span_text(seconds) == text


@pytest.mark.parametrize("backend", ["c", "python"])
def test_depth_first_says_how_much_of_the_first_level_is_settled(backend):
    problem = corels.Problem.from_dataset(corels.tables.load("tic-tac-toe"), "0.02")
    seen = []

    class Look(Sink):
        wants_fine = True

        def events(self, records, search):
            seen.append(search.progress().settled)

    options = {"backend": backend, "start": "none", "search": "depth-first"}
    corels.solve(problem, sinks=[Look()], **options)
    known = [share for share in seen if not math.isnan(share)]
    assert len(set(known)) > 2 and all(0 <= share <= 1 for share in known)
    assert known == sorted(known), "within one pass it never falls"
