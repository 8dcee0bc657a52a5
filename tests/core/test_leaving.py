"""What becomes of threads of C++ libraries when the process ends."""

import os
import subprocess
import sys
import threading

import pytest

from corels.run import leaving


class Work:
    """Ends `after` it was told to stop and so many seconds were given; notes what it is asked."""

    def __init__(self, after=0.0):
        self.after, self.asked = after, []

    def stop(self):
        self.asked.append("stop")

    def wait(self, seconds):
        self.asked.append(seconds)
        if seconds >= self.after:
            leaving.over(self)
        return seconds >= self.after


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """As if nothing were at work in this process."""
    monkeypatch.setattr(leaving, "_busy", set())
    monkeypatch.setattr(leaving, "_ending", threading.Event())
    monkeypatch.setattr(leaving, "_left", None)


def test_all_work_is_stopped_before_any_is_waited_for():
    works = [Work(), Work()]
    assert all(leaving.begin(work) for work in works) and leaving.busy()
    leaving._end()
    assert not leaving.busy()
    for work in works:
        stop, seconds = work.asked
        assert stop == "stop" and 0 < seconds <= leaving.PATIENCE


def test_what_is_over_is_left_alone():
    work = Work()
    leaving.begin(work)
    leaving.over(work)
    leaving._end()
    assert work.asked == []


def test_nothing_begins_once_the_process_ends():
    leaving._end()
    assert not leaving.begin(Work())


def test_a_program_that_leaves_by_itself_does_not_wait(monkeypatch):
    monkeypatch.setattr(leaving, "exit_code", lambda: 3)
    work = Work(after=1.0)
    leaving.begin(work)
    leaving._end()
    assert work.asked == ["stop", 0.0] and leaving.busy()


@pytest.mark.parametrize("asked", ["stop", "wait"])
def test_ctrl_c_ends_the_waiting_and_the_process(asked):
    """Python would abort, where the thread is still at work."""
    program = (
        "from corels.run import leaving\n"
        "class Impatient:\n"
        "    def stop(self): self.asked('stop')\n"
        "    def wait(self, seconds): self.asked('wait')\n"
        "    def asked(self, what):\n"
        f"        if what == {asked!r}: raise KeyboardInterrupt\n"
        "leaving.begin(Impatient())\n"
        "print('done')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "done\n", "")


def test_ctrl_c_when_all_work_is_over_changes_nothing():
    class Late(Work):
        def wait(self, seconds):
            leaving.over(self)
            raise KeyboardInterrupt

    leaving.begin(Late())
    leaving._end()
    assert not leaving.busy()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_waits_for_none_of_our_threads():
    """It has none of them. In a process of its own: this one may have threads."""
    program = (
        "import os\n"
        "from corels.run import leaving\n"
        "leaving.begin('work')\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(leaving.busy())\n"
        "code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "os._exit(10 * leaving.busy() + code)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 10
