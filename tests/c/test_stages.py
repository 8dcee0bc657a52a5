"""When the tables of the price bound are built, as a program in C."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
C = HERE.parents[1] / "backends" / "c"


@pytest.mark.skipif(os.name == "nt" or not shutil.which("cc"), reason="needs a C compiler")
def test_stages_are_due_by_what_the_tables_lack(tmp_path):
    program = tmp_path / "stages"
    folders = sorted({path.parent for path in (C / "src").rglob("*.h")} | {C / "include"})
    command = ["cc", "-std=c11", "-O1", *(f"-I{folder}" for folder in folders)]
    command += [HERE / "stages_main.c", C / "src" / "bounds" / "price_stages.c", "-o", program]
    subprocess.run(command, check=True)
    assert subprocess.run([program], check=False).returncode == 0
