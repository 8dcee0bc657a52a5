"""Processes of cells: Ctrl-C is the program's alone, none outlives its parent, limits end them."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from corels_workbench import evaluate
from corels_workbench.apart import within
from corels_workbench.cells import Cell, How, run_cells
from corels_workbench.evaluating import summary
from corels_workbench.labelled import Labelled
from corels_workbench.results import ResultsFile
from waiting import until

from corels.tables import load_columns

POSIX = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="POSIX signals")
HELD = """
import os, time
from pathlib import Path
from corels_workbench.cells import Cell, How, run_cells
from corels_workbench.results import ResultsFile

def hold(n):
    Path(f"{n}.part").write_text(str(os.getpid()))
    os.rename(f"{n}.part", f"{n}.pid")
    time.sleep(600)

cells = [Cell({"n": n}, hold, {"n": n}) for n in range(2)]
run_cells(cells, ResultsFile(None, {"command": "test"}, fresh=False), How(jobs=2))
"""

WAITING = """
import time
from corels_workbench.cells import Cell, How, run_cells
from corels_workbench.results import ResultsFile

class Slow:
    def __reduce__(self):  # while it is sent
        time.sleep(600)

cells = [Cell({"n": n}, print, {"what": Slow()}) for n in range(2)]
run_cells(cells, ResultsFile(None, {"command": "test"}, fresh=False), How(jobs=2))
"""


class Unmade:
    def __reduce__(self):
        return divmod, (1, 0)

    def __call__(self):
        return None


def blocked():
    return {"blocked": signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])}


def read(path):
    """A file of /proc; nothing where its process or thread has ended."""
    try:
        return path.read_text()
    except OSError:
        return ""


def alive(process):
    state = read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return bool(state) and state[0] != "Z"


def workers_of(process):
    lists = Path(f"/proc/{process}/task").glob("*/children")
    found = [int(one) for some in lists for one in read(some).split()]
    return [one for one in found if "popen_loky" in read(Path(f"/proc/{one}/cmdline"))]


@POSIX
def test_no_ctrl_c_reaches_the_processes_of_cells_while_they_start():
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    results = ResultsFile(None, {"command": "test"}, fresh=False)
    assert run_cells([Cell({"n": n}, blocked, {}) for n in range(4)], results, How(jobs=2))
    assert [row["blocked"] for row in results.rows.values()] == [True] * 4
    assert not blocked()["blocked"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_processes_of_cells_end_with_a_parent_that_is_killed(tmp_path):
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    program = subprocess.Popen([sys.executable, "-c", HELD], cwd=tmp_path)
    until(lambda: len(list(tmp_path.glob("*.pid"))) == 2)
    workers = [int(path.read_text()) for path in tmp_path.glob("*.pid")]
    assert all(map(alive, workers))
    program.kill()
    program.wait()
    until(lambda: not any(map(alive, workers)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_processes_that_wait_for_their_first_cell_end_with_their_parent(tmp_path):
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    program = subprocess.Popen([sys.executable, "-c", WAITING], cwd=tmp_path)
    until(lambda: len(workers_of(program.pid)) == 2)
    workers = workers_of(program.pid)
    time.sleep(1)  # they start
    program.kill()
    program.wait()
    until(lambda: not any(map(alive, workers)))


def test_a_call_that_does_not_end_is_ended_and_the_next_one_begins():
    pytest.importorskip("joblib", reason="its processes are loky's")
    with pytest.raises(TimeoutError, match=r"did not end in 0\.2 s"):
        within(0.2, os.getpid, partial(time.sleep, 600))
    first = within(600, os.getpid, os.getpid)
    assert within(600, os.getpid, os.getpid) == first != os.getpid()
    with pytest.raises(ValueError, match="invalid literal"):
        within(600, os.getpid, partial(int, "x"))
    with pytest.raises(RuntimeError, match="un-serialize"):  # it cannot be made there
        within(600, os.getpid, Unmade())
    with pytest.raises(RuntimeError, match="its process died"):
        within(600, os.getpid, partial(os._exit, 3))
    assert within(600, os.getpid, os.getpid) != first


def test_a_baseline_that_does_not_end_is_a_row_that_says_so(monkeypatch):
    nothing_ended = SimpleNamespace(done=())
    monkeypatch.setattr("corels_workbench.apart.wait", lambda *_: nothing_ended)
    columns, label = load_columns("titanic")
    table = Labelled.of(columns, label, "titanic")
    found = evaluate({"titanic": table}, models=("CART", "falling"), folds=2, time_limit=0.02)
    errors = {(row["model"], row.get("error", "").partition(" in ")[0]) for row in found.rows}
    assert errors == {("CART", "TimeoutError: did not end"), ("falling", "")}
    by_model = {row["model"]: row for row in summary(found).rows}
    assert by_model["CART"]["accuracy"] is None and by_model["CART"]["error"] is not None
