"""An experiment: its data sets by name, its cells, the independent pieces, run one by one or side
by side, its results file and its table.

A cell is a function of plain values with a key. One at a time, cells run in this process; with
`jobs`, in processes of loky. A finished cell is kept at once. A cell that fails becomes a row
with an `error`, and the others go on. Ctrl-C keeps what is done.

A process may die with its cell: killed for its memory, or ended by a library that calls `exit`.
Each has a pool of its own, so that this cell becomes a row with an `error`, and no other is lost.
In such a process also runs what looks at no clock, such as other packages (`within`): it is ended
when the time is up, ignores Ctrl-C, and what it prints goes to stderr.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from corels import overwriting
from corels.clock import Clock
from corels.errors import OF_PLUGINS, CorelsError, InputError, not_written
from corels.installed import needed
from corels.model.documents import finite
from corels.plugins import at_fault, defect
from corels.problem import Problem
from corels.run.interrupts import CtrlC
from corels.tables import Dataset
from corels_workbench.table import Table

SCHEMA, VERSION = "corels/workbench", 1  # of a results file
_idle: list[Any] = []  # pools of one process each
_busy: set[Any] = set()
Row = dict[str, Any]
Data = Dataset | Problem | Sequence[Dataset | Problem] | Mapping[str, Dataset | Problem]
Report = Callable[[int, int, Row | None], None]
"""How many cells are done, of how many, and the row of the one that has ended; None before it."""
Task = Callable[..., Mapping[str, Any]]


@dataclass(frozen=True)
class Cell:
    """task(**arguments) gives the row's values; `names` (data set, fold, ...) head the row."""

    names: Mapping[str, Any]
    task: Task
    arguments: Mapping[str, Any]

    @property
    def key(self) -> str:
        """What tells this cell from the others of its experiment."""
        return " | ".join(f"{name}={value}" for name, value in self.names.items())


@contextmanager
def whole() -> Iterator[None]:
    """Searches that are wanted whole, also as a decorator: what Ctrl-C has ended is half an answer.

    Raises KeyboardInterrupt then.
    """
    with CtrlC() as ctrl_c:
        yield
    if ctrl_c.pressed:
        raise KeyboardInterrupt


@dataclass(frozen=True)
class How:
    """How an experiment is run.

    results: a file that keeps each finished cell; a run that finds it goes on where it ended. jobs:
    cells at a time. report: called before the first cell and after each.
    """

    results: str | None = None
    jobs: int = 1
    report: Report | None = None


def problems(data: Data) -> dict[str, Problem]:
    """Data sets as problems by name. A name that comes twice is numbered."""
    if isinstance(data, Mapping):
        named = list(data.items())
    else:
        listed = [data] if isinstance(data, (Dataset, Problem)) else list(data)
        named = [(one.name or "data", one) for one in listed]
    found: dict[str, Problem] = {}
    for name, one in named:
        free, number = name, 1
        while free in found:
            number += 1
            free = f"{name} ({number})"
        found[free] = one if isinstance(one, Problem) else Problem.from_dataset(one)
    return found


def run(
    command: str,
    settings: Mapping[str, Any],
    cells: Sequence[Cell],
    stated: Mapping[str, Any],
    how: How,
) -> Table:
    """Run what has no result yet; the table of all cells that have one, in the cells' order.

    stated: name of the data -> what is learned from it: a statement of the problem, or a hash.
    """
    experiment = {"command": command, **settings, "data": dict(stated)}
    results = ResultsFile(how.results, experiment)
    complete = run_cells(cells, results, how)
    rows = [dict(results.rows[cell.key]) for cell in cells if cell.key in results.rows]
    for row in rows:
        row.pop("key", None)
    about = {**about_here(), "command": command, **settings, "cells at a time": how.jobs}
    return Table(tuple(rows), about, complete)


def run_cells(cells: Sequence[Cell], results: ResultsFile, how: How) -> bool:
    """Run the cells that have no result yet; returns False if Ctrl-C ended it."""
    left_over = [cell for cell in cells if cell.key not in results.rows]
    report = how.report or (lambda done, total, row: None)
    finished = len(cells) - len(left_over)
    try:
        report(finished, len(cells), None)
        for row in map(_run, left_over) if how.jobs == 1 else _side_by_side(left_over, how.jobs):
            results.add(row)
            finished += 1
            report(finished, len(cells), row)
    except KeyboardInterrupt:
        return False
    return True


def _side_by_side(cells: Sequence[Cell], jobs: int) -> Iterator[Row]:
    """The rows of all cells, as they end; a thread waits for each process."""

    def alone(cell: Cell) -> Row:
        try:
            row: Row = within(None, partial(_run, cell))
        except RuntimeError as error:  # its process died
            row = {"key": cell.key, **cell.names, "error": str(error), "cell_seconds": 0.0}
        return row

    threads = ThreadPoolExecutor(jobs)
    try:
        for ended in as_completed([threads.submit(alone, cell) for cell in cells]):
            yield ended.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for pool in tuple(_busy):  # after Ctrl-C; the threads then end, too
            pool.shutdown(kill_workers=True)


def _run(cell: Cell) -> Row:
    row: Row = {"key": cell.key, **cell.names}
    clock = Clock()
    try:
        row |= cell.task(**cell.arguments)
    except KeyboardInterrupt:
        raise
    except OF_PLUGINS as error:  # one cell must not take the others with it
        row["error"] = _said(error)
    row["cell_seconds"] = clock.elapsed
    return row


def _said(error: BaseException) -> str:
    """What a row says of its error; a defect of a plugin is named as the plugin's."""
    if not isinstance(error, CorelsError) and at_fault(error) is not None:
        return defect(error)
    return f"{type(error).__name__}: {error}"


def about_here() -> dict[str, Any]:
    """Versions and the machine, to be kept beside figures."""
    from corels import __version__

    return {
        "corels": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()} {platform.processor()}".strip(),
    }


def within(
    limit: float | None, task: Callable[[], Any], ready: Callable[[], Any] = os.getpid
) -> Any:
    """What a task returns, if it does within so many seconds; `ready` imports before what it needs.

    Raises TimeoutError, RuntimeError if the process dies, and what the task raises.
    """
    try:
        pool = _idle.pop()
    except IndexError:
        loky = needed("joblib.externals.loky", "another process needs joblib", "workbench")
        pool = loky.ProcessPoolExecutor(max_workers=1, initializer=_begin)
    _busy.add(pool)
    done = False
    try:
        pool.submit(ready).result()
        called = pool.submit(task)
        while not (called.running() or called.done()):  # loky's thread has yet to take it, which
            time.sleep(0.001)  # would fail with a traceback if the pool were ended before
        done = bool(wait([called], limit).done)
        if not done:
            raise TimeoutError(f"did not end in {limit:.3g} s")
        return called.result()
    except BrokenProcessPool as error:
        done = False
        raise RuntimeError(f"its process died: {error}") from None
    finally:
        _busy.discard(pool)
        if done:
            _idle.append(pool)
        else:
            pool.shutdown(kill_workers=True)  # it, and what it has started


def _begin() -> None:
    """In a process that cells run in: Ctrl-C is for the program, which ends its processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # what packages print is no answer of ours


class ResultsFile:
    """Rows by their key, in memory and, if a path is given, in a file: one JSON line for each
    finished cell, written as soon as it is finished.

    The first line says which experiment the file holds: its command, its settings and, of its data,
    the statements of the problems or hashes. A run that finds such a file goes on where it ended; a
    file of another experiment is refused, so that two experiments never mix. The last line of a
    killed run may be cut: it is dropped.
    """

    def __init__(self, path: str | os.PathLike[str] | None, experiment: Mapping[str, Any]) -> None:
        """Open or continue. Raises InputError if the file holds something else, OutputError if it
        cannot be written."""
        self.path = None if path is None else Path(path)
        self.rows: dict[str, Row] = {}
        header = {"schema": SCHEMA, "version": VERSION, "experiment": finite(dict(experiment))}
        header = json.loads(json.dumps(header))
        if self.path is None:
            return
        overwriting.opening(self.path, output=True)
        self._read(self.path, header, json.dumps(header) + "\n")

    def _read(self, path: Path, header: Mapping[str, Any], first: str) -> None:
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be read ({error})") from None
        if first.startswith(text):  # a full disk or a kill came before that line was whole
            self._write(first, mode="w")
            return
        lines = text.splitlines(keepends=True)
        if _parsed(lines[0]) != header:
            raise InputError(f"{path} holds another experiment: expected the name of a new file")
        whole = [lines[0]]
        for line in lines[1:]:
            row = _parsed(line) if line.endswith("\n") else None
            if isinstance(row, dict) and "key" in row:
                whole.append(line)
                if "error" not in row:  # what failed is tried again
                    self.rows[row["key"]] = row
        self._write("".join(whole), mode="w")

    def add(self, row: Row) -> None:
        """Keep a finished cell, at once."""
        self.rows[row["key"]] = row
        if self.path is not None:
            self._write(json.dumps(finite(row)) + "\n", mode="a")

    def _write(self, text: str, *, mode: str) -> None:
        assert self.path is not None
        try:
            with open(self.path, mode, encoding="utf-8") as handle:
                handle.write(text)
        except OSError as error:
            raise not_written(self.path, error) from None


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
