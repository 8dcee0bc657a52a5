"""Runs repeat, whatever memory held before: no decision reads what nobody has written.

GNU's C library fills all memory that it hands out with a byte of one's choice; elsewhere this is a
test that two processes do the same. `make test-sanitize-memory` looks closer.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def digests(byte, first, count):
    """What the trials found, in a process whose memory is filled with `byte`."""
    tunables = f"glibc.malloc.perturb={byte}:glibc.malloc.tcache_count=0"
    command = [sys.executable, HERE, "--digests", "--first", str(first), "--count", str(count)]
    environment = {**os.environ, "GLIBC_TUNABLES": tunables}
    return subprocess.run(command, env=environment, check=True, capture_output=True).stdout


def equal(first, count):
    told = digests(0, first, count)
    assert told.count(b"\n") == count
    assert digests(200, first, count) == told


@pytest.mark.parametrize("count", [5, pytest.param(6000, marks=pytest.mark.slow)])
def test_trials_are_the_same_whatever_memory_held(count):
    equal(200_001, count)
