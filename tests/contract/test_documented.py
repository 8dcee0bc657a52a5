"""Every hook, part, option, event and public name has its place in the documentation."""

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

import corels
from corels.plugins import KINDS, registry
from corels.search import COLUMNS
from corels.tables import DEMAND_OPTIONS, TABLE_OPTIONS, Condition, TableOptions, datasets
from corels.tables.condition import NEGATION

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TABLES = ("corels.tables.options:TABLE_OPTIONS", "corels.tables.options:DEMAND_OPTIONS")


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def everything():
    return "\n".join(
        p.read_text(encoding="utf-8") for p in DOCS.rglob("*.md") if "_build" not in p.parts
    )


@pytest.mark.parametrize("name", corels.__all__)
def test_public_names_are_in_the_reference(name):
    if name == "__version__":
        return
    text = "\n".join(p.read_text(encoding="utf-8") for p in (DOCS / "reference").glob("*.md"))
    if name.endswith("Error"):
        assert "automodule:: corels.errors" in text and hasattr(corels.errors, name)
        return
    assert re.search(rf":: corels\.(\w+\.)*{name}\b", text), f"{name} is not in docs/reference"
    assert getattr(corels, name).__doc__


def test_public_names_are_sorted_and_real():
    assert list(corels.__all__) == sorted(corels.__all__)
    assert all(hasattr(corels, name) for name in corels.__all__)


def test_kinds_of_parts_are_listed():
    rows = re.findall(r"^\| ([\w, ]+) \| a ", page("reference/hooks.md"), re.M)
    assert {kind for row in rows for kind in row.split(", ")} == set(KINDS)


@pytest.mark.parametrize(
    "kind", ["policy", "bound", "map", "queue", "cache", "backend", "solver", "export"]
)
def test_parts_are_listed(kind):
    assert f"{{part-table}} {kind}\n" in page("reference/parts.md")


BOUNDS = [entry for entry in registry() if entry.kind == "bound"]


@pytest.mark.parametrize("entry", BOUNDS, ids=lambda entry: entry.name)
def test_every_bound_has_a_proof_with_an_anchor(entry):
    source = str(entry.part.theorem)
    if source.startswith("docs/"):
        path, _, anchor = source.partition("#")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not anchor or f"({anchor})=" in text, f"{source} does not exist"
        return
    assert entry.distribution != "corels" or f"`{entry.name}` ({source})" in page(
        "internals/bounds.md"
    )


@pytest.mark.parametrize("place", ["backends/python", "corels", "plugins/rule_list"])
def test_theorems_that_the_code_names_are_in_the_internals(place):
    """By their numbers; of the paper's sections we name none."""
    named = re.compile(r"\b(Theorem|Lemma|Corollary|Proposition|Section) (\d+)")
    proofs = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs/internals").glob("*.md"))
    known = set(named.findall(proofs)) | {("Theorem", "4"), ("Theorem", "6")}  # "Theorems 4 and 6"
    for path in (ROOT / place).rglob("*.py"):
        assert not set(named.findall(path.read_text(encoding="utf-8"))) - known, path


def test_every_option_is_listed():
    """Directives walk the registered parts and commands; what `run` itself declares is named."""
    text = page("reference/options.md")
    for kind in ("solver", "export"):
        assert f"{{part-options}} {kind}\n" in text
    assert "{command-options} run\n" in text
    for table in ("corels.run.limits:LIMITS", *TABLES):
        assert f"{{search-options}} {table}\n" in text
    for table in ("corels.cli.source:SOURCE", "corels.cli.run:PROBLEM", "corels.cli.run:OUTPUT"):
        assert f"{{option-table}} {table}\n" in text


def test_every_column_is_listed_as_its_comment_says():
    source = (ROOT / "corels/search/children.py").read_text(encoding="utf-8")
    rows = []
    for name, kind in COLUMNS:
        comment = re.search(rf"    {name}: NDArray\[np.{kind}\]  # (\S.*)", source)[1]
        rows.append(f"| `{name}` | `{kind}` | {comment.replace('(*)', '(1)')} |")
    assert "\n".join(rows) in page("reference/hooks.md")


def test_the_walk_through_the_loop_names_what_exists():
    """The table in docs/internals/search-loop.md: each function is in the file it names."""
    rows = re.findall(
        r"^\|[^|]+\| `(\w+)` in (\S+) \| `(\w+)` in (\S+) \|$",
        page("internals/search-loop.md"),
        re.M,
    )
    assert len(rows) > 6
    for python, python_file, c, c_file in rows:
        tree = ast.parse((ROOT / "backends/python/corels_python" / python_file).read_text())
        functions = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        assert python in functions, f"{python_file} has no {python}"
        text = (ROOT / "backends/c/src/search" / c_file).read_text()
        assert re.search(rf"^[\w ]+\**\b{c}\([^{{;]*\{{$", text, re.M), f"{c_file} has no {c}"


def test_the_table_of_data_sets_is_the_list():
    text = page("how-to/data.md")
    for line in datasets():
        assert f"| `{line.name}` | {line.rows:,} | {line.antecedents} | {line.description}" in text


def test_the_tables_of_options_and_operators_are_complete():
    text = page("reference/input-formats.md")
    given = (*TABLE_OPTIONS, *DEMAND_OPTIONS)
    assert {o.name for o in given} == {option.name for option in fields(TableOptions)}
    for option in given:
        assert TableOptions.__dataclass_fields__[option.name].default == option.default
    for operator in NEGATION:
        assert re.search(rf"\| `{re.escape(operator)}` \| `(.*?)` \|", text), operator
    assert f"`{Condition('sex', '!=', 'Male')}`" in text
