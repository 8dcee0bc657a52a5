"""A call for memory that is refused ends a search, or nothing; it makes no certificate wrong."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or not shutil.which("cc") or "LD_PRELOAD" in os.environ,
    reason="needs GNU's C library, a C compiler, and memory that nobody else hands out",
)
@pytest.mark.parametrize("most", [8, pytest.param(120, marks=pytest.mark.slow)])
def test_no_refused_call_for_memory_makes_a_search_wrong(tmp_path, most):
    failing = tmp_path / "failing_memory.so"
    source = HERE / "failing_memory.c"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-ldl", "-o", failing], check=True)
    ran = subprocess.run(
        [sys.executable, HERE / "failing_memory.py", str(most)],
        env=os.environ | {"LD_PRELOAD": str(failing), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr[-2000:], ran.returncode) == ("", "", 0)
