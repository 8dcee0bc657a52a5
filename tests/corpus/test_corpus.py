"""Some 500 malformed inputs over all commands (cases.txt): each ends well.

No traceback, no long wait without a word, no file changed or added, the exit code that is
documented, and one sentence that names the file, line, option or value. The suite runs
all in this process, a command in a test, and a few as real processes; `make test-long` runs the
rest.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from called import code as called
from inputs import make

from corels.cli.exits import Exit
from corels.plugins import registry

for package in ("polars", "sklearn", "highspy", "jinja2", "starlette", "matplotlib", "joblib"):
    pytest.importorskip(package)

CORELS = [sys.executable, "-c", "from corels.cli import main; main()"]
SECONDS = 10  # of processor time, before which a command has to say something
Hashes = dict[str, str]
LINE = re.compile(r"(?P<codes>[\d/]+) \[(?P<named>.*?)\] (?P<words>.*)")


@dataclass(frozen=True)
class Case:
    """A line of cases.txt."""

    codes: tuple[int, ...]
    named: tuple[str, ...]
    words: tuple[str, ...]


def cases() -> list[Case]:
    found = []
    for line in (Path(__file__).parent / "cases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            read = LINE.fullmatch(line)
            assert read, line
            codes = tuple(int(code) for code in read["codes"].split("/"))
            named = tuple(filter(None, read["named"].split("|")))
            found.append(Case(codes, named, tuple(shlex.split(read["words"]))))
    return found


CASES = cases()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Hashes]:
    """The folder with all files, and what is in them."""
    folder = tmp_path_factory.mktemp("corpus")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        make(folder, called)
    return folder, hashes(folder)


def hashes(folder: Path) -> Hashes:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def judge(case: Case, code: int, out: str, err: str) -> None:
    both = f"{case.words}\n{out}{err}"
    assert code in case.codes, both
    assert not re.search(r"Traceback|unexpected \w+Error|\x1b", out + err), both
    assert code != Exit.UNEXPECTED or case.words[0] == "legacy", both
    if code == Exit.BAD_INPUT:  # what goes before, warnings and progress, is not an error
        errors = [line for line in err.splitlines() if line.startswith("error: ")]
        assert errors == err.splitlines()[-1:] and len(errors[0]) < 600, both
        assert out == "", both
        assert errors[0].count("people.csv: ") <= 1, both
    for named in case.named:
        assert named in err, (named, both)


@pytest.fixture
def place(world: tuple[Path, Hashes], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run there; nothing may have changed afterwards."""
    folder, before = world
    monkeypatch.chdir(folder)
    yield
    assert hashes(folder) == before


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("command", sorted({case.words[0] for case in CASES}))
def test_in_this_process(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for case in CASES:
        if case.words[0] == command:
            began = time.process_time()
            code = called(*case.words)
            shown = capsys.readouterr()
            assert time.process_time() - began < SECONDS or shown.err.count("\n") > 1, case
            judge(case, code, shown.out, shown.err)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("each", [181, pytest.param(1, marks=pytest.mark.slow)])
def test_as_a_process(each: int) -> None:
    for case in CASES[each - 1 :: each]:
        done = subprocess.run(
            [*CORELS, *case.words], capture_output=True, text=True, check=False, timeout=500
        )
        judge(case, done.returncode, done.stdout, done.stderr)


def test_the_corpus_is_large_and_has_every_command() -> None:
    assert len(CASES) >= 300
    assert {case.words[0] for case in CASES} >= set(registry().names("command"))
