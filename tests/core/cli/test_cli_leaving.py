"""The end of the program while a thread of a C++ library is at work (`corels.run.leaving`)."""

import subprocess
import sys

import pytest

PROGRAM = """
import atexit
atexit.register(print, "tidied up")  # called after whatever is registered later
import corels.start
from corels.run import leaving
class Deaf:
    def stop(self): print("told to stop")
    def wait(self, seconds): return False
if {busy}: leaving.begin(Deaf())
corels.start.main()
"""


@pytest.mark.parametrize(("words", "code"), [(["plugins"], 0), (["run", "no-such-file.csv"], 2)])
@pytest.mark.parametrize("busy", [False, True])
def test_the_program_keeps_its_exit_code_and_what_it_printed(environment, words, code, busy):
    command = [sys.executable, "-c", PROGRAM.format(busy=busy), *words]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert ended.returncode == code
    assert ("tidied up" in ended.stdout) is not busy
    assert ("told to stop" in ended.stdout) is busy
    assert "no-such-file.csv" in ended.stderr if code else "rule-list" in ended.stdout


GOES_ON = """
import corels.start
from corels.run import leaving
class Slow:
    def stop(self): print("told to stop")
    def wait(self, seconds):
        print("waited for" if seconds else "not waited for")
        leaving.over(self)
leaving.begin(Slow())
{begin}
    corels.start.main()
{end}
"""
CAUGHT = {
    "in the main module": ("try:", "except SystemExit: raise SystemExit(7)"),
    "in a function": ("def called():", "try: called()\nexcept SystemExit: exit(7)"),
    "twice": ("for again in range(2):\n  try:", "  except SystemExit: pass\nraise SystemExit(7)"),
}


@pytest.mark.parametrize(("begin", "end"), CAUGHT.values(), ids=CAUGHT)
def test_a_program_that_goes_on_ends_with_its_own_code(environment, begin, end):
    """It waits as any other program does."""
    command = [sys.executable, "-c", GOES_ON.format(begin=begin, end=end), "plugins"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert ended.returncode == 7
    assert "told to stop\nwaited for" in ended.stdout
