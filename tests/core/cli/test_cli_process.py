"""What only a real process shows: signals, pipes, full disks, terminals, and how it starts."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from cli_program import CORELS, leftovers

from corels.cli.exits import Exit, guarded
from corels.run.interrupts import SIGNALS, noting

SLOW = ("run", "--dataset", "tic-tac-toe", "-r", "0.001", "--policy", "slow")
CONTROL = re.compile(r"\x1b")


def start(arguments, environment, folder, **more):
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
    return subprocess.Popen([*CORELS, *map(str, arguments)], env=environment, cwd=folder, **given)


def slow_search(plugin, folder, *more):
    """A search that runs for hours and has found something."""
    running = start((*SLOW, *more), plugin, folder)
    assert running.stderr is not None
    seen = ""
    while "better: objective" not in seen:
        line = running.stderr.readline()
        assert line, seen
        seen += line
    return running


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, Exit.INTERRUPTED), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_told_to_stop_it_prints_and_saves_the_best_list(plugin, tmp_path, number, code):
    model, trace = tmp_path / "m.json", tmp_path / "t.jsonl"
    running = slow_search(plugin, tmp_path, "-o", model, "--trace", trace)
    running.send_signal(number)
    out, err = running.communicate(timeout=500)
    assert running.returncode == code, err
    assert out.startswith("if ")
    assert "Stopped early (interrupted): no rule list is better by more than the gap" in err
    assert "Traceback" not in err
    certificate = json.loads(model.read_text())["certificate"]
    assert certificate["stopped"] == "interrupted"
    assert certificate["gap"] > 0
    assert json.loads(trace.read_text().splitlines()[-1])["stopped"] == "interrupted"
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_in_the_background_it_can_be_terminated(plugin, tmp_path):
    """Shells start background jobs with Ctrl-C ignored; SIGTERM must still end them well."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited
    try:
        running = slow_search(plugin, tmp_path, "-o", tmp_path / "m.json")
    finally:
        signal.signal(signal.SIGINT, before)
    running.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert running.poll() is None, "ignored"
    running.send_signal(signal.SIGTERM)
    out, err = running.communicate(timeout=500)
    assert running.returncode == 143, err
    assert out.startswith("if ") and (tmp_path / "m.json").exists()


def opened_by_its_reader(fifo, running):
    """The writing end, once the program reads the other; it fails if the program ends instead."""
    while running.poll() is None:
        with suppress(OSError):  # nobody reads it yet
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.02)
    pytest.fail(f"the program ended: {running.communicate()}")


def test_ctrl_c_before_there_is_a_result(tmp_path, environment):
    os.mkfifo(tmp_path / "never.out")
    running = start(("run", "never.out", "x.label"), environment, tmp_path)
    other_end = opened_by_its_reader(tmp_path / "never.out", running)
    try:
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=500)
    finally:
        os.close(other_end)
    assert running.returncode == Exit.INTERRUPTED
    assert (out, err) == ("", "error: interrupted before there was a result\n")


def test_a_reader_that_leaves_is_no_mistake(tmp_path, environment):
    reader, writer = os.pipe()
    os.close(reader)
    running = start(
        ("run", "--dataset", "titanic", "--quiet"), environment, tmp_path, stdout=writer
    )
    os.close(writer)
    _, err = running.communicate(timeout=500)
    assert (running.returncode, err) == (Exit.CERTIFIED, "")


BROKEN = """
import sys
from corels.cli.exits import guarded
def command(): raise BrokenPipeError("of a connection to workers")
sys.exit(guarded(command))
"""


def test_another_pipe_that_breaks_is_no_reader_that_has_left(environment):
    words = [sys.executable, "-c", BROKEN]
    ended = subprocess.run(words, check=False, capture_output=True, text=True, env=environment)
    assert ended.returncode == Exit.UNEXPECTED
    assert "BrokenPipeError: of a connection to workers" in ended.stderr


def test_nothing_is_made_for_a_reader_that_has_left(tmp_path, environment):
    """There are 239,104 lists."""
    words = ("near", "--dataset", "tic-tac-toe", "--within", "0.03", "-q", "--lists", "239104")
    running = start(words, environment, tmp_path)
    assert running.stdout.readline()
    running.stdout.close()
    assert running.wait(timeout=500) == Exit.CERTIFIED
    assert running.stderr.read() == ""
    running.stderr.close()


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the stream")
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_stream_that_is_closed_is_not_missed(tmp_path, environment, closed):
    words = [*CORELS, "run", "--dataset", "titanic", "-o", "m.json"]
    command = ["sh", "-c", f"{shlex.join(words)} {closed}"]
    shell = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shell.returncode == Exit.CERTIFIED, shell.stderr
    assert (tmp_path / "m.json").exists()
    assert ("Certified" if closed == ">&-" else "if sex") in shell.stdout + shell.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
class TestFullDisk:
    def test_a_model_that_cannot_be_saved_is_printed(self, process):
        ended = process("run", "--dataset", "titanic", "-q", "-o", "/dev/full")
        assert ended.code == Exit.NOT_WRITTEN
        assert ended.out.startswith("if sex = Female")
        assert "error: /dev/full: cannot be written (No space left on device)" in ended.err
        shown = ended.err[ended.err.index("{") :]
        assert json.loads(shown)["schema"] == "corels/rule-list"

    @pytest.mark.parametrize(
        "words",
        [("predict", "m.json", "--dataset", "titanic"), ("export", "m.json"), ("report", "m.json")],
        ids=" ".join,
    )
    def test_what_a_command_has_found_and_cannot_write(self, corels, tmp_path, monkeypatch, words):
        monkeypatch.chdir(tmp_path)
        corels("run", "--dataset", "titanic", "-q", "--output", "m.json")
        ended = corels(*words, "--output", "/dev/full")
        assert ended.code == Exit.NOT_WRITTEN
        assert ended.error == "/dev/full: cannot be written (No space left on device)"

    def test_a_trace_that_cannot_be_written_costs_only_the_trace(self, process):
        ended = process(
            *("run", "--dataset", "tic-tac-toe", "-q", "--node-limit", 2000),
            *("--trace", "/dev/full", "--trace-level", "fine", "-o", "m.json"),
        )
        assert ended.code == Exit.NOT_WRITTEN
        assert ended.out.startswith("if ")
        assert "/dev/full: cannot be written" in ended.error

    @pytest.mark.parametrize(
        "words",
        [("run", "--dataset", "titanic", "-q"), ("--version",), ("run", "--help")],
        ids=" ".join,
    )
    def test_stdout(self, environment, tmp_path, words):
        with open("/dev/full", "w") as full:
            running = start(words, environment, tmp_path, stdout=full)
            _, err = running.communicate(timeout=500)
        assert running.returncode == Exit.NOT_WRITTEN
        assert err == "error: standard output: cannot be written (No space left on device)\n"


def test_a_plugin_that_cannot_be_loaded_is_a_warning(process, plugin, tmp_path):
    (tmp_path / "site" / "toy_policies.py").write_text("import there_is_no_such_module\n")
    ended = process("run", "--dataset", "titanic", env=plugin)
    assert ended.code == Exit.CERTIFIED
    first = ended.err.splitlines()[0]
    assert first.startswith("warning: plugin 'toy' of toy 1.0 was not loaded: ")
    assert "there_is_no_such_module" in first
    listed = process("plugins", env=plugin).out
    assert "not loaded\n  toy (toy 1.0): ModuleNotFoundError" in listed


def test_no_control_codes_without_a_terminal(process):
    ended = process("run", "--dataset", "tic-tac-toe", "--node-limit", 20000)
    assert not CONTROL.search(ended.err + ended.out)
    assert "better: objective" in ended.err


def run_on_terminal(arguments, environment, folder):
    """Run with stderr on a terminal; what the terminal was sent."""
    import pty

    ours, theirs = pty.openpty()
    running = start(arguments, environment, folder, stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    seen = b""
    while select.select([ours], [], [], 500)[0]:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    return running.wait(timeout=500), seen.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
class TestTerminal:
    LIVE = ("run", "--dataset", "tic-tac-toe", "--policy", "slow", "--node-limit", "30")

    def test_the_picture_shows_what_is_asked(self, plugin, tmp_path):
        code, seen = run_on_terminal(self.LIVE, plugin, tmp_path)
        assert code == Exit.STOPPED
        for title in ("now", "objective", "lower bound", "gap", "open", "evaluated/s"):
            assert title in seen
        assert "log10 left" in seen
        assert "then x wins = " in seen
        assert "\x1b[1m" in seen

    def test_no_color(self, plugin, tmp_path):
        code, seen = run_on_terminal(self.LIVE, {**plugin, "NO_COLOR": "1"}, tmp_path)
        assert code == Exit.STOPPED
        assert "objective" in seen
        assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", seen)

    def test_a_dumb_terminal_gets_lines(self, plugin, tmp_path):
        _, seen = run_on_terminal(self.LIVE, {**plugin, "TERM": "dumb"}, tmp_path)
        assert "better: objective" in seen
        assert not CONTROL.search(seen)

    def test_quiet(self, plugin, tmp_path):
        _, seen = run_on_terminal((*self.LIVE, "--quiet"), plugin, tmp_path)
        assert seen == ""


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_exit_code_names_the_signal(number):
    def asked_to_stop():
        signal.raise_signal(number)

    with noting(SIGNALS):
        assert guarded(asked_to_stop) == 128 + number
    assert guarded(lambda: Exit.INTERRUPTED) == Exit.INTERRUPTED
