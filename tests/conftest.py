"""Fixtures for the whole suite."""

import signal
from pathlib import Path

import pytest
from environments import Environment
from starter import Starters

# Run in the background, or under nohup, tests would inherit that these are ignored.
for number, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if hasattr(signal, number):
        signal.signal(getattr(signal, number), usual)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """A fresh environment of one test."""
    return Environment(tmp_path / "environment")


@pytest.fixture(scope="session")
def starters() -> Starters:
    """What starts programs at once."""
    return Starters()


@pytest.fixture
def quick_environment(tmp_path: Path, starters: Starters) -> Environment:
    """A fresh environment of one test in which programs start at once."""
    return Environment(tmp_path / "environment", starters)


@pytest.fixture
def registered():
    """Register parts for the length of a test."""
    from corels.plugins import registry
    from corels.registry import Entry

    known = len(registry())

    def register(kind, part):
        registry().add(Entry(kind, part.name, part, "tests", "0"))
        return part.name

    yield register
    registry().forget_after(known)
