"""Cells: the independent pieces of an experiment, run one by one, side by side or on a cluster.

A cell is a function of plain values with a key. Cells run through joblib: in this process where
one runs at a time, in processes of this machine with `jobs`, on a Dask cluster with `scheduler`.
A finished cell is kept at once. A cell that fails becomes a row with an `error`, and the others
go on. Ctrl-C keeps what is done. Other packages do not answer it while they compute, and say
nothing meanwhile: a program may let the cells run in a thread of their own (`Beside`).

A process may die with its cell: killed for its memory, or ended by a library that calls `exit`.
joblib then gives up the pool. The cells that were under way are run again, each in a pool of its
own, so that the one that takes its process with it is known and becomes a row with an `error`;
then the others go on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from corels.clock import Clock
from corels.errors import OF_PLUGINS, CorelsError, OptionError
from corels.installed import needed
from corels.plugins import at_fault, defect
from corels.threads import started
from corels_workbench.processes import end_processes, starting, watching
from corels_workbench.results import ResultsFile, Row

REPEATED = ("fold", "repeat")  # names by which cells differ that take about as long
PATIENCE = 10.0  # seconds that a scheduler has to answer
LOOK = 0.25  # seconds between two looks at the clock while a cell runs beside
Report = Callable[["State"], None]
Begun = Callable[[int, int], None]
Waiting = Callable[[int, int, str], None]
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

    @property
    def kind(self) -> tuple[Any, ...]:
        """What it has in common with cells that take about as long."""
        return tuple(value for name, value in self.names.items() if name not in REPEATED)


@dataclass(frozen=True, slots=True)
class State:
    """How far an experiment is. left: seconds, by what cells of the same kind took; known: there
    was one of every kind, else it is more than `left`."""

    done: int
    total: int
    seconds: float
    left: float
    known: bool
    row: Row


class InterruptedCellError(Exception):
    """Ctrl-C ended the search of a cell: its row would be half an answer, and is not kept."""


@dataclass(frozen=True)
class How:
    """How an experiment is run.

    results: a file that keeps each finished cell; a run that finds it goes on where it ended, and
    `fresh` begins anew. working: where there is no such file, a folder that has one until all cells
    are done. jobs: cells at a time on this machine. scheduler: the address of a Dask scheduler
    instead. report: told after each cell. begun: told, before the first one, how many are done and
    how many there are in all. waiting: called `LOOK` seconds apart while cells run, with the same
    numbers and, where one runs at a time, its key. The cells then run in a thread of their own:
    Ctrl-C waits for none, and the thread goes on with the one that it is at. So this is for
    programs, which end then.
    """

    results: str | None = None
    working: Path | None = None
    fresh: bool = False
    jobs: int = 1
    scheduler: str | None = None
    report: Report | None = None
    begun: Begun | None = None
    waiting: Waiting | None = None


def run_cells(cells: Sequence[Cell], results: ResultsFile, how: How) -> bool:
    """Run the cells that have no result yet; returns False where Ctrl-C ended it."""
    waiting, alone = how.waiting, how.jobs == 1 and how.scheduler is None
    missing = {cell.key for cell in cells} - results.rows.keys()
    left_over = [cell for cell in cells if cell.key in missing]
    clock, finished, interrupted = Clock(), len(cells) - len(left_over), threading.Event()
    first, thread = finished, None
    try:
        if how.begun is not None and left_over:
            how.begun(finished, len(cells))
        rows = _rows(left_over, how, interrupted)
        if waiting is not None:
            one_by_one = [cell.key for cell in left_over if alone]
            thread = Beside(rows)
            rows = thread.rows(
                lambda: waiting(finished, len(cells), "".join(one_by_one[finished - first :][:1]))
            )
        for row in rows:
            results.add(row)
            finished += 1
            if how.report is not None:
                left, known = _work_left(cells, results.rows)
                done = sum(
                    results.rows[key].get("cell_seconds", 0.0)
                    for key in missing & set(results.rows)
                )
                left *= clock.elapsed / done if done else 1.0  # several run at a time
                how.report(State(finished, len(cells), clock.elapsed, left, known, row))
    except (KeyboardInterrupt, InterruptedCellError):
        interrupted.set()
        if how.jobs > 1 and how.scheduler is None:
            end_processes()
            if thread is not None:
                thread.wait(PATIENCE)
        return False
    return True


def _work_left(cells: Sequence[Cell], rows: Mapping[str, Row]) -> tuple[float, bool]:
    """Seconds for the cells without a row, by the mean of their kind; whether all kinds are known,
    as none counts for those that are not."""
    taken: dict[tuple[Any, ...], list[float]] = {}
    for cell in cells:
        if cell.key in rows:
            taken.setdefault(cell.kind, []).append(rows[cell.key].get("cell_seconds", 0.0))
    means = {kind: sum(found) / len(found) for kind, found in taken.items()}
    left = [cell.kind for cell in cells if cell.key not in rows]
    return sum(means.get(kind, 0.0) for kind in left), set(left) <= means.keys()


class Beside:
    """A thread that goes through `found`: what comes of it, and how it ended, is put on a queue."""

    def __init__(self, found: Iterable[Row]) -> None:
        self.queue: SimpleQueue[Row | BaseException | None] = SimpleQueue()
        self._found, self._told = found, False
        self._thread = started(threading.Thread(target=self._run, name="corels cells", daemon=True))

    def _run(self) -> None:
        ended: BaseException | None = None
        try:
            for one in self._found:
                self.queue.put(one)
                if self._told:
                    break
        except BaseException as error:  # it is raised where somebody waits for it
            ended = error
        self.queue.put(ended)

    def stop(self) -> None:
        """After the cell that it is at."""
        self._told = True

    def wait(self, seconds: float) -> bool:
        """Whether it is over in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def rows(self, waiting: Callable[[], None]) -> Iterator[Row]:
        """What the thread finds, as it comes; `waiting` is called while there is nothing."""
        try:
            while True:
                try:
                    one = self.queue.get(timeout=LOOK)
                except Empty:
                    waiting()
                    continue
                if one is None:
                    return
                if isinstance(one, BaseException):
                    raise one
                yield one
        finally:
            self.stop()


def _rows(cells: Sequence[Cell], how: How, interrupted: threading.Event) -> Iterator[Row]:
    """The rows in the order in which they are finished."""
    if how.scheduler is not None:
        with _client(how.scheduler), _joblib().parallel_config("dask"):
            yield from _pool(cells, -1, interrupted)
    elif how.jobs == 1:
        yield from map(_run, cells)
    else:
        yield from _surviving(cells, how.jobs, interrupted)


def _surviving(cells: Sequence[Cell], jobs: int, interrupted: threading.Event) -> Iterator[Row]:
    """The rows of all cells, also where a cell's process dies; not where all were ended."""
    left = {cell.key: cell for cell in cells}
    while left:
        try:
            for row in _pool(tuple(left.values()), jobs, interrupted):
                del left[row["key"]]
                yield row
        except RuntimeError:  # joblib's and concurrent.futures' errors of broken pools are such
            if interrupted.is_set():
                return
            for cell in tuple(left.values())[: 2 * jobs]:
                yield _alone(cell, jobs, interrupted)
                del left[cell.key]


def _alone(cell: Cell, jobs: int, interrupted: threading.Event) -> Row:
    """One cell in processes that nothing else runs in; a row with an error where they die."""
    try:
        row: Row = next(iter(_pool((cell,), jobs, interrupted)))
    except RuntimeError as error:
        reason = str(error).partition(". ")[0]
        row = {"key": cell.key, **cell.names, "error": f"its process died: {reason}"}
    return row


def _pool(cells: Sequence[Cell], jobs: int, interrupted: threading.Event) -> Iterator[Row]:
    joblib = _joblib()
    here = {"backend": watching()} if jobs > 0 else {}
    parallel = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1, **here)
    with starting():
        if interrupted.is_set():
            raise InterruptedCellError
        rows = parallel(joblib.delayed(_run)(cell) for cell in cells)
    yield from rows


def _run(cell: Cell) -> Row:
    row: Row = {"key": cell.key, **cell.names}
    clock = Clock()
    try:
        row |= cell.task(**cell.arguments)
    except (KeyboardInterrupt, InterruptedCellError):
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


def _joblib() -> Any:
    return needed("joblib", "several cells at a time need joblib", "workbench")


def _client(address: str) -> Any:
    distributed = needed("distributed", "a Dask scheduler needs dask.distributed", "cluster")
    try:
        return distributed.Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise OptionError(f"scheduler is {address!r}: nobody answers there ({error})") from None
