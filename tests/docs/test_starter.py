"""The process from which the tests fork programs (tests/starter.py)."""

import subprocess
import sys
from pathlib import Path

from starter import Starter

WAITS = """
import atexit, threading
lock = threading.Lock()
lock.acquire()
atexit.register(lock.acquire)  # compiled, and nobody will ever release the lock
atexit.register(lambda: print("left"))
"""


def test_no_exit_function_of_a_compiled_library_is_waited_for(tmp_path, monkeypatch):
    (tmp_path / "waits.py").write_text(WAITS)
    (tmp_path / "program.py").write_text("import waits\nprint('ran')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    starter = Starter("waits")
    starter.script(tmp_path / "start", Path(sys.executable), tmp_path)
    done = subprocess.run(
        [tmp_path / "start", "program.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=True,
    )
    assert done.stdout == "ran\nleft\n"
