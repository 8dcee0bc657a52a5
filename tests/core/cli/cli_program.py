"""How the tests start `corels`, and what it may leave behind."""

from __future__ import annotations

import sys
from pathlib import Path

CORELS = [sys.executable, "-c", "from corels.start import main; main()"]


def leftovers(folder: Path) -> list[str]:
    """Temporary files that were not cleaned up."""
    return [path.name for path in folder.rglob("*.tmp")]
