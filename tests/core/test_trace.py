"""Trace files: what is written, that it can be read, and that damage is found."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest

import corels
from corels.errors import InputError, OptionError, OutputError
from corels.plugins import registry
from corels.run.trace import PROGRESS, RECORD, TraceSink, read_trace
from corels.search import Kind, Recorder
from corels.tables import load


@pytest.fixture(scope="module")
def problem():
    return corels.Problem.from_dataset(load("tic-tac-toe"), "0.03")


def traced(problem, path, *, level, **options):
    sink, recorder = TraceSink(path, problem, level=level), Recorder(fine=level == "fine")
    result = corels.solve(problem, sinks=[sink, recorder], **options)
    assert result.warnings == ()
    assert sink.complete
    return result, recorder.records


@pytest.mark.parametrize("preset", ["fast", "paper", "plain"])
def test_fine_traces_of_both_backends_are_equal_bytes(problem, tmp_path, preset):
    """With the bounds that both backends have: those of C alone are left out."""
    known = [registry().get("bound", name) for name in registry().names("bound")]
    only_c = tuple(bound.name for bound in known if bound.backends or bound.by_name)
    limit = {"preset": preset, "seed": 3, "no_bound": only_c}
    if preset != "fast":  # depth-first runs to its end: a limit may fall before or after a SETTLE
        limit["node_limit"] = 150
    for backend in ("c", "python"):
        traced(problem, tmp_path / backend, level="fine", backend=backend, **limit)
    assert (tmp_path / "c").read_bytes() == (tmp_path / "python").read_bytes()


def test_a_fine_trace_holds_every_event(problem, tmp_path):
    path = tmp_path / "t.jsonl"
    result, records = traced(problem, path, level="fine")
    trace = read_trace(path)
    assert trace.events.dtype == RECORD
    for field in ("kind", "antecedent", "length", "node", "count", "lower_bound", "objective"):
        assert np.array_equal(trace.events[field], records[field]), field
    pruned = trace.events["kind"] == Kind.PRUNE
    assert np.array_equal(trace.events["part"][pruned], records["part"][pruned])
    counts = np.bincount(trace.events["part"][pruned], minlength=len(trace.header["bounds"]))
    assert dict(zip(trace.header["bounds"], counts.tolist(), strict=True)) == dict(
        result.certificate.pruned
    )
    assert np.isnan(trace.events["seconds"]).all()
    assert len(trace.progress) == 0


def test_the_header_says_what_was_searched(problem, tmp_path):
    path = tmp_path / "t.jsonl"
    result, _ = traced(problem, path, level="fine", policy="dfs")
    header = read_trace(path).header
    assert (header["schema"], header["version"]) == ("corels/trace", 1)
    assert header["data_hash"] == problem.data_hash == result.certificate.data_hash
    assert header["regularization"] == "3/100"
    assert header["rows"] == 958
    assert header["parts"]["policy"] == "dfs"
    assert "backend" not in header["parts"]
    assert "kernel" not in header["parts"]
    first = int(read_trace(path).events["antecedent"].max())
    assert header["antecedents"][first] in {a.name for a in problem.antecedents}


def test_a_coarse_trace_has_the_clock(problem, tmp_path):
    path = tmp_path / "t.jsonl"
    result, _ = traced(problem, path, level="coarse")
    trace = read_trace(path)
    assert trace.progress.dtype == PROGRESS
    assert len(trace.progress) >= 1
    assert set(trace.events["kind"]) <= {Kind.START, Kind.INCUMBENT, Kind.COLLECT, Kind.DONE}
    assert (np.diff(trace.events["seconds"]) >= 0).all()
    assert trace.objective(trace.events["objective"][-1:])[0] == pytest.approx(
        float(result.certificate.objective)
    )
    assert trace.end["stopped"] == "certified"
    assert trace.end["objective"] == trace.end["lower_bound"]


def test_compressed(problem, tmp_path):
    plain, packed = tmp_path / "t.jsonl", tmp_path / "t.jsonl.gz"
    for path in (plain, packed, tmp_path / "again.jsonl.gz"):
        traced(problem, path, level="fine")
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert packed.read_bytes() == (tmp_path / "again.jsonl.gz").read_bytes()
    assert np.array_equal(read_trace(packed).events["node"], read_trace(plain).events["node"])


def test_nothing_appears_unless_the_search_ends(problem, tmp_path):
    sink = TraceSink(tmp_path / "t", problem)
    assert not (tmp_path / "t").exists()
    sink.close()
    assert list(tmp_path.iterdir()) == []


def test_paths_and_levels_are_refused_at_once(problem, tmp_path):
    with pytest.raises(OutputError, match="no directory"):
        TraceSink(tmp_path / "none" / "t", problem)
    with pytest.raises(OptionError, match="did you mean 'fine'"):
        TraceSink(tmp_path / "t", problem, level="fein")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_search_says_so(problem, tmp_path):
    path = tmp_path / "t"
    result, _ = traced(problem, path, level="coarse", node_limit=2)
    trace = read_trace(path)
    assert trace.end["stopped"] == "node limit"
    assert trace.end["lower_bound"] < trace.end["objective"]
    assert trace.end["expanded"] == result.certificate.expanded


def damage(lines, number, text):
    return [*lines[: number - 1], text, *lines[number:]]


@pytest.mark.parametrize(
    ("number", "text", "message"),
    [
        (1, "[]", "line 1: expected the header"),
        (1, '{"schema": "corels/trace", "version": 99}', "line 1: expected the header"),
        (3, "{", "line 3: this is not JSON"),
        (3, "7", "line 3: this is not an event"),
        (3, '{"event": "dance"}', "line 3: this is not an event"),
        (3, '{"event": "pop", "node": 1}', "line 3: this is not an event.*length"),
        (3, '{"event": "pop", "node": "x", "length": 1, "lower_bound": 1}', "line 3.*not an event"),
        (3, '{"event": "progress", "seconds": 1}', "line 3: this is not an event.*expanded"),
        (3, "\x00", "line 3: this is not JSON"),
    ],
)
def test_damage_names_the_line(problem, tmp_path, number, text, message):
    path = tmp_path / "t"
    traced(problem, path, level="fine", node_limit=3)
    path.write_text("\n".join(damage(path.read_text().splitlines(), number, text)) + "\n")
    with pytest.raises(InputError, match=message) as caught:
        read_trace(path)
    assert str(path) in str(caught.value)


def test_a_cut_trace(problem, tmp_path):
    path = tmp_path / "t"
    traced(problem, path, level="fine", node_limit=3)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:5]) + "\n")
    with pytest.raises(InputError, match="line 5: the trace breaks off"):
        read_trace(path)
    path.write_text("\n".join([*lines, lines[-2]]) + "\n")
    with pytest.raises(InputError, match=f"line {len(lines) + 1}: this is not an event.*ended"):
        read_trace(path)


def test_files_that_are_no_traces(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_trace(tmp_path / "none")
    with pytest.raises(InputError, match="this is a directory"):
        read_trace(tmp_path)
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="line 1: expected the header"):
        read_trace(tmp_path / "empty")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\n")
    with pytest.raises(
        InputError, match=r"line 1: this is not JSON .*: expected a trace, as `corels run --tr"
    ):
        read_trace(tmp_path / "bytes")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b'{"schema": 1}\n' * 1000)[:-20])
    with pytest.raises(InputError, match=r"cut\.gz"):
        read_trace(tmp_path / "cut.gz")


def test_numbers_that_json_cannot_hold_become_null(problem, tmp_path):
    from corels.model.documents import finite

    assert finite({"a": [math.inf, 1.0, np.float64("nan")], "b": np.int64(3)}) == {
        "a": [None, 1.0, None],
        "b": 3,
    }
    path = tmp_path / "t"
    traced(problem, path, level="coarse")
    for line in path.read_text().splitlines():
        json.loads(line, parse_constant=pytest.fail)
