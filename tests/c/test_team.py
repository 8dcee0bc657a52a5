"""A team of threads by itself, as a program in C."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BASE = HERE.parents[1] / "backends" / "c" / "src" / "base"


@pytest.mark.skipif(os.name == "nt" or not shutil.which("cc"), reason="needs a C compiler")
def test_every_index_is_visited_once(tmp_path):
    program = tmp_path / "team"
    sources = [
        HERE / "team_main.c",
        *(BASE / f"{name}.c" for name in ("team", "threads", "control")),
    ]
    command = ["cc", "-std=c11", "-O1", f"-I{BASE}", *sources, "-lpthread", "-o", program]
    subprocess.run(command, check=True)
    assert subprocess.run([program], check=False).returncode == 0
