"""The trials use the engine as the tests in `tests/c` hold it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "c"))
