"""Outputs appear whole or not at all; Ctrl-C waits for the end of a step."""

from __future__ import annotations

import gzip
import os
import signal
import threading
from types import SimpleNamespace

import pytest

import corels
from corels.errors import OutputError
from corels.proof import writer
from corels.run import interrupts
from corels.run.interrupts import AGAIN, CtrlC, note
from corels.run.output import OutputFile
from corels.search import Sink
from corels.tables import load


def test_it_appears_on_commit(tmp_path):
    path = tmp_path / "a"
    output = OutputFile(path)
    output.write("é\n")
    assert not path.exists()
    output.commit()
    output.commit()
    output.discard()
    assert path.read_bytes() == "é\n".encode()
    assert os.listdir(tmp_path) == ["a"]


def test_what_was_there_stays_until_then(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    output = OutputFile(path)
    output.write("new")
    output.discard()
    output.discard()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_names_that_end_in_gz_are_compressed(tmp_path):
    output = OutputFile(tmp_path / "a.gz")
    output.write("text")
    output.commit()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text"


@pytest.mark.parametrize("name", ["", "-", ".", "none/a", "a\0b"])
def test_impossible_paths_are_refused_at_once(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="cannot be written"):
        OutputFile(name)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("size", [10, 10**6])
def test_a_full_disk(size):
    output = OutputFile("/dev/full")
    with pytest.raises(OutputError, match="No space left on device"):
        output.write("x" * size)
        output.commit()
    output.discard()


def test_ctrl_c_is_noted_once_and_raised_twice(monkeypatch):
    now = 5.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("corels.run.interrupts.time", clock)
    with CtrlC() as ctrl_c:
        signal.raise_signal(signal.SIGINT)
        assert ctrl_c.pressed
        now += AGAIN / 2
        signal.raise_signal(signal.SIGINT)  # a wrapper that passes it on
        now += AGAIN
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_outside_the_main_thread_it_leaves_signals_alone():
    seen = []

    def work():
        with CtrlC() as ctrl_c:
            seen.append(ctrl_c.pressed)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [False]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_search_of_another_thread_is_not_what_a_signal_ends():
    """The handler runs in the main thread, whatever began last."""
    begun, over, seen = threading.Event(), threading.Event(), []

    def work():
        with CtrlC() as ctrl_c:
            begun.set()
            over.wait(10)
            seen.append(ctrl_c.pressed)

    with CtrlC() as ctrl_c:
        thread = threading.Thread(target=work)
        thread.start()
        begun.wait(10)
        note(signal.SIGINT)
        over.set()
        thread.join()
    assert ctrl_c.pressed and seen == [False]
    with pytest.raises(KeyboardInterrupt):
        note(signal.SIGINT)


def test_a_handler_of_somebody_else_is_kept():
    came = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        with CtrlC() as ctrl_c:
            signal.raise_signal(signal.SIGINT)
        assert came == [signal.SIGINT]
        assert not ctrl_c.pressed
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_proof_on_a_full_disk_names_its_file_once(monkeypatch):
    monkeypatch.setattr(writer, "FLUSH_SECONDS", -1.0)  # so that `write` flushes
    with pytest.raises(OutputError) as found:
        writer.ProofFile("/dev/full").write(b"c")
    assert str(found.value) == "/dev/full: cannot be written (No space left on device)"


class Closing(Sink):
    name = "closing"

    def __init__(self):
        self.closed = 0

    def events(self, records, search):
        """Nothing is written."""

    def close(self):
        self.closed += 1


@pytest.mark.parametrize(
    "refused",
    [
        {"sinks": ["nothing-of-this-name"]},
        {"proof": "no such folder/x.proof"},
        {"resume": "no such file.proof"},
        {"policy": "nothing-of-this-name"},
    ],
)
def test_sinks_are_closed_where_a_run_cannot_begin(refused):
    problem = corels.Problem.from_dataset(load("titanic"), "0.02")
    sink = Closing()
    with pytest.raises(corels.CorelsError):
        corels.solve(problem, **{**refused, "sinks": [sink, *refused.get("sinks", [])]})
    assert sink.closed == 1


class Pressing(Closing):
    """Ctrl-C comes while it is closed."""

    def close(self):
        super().close()
        signal.raise_signal(signal.SIGINT)


def test_sinks_are_closed_whenever_ctrl_c_comes_again(monkeypatch):
    """The first one is noted, each further one ends the closing of a sink; the others follow."""
    monkeypatch.setattr(interrupts, "AGAIN", -1.0)
    sinks = [Pressing(), Pressing(), Pressing(), Closing()]
    with pytest.raises(KeyboardInterrupt):
        corels.solve(corels.Problem.from_dataset(load("titanic"), "0.02"), sinks=sinks)
    assert [sink.closed for sink in sinks] == [1, 1, 1, 1]
