"""Files stay under 400 lines and functions under 40; the offenders are reported, not hidden.

The limits of the house are a report only (`pytest -rP tests/house/test_sizes.py` prints it, and a
test run shows it as a warning): a file that has to be longer is not squeezed.
"""

import ast
import re
import warnings

from sources import PYTHON_ROOMS, ROOT, c_files, python_files

FILE, FUNCTION = 400, 40
C_FUNCTION = re.compile(r"^(?!static const|typedef|struct|enum|#|\s)[^\n;=]*\([^;{]*\)\s*\{$", re.M)


def every_file():
    return [*(p for room in PYTHON_ROOMS for p in python_files(room)), *c_files()]


def lengths(path):
    """(name, lines) of every function of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.name, node.end_lineno - node.lineno + 1
        return
    for match in C_FUNCTION.finditer(text):
        end = text.find("\n}", match.end())
        name = re.search(r"(\w+)\s*\(", match[0])
        yield name[1] if name else "?", text.count("\n", match.start(), end) + 2


def report(limit_file, limit_function):
    found = []
    for path in every_file():
        where = path.relative_to(ROOT)
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > limit_file:
            found.append(f"{where}: {lines} lines")
        found += [
            f"{where}: {name} has {size} lines"
            for name, size in lengths(path)
            if size > limit_function
        ]
    return found


def test_sizes_are_reported():
    offenders = report(FILE, FUNCTION)
    if offenders:
        message = f"over {FILE} lines a file or {FUNCTION} a function:\n  " + "\n  ".join(offenders)
        print(message)
        warnings.warn(message, UserWarning, stacklevel=1)


def test_the_measure_measures():
    sizes = dict(lengths(ROOT / "backends/c/src/search/depth_first/walk.c"))
    assert {"enter", "leave", "settle_child"} <= set(sizes)
    assert all(size > 2 for size in sizes.values())
