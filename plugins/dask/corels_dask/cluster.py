"""The cluster: how it is reached, and how its answers are waited for."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from corels.errors import CorelsError, OptionError, OutputError, ResourceError, not_written
from corels.installed import needed
from corels.run.interrupts import CtrlC
from corels.search import Sink

T = TypeVar("T")
Tell = Callable[[str, int, int], None]
TICK = 1.0  # seconds between two words about work that goes on
LOOK = 0.25  # seconds between two looks at the clock, if something else works
MEMORY_SHARE = 0.6  # of what Dask gives a worker: at .7 Dask begins to write its data to disk


def silent(what: str, done: int, of: int) -> None:
    """Reports nothing."""


@contextmanager
def cluster_client(scheduler: Any, tell: Tell = silent) -> Iterator[Any]:
    """A client of this address, closed again; a client as it is; "": two workers here.

    Raises OptionError if no scheduler answers, or Dask is not installed.
    """
    make = needed("distributed", "shards need dask.distributed", "cluster").Client
    if not isinstance(scheduler, str):
        yield scheduler
        return
    if not scheduler:
        cluster = _workers_here(tell)
        try:
            with make(cluster, set_as_default=False) as client:
                yield client
                tell("ending two workers", 0, 0)
        finally:
            beside(cluster.close, partial(tell, "ending two workers", 0, 0))
        return
    try:
        client = make(scheduler.removeprefix("dask:"), timeout=10, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise OptionError(f"scheduler is {scheduler!r}: nobody answers there ({error})") from None
    with client:
        yield client


def beside(work: Callable[[], T], tick: Callable[[], None]) -> T:
    """What `work` gives, in a thread; `tick` is called meanwhile, and may raise to end the wait.

    So that Ctrl-C, limits and progress do not wait for a call that cannot be looked into.
    """
    called: Future[T] = Future()

    def run() -> None:
        try:
            called.set_result(work())
        except BaseException as error:
            called.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    while not wait([called], LOOK).done:
        tick()
    return called.result()


def _workers_here(tell: Tell) -> Any:
    """A cluster of two processes of this machine.

    Dask cannot be interrupted while it starts them, so Ctrl-C has its effect afterwards. It does
    not reach the workers, to which a terminal sends it, too: who started them ends them. SIGTERM
    does, if a batch system sends it to all processes; then Dask cannot start them.
    """
    from multiprocessing import resource_tracker

    from distributed import LocalCluster

    make: Any = LocalCluster

    def start() -> Any:
        if hasattr(signal, "pthread_sigmask"):  # threads and processes begin with this mask
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
            resource_tracker.ensure_running()  # to begin it would lift the mask of SIGINT
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        return make(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,  # what a task raises comes to us
        )

    cluster = None
    with CtrlC() as ctrl_c:
        try:
            cluster = beside(start, partial(tell, "starting two workers", 0, 0))
        except RuntimeError:  # a worker was ended
            if not ctrl_c.pressed:
                raise
    if ctrl_c.pressed:
        if cluster is not None:
            cluster.close()
        raise KeyboardInterrupt
    return cluster


@contextmanager
def folder_of_shards(named: str | None) -> Iterator[str]:
    """The folder that was named, which is made if it is missing; or a temporary one.

    A task that has begun goes on when it is not waited for any more, and may write faster than the
    temporary folder is emptied; so this is renamed first. No task makes the folder again.

    Raises OutputError if the folder cannot be made.
    """
    folder = named or tempfile.mkdtemp(prefix="corels-")
    try:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise not_written(folder, error) from None
        yield folder
    finally:
        if named is None:
            with suppress(OSError):
                os.rename(folder, folder + "-old")
            for one in (folder + "-old", folder):
                shutil.rmtree(one, ignore_errors=True)


def gathered(
    client: Any,
    what: str,
    do: Callable[..., Any],
    asked: Sequence[Sequence[Any]],
    *,
    folder: str,
    tell: Tell = silent,
) -> list[Any]:
    """do(*one) for each of `asked`, in order, each as soon as a worker is free.

    Dask gives what a lost worker had to others. The first error ends the wait.

    Raises ResourceError if a task takes one worker after another with it. Raises OptionError
    if the scheduler is lost. Raises OutputError if a worker cannot use the folder.
    """
    import asyncio

    import distributed
    from distributed.comm.core import CommClosedError

    futures = [client.submit(do, *one, pure=False) for one in asked]
    tell(what, 0, len(futures))
    try:
        return _results(client, what, futures, tell)
    except CorelsError:
        raise
    except distributed.KilledWorker as error:
        raise ResourceError(
            f"{what}: a shard has ended several workers, perhaps for want of memory: expected "
            "more shards, or workers with more memory"
        ) from error
    except (asyncio.CancelledError, CancelledError, CommClosedError, TimeoutError) as error:
        raise OptionError(
            f"{what}: the scheduler was lost; the folder, if one was named, keeps what was found"
        ) from error
    except OSError as error:
        raise OutputError(f"{folder}: a worker cannot use it ({error})") from error
    finally:
        client.cancel(futures)


def _results(client: Any, what: str, futures: Sequence[Any], tell: Tell) -> list[Any]:
    """The results of all of them, in order."""
    import distributed

    wait: Any = distributed.wait
    found: dict[str, Any] = {}
    with client.as_current():
        while len(found) < len(futures):
            left = [future for future in futures if future.key not in found]
            with suppress(TimeoutError):
                wait(left, TICK, "FIRST_COMPLETED")
            found |= {future.key: future.result() for future in left if future.done()}
            alone = ""
            with suppress(OSError):  # a lost scheduler ends the wait
                alone = "" if client.scheduler_info()["workers"] else " (no worker is there)"
            tell(what + alone, len(found), len(futures))
    return [found[future.key] for future in futures]


class StillWanted(Sink):
    """Ends the search of a task that is not waited for any more.

    Dask does not end a task that has begun: it only forgets it. So the task looks now and then.
    """

    def progress(self, *_: Any) -> None:
        stop_if_unwanted()


def stop_if_unwanted(*_: Any) -> None:
    """Raise KeyboardInterrupt, as Ctrl-C does, in a task that the client has cancelled or left, and
    in a worker that is closing because the scheduler is lost."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    closing = worker.status.name in ("closing", "closed", "failed")
    if closing or task is None or task.state == "cancelled":
        raise KeyboardInterrupt


def megabytes_here() -> int | None:
    """What a task of this worker may use for a search; None if Dask sets no limit."""
    from distributed import get_worker

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    return None if not limit else max(1, int(MEMORY_SHARE * limit / worker.state.nthreads / 10**6))
