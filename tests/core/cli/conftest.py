"""Running `corels`: in this process for most tests, as a real program if the process matters."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from called import Ended
from cli_program import CORELS, TABLE

from corels.plugins import Entry, registry

PLUGIN = '''
import time
import corels

class Slow(corels.Policy):
    """Takes its time, so that a test can interrupt it."""
    name = "slow"
    summary = "slow"
    def priority(self, children):
        time.sleep(0.05)
        return children.lower_bound.astype(float)

@corels.hookimpl
def register_parts(register):
    register(Slow)
'''


@pytest.fixture
def corels(run: Callable[..., Ended]) -> Callable[..., Ended]:
    """Run the program in this process."""
    return run


@pytest.fixture
def environment() -> dict[str, str]:
    """Of a program without a terminal."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CORELS_DEBUG")}
    return {**kept, "TERM": "xterm", "COLUMNS": "100"}


@pytest.fixture
def process(environment: dict[str, str], tmp_path: Path) -> Callable[..., Ended]:
    """Run the program as a program."""

    def run(*arguments: object, **more: Any) -> Ended:
        given = {"env": environment, "cwd": tmp_path, "timeout": 120, **more}
        done = subprocess.run(
            [*CORELS, *map(str, arguments)], capture_output=True, text=True, check=False, **given
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Ended(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def plugin(tmp_path: Path, environment: dict[str, str]) -> dict[str, str]:
    """An environment in which the distribution `toy` with the policy above is installed."""
    site = tmp_path / "site"
    info = site / "toy-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "toy_policies.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[corels]\ntoy = toy_policies\n")
    path = os.pathsep.join([str(site), environment.get("PYTHONPATH", "")])
    return {**environment, "PYTHONPATH": path}


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str, Any], None]]:
    """Register a part for one test."""

    def add(kind: str, name: str, part: Any) -> None:
        entry = Entry(kind, name, part, "toy", "1.0")
        monkeypatch.setitem(registry()._entries, (kind, name), entry)

    yield add


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A small CSV table; `ill` is the label."""
    path = tmp_path / "people.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A rule file with its label file beside it."""
    path = tmp_path / "small.out"
    path.write_text("{a:yes} 1 1 1 0 0 0\n{b:yes} 0 1 0 1 0 1\n{c:yes} 1 0 0 0 1 1\n")
    (tmp_path / "small.label").write_text("{y:no} 0 0 0 1 1 1\n{y:yes} 1 1 1 0 0 0\n")
    return path
