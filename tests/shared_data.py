"""The tables in ../shared/data, beside the project or above it, for the tests that ask for them."""

from pathlib import Path

import pytest

ABOVE = Path(__file__).resolve().parents[2:]
FOUND = [above / "shared/data" for above in ABOVE if (above / "shared/data").is_dir()]
SHARED = (FOUND or [ABOVE[0] / "shared/data"])[0]
needs_shared = pytest.mark.skipif(not FOUND, reason=f"the shared test tables are not at {SHARED}")
