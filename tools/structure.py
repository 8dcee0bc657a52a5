"""Draws who imports whom, folder by folder, as docs/internals/architecture.md shows it.

    python tools/structure.py docs/internals/structure-now.svg
    python tools/structure.py docs/internals/structure-1.2.svg ad14b6ef

The second argument is a commit; without it, the files of the working tree are drawn. A box is a
folder of the core, or a whole plugin or backend, with its lines of code. An arrow is an import that
Python runs when it loads the file: not one inside a function, nor one for type checkers, nor those
of the front door (`FRONT_DOOR`). Arrows that follow from others are left out. Folders that
import each other in a circle stand in one red frame: none can be read or loaded by itself.

Needs Graphviz (`dot`).
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOOSE = "corels/*.py"
FRONT_DOOR = ("corels/__init__.py", "corels/corels.py", "corels/utils.py")
COLOURS = {"corels": "#dbe9f6", "plugins": "#e3f1dc", "backends": "#fbe5d0"}
Files = dict[str, str]
Arrows = dict[str, set[str]]


def files_of(commit: str | None) -> Files:
    """Path -> text of every source file of the core, the plugins and the backends."""
    if commit is None:
        found = (path for top in COLOURS for path in sorted((ROOT / top).rglob("*")))
        paths = {path.relative_to(ROOT).as_posix(): path for path in found if path.is_file()}
        return {name: path.read_text("utf-8") for name, path in paths.items() if _source(name)}
    packed = subprocess.check_output(["git", "archive", commit, *COLOURS], cwd=ROOT)
    with tarfile.open(fileobj=BytesIO(packed)) as tree:
        return {
            member.name: tree.extractfile(member).read().decode()  # type: ignore[union-attr]
            for member in tree
            if member.isfile() and _source(member.name)
        }


def _source(path: str) -> bool:
    return "/build/" not in path and path.endswith(
        (".py", ".c", ".h", ".def", ".cdef", ".js", ".html", ".css")
    )


def box_of(path: str) -> str:
    """The box in which a file lies."""
    top, *rest = path.split("/")
    return f"{top}/{rest[0]}" if len(rest) > 1 else LOOSE


def boxes_by_module(files: Files) -> dict[str, str]:
    """The first parts of a module's name -> its box."""
    found: dict[str, str] = {}
    for path in files:
        if path.endswith(".py"):
            parts = path.removesuffix(".py").split("/")
            name = parts if parts[0] == "corels" else parts[2:]
            for length in (1, 2) if parts[0] == "corels" else (1,):
                found.setdefault(".".join(name[:length]), box_of(path))
    return found | {"corels": LOOSE}


def imported(tree: ast.AST) -> Iterator[str]:
    """Modules that a file imports when it is loaded."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        ):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        yield from imported(node)


def arrows_of(files: Files) -> Arrows:
    """Box -> the boxes that it imports."""
    boxes = boxes_by_module(files)
    arrows: Arrows = {box_of(path): set() for path in files}
    for path, text in files.items():
        if path.endswith(".py") and path not in FRONT_DOOR:
            for module in imported(ast.parse(text)):
                first, _, rest = module.partition(".")
                second = f"{first}.{rest.partition('.')[0]}"
                aim = boxes.get(second, boxes.get(first))
                if aim is not None:
                    arrows[box_of(path)].add(aim)
    return {box: aims - {box} for box, aims in arrows.items()}


def circles(arrows: Arrows) -> list[set[str]]:
    """The sets of boxes that reach each other, one of each circle."""
    left = {box: set(aims) for box, aims in arrows.items()}
    found: list[set[str]] = []
    while True:
        try:
            tuple(TopologicalSorter(left).static_order())
            return found
        except CycleError:
            circle = next(own for box in left if len(own := _reached(left, box, back=True)) > 1)
            found.append(circle)
            left = {box: aims - circle for box, aims in left.items() if box not in circle}


def _reached(arrows: Arrows, start: str, *, back: bool = False) -> set[str]:
    """All boxes to which arrows lead; back: only those from which arrows lead back, too."""
    found, open_ = {start}, [start]
    while open_:
        new = arrows.get(open_.pop(), set()) - found
        found |= new
        open_ += new
    return {box for box in found if start in _reached(arrows, box)} if back else found


def needed(arrows: Arrows, circle_of: dict[str, int]) -> list[tuple[str, str]]:
    """The arrows that do not follow from others; of those inside a circle, all."""
    reached = {box: _reached(arrows, box) for box in arrows}

    def follows(box: str, aim: str) -> bool:
        return any(
            aim in reached[other]
            and box not in reached[other]
            and (other not in reached[aim] or other < aim)
            for other in arrows[box]
        ) and circle_of.get(box, -1) != circle_of.get(aim, -2)

    return [(box, aim) for box in arrows for aim in sorted(arrows[box]) if not follows(box, aim)]


def drawing(files: Files) -> str:
    """The picture in Graphviz's language."""
    lines = Counter[str]()
    for path, content in files.items():
        lines[box_of(path)] += content.count("\n")
    arrows = arrows_of(files)
    inside = circles(arrows)
    circle_of = {box: number for number, circle in enumerate(inside) for box in circle}
    text = ['digraph { rankdir=TB; nodesep=.15; ranksep=.35; fontname="sans-serif";']
    text.append('node [shape=box, style=filled, fontname="sans-serif", fontsize=11, penwidth=.5];')
    text.append("edge [arrowsize=.6];")
    for box in arrows:
        colour = COLOURS[box.split("/")[0]]
        text.append(f'"{box}" [label="{box}\\n{lines[box]:,}", fillcolor="{colour}"];')
    for number, circle in enumerate(inside):
        members = "; ".join(f'"{box}"' for box in sorted(circle))
        text.append(f'subgraph cluster_{number} {{ color="#cc0000"; {members}; }}')
    for box, aim in needed(arrows, circle_of):
        bad = circle_of.get(box, -1) == circle_of.get(aim, -2)
        text.append(f'"{box}" -> "{aim}" [color="{"#cc0000" if bad else "#777777"}"];')
    return "\n".join([*text, "}"])


def main(target: str, commit: str | None = None) -> None:
    """Writes the picture of a commit, or of the working tree."""
    source = drawing(files_of(commit))
    subprocess.run(["dot", "-Tsvg", "-o", target], input=source, text=True, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
