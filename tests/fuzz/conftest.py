"""The trials use the engine as the tests in `tests/c` hold it, and the oracles of the families."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(TESTS / folder) for folder in ("c", "fair", "plugins/falling", "plugins/colgen")
]
