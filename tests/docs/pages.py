"""Running a page of documentation: every snippet is executed, and its output compared.

    ```python     executed, all of one page in one process; what it prints is compared with the
                  ```text block that follows it, if one does
    ```console    lines `$ command` are run by the shell; the lines after one are what it prints
                  (stdout and stderr together); `...` stands for anything
    ```sh         commands that a page only mentions. They must be in MENTIONED, with the test
                  that runs them.

Each page runs in a fresh environment and a fresh directory that holds a copy of docs/tutorial.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"^(?P<tick>```+)(?P<kind>[\w{}-]*)[^\n]*\n(?P<body>.*?)^(?P=tick)$", re.M | re.S
)

# The contract of bounds asks 96 problems; tests/contract has what it finds with all of them.
FEWER_PROBLEMS = "import corels.testing.bounds as bounds\nbounds.PROBLEMS = (8, 5, 3)\n"


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    kind: str
    body: str
    line: int


def pages():
    """README, CONTRIBUTING and everything under docs."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if "_build" not in page.parts and page.exists()]


def blocks(page):
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(match["kind"], match["body"], text.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(text)
    ]


def matches(expected, found):
    """Whether text is as a page says; `...` stands for anything (a line of it also for no line),
    trailing blanks do not count."""
    between = (
        r".*".join(re.escape(part) for part in lines.split("..."))
        for lines in re.split(r"^\.\.\.\n", _lines(expected), flags=re.M)
    )
    return re.fullmatch(r"(?:.*\n)?".join(between), _lines(found), re.S) is not None


def _lines(text):
    """Lines without what no reader sees: trailing blanks, empty lines."""
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def commands(body):
    """(command, expected output) of a console block."""
    found = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        else:
            assert found, f"a console block begins with a command: {line!r}"
            found[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in found]


def prepare_directory(place):
    """A directory for a page's files."""
    place.mkdir()
    shutil.copytree(ROOT / "docs/tutorial", place / "docs/tutorial")
    return place


def python_program(snippets):
    """One program of all Python snippets; a marker line separates what they print."""
    parts = ["import warnings\nwarnings.simplefilter('error', DeprecationWarning)\n"]
    if any("check_bound(" in block.body for block in snippets):
        parts.append(FEWER_PROBLEMS)
    for block in snippets:
        parts.append(f"print({marker(block)!r}, flush=True)\n")
        code = block.body
        parts.append(f"exec(compile({code!r}, 'the snippet in line {block.line}', 'exec'))\n")
    return "".join(parts)


def marker(block):
    """A line that no snippet prints."""
    return f"=== the snippet in line {block.line} printed:"
