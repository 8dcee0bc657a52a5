"""Processes of cells: Ctrl-C is the program's alone, and limits end them."""

import os
import signal
import time
from functools import partial
from types import SimpleNamespace

import pytest
from corels_workbench import evaluate
from corels_workbench.evaluating import summary
from corels_workbench.experiment import Cell, How, ResultsFile, run_cells, within
from corels_workbench.labelled import Labelled

from corels.tables import load_columns


class Unmade:
    def __reduce__(self):
        return divmod, (1, 0)

    def __call__(self):
        return None


def ignoring():
    return {"ignores": signal.getsignal(signal.SIGINT) is signal.SIG_IGN}


def test_processes_of_cells_leave_ctrl_c_to_the_program():
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    results = ResultsFile(None, {"command": "test"})
    assert run_cells([Cell({"n": n}, ignoring, {}) for n in range(4)], results, How(jobs=2))
    assert [row["ignores"] for row in results.rows.values()] == [True] * 4
    assert not ignoring()["ignores"]


@pytest.mark.outside
def test_a_call_that_does_not_end_is_ended_and_the_next_one_begins():
    pytest.importorskip("joblib", reason="its processes are loky's")
    with pytest.raises(TimeoutError, match=r"did not end in 0\.2 s"):
        within(0.2, partial(time.sleep, 600))
    first = within(600, os.getpid)
    assert within(600, os.getpid) == first != os.getpid()
    with pytest.raises(ValueError, match="invalid literal"):
        within(600, partial(int, "x"))
    with pytest.raises(RuntimeError, match="un-serialize"):  # it cannot be made there
        within(600, Unmade())
    with pytest.raises(RuntimeError, match="its process died"):
        within(600, partial(os._exit, 3))
    assert within(600, os.getpid) != first


@pytest.mark.outside
def test_a_baseline_that_does_not_end_is_a_row_that_says_so(monkeypatch):
    nothing_ended = SimpleNamespace(done=())
    monkeypatch.setattr("corels_workbench.experiment.wait", lambda *_: nothing_ended)
    columns, label = load_columns("titanic")
    table = Labelled.of(columns, label, "titanic")
    found = evaluate({"titanic": table}, models=("CART", "falling"), folds=2, time_limit=0.02)
    errors = {(row["model"], row.get("error", "").partition(" in ")[0]) for row in found.rows}
    assert errors == {("CART", "TimeoutError: did not end"), ("falling", "")}
    by_model = {row["model"]: row for row in summary(found).rows}
    assert by_model["CART"]["accuracy"] is None and by_model["CART"]["error"] is not None
