"""The lowest versions that pyproject.toml allows, as constraints for pip.

    python tools/minimum.py > constraints.txt

What a tool of the tests needs is not the user's: of the extra `test`, only what other extras name,
too, is constrained. `make test-minimum` runs the suite with these versions.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?>=([0-9.]+)")
FREE = ("test", "docs", "all")  # extras of tools


def lowest() -> dict[str, str]:
    """Package -> lowest version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"]]
    wanted += [line for name, lines in extras.items() if name not in FREE for line in lines]
    wanted += [line for line in extras["test"] if line.startswith("pandas")]
    return dict(match.groups() for line in wanted if (match := REQUIREMENT.match(line)))


# Newer ones warn of how the lowest scikit-learn calls them.
NOT_ABOVE = {"scipy": "1.16"}

if __name__ == "__main__":
    for name, version in sorted(lowest().items()):
        print(f"{name}=={version}")
    for name, version in NOT_ABOVE.items():
        print(f"{name}<{version}")
