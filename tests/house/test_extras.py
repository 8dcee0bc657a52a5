"""Every extra that a message or a page tells people to install is one that we have."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"(?:corels\[|install_command\([\"'])([\w,-]+)[\]\"']")
NEEDED = re.compile(r'\bneed(?:ed)?\([^()]*"([\w-]+)"(?:, \w+)?\s*\)')  # its last text is an extra


def test_extras_that_are_named_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = set(project["optional-dependencies"])
    folders = [ROOT / name for name in ("corels", "plugins", "backends", "docs")]
    files = [path for top in folders for end in ("py", "md") for path in top.rglob(f"*.{end}")]
    named = {
        (extra, path.name)
        for path in [*files, ROOT / "README.md"]
        for pattern in (NAMED, NEEDED)
        for extras in pattern.findall(path.read_text(encoding="utf-8"))
        for extra in extras.split(",")
    }
    assert len(named) > 10
    assert {("plot", "draw.py"), ("sklearn", "builtin.py")} <= named
    assert {(extra, name) for extra, name in named if extra not in known} == set()
