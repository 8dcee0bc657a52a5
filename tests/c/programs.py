"""Small programs in C that check the arithmetic of one file, without the rest of the engine."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
C = HERE.parents[1] / "backends" / "c"

needs_compiler = pytest.mark.skipif(
    os.name == "nt" or not shutil.which("cc"), reason="needs a C compiler"
)


def failed_check(main, sources, place):
    """The number of the check that fails in `main`, built with `sources`; 0: none."""
    program = place / Path(main).stem
    folders = sorted({path.parent for path in (C / "src").rglob("*.h")} | {C / "include"})
    command = ["cc", "-std=c11", "-O1", *(f"-I{folder}" for folder in folders)]
    subprocess.run(
        [*command, HERE / main, *(C / "src" / source for source in sources), "-lm", "-o", program],
        check=True,
    )
    return subprocess.run([program], check=False).returncode
