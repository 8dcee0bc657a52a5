"""What the tests of the house walk: source files, their imports and their includes."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON_ROOMS = {
    "corels": ROOT / "corels",
    "corels_c": ROOT / "backends/c/corels_c",
    "corels_python": ROOT / "backends/python/corels_python",
    "corels_checker": ROOT / "backends/checker/corels_checker",
    **{
        place.name: place
        for place in sorted((ROOT / "plugins").glob("*/corels_*"))
        if place.is_dir() and (place / "__init__.py").exists()
    },
}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)


@dataclass(frozen=True)
class Import:
    """One imported module. top: it runs when the file is imported; runs: it ever does."""

    file: Path
    line: int
    module: str
    top: bool
    runs: bool = True

    @property
    def package(self):
        return self.module.partition(".")[0]

    def __str__(self):
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def python_files(room):
    return sorted(PYTHON_ROOMS[room].rglob("*.py"))


def c_files():
    backends = (ROOT / "backends/c", ROOT / "backends/checker")
    places = (*backends, *sorted((ROOT / "plugins").glob("*")))
    return sorted(
        path
        for place in places
        for path in (*place.rglob("*.c"), *place.rglob("*.h"))
        if "build" not in path.parts
    )


@cache
def imports(path):
    """All imports of a file; those under `if TYPE_CHECKING` and in functions are not `top`."""
    return list(_walk(path, ast.parse(path.read_text(encoding="utf-8")), True))


def _walk(path, node, top, runs=True):
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(path, node.lineno, alias.name, top, runs)
    if isinstance(node, ast.ImportFrom):
        module = ("." * node.level) + (node.module or "")
        yield Import(path, node.lineno, module, top, runs)
        for alias in node.names:  # which may be a module, too
            yield Import(path, node.lineno, f"{module}.{alias.name}", top, runs)
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for child in node.body:
            yield from _walk(path, child, False, False)
        for child in node.orelse:
            yield from _walk(path, child, top, runs)
        return
    inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    for child in ast.iter_child_nodes(node):
        yield from _walk(path, child, top and not inside, runs)


@cache
def includes(path):
    """(line, quoted?, name) of every #include."""
    text = path.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start()) + 1, match[1] == '"', match[2])
        for match in INCLUDE.finditer(text)
    ]
