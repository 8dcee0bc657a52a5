"""Build the wheel and try it in empty environments: every Python given, with and without extras.

    python tools/try_wheel.py [PYTHON ...]

Without arguments, every CPython from 3.11 on that is found: the running one, python3.11, ... on the
path, and those of pyenv. Needs the package index and a C compiler. `make try-wheel` runs it. Each
environment sees only the wheel and what pip installs with it. Ends with 1 if anything failed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINORS = range(11, 15)

# Without extras: what the package depends on, nothing else.
BARE = """
import importlib.util, sys
for name in ("sklearn", "scipy", "pandas", "matplotlib"):
    assert importlib.util.find_spec(name) is None, name
import corels
from corels.tables import load
problem = corels.Problem.from_dataset(load("titanic"), "0.005")
for backend in ("c", "python"):
    result = corels.solve(problem, backend=backend)
    assert result.certificate.optimal and result.model.errors == 461
from corels import CorelsClassifier, load_from_csv
model = CorelsClassifier(c=0.4, verbosity=[]).fit([[1, 0, 1], [0, 1, 1], [1, 1, 1]], [1, 0, 1])
assert len(model.rl().rules) >= 1
from corels_rule_list.path.path import regularization_path
assert regularization_path(problem, "0.001").certified
assert result.model.to_sql().startswith("CASE")
assert not hasattr(corels, "RuleListClassifier")
try:
    from corels import RuleListClassifier
except ImportError as error:
    assert "pip install 'corels[sklearn]'" in str(error), error
else:
    raise AssertionError("RuleListClassifier without scikit-learn")
"""

# With extras: the estimator passes scikit-learn's checks, frames of both kinds.
FULL = """
import warnings
import numpy as np, pandas as pd, polars as pl, sklearn
from sklearn.utils.estimator_checks import check_estimator
from corels import Binarizer, RuleListClassifier
warnings.simplefilter("ignore")
check_estimator(RuleListClassifier())
rng = np.random.default_rng(0)
X = pd.DataFrame({"a": rng.integers(0, 2, 50), "b": rng.normal(size=50), "c": ["x", "y"] * 25})
y = np.where(X["c"] == "x", "yes", "no")
assert RuleListClassifier().fit(X, y).score(X, y) == 1
assert RuleListClassifier().fit(pl.DataFrame(X.to_dict("list")), y).optimal_
assert Binarizer().fit_transform(X).shape[0] == 50
import corels_rule_list.path.path, matplotlib
from corels.tables import load
page = corels.solve(corels.Problem.from_dataset(load("titanic"), "0.01")).report()
assert "corels" in page.html and len(page.html) < 700_000
print("scikit-learn", sklearn.__version__, "numpy", np.__version__)
"""


def main(arguments: list[str]) -> int:
    """Try each Python; prints a line for each environment."""
    pythons = arguments or found_pythons()
    with tempfile.TemporaryDirectory() as place:
        wheel = build(Path(place))
        print(f"{wheel.name}: {wheel.stat().st_size / 1024:.0f} kB", flush=True)
        failed = [p for p in pythons if not tried(p, wheel, Path(place))]
    for python in failed:
        print(f"FAILED: {python}")
    return 1 if failed else 0


def found_pythons() -> list[str]:
    """One CPython for each minor version from 3.11 on."""
    candidates = [shutil.which(f"python3.{minor}") for minor in MINORS]
    candidates += sorted(map(str, (Path.home() / ".pyenv/versions").glob("3.*/bin/python3")))
    found: dict[str, str] = {}
    for python in [sys.executable, *filter(None, candidates)]:
        version = subprocess.run(
            [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
        if version in {f"3.{minor}" for minor in MINORS}:
            found.setdefault(version, python)
    return [found[version] for version in sorted(found, key=lambda v: int(v[2:]))]


def build(place: Path) -> Path:
    """The wheel, built in isolation."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(place), str(ROOT)],
        check=True,
    )
    (wheel,) = place.glob("corels-*.whl")
    lost = not_packed(zipfile.ZipFile(wheel).namelist())
    assert not lost, f"not in the wheel: {lost}"
    return wheel


def not_packed(names: Collection[str]) -> list[str]:
    """Which files of the page a wheel that has these names lacks."""
    page = ROOT / "plugins/page"
    folders = (page / "corels_page/static", page / "corels_page/vendor")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files, "the page's files are somewhere else"
    lost = [str(path) for path in files if path.relative_to(page).as_posix() not in names]
    return lost + ["LICENSE of uPlot"] * (sum(n.endswith("uplot/LICENSE") for n in names) < 2)


def tried(python: str, wheel: Path, place: Path) -> bool:
    """Install and run, bare and with everything."""
    version = subprocess.run(
        [python, "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    fine = True
    for what, requirement, code in (
        ("bare", str(wheel), BARE),
        ("all extras", f"corels[all] @ {wheel.as_uri()}", FULL),
    ):
        began = time.perf_counter()
        home = place / f"{version.replace(' ', '-')}-{what.replace(' ', '-')}"
        error = attempt(python, home, requirement, code, pandas=what != "bare")
        state = "works" if error is None else f"FAILED\n{error}"
        print(f"{version}, {what}: {state} ({time.perf_counter() - began:.0f} s)", flush=True)
        fine = fine and error is None
        shutil.rmtree(home, ignore_errors=True)
    return fine


def attempt(python: str, home: Path, requirement: str, code: str, *, pandas: bool) -> str | None:
    """The end of what went wrong, or None."""
    own = home / "bin" / "python"
    commands = [
        [python, "-m", "venv", str(home)],
        [str(own), "-m", "pip", "install", "-q", requirement, *(["pandas"] if pandas else [])],
        [str(own), "-I", "-W", "error::DeprecationWarning:corels", "-c", code],
        [str(home / "bin" / "corels"), "run", "--dataset", "titanic", "--quiet"],
        [str(home / "bin" / "corels"), "plugins"],
    ]
    for command in commands:
        done = subprocess.run(command, cwd=home.parent, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"{' '.join(command[:4])}\n{(done.stdout + done.stderr)[-2000:]}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
