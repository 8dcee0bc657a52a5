"""Every snippet of the README and of the documentation runs, and prints what the page says."""

import subprocess

import pytest
from pages import ROOT, blocks, commands, marker, matches, pages, prepare_directory, python_program

# No lines about work that takes longer than a second, which it may on a busy machine.
QUICK = (
    "import corels.clock as it; it.FIRST_LINE = 1e9; "
    "it.Clock.due = it.Clock.line_due = lambda clock: False\n"
)

# Commands that a page mentions and that run elsewhere.
MENTIONED = {
    "make demo": "tests/docs/test_demo.py",
    "make test": ".ci/run",
    "make test-outside": ".ci/run",
    "make lint": ".ci/run",
    "make docs": ".ci/run",
    "make test-long": "the same pytest without a marker",
    "make test-sanitize": "run before a release: builds a second engine",
    "make bench": "benchmarks/",
    "make wheel": "run before a release",
    "make clean": "removes the environment that tests run in",
    "pip install .": "make demo",
}


PAGES = [
    pytest.param(page, marks=() if page.name == "README.md" else pytest.mark.outside)
    for page in pages()
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page, environment, tmp_path):
    place = prepare_directory(tmp_path / "page")
    (environment.site / "quick.pth").write_text(QUICK)
    found = blocks(page)
    for block in found:
        if block.kind == "console":
            run_console(block, environment, place)
        if block.kind in ("sh", "bash", "shell"):
            for line in block.body.splitlines():
                command = line.partition("#")[0].strip()
                assert not command or command in MENTIONED, f"line {block.line}: nobody runs {line}"
    run_python(found, environment, place)


def run_console(block, environment, place):
    for command, expected in commands(block.body):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=place,
            env=environment.variables(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=500,
            check=False,
        )
        where = f"block in line {block.line}: $ {command}"
        assert matches(expected, done.stdout), f"{where}\nprinted:\n{done.stdout}"
        fine = done.returncode == 0 or "echo $?" in command or "error:" in expected
        assert fine, f"{where}\nended with {done.returncode}:\n{done.stdout}"


def run_python(found, environment, place):
    snippets = [block for block in found if block.kind == "python"]
    if not snippets:
        return
    (place / "page.py").write_text(python_program(snippets), encoding="utf-8")
    done = environment.run(environment.bin / "start", "page.py", cwd=place)
    assert done.returncode == 0, done.stdout + done.stderr
    for block in snippets:
        after = found[found.index(block) + 1 :]
        if after and after[0].kind == "text":
            printed = done.stdout.partition(marker(block) + "\n")[2].partition("\n=== the snippet")[
                0
            ]
            assert matches(after[0].body, printed), f"line {block.line} printed:\n{printed}"


def test_the_matcher_can_fail():
    assert matches("a ... c\n", "a b c")
    assert matches("a\n...\nz", "a\nb\n\nc\nz  ")
    assert not matches("a ... c", "a b d")
    assert not matches("a", "a\nb")
    assert commands("$ one\nx\n$ two\n> three\n") == [("one", "x"), ("two\nthree", "")]


def test_the_policy_in_the_readme_is_the_toy_plugin():
    toy = (ROOT / "docs/tutorial/toy-policy/corels_toy_policy.py").read_text(encoding="utf-8")
    readme = [block.body for block in blocks(ROOT / "README.md") if block.kind == "python"]
    assert toy in readme
