"""What the package index shows, and who may know what of the old package."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from sources import PYTHON_ROOMS, ROOT, imports, python_files

sys.path.insert(0, str(ROOT / "tools"))
from try_wheel import not_packed

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
KNOW_THE_OLD = {"__init__.py", "corels.py", "utils.py", "cli/legacy.py"}


def test_only_the_old_names_lead_to_the_old_package():
    room = PYTHON_ROOMS["corels"]
    wrong = [
        str(found)
        for path in python_files("corels")
        for found in imports(path)
        if found.module.startswith("corels_classic")
        and path.relative_to(room).as_posix() not in KNOW_THE_OLD
        and room / "classic" not in path.parents
    ]
    assert not wrong


def test_exports_do_not_import_the_lists_that_call_them():
    wrong = [
        str(found)
        for path in python_files("corels")
        for found in imports(path)
        if path.parent.name == "export"
        and found.module in ("corels_rule_list.model", "corels.model.RuleList")
    ]
    assert not wrong


def test_no_class_of_the_models_has_a_metaclass_of_its_own():
    from corels_classic import RuleList as Old
    from corels_rule_list.model import RuleList

    from corels.model import Model

    assert type(RuleList) is type(Model)
    assert not issubclass(Old, RuleList)


def test_the_readme_of_the_package_index_has_no_links_that_lead_nowhere():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for one in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert not [link for link in links if not link.startswith("https://")]
    assert "`docs/how-to/scikit-learn.md`" in text
    assert "<img" not in text


def test_the_pictures_of_the_readme_are_there_and_small():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r'<img src="([^"]+)"[^>]* alt="[^"]{20,}">', text)
    assert len(pictures) == text.count("<img") == 2
    assert all((ROOT / one).stat().st_size < 150_000 for one in pictures)


def test_what_the_page_is_made_of_is_shipped():
    """Templates, scripts, and the vendored library with its licence; git ignores none of them."""
    page = ROOT / "plugins/page/corels_page"
    kept = {path.relative_to(page).as_posix() for path in page.rglob("*") if path.is_file()}
    wanted = {f"static/{n}" for n in ("page.html", "pieces.html", "serve.html", "page.css")}
    wanted.add("static/base.js")
    library = {f"vendor/uplot/{n}" for n in ("LICENSE", "uPlot.iife.min.js", "uPlot.min.css")}
    assert wanted | library <= kept
    assert "plugins/page/corels_page/vendor/uplot/LICENSE" in PROJECT["project"]["license-files"]
    named = set(re.findall(r'"((?:static|vendor)/[^"]+)"', (page / "render.py").read_text("utf-8")))
    named |= set(re.findall(r'"(static/[^"]+)"', (page / "server.py").read_text("utf-8")))
    assert len(named) > 8
    assert named <= kept
    ignored = subprocess.run(
        ["git", "check-ignore", *(f"plugins/page/corels_page/{one}" for one in wanted | library)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not ignored.stdout


def test_metadata_has_links_and_authors_and_the_old_version_is_satisfied():
    project = PROJECT["project"]
    assert project["authors"] and project["urls"]["Paper"].startswith("https://")
    assert tuple(map(int, project["version"].split("."))) >= (1, 1)
    assert {"linux", "macos", "windows"} <= PROJECT["tool"]["cibuildwheel"].keys()


def test_the_trial_of_a_wheel_looks_for_the_page_where_the_wheel_has_it():
    licence = "uplot/LICENSE"
    packed = {f"corels.dist-info/licenses/{licence}"}
    for name, room in PROJECT["tool"]["scikit-build"]["wheel"]["packages"].items():
        paths = (ROOT / room).rglob("*")
        packed |= {f"{name}/{path.relative_to(ROOT / room).as_posix()}" for path in paths}
    assert not_packed(packed) == []
    lost = not_packed(packed - {"corels_page/static/page.css"})
    assert [path.rpartition("/")[2] for path in lost] == ["page.css"]
    assert "LICENSE of uPlot" in not_packed({name for name in packed if "dist-info" not in name})


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
