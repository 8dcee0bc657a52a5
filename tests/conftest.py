"""Fixtures for the whole suite."""

import gc
import os
import signal
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import hypothesis
import pytest
from called import Ended, ended
from environments import Environment
from starter import Starters

# Run in the background, or under nohup, tests would inherit that these are ignored.
for number, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if hasattr(signal, number):
        signal.signal(getattr(signal, number), usual)

# What collecting the tests makes stays until the end: to look for garbage in it, again and again,
# takes a third of the time of collecting, and slows every test.
gc.disable()


hypothesis.settings.register_profile("default", max_examples=30, deadline=None)
hypothesis.settings.register_profile("long", max_examples=300, deadline=None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than there are processors: some tests wait, for a signal or the end of a limit."""
    there = getattr(os, "sched_getaffinity", None)
    return 1 + (len(there(0)) if there else os.cpu_count() or 1)


def pytest_configure(config):
    long = "not slow" not in config.option.markexpr
    hypothesis.settings.load_profile("long" if long else "default")


def pytest_collection_finish():
    gc.enable()
    gc.freeze()


ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def commands_are_declared_once():
    """Declaring a command to the parser takes longer than most commands of the tests."""
    from corels.cli import app
    from corels.plugins import registry

    build = app.build
    known = cache(lambda wanted, parts: build(wanted))

    def build_once(wanted=None):
        return known(
            wanted, tuple((entry.kind, entry.name, id(entry.part)) for entry in registry())
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "build", build_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_lines_by_the_clock_of_the_machine():
    """On a busy machine any work may take the second after which a command tells how far it is.

    Lines come by a clock that a test has made, or if work tells of itself at once.
    """
    from corels import clock

    def unless_busy(due, real=clock.time, usual=clock.FIRST_LINE):
        return lambda self: (clock.time is not real or self._first < usual) and due(self)

    with pytest.MonkeyPatch.context() as patch:
        for name in ("due", "line_due"):
            patch.setattr(clock.Clock, name, unless_busy(getattr(clock.Clock, name)))
        yield


@pytest.fixture(scope="session", autouse=True)
def baselines_have_time():
    """What other packages learn in a moment may take seconds on a busy machine."""
    from corels_workbench import judging

    within = judging.within
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "within", lambda limit, *calls: within(max(limit, 300), *calls))
        yield


@pytest.fixture(scope="session", autouse=True)
def a_cache_of_its_own(tmp_path_factory):
    """The same experiments, in another process of the tests or left by a killed one, are others."""
    with pytest.MonkeyPatch.context() as patch:
        if "MPLCONFIGDIR" not in os.environ:  # to look for all fonts again takes seconds
            patch.setenv("MPLCONFIGDIR", os.path.expanduser("~/.cache/matplotlib"))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def starters() -> Starters:
    """What starts programs at once."""
    return Starters()


@pytest.fixture
def environment(tmp_path: Path, starters: Starters) -> Environment:
    """A fresh environment of one test."""
    return Environment(tmp_path / "environment", starters)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run the program in this process."""
    return partial(ended, capsys)


@pytest.fixture
def registered():
    """Register parts for the length of a test."""
    from corels.plugins import Entry, registry

    known = len(registry())

    def register(kind, part):
        registry().add(Entry(kind, part.name, part, "tests", "0"))
        return part.name

    yield register
    registry().forget_after(known)


@pytest.fixture(scope="module")
def client():
    """A Dask cluster of threads of this process: quick to begin."""
    distributed = pytest.importorskip("distributed", reason="Dask is an extra: corels[cluster]")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as one,
    ):
        yield one


@pytest.fixture(scope="module")
def scheduler():
    """The address of a Dask scheduler with a worker in this process, which begins at once."""
    distributed = pytest.importorskip("distributed", reason="Dask is an extra: corels[cluster]")
    with distributed.LocalCluster(
        n_workers=1, processes=False, protocol="tcp://", dashboard_address=":0"
    ) as cluster:
        yield cluster.scheduler_address
