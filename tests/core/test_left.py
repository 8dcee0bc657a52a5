"""The estimate of the time that a search still takes, how it is shown, and when there is none."""

import itertools
import json
import math
from pathlib import Path

import pytest

import corels
from corels.cli.progress import COLUMNS
from corels.clock import Clock
from corels.model.certificate_text import certificate_text
from corels.model.spans import RUNGS, neighbours, range_text, rung_above, rung_below, span_text
from corels.run.time_left import TimeLeft, time_left_text
from corels.search import Progress, Sink

LOGS = json.loads(Path(__file__).with_name("left_logs.json").read_text(encoding="utf-8"))
NAN = math.nan


def fed(left, *, every=1.0, pace=100, building=()):
    """What is told while the search expects so much work, with `pace` done in each second."""
    told, found, done = TimeLeft(), [], 0
    for i, work in enumerate(left):
        share = building[i] if i < len(building) else NAN
        done += int(every * pace) if i and math.isnan(share) else 0
        now = Progress(work_left=work, building=share, extra={"counts": done})
        found.append(told.look(i * every, now))
    return found


def test_what_is_left_is_divided_by_the_pace():
    found = fed([5000.0 - 100 * i for i in range(50)])
    assert math.isnan(found[0].seconds), "not before the pace is known"
    for i in (10, 40):
        assert found[i].seconds == pytest.approx(50 - i, rel=0.2)
        assert found[i].least <= 50 - i <= found[i].most


@pytest.mark.parametrize("work", [math.nan, math.inf])
def test_nothing_is_said_where_the_search_cannot_tell(work):
    assert all(math.isnan(left.least) for left in fed([work] * 30))
    later = fed([work] * 10 + [300.0] * 20)
    assert math.isnan(later[10].seconds) and later[29].seconds == pytest.approx(3, rel=0.05)


def test_the_pace_is_that_of_the_later_half_of_the_work():
    told, done, found = TimeLeft(), 0, []
    for second in range(400):
        done += 1000 if second < 20 else 100
        found.append(told.look(second, Progress(work_left=1000.0, extra={"counts": done})))
    assert found[19].seconds == pytest.approx(1, rel=0.4)
    assert found[399].seconds == pytest.approx(10, rel=0.2)


def test_a_search_that_stands_still_is_not_divided_by_nothing():
    assert all(math.isnan(left.seconds) for left in fed([100.0] * 30, pace=0))


def test_time_in_which_tables_are_made_does_not_blow_the_estimate_up():
    half = [0.01 * i for i in range(1, 21)]
    found = fed([1000.0] * 50, building=[NAN] * 20 + half)
    assert found[19].seconds == pytest.approx(10, rel=0.2)
    assert 10 <= found[39].seconds <= 120, "what these tables take"


def test_tables_that_are_made_say_how_long_it_takes_at_least():
    found = fed([math.inf] * 30, building=[0.0] * 5 + [0.02 * i for i in range(1, 26)])
    assert all(math.isnan(left.least) for left in found[:6]), "there is no pace yet"
    assert found[20].least == 20 and math.isnan(found[20].most), "34 s, safely"
    assert math.isnan(fed([math.inf] * 9, building=[0.1 * i for i in range(1, 9)])[7].least)


def test_a_leap_is_smoothed_and_the_range_is_steady():
    found = fed([60_000.0 - 100 * i for i in range(300)] + [600.0 - i for i in range(100)])
    texts = [range_text(left.least, left.most) for left in found[2:]]
    changes = sum(one != other for one, other in itertools.pairwise(texts))
    assert changes < 15
    falls = [left.seconds for left in found[300:320]]
    assert falls == sorted(falls, reverse=True) and falls[0] > 100


def test_between_two_passes_the_estimate_stays():
    work = [1000.0] * 20 + [math.inf] * 3 + [1000.0] * 5
    found = fed(work)
    assert found[19] == found[20] == found[22]
    assert found[27].seconds == pytest.approx(10, rel=0.4)


def test_noise_does_not_move_the_range():
    found = fed([100_000.0 * (1.2 if i % 2 else 0.85) for i in range(300)])
    assert len({(left.least, left.most) for left in found[20:]}) == 1


@pytest.mark.parametrize("log", LOGS, ids=[log["name"] for log in LOGS])
def test_real_searches_end_in_the_range_or_near_it(log):
    """Logs of real searches, on a machine with other work. From a quarter of the time on until the
    last twentieth (or the last two seconds), wherever a range is told, the truth is within a factor
    of eight of it, and four times of five within three. Ten minutes and ten hours differ by sixty.
    """
    told, quarter = TimeLeft(), log["seconds"] / 4
    factors = []
    for elapsed, counts, work, building in log["rows"]:
        now = Progress(
            work_left=math.inf if work is None else work,
            building=NAN if building is None else building,
            extra={"counts": counts},
        )
        left, truth = told.look(elapsed, now), log["seconds"] - elapsed
        if math.isnan(left.most) or truth < max(2.0, log["seconds"] / 20):
            continue
        if elapsed >= quarter:
            factors.append(max(left.least / truth, truth / left.most))
    assert log["silent"] is (not factors)
    assert max(factors, default=0) <= 8
    assert sum(factor <= 3 for factor in factors) >= 0.8 * len(factors)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.01, "1 s"),
        (12, "10 s"),
        (70, "1 min"),
        (600, "10 min"),
        (3900, "1 h"),
        (5400, "1.5 h"),
        (36_000, "12 h"),
        (86_400, "1 day"),
        (300_000, "3 days"),
        (1e9, "30 days"),
        (math.inf, "30 days"),
    ],
)
def test_spans(seconds, text):
    assert span_text(seconds) == text


@pytest.mark.parametrize(
    ("least", "most", "text"),
    [
        (NAN, NAN, "not known yet"),
        (0, NAN, "not known yet"),
        (20, NAN, "over 20 s"),
        (0, 3, "under 3 s"),
        (3, 10, "3 to 10 s"),
        (45, 180, "45 s to 3 min"),
        (180, 240, "about 4 min"),
        (3600, 4 * 3600, "1 to 4 h"),
        (86_400, 3 * 86_400, "1 to 3 days"),
        (2 * 86_400, math.inf, "over 2 days"),
    ],
)
def test_ranges(least, most, text):
    assert range_text(least, most) == text


def test_the_ladder_of_rungs():
    assert list(RUNGS) == sorted(RUNGS)
    assert all(b / a <= 2 for a, b in itertools.pairwise(RUNGS))
    for seconds in (0.5, 1, 4, 59, 61, 1e5, 1e9):
        assert rung_below(seconds) <= seconds <= rung_above(seconds)
    assert neighbours(0, 1) and neighbours(45, 60) and not neighbours(1, 3)
    assert neighbours(RUNGS[-1], math.inf)


def test_what_the_displays_show():
    show = dict(COLUMNS)["time left"]
    assert time_left_text(Progress()) == "not known"
    known = Progress(work_left=3.0, seconds_left_least=600.0, seconds_left_most=1800.0)
    assert time_left_text(known) == "10 to 30 min"
    assert time_left_text(Progress(work_left=math.inf)) == "not known yet"
    limited = Progress(
        work_left=3.0, seconds_left_least=600.0, seconds_left_most=1800.0, limit_left=60.0
    )
    assert time_left_text(limited) == "10 to 30 min, likely beyond the limit"
    assert show(type("Moment", (), {"progress": known})) == "10 to 30 min"


class _Told(Sink):
    name = "told"

    def __init__(self):
        self.seen = []

    def events(self, records, search):
        pass

    def progress(self, snapshot, search):
        self.seen.append(snapshot)


def stopped(monkeypatch, least, most):
    """A search that is stopped while so much is known of the time left."""
    from corels.run.time_left import TimeEstimate

    monkeypatch.setattr(Clock, "due", lambda self: True)
    monkeypatch.setattr(TimeLeft, "look", lambda self, elapsed, now: self.now)
    before = TimeLeft.__init__

    def begin(self):
        before(self)
        self.now = TimeEstimate(math.sqrt(least * most), least, most)

    monkeypatch.setattr(TimeLeft, "__init__", begin)
    problem = corels.Problem.from_dataset(corels.tables.load("tic-tac-toe"), ".005")
    sink = _Told()
    result = corels.solve(problem, node_limit=30, time_limit=1000.0, sinks=[sink])
    return result.certificate, sink.seen


def test_a_stopped_search_says_what_was_left(monkeypatch):
    certificate, seen = stopped(monkeypatch, 120.0, 420.0)
    assert certificate.extra["seconds_left_least"] == 120.0
    assert certificate.extra["seconds_left_most"] == 420.0
    text = certificate_text(certificate, "rule list")
    assert "time left       2 to 7 min, by a rough estimate" in text
    assert "seconds left" not in text
    assert seen and seen[0].seconds_left_most == 420.0 and 0 < seen[0].limit_left <= 1000.0


def test_a_certified_search_has_nothing_left():
    problem = corels.Problem.from_dataset(corels.tables.load("titanic"), ".02")
    certificate = corels.solve(problem).certificate
    assert certificate.optimal and "seconds_left_least" not in certificate.extra
    assert "time left" not in certificate_text(certificate, "rule list")
