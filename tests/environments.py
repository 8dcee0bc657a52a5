"""A fresh virtual environment for tests that install something."""

import json
import os
import site
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from starter import Starters

LINES = """
import contextlib, io, json, sys
from corels.cli import main
done = []
for line in json.load(sys.stdin):
    shown, code = io.StringIO(), 0
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        try:
            main(line.split())
        except SystemExit as ended:
            code = ended.code or 0
    done.append([code, shown.getvalue()])
json.dump(done, sys.stdout)
"""


class Environment:
    """A fresh virtual environment that sees what this one has, and its own plugins besides.

    Nothing is downloaded: pip runs without the index, and the site directory of the running
    environment (with its editable installs) is added through a .pth file. The programs `corels` and
    `pip`, and `start` with the file of another one, start at once.
    """

    def __init__(self, place: Path, starters: Starters) -> None:
        venv.create(place, with_pip=False, symlinks=True)
        self.bin = place / "bin"
        self.python = self.bin / "python"
        self.site = Path(
            sysconfig.get_path("purelib", "venv", {"base": str(place), "platbase": str(place)})
        )
        lines = [f"import site; site.addsitedir({path!r})" for path in _site_directories()]
        (self.site / "outer.pth").write_text("\n".join(lines) + "\n")
        programs = {"start": starters.python, "corels": starters.corels, "pip": starters.pip}
        for name, starter in programs.items():
            starter.script(self.bin / name, self.python, self.site)

    def variables(self, **more: str) -> dict[str, str]:
        """The process environment in which commands find this virtual environment first."""
        unwanted = ("PYTHONPATH", "PYTHONHOME", "COLUMNS", "FORCE_COLOR", "PIP_TARGET")
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        return {
            **kept,
            "PATH": f"{self.bin}{os.pathsep}{kept.get('PATH', '')}",
            "VIRTUAL_ENV": str(self.bin.parent),
            "PIP_PREFIX": str(self.bin.parent),
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "NO_COLOR": "1",
            **more,
        }

    def run(
        self, *command: object, cwd: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, output captured."""
        return subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env=self.variables(**variables),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=500,
            check=False,
        )

    def pytest(self, tests: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run tests, without the plugins of pytest that happen to be there."""
        program = Path(pytest.__file__).with_name("__main__.py")
        command = (self.bin / "start", program, "-q", "-p", "no:cacheprovider", tests)
        return self.run(*command, cwd=cwd, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")

    def corels(self, *lines: str, cwd: Path) -> list[list[int | str]]:
        """The exit code of each command line of `corels` and what it printed, in one process."""
        done = subprocess.run(
            [str(self.python), "-c", LINES],
            cwd=cwd,
            env=self.variables(),
            capture_output=True,
            text=True,
            input=json.dumps(lines),
            timeout=500,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def install(self, *source: str | Path) -> None:
        """pip install, without the index."""
        done = self.run(self.bin / "pip", "install", "-q", *source)
        assert done.returncode == 0, done.stderr

    def add_distribution(self, name: str, entry_points: dict[str, str], **modules: str) -> None:
        """A distribution without a build: its metadata, its entry points and its modules."""
        info = self.site / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = [f"{entry} = {module}" for entry, module in entry_points.items()]
        (info / "entry_points.txt").write_text("[corels]\n" + "\n".join(lines) + "\n")
        for module, text in modules.items():
            (self.site / f"{module}.py").write_text(text)


def _site_directories() -> list[str]:
    found = [*site.getsitepackages(), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    found += [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    return list(dict.fromkeys(path for path in found if Path(path).is_dir()))
