"""How the tests start `corels`, and what it may leave behind."""

from __future__ import annotations

import sys
from pathlib import Path

CORELS = [sys.executable, "-c", "from corels.cli import main; main()"]


def leftovers(folder: Path) -> list[str]:
    """Temporary files that were not cleaned up."""
    return [path.name for path in folder.rglob("*.tmp")]


TABLE = """age,gender,smoker,ill
20,f,0,no
31,m,1,yes
45,f,1,yes
52,m,0,no
28,m,1,yes
61,f,0,no
39,f,1,no
47,m,1,yes
"""
