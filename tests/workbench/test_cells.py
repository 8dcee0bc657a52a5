"""Cells and results: every finished cell is kept, a killed experiment goes on where it was."""

import json
import os
import signal
import threading
import time

import pytest
from corels_workbench import apart
from corels_workbench.cells import Beside, Cell, How, _work_left, run_cells
from corels_workbench.experiment import run
from corels_workbench.results import ResultsFile

from corels.errors import InputError, OptionError

EXPERIMENT = {"command": "test", "data": {"x": "abc"}}


def square(number, interrupt_at=None):
    if number == interrupt_at:
        raise KeyboardInterrupt
    if number == 13:
        raise ValueError("unlucky")
    return {"square": number * number}


def cells(numbers, interrupt_at=None):
    return [
        Cell({"number": n}, square, {"number": n, "interrupt_at": interrupt_at}) for n in numbers
    ]


def test_rows_hold_names_and_values():
    results = ResultsFile(None, EXPERIMENT, fresh=False)
    assert run_cells(cells(range(3)), results, How())
    assert [row["square"] for row in results.rows.values()] == [0, 1, 4]


def test_an_interrupted_experiment_goes_on_where_it_was(tmp_path):
    path = tmp_path / "results.jsonl"
    first = ResultsFile(path, EXPERIMENT, fresh=False)
    assert not run_cells(cells(range(5), interrupt_at=3), first, How())
    told = []
    second = ResultsFile(path, EXPERIMENT, fresh=False)
    assert set(second.rows) == {"number=0", "number=1", "number=2"}
    assert run_cells(cells(range(5)), second, How(report=told.append))
    assert [state.row["number"] for state in told] == [3, 4]
    assert told[-1].left == 0


def test_what_is_left_goes_by_cells_of_the_same_kind():
    """A first fold with slow and quick models tells of all: not the mean cell, the mean of each."""

    def cell(model, fold):
        return Cell({"fold": fold, "model": model}, square, {"number": 1})

    wanted = [cell(model, fold) for fold in range(10) for model in ("slow", "quick", "new")]
    rows = {c.key: {"cell_seconds": 8.0 if "slow" in c.key else 0.5} for c in wanted[:5]}
    del rows["fold=0 | model=new"]
    assert _work_left(wanted, rows) == (8 * 8.0 + 8 * 0.5, False)
    rows["fold=0 | model=new"] = {"cell_seconds": 1.0}
    assert _work_left(wanted, rows) == (8 * 8.5 + 9 * 1.0, True)
    told = []
    run_cells(wanted, ResultsFile(None, EXPERIMENT, fresh=False), How(report=told.append))
    assert [state.known for state in told[:4]] == [False, False, True, True]
    assert told[-1].left == 0


def test_a_cut_last_line_is_run_again(tmp_path):
    path = tmp_path / "results.jsonl"
    run_cells(cells(range(3)), ResultsFile(path, EXPERIMENT, fresh=False), How())
    path.write_bytes(path.read_bytes()[:-9])
    again = ResultsFile(path, EXPERIMENT, fresh=False)
    assert set(again.rows) == {"number=0", "number=1"}
    assert run_cells(cells(range(3)), again, How())
    lines = path.read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines[1:]] == [0, 1, 2]


@pytest.mark.parametrize("kept", [0, 20])
def test_a_first_line_that_a_full_disk_cut_is_written_anew(tmp_path, kept):
    path = tmp_path / "results.jsonl"
    ResultsFile(path, EXPERIMENT, fresh=False)
    whole = path.read_text()
    path.write_text(whole[:kept])
    assert not ResultsFile(path, EXPERIMENT, fresh=False).rows
    assert path.read_text() == whole


def test_what_the_same_command_has_removed_begins_with_its_first_line(tmp_path):
    """Formerly, what was then interrupted was another experiment for ever."""
    path = tmp_path / "results.jsonl"
    one, other = (ResultsFile(path, EXPERIMENT, fresh=False) for _ in range(2))
    one.remove()
    assert run_cells(cells([1]), other, How())
    assert set(ResultsFile(path, EXPERIMENT, fresh=False).rows) == {"number=1"}


def test_another_experiment_is_refused(tmp_path):
    path = tmp_path / "results.jsonl"
    ResultsFile(path, EXPERIMENT, fresh=False)
    with pytest.raises(InputError, match="another experiment and is given without fresh, which"):
        ResultsFile(path, {**EXPERIMENT, "data": {"x": "def"}}, fresh=False)
    assert not ResultsFile(path, {"command": "new"}, fresh=True).rows


def test_a_failed_cell_is_reported_and_tried_again(tmp_path):
    path = tmp_path / "results.jsonl"
    results = ResultsFile(path, EXPERIMENT, fresh=False)
    assert run_cells(cells([12, 13, 14]), results, How())
    assert results.rows["number=13"]["error"] == "ValueError: unlucky"
    assert results.rows["number=14"]["square"] == 196
    assert "number=13" not in ResultsFile(path, EXPERIMENT, fresh=False).rows


def test_several_at_a_time():
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    results = ResultsFile(None, EXPERIMENT, fresh=False)
    assert run_cells(cells(range(6)), results, How(jobs=2))
    assert {row["square"] for row in results.rows.values()} == {0, 1, 4, 9, 16, 25}


def dies_at(number, deadly):
    if number == deadly:
        os._exit(1)
    return {"square": number * number}


def test_a_cell_that_takes_its_process_with_it_is_a_row_and_no_other_is_lost():
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    results = ResultsFile(None, EXPERIMENT, fresh=False)
    deadly = [Cell({"number": n}, dies_at, {"number": n, "deadly": 3}) for n in range(8)]
    told = []
    assert run_cells(deadly, results, How(jobs=2, report=told.append))
    assert len(told) == 8 and "its process died" in results.rows["number=3"]["error"]
    assert {row.get("square") for row in results.rows.values()} == {0, 1, 4, 16, 25, 36, 49, None}


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    pytest.importorskip("distributed", reason="Dask is an extra")
    monkeypatch.setattr("corels_workbench.cells.PATIENCE", 0.5)
    results = ResultsFile(None, EXPERIMENT, fresh=False)
    with pytest.raises(OptionError, match="nobody answers there"):
        run_cells(cells([1]), results, How(scheduler="tcp://127.0.0.1:1"))


def test_a_refused_run_leaves_no_working_file(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise OptionError("nobody answers there")

    monkeypatch.setattr("corels_workbench.experiment.run_cells", refused)
    with pytest.raises(OptionError):
        run("evaluate", {}, cells([1]), {}, How(working=tmp_path))
    assert not list(tmp_path.iterdir())


def test_equal_runs_beside_each_other_have_files_of_their_own(tmp_path):
    """One that has ended does not remove what the other one would go on with."""
    pytest.importorskip("fcntl", reason="the system cannot lock files")
    how, names = How(working=tmp_path), []

    def beside():
        """The same run, while the first one is at work; it is interrupted."""
        table = run("test", {}, [Cell({"n": 0}, square, {"number": 2}), stop], {}, how)
        assert not table.complete
        names.append({file.name for file in tmp_path.iterdir()})
        return {}

    stop = Cell({"n": 1}, square, {"number": 1, "interrupt_at": 1})
    cells = [Cell({"n": 0}, square, {"number": 2}), Cell({"n": 1}, beside, {})]
    assert run("test", {}, cells, {}, how).complete
    assert len(names[0]) == 2
    (left,) = tmp_path.iterdir()
    assert left.name.endswith("-1.jsonl") and '"square": 4' in left.read_text()
    assert run("test", {}, cells[:1], {}, how).rows[0]["square"] == 4
    assert not list(tmp_path.iterdir()), "the run that was interrupted went on in its file"


def test_how_has_defaults_that_write_nothing():
    assert How() == How(results=None, fresh=False, jobs=1, scheduler=None, report=None)


def hold(over=None):
    held = over or threading.Event()
    held.wait(600)  # a package that computes for long, and looks at no signal
    return {}


def test_ctrl_c_waits_for_no_cell_that_runs_beside_and_it_is_named_meanwhile():
    results, told, over = ResultsFile(None, EXPERIMENT, fresh=False), [], threading.Event()
    long = [Cell({"n": 0}, square, {"number": 2}), Cell({"n": 1}, hold, {"over": over})]

    def waiting(*state):
        told.append(state)
        if len(told) == 2:
            raise KeyboardInterrupt

    assert not run_cells(long, results, How(waiting=waiting))
    assert told == [(1, 2, "n=1")] * 2
    assert [row["square"] for row in results.rows.values()] == [4]
    over.set()


def test_errors_of_cells_that_run_beside_are_raised_where_somebody_waits():
    def refused():
        raise OptionError("no")
        yield

    with pytest.raises(OptionError, match="no"):
        list(Beside(refused()).rows(lambda: None))


def test_processes_of_cells_end_with_ctrl_c():
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    while apart._kept:  # of earlier tests
        apart._kept.pop().shutdown(kill_workers=True)
    results, begun = ResultsFile(None, EXPERIMENT, fresh=False), time.monotonic()

    def waiting(*_):
        if time.monotonic() - begun > 2:
            raise KeyboardInterrupt

    long = [Cell({"n": n}, hold, {}) for n in range(2)]
    assert not run_cells(long, results, How(jobs=2, waiting=waiting))
    names = {thread.name for thread in threading.enumerate()}
    assert time.monotonic() - begun < 300 and "ExecutorManagerThread" not in names


def square_slowly(number):
    time.sleep(0.15)
    return {"square": number * number, "process": os.getpid()}


def test_a_cluster_that_loses_a_worker_loses_no_cell(tmp_path):
    distributed = pytest.importorskip(
        "distributed", reason="Dask is an extra: pip install 'corels[cluster]'"
    )
    slow = [Cell({"number": n}, square_slowly, {"number": n}) for n in range(16)]
    killed = []

    def kill_the_first(state):
        if not killed:
            killed.append(state.row["process"])
            os.kill(killed[0], signal.SIGKILL)

    path = tmp_path / "results.jsonl"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        results = ResultsFile(path, EXPERIMENT, fresh=False)
        address = cluster.scheduler_address
        assert run_cells(slow, results, How(scheduler=address, report=kill_the_first))
    assert killed
    kept = ResultsFile(path, EXPERIMENT, fresh=False)
    assert sorted(row["square"] for row in kept.rows.values()) == [n * n for n in range(16)]
    assert len(path.read_text().splitlines()) == 17, "one line a cell, none twice"
