"""Who may import whom (docs/internals/architecture.md): no arrow runs the wrong way."""

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
from fnmatch import fnmatch
from functools import cache

import pytest
from sources import PYTHON_ROOMS, ROOT, c_files, imports, includes, python_files

OURS = set(PYTHON_ROOMS)
# Module -> where it may be imported, as beginnings of paths from the root.
CONFINED = {
    "pluggy": ("corels/hookspecs.py", "corels/plugins.py"),
    "typer": ("corels/cli/", "plugins/*/corels_*/command"),
    "rich": ("corels/cli/",),
    "click": ("corels/cli/",),
    "cffi": ("backends/c/corels_c/", "backends/checker/corels_checker/"),
    "gmpy2": ("backends/python/corels_python/",),
    "msgspec": ("corels/model/", "corels/tables/", "plugins/"),
    "highspy": ("plugins/rule_set/corels_colgen/",),
}
OPTIONAL = {
    "distributed",
    "imodels",
    "joblib",
    "plotille",
    "pystreed",
    "wittgenstein",
    "numba",
    "fairlearn",
    "onnx",
    "sklearn",
    "pandas",
    "polars",
    "matplotlib",
    "highspy",
    "scipy",
    "pyarrow",
    "skops",
    "threadpoolctl",
    "jinja2",
    "starlette",
    "uvicorn",
}
STANDARD = set(sys.stdlib_module_names)
NATIVE = {"_native"}  # a cffi extension module of the package's own


@cache
def every_import():
    """Not those of the package that `corels new-plugin --full` writes: its modules are its own."""
    files = [(room, path) for room in PYTHON_ROOMS for path in python_files(room)]
    written = ROOT / "plugins/template/corels_template/parts/full"
    return [(room, one) for room, p in files if p.parent != written for one in imports(p)]


def test_there_is_something_to_walk():
    assert {"corels", "corels_c", "corels_python", "corels_policies"} <= OURS
    assert len(every_import()) > 200
    assert len(c_files()) > 20


FRONT_DOOR = {  # the files of the core that name what plugins export
    ROOT / "corels/__init__.py",
    ROOT / "corels/corels.py",  # modules of the old package
    ROOT / "corels/utils.py",
}


def test_the_core_imports_no_backend_and_no_plugin():
    wrong = [
        str(i)
        for room, i in every_import()
        if room == "corels" and i.package in OURS - {room} and i.file not in FRONT_DOOR
    ]
    assert not wrong


def test_the_core_names_no_backend_and_no_plugin_in_a_string():
    """An import by string is an import: only the front door has one."""
    named = re.compile(rf"^({'|'.join(OURS - {'corels'})})(\.|$)")
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} names {node.value!r}"
        for path in python_files("corels")
        if path not in FRONT_DOOR
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and named.match(node.value)
    ]
    assert not wrong


# A plugin that carries another one's search to a cluster builds on it, as a third party's would.
BUILDS_ON = {
    "corels_dask": {"corels_rule_list", "corels_python"},
    "corels_template": {"corels_languages", "corels_c"},  # its language; headers for what is in C
}


def test_backends_and_plugins_import_only_the_core():
    wrong = [
        str(i)
        for room, i in every_import()
        if room != "corels" and i.package in OURS - {"corels", room} - BUILDS_ON.get(room, set())
    ]
    assert not wrong


# Room of corels/ -> rooms that none of its files may import, not even inside a function.
ABOVE_MODEL = {"search", "run", "sklearn", "cli"}
NEVER = {
    "problem": ABOVE_MODEL | {"model", "export", "testing"},
    "model": ABOVE_MODEL | {"testing"},
    "search": {"run", "sklearn", "cli", "testing"},
    "run": {"sklearn", "cli", "testing"},
    "tables": ABOVE_MODEL - {"sklearn"} | {"model", "problem.problem", "testing"},
    "export": ABOVE_MODEL | {"testing"},
    "monitor": ABOVE_MODEL | {"testing"},
    "plots": {"sklearn", "cli", "testing"},
    "sklearn": {"cli", "testing"},
}


@pytest.mark.parametrize("room", NEVER)
def test_no_arrow_inside_the_core_runs_upwards(room):
    """Types that only a checker reads (under TYPE_CHECKING) are left out."""
    files = sorted((ROOT / "corels" / room).rglob("*.py"))
    wrong = [
        str(found)
        for path in files
        for found in imports(path)
        for above in NEVER[room]
        if found.runs and f"{found.module}.".startswith(f"corels.{above}.")
    ]
    assert not wrong


def test_imports_name_their_module_in_full():
    """No relative imports: an import says where it comes from."""
    assert not [str(i) for _, i in every_import() if i.module.startswith(".")]


@pytest.mark.parametrize("module", CONFINED)
def test_confined_modules_stay_in_their_rooms(module):
    wrong = [
        str(i)
        for _, i in every_import()
        if i.package == module
        and i.top
        and not any(
            fnmatch(i.file.relative_to(ROOT).as_posix(), f"{place}*") for place in CONFINED[module]
        )
    ]
    assert not wrong


# Modules that exist for one optional package and import it at once; nobody imports them at once.
FACES = {
    "corels.sklearn.__init__": "whether scikit-learn is there, and new enough",
    "corels.sklearn.tables": "base classes of the scikit-learn faces",
    "corels.sklearn.binarizer": "the transformer",
    "plugins.rule_list.corels_rule_list.estimator": "the scikit-learn estimator of rule lists",
    "plugins.rule_list.corels_rule_list.estimator_cv": "lambda by cross-validation",
    "corels.sklearn.base": "what the estimators of all families share",
    "corels.sklearn.fitted": "the same, once they are fitted",
    "corels.sklearn.costs": "what the estimators share whose families know costs or constraints",
    "plugins.falling.corels_falling.estimator": "the estimators of falling rule lists",
    "plugins.rule_set.corels_colgen.estimator": "the estimator of rule sets",
    "plugins.page.corels_page.server": "what Starlette serves",
}


def test_optional_packages_are_imported_where_they_are_used():
    """Never when a module of ours is imported: `import corels` works without them."""
    files = {name.replace(".", "/") + ".py" for name in FACES}
    assert not [
        str(i)
        for _, i in every_import()
        if (i.package in OPTIONAL or i.module in FACES)
        and i.top
        and i.file.relative_to(ROOT).as_posix() not in files
    ]


def test_everything_else_is_declared():
    """What is neither ours nor the standard library's is a dependency that pyproject names."""
    declared = {"numpy", *CONFINED, *OPTIONAL}
    strange = [
        str(i) for _, i in every_import() if i.package not in OURS | STANDARD | declared | NATIVE
    ]
    assert not strange


def test_importing_corels_loads_no_optional_package():
    code = (
        "import corels, corels.cli, sys; print(*sorted(m.partition('.')[0] for m in sys.modules))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not OPTIONAL & set(loaded)
    assert not (OURS - {"corels"}) & set(loaded), "parts are loaded when one is looked up"


# Native code: a file includes its own neighbours, and what lies below it.

BELOW = {  # room of backends/c/src -> rooms whose private headers it may include
    "base": {"base"},
    "kernels": {"base", "kernels"},
    "counter": {"base", "counter", "kernels"},
    "prices": {"base", "kernels", "prices"},
    "bounds": {"base", "bounds", "kernels"},
    "near": {"base", "kernels", "near", "search/depth_first"},  # walk_from.h
    "search": {"base", "bounds", "kernels", "search"},
    # The two frontiers stand on what they share, and never include each other.
    "search/best_first": {"base", "bounds", "search", "search/best_first"},
    "search/depth_first": {"base", "bounds", "search", "search/depth_first"},
}
STANDARD_HEADERS = {
    "assert.h", "cpuid.h", "emmintrin.h", "immintrin.h", "inttypes.h", "limits.h", "math.h",
    "pthread.h", "stdalign.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h",
    "stdlib.h", "string.h", "time.h",
    "arm_neon.h", "intrin.h", "malloc.h", "sys/mman.h", "unistd.h",  # other processors and
    "windows.h",  # systems
}  # fmt: skip
SILENT = {"assert.h"}  # the library never aborts; stdio.h is there for snprintf


def test_included_headers_are_known():
    wrong = [
        f"{path.relative_to(ROOT)}:{line} includes <{name}>"
        for path in c_files()
        for line, quoted, name in includes(path)
        if not quoted and (name not in STANDARD_HEADERS or name in SILENT)
    ]
    assert not wrong


def test_backend_files_include_what_lies_below():
    source = ROOT / "backends/c/src"
    public = ROOT / "backends/c/include"
    wrong = []
    for path in c_files():
        if source not in path.parents:
            continue
        room = path.parent.relative_to(source).as_posix()
        for line, quoted, name in includes(path):
            if not quoted or (public / name).exists():
                continue
            found = source.rglob(name.rpartition("/")[2])
            homes = {header.parent.relative_to(source).as_posix() for header in found}
            if not homes & BELOW[room]:
                wrong.append(f"{path.relative_to(ROOT)}:{line} includes {name} of {sorted(homes)}")
    assert not wrong


def test_public_headers_include_public_headers_only():
    public = ROOT / "backends/c/include"
    wrong = [
        f"{path.relative_to(ROOT)}:{line} includes {name}"
        for path in public.rglob("*.h")
        for line, quoted, name in includes(path)
        if quoted and not (public / name).exists()
    ]
    assert not wrong


def test_native_plugins_use_public_headers_of_the_backend_only():
    public = ROOT / "backends/c/include"
    wrong = []
    for path in c_files():
        if ROOT / "plugins" not in path.parents:
            continue
        plugin = ROOT / "plugins" / path.relative_to(ROOT / "plugins").parts[0]
        own = {h.name for h in plugin.rglob("*.h")}
        for line, quoted, name in includes(path):
            if quoted and not (public / name).exists() and name.rpartition("/")[2] not in own:
                wrong.append(f"{path.relative_to(ROOT)}:{line} includes {name}")
    assert not wrong


def test_the_library_never_prints_and_never_aborts():
    """No call of these anywhere in native code."""
    forbidden = ("printf(", "fprintf(", "puts(", "perror(", "abort(", "exit(", "assert(")
    wrong = []
    for path in c_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = line.partition("//")[0]
            wrong += [
                f"{path.relative_to(ROOT)}:{number} {call}"
                for call in forbidden
                if call in code.replace("_Static_assert(", "").replace("snprintf(", "")
            ]
    assert not wrong


def test_what_benchmarks_and_tools_import_is_there():
    """They are run by hand, and import much of it within functions."""
    asked = {
        (path, node.module, name.name)
        for folder in ("benchmarks", "tools")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in OURS
        for name in node.names
    }
    assert len(asked) > 25
    for path, module, name in sorted(asked):
        try:
            found = importlib.import_module(module)
            there = hasattr(found, name) or importlib.util.find_spec(f"{module}.{name}")
        except ModuleNotFoundError as error:
            there = error.name in OPTIONAL  # and not here
        assert there, f"{path.relative_to(ROOT)} imports {name} of {module}"
