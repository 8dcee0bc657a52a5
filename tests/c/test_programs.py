"""Small programs in C that check the arithmetic of one file, without the rest of the engine."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
C = HERE.parents[1] / "backends" / "c"
SOURCES = {
    "digits_main.c": ("base/digits.c", "base/memory.c"),
    "effort_main.c": ("base/effort.c",),
    "team_main.c": ("base/team.c", "base/threads.c", "base/control.c"),
}

needs_compiler = pytest.mark.skipif(
    os.name == "nt" or not shutil.which("cc"), reason="needs a C compiler"
)


@needs_compiler
@pytest.mark.parametrize("main", SOURCES)
def test_no_check_of_the_program_fails(main, tmp_path):
    """Its exit code is the number of the check that fails."""
    program = tmp_path / Path(main).stem
    folders = sorted({path.parent for path in (C / "src").rglob("*.h")} | {C / "include"})
    sources = [HERE / main, *(C / "src" / source for source in SOURCES[main])]
    command = ["cc", "-std=c11", "-O1", *(f"-I{folder}" for folder in folders)]
    subprocess.run([*command, *sources, "-lm", "-lpthread", "-o", program], check=True)
    assert subprocess.run([program], check=False).returncode == 0
