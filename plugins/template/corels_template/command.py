"""`corels new-plugin`: a folder with a plugin of one part, its project file and its tests."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corels import __version__
from corels.cli.parameters import command
from corels.cli.streams import emit
from corels.errors import OptionError, OutputError, not_written
from corels.options import Option, suggestion
from corels.plugins import registry

# kind -> (kind in the registry, check of the part in `corels.testing`)
KINDS = {
    "policy": ("policy", "check_policy"),
    "bound": ("bound", "check_bound"),
    "tables": ("bound", "check_bound"),
    "container": ("queue", "check_queue"),
    "sink": ("sink", ""),
    "export": ("export", "check_export"),
    "family": ("solver", "check_solver"),
}
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PROJECT = """\
[build-system]
requires = ["flit_core>=3.9"]
build-backend = "flit_core.buildapi"

[project]
name = "corels-my-part"
version = "0.1.0"
description = "A KIND for corels"
requires-python = ">=3.11"
dependencies = ["corels>=VERSION"]

[project.entry-points.corels]
my-part = "corels_my_part"
"""
CHECKED = """\
from corels_my_part import MyPart

from corels.testing import CHECK


def test_the_contract():
    CHECK(MyPart)
"""
SINK_TEST = """\
from corels_my_part import MyPart

import corels
from corels.tables import load


def test_it_hears_of_better_models():
    said = []
    problem = corels.Problem.from_dataset(load("titanic"), "0.05")
    corels.solve(problem, sinks=[MyPart(said.append, "better")], start="none")
    assert len(said) == 1 and int(said[0].split()[-1]) > 0
"""


EXPORT_TEST = """\
from corels_my_part import MyPart

from corels.testing import check_export


def run(content, table):
    \"\"\"What the expression says of each row. table: column name -> values, None for none.\"\"\"
    rows = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
    return [eval(content, {"row": row}) for row in rows]


def test_it_says_what_the_model_says():
    check_export(MyPart, run)
"""
TABLES_TEST = """\
import numpy as np
from corels_my_part import MyPart

import corels
from corels.testing import brute_force, check_bound, random_problem


def test_the_contract():
    check_bound(MyPart)


def test_searches_with_its_tables_find_the_optimum():
    random = np.random.default_rng(1)
    dropped = 0
    for _ in range(50):
        problem = random_problem(random)
        found = corels.solve(problem, bound=[MyPart], no_bound="lookahead").certificate
        assert found.optimal and found.objective == brute_force(problem)
        dropped += found.pruned["my-part"]
    assert dropped
"""
FULL_TEST = """\
import numpy as np
from corels_my_part import MyPart

import corels
from corels.testing import brute_force, check_solver, random_problem


def test_the_contract():
    check_solver(MyPart)


def test_no_short_list_is_better():
    for seed in range(20):
        problem = random_problem(np.random.default_rng(seed))
        found = corels.solve(problem, MyPart()).certificate.objective
        assert found == brute_force(problem, max_rules=2)
"""
TESTS = {"full": FULL_TEST, "sink": SINK_TEST, "export": EXPORT_TEST, "tables": TABLES_TEST}


@command(
    (
        Option(
            "kind",
            "text",
            None,
            "what the plugin adds (container: a queue; tables: a bound with tables in C)",
            metavar="|".join(KINDS),
        ),
        Option("name", "text", None, "its name: small letters, digits and hyphens"),
    ),
    (
        Option.switch("full", "a family with proof, recount, estimator and a document of its own"),
        Option.text("output", "the folder (default: NAME, here)", metavar="DIR"),
    ),
)
def new_plugin(asked: Any) -> None:
    """Write a folder with a plugin of one part, which installs and passes its own tests.

    The part works as it is: begin with it, and change it.

    $ corels new-plugin policy my-order
    $ corels new-plugin family my-models --full
    $ corels new-plugin export java -o in-java
    """
    kind, name = asked.kind, asked.name
    if kind not in KINDS:
        raise OptionError(
            f"KIND is {kind!r}{suggestion(kind, list(KINDS)) or ':'} expected {', '.join(KINDS)}"
        )
    if not NAME.fullmatch(name):
        raise OptionError(
            f"NAME is {name!r}: expected small letters, digits and hyphens, with a letter first"
        )
    if asked.full and kind != "family":
        raise OptionError(f"`--full` is for a family: a {kind} has one part")
    registered = KINDS[kind][0]
    if name in registry().names(registered):
        raise OptionError(f"NAME is {name!r}: another {registered} has this name")
    module = "corels_" + name.replace("-", "_")
    if find_spec(module) is not None:
        raise OptionError(f"NAME is {name!r}: there is a module {module} already")
    folder = Path(asked.output or name)
    write_files(folder, files_of(kind, name, full=asked.full))
    # pip looks for a bare name in the package index, not for a folder of that name
    place = folder if len(folder.parts) > 1 else f".{os.sep}{folder}"
    emit(f"wrote {folder}: pip install pytest {place}, then python -m pytest {folder / 'tests'}")


def files_of(kind: str, name: str, *, full: bool = False) -> dict[str, str]:
    """Of a plugin: path within its folder -> text. full: of a family, with all of its parts."""
    parts = Path(__file__).with_name("parts")
    folder, alone = parts / ("full" if full else kind), {"corels_my_part.py": parts / f"{kind}.py"}
    sources = {f"corels_my_part/{one.name}": one for one in sorted(folder.glob("*.*"))} or alone
    test = TESTS.get("full" if full else kind, CHECKED.replace("CHECK", KINDS[kind][1]))
    texts = {
        "pyproject.toml": PROJECT.replace("VERSION", __version__).replace("KIND", kind),
        **{path: one.read_text(encoding="utf-8") for path, one in sources.items()},
        "tests/test_my_part.py": test,
    }
    module = name.replace("-", "_")
    words = name.split("-") if full else [*name.split("-"), kind]
    title = "".join(word.capitalize() for word in words)
    named = {"my-part": name, "my_part": module, "MyPart": title}
    pattern = re.compile("|".join(named))

    def with_name(text: str) -> str:
        return pattern.sub(lambda found: named[found[0]], text)

    return {with_name(path): with_name(text) for path, text in texts.items()}


def write_files(folder: Path, files: dict[str, str]) -> None:
    """All of them or none: it has a temporary name until it is whole. Raises OutputError."""
    if os.path.lexists(folder):
        raise OutputError(f"{folder}: this is there already: expected the name of a new folder")
    try:
        with TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as temporary:
            whole = Path(temporary) / folder.name
            for path, text in files.items():
                (whole / path).parent.mkdir(parents=True, exist_ok=True)
                (whole / path).write_text(text, encoding="utf-8")
            whole.rename(folder)
    except OSError as error:
        raise not_written(folder, error) from None
