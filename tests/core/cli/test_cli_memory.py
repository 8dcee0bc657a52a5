"""Memory that runs out before there is anything to run: one line and exit code 1."""

import subprocess
import sys

from corels.cli.exits import Exit

PROGRAM = """
import sys
class Full:
    def find_spec(self, name, path=None, target=None):
        if name == "corels.cli": raise MemoryError
sys.meta_path.insert(0, Full())
import corels.start
corels.start.main()
"""


def test_no_memory_to_load_the_program(environment):
    command = [sys.executable, "-c", PROGRAM, "plugins"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert (ended.returncode, ended.stdout) == (Exit.UNEXPECTED, "")
    assert ended.stderr == "error: there is not enough memory\n"
