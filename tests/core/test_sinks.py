"""Sinks are parts like others: registered, with options, by name, class or object."""

import json

import pytest

import corels
from corels.errors import OptionError
from corels.options import Option
from corels.plugins import registry
from corels.search import Recorder, Sink
from corels.tables import load


@pytest.fixture
def problem():
    return corels.Problem.from_dataset(load("titanic"), "0.01")


class Counter(Sink):
    name = "counter"
    summary = "counts records"
    options = (Option.whole("by", "how much a record counts", 1, low=1),)
    total = 0

    def __init__(self, by=1):
        self.by = by

    def events(self, records, search):
        Counter.total += self.by * len(records)


def test_the_built_in_sinks_are_registered():
    assert {"trace", "explain", "progress"} <= set(registry().names("sink"))


def test_a_sink_by_name_with_options(problem, tmp_path):
    path = tmp_path / "run.jsonl"
    corels.solve(problem, sinks=[f"trace:file={path},level=coarse"])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0]["schema"] == "corels/trace"
    assert lines[-1]["event"] == "end"


def test_a_sink_by_class_and_by_object(problem):
    Counter.total = 0
    recorder = Recorder(fine=False)
    corels.solve(problem, sinks=[Counter, recorder])
    assert Counter.total == len(recorder.records) > 0


def test_options_of_a_registered_sink(problem, registered):
    registered("sink", Counter)
    Counter.total = 0
    recorder = Recorder(fine=False)
    corels.solve(problem, sinks=["counter:by=3", recorder])
    assert Counter.total == 3 * len(recorder.records)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ("counts", "unknown sink 'counts'; did you mean 'counter'"),
        ("counter:by=0", "by is '0': expected a whole number of at least 1"),
        ("counter:of=1", "sink 'counter' has no option 'of'"),
        ("counter:by", "sink is 'by': expected NAME=VALUE"),
        (7, "sink is 7: expected a name, a Sink or its class"),
    ],
)
def test_wrong_sinks_are_refused_in_one_sentence(chosen, words, problem, registered):
    registered("sink", Counter)
    with pytest.raises(OptionError) as raised:
        corels.solve(problem, sinks=[chosen])
    assert words in str(raised.value)
