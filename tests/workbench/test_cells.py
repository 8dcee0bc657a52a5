"""Cells and results: every finished cell is kept, a killed experiment goes on where it was."""

import json
import os

import pytest
from corels_workbench.experiment import Cell, How, ResultsFile, run_cells

from corels.errors import InputError

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
    results = ResultsFile(None, EXPERIMENT)
    assert run_cells(cells(range(3)), results, How())
    assert [row["square"] for row in results.rows.values()] == [0, 1, 4]


def test_an_interrupted_experiment_goes_on_where_it_was(tmp_path):
    path = tmp_path / "results.jsonl"
    first = ResultsFile(path, EXPERIMENT)
    assert not run_cells(cells(range(5), interrupt_at=3), first, How())
    told = []
    second = ResultsFile(path, EXPERIMENT)
    assert set(second.rows) == {"number=0", "number=1", "number=2"}
    how = How(report=lambda done, total, row: told.append((done, total, row and row["number"])))
    assert run_cells(cells(range(5)), second, how)
    assert told == [(3, 5, None), (4, 5, 3), (5, 5, 4)]


def test_a_cut_last_line_is_run_again(tmp_path):
    path = tmp_path / "results.jsonl"
    run_cells(cells(range(3)), ResultsFile(path, EXPERIMENT), How())
    path.write_bytes(path.read_bytes()[:-9])
    again = ResultsFile(path, EXPERIMENT)
    assert set(again.rows) == {"number=0", "number=1"}
    assert run_cells(cells(range(3)), again, How())
    lines = path.read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines[1:]] == [0, 1, 2]


@pytest.mark.parametrize("kept", [0, 20])
def test_a_first_line_that_a_full_disk_cut_is_written_anew(tmp_path, kept):
    path = tmp_path / "results.jsonl"
    ResultsFile(path, EXPERIMENT)
    whole = path.read_text()
    path.write_text(whole[:kept])
    assert not ResultsFile(path, EXPERIMENT).rows
    assert path.read_text() == whole


def test_another_experiment_is_refused(tmp_path):
    path = tmp_path / "results.jsonl"
    ResultsFile(path, EXPERIMENT)
    with pytest.raises(InputError, match="holds another experiment: expected the name of a new"):
        ResultsFile(path, {**EXPERIMENT, "data": {"x": "def"}})


def test_a_failed_cell_is_reported_and_tried_again(tmp_path):
    path = tmp_path / "results.jsonl"
    results = ResultsFile(path, EXPERIMENT)
    assert run_cells(cells([12, 13, 14]), results, How())
    assert results.rows["number=13"]["error"] == "ValueError: unlucky"
    assert results.rows["number=14"]["square"] == 196
    assert "number=13" not in ResultsFile(path, EXPERIMENT).rows


def test_several_at_a_time():
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    results = ResultsFile(None, EXPERIMENT)
    assert run_cells(cells(range(6)), results, How(jobs=2))
    assert {row["square"] for row in results.rows.values()} == {0, 1, 4, 9, 16, 25}


def dies_at(number, deadly):
    if number == deadly:
        os._exit(1)
    return {"square": number * number}


def test_a_cell_that_takes_its_process_with_it_is_a_row_and_no_other_is_lost():
    pytest.importorskip("joblib", reason="joblib runs cells side by side")
    results = ResultsFile(None, EXPERIMENT)
    deadly = [Cell({"number": n}, dies_at, {"number": n, "deadly": 3}) for n in range(8)]
    told = []
    assert run_cells(deadly, results, How(jobs=2, report=lambda *said: told.append(said)))
    assert len(told) == 1 + 8 and "its process died" in results.rows["number=3"]["error"]
    assert {row.get("square") for row in results.rows.values()} == {0, 1, 4, 16, 25, 36, 49, None}


def test_how_has_defaults_that_write_nothing():
    assert How() == How(results=None, jobs=1, report=None)
