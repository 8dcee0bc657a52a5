"""A named pipe that another process writes.

A thread of the test may not: what a command reads, its own process may not open for writing
(corels/overwriting.py), and a thread that is refused leaves the command waiting for ever.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_pipe(path: Path, content: str) -> Iterator[Path]:
    """The pipe, to be read once; who has not read it yet at the end leaves nobody waiting."""
    os.mkfifo(path)
    writer = subprocess.Popen(["sh", "-c", 'cat > "$0"', path], stdin=subprocess.PIPE, text=True)
    try:
        writer.stdin.write(content)
        writer.stdin.close()
        yield path
    finally:
        writer.kill()
        writer.wait()
