"""A run that is killed leaves the best list so far, and no temporary file for good."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from types import SimpleNamespace

import pytest
from cli_program import CORELS, leftovers
from waiting import until

from corels.cli.run import SavingSink
from corels.errors import OutputError
from corels.run.output import OutputFile

# A policy that takes its time, so that there is a moment to kill the run in.
POLICY = ("--policy", "slow", "--start", "none")
SLOW = ("run", "--dataset", "tic-tac-toe", "-r", "0.001", "-q", *POLICY)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_kill_9_leaves_the_best_so_far(corels, plugin, tmp_path):
    path = tmp_path / "m.json"
    running = subprocess.Popen([*CORELS, *SLOW, "-o", path], env=plugin, stderr=subprocess.DEVNULL)
    until(lambda: path.exists() or running.poll() is not None)
    running.send_signal(signal.SIGKILL)
    running.wait(timeout=500)
    found = json.loads(path.read_text())
    assert found["certificate"]["stopped"] == "still searching"
    assert leftovers(tmp_path) == []
    checked = corels("check", path, "--dataset", "tic-tac-toe")
    assert checked.code == 0, checked.out
    shown = corels("show", path)
    assert "Saved while the search was going on: no rule list is better by more than" in shown.out


def test_every_save_is_whole_and_the_last_word_is_the_end(tmp_path):
    path = tmp_path / "m"
    path.write_text("before")
    output = OutputFile(path)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["m"]
    for text in ("one", "two"):
        output.save(text)
        assert path.read_text() == text
        assert os.listdir(tmp_path) == ["m"]
    output.write("three")
    output.commit()
    assert path.read_text() == "three"
    output.save("too late")
    assert path.read_text() == "three"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_devices_are_written_once(tmp_path):
    output = OutputFile("/dev/full")
    output.save("not yet")
    output.write("x")
    with pytest.raises(OutputError):
        output.commit()


def test_improvements_in_quick_succession_are_saved_together(monkeypatch):
    import numpy as np

    from corels.search import EVENT, Kind

    saved = []
    sink = SavingSink(None, "rule-list", [], {})
    monkeypatch.setattr(sink, "_save_so_far", lambda search, seconds: saved.append(seconds))
    better = np.zeros(1, dtype=EVENT)
    better["kind"] = int(Kind.INCUMBENT)
    now = 0.0
    monkeypatch.setattr("corels.clock.time", SimpleNamespace(perf_counter=lambda: now))
    sink.start(None)
    now = 0.01
    sink.events(better, None)
    now = 0.02
    sink.events(better, None)
    now = 0.06
    sink.progress(None, None)
    assert saved == [0.01]
    now = 0.2
    sink.progress(None, None)
    assert saved == [0.01, 0.2]
    now = 0.5
    sink.progress(None, None)
    assert len(saved) == 2
