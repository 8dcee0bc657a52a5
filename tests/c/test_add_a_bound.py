"""What does it take to add a bound to the engine? A dummy is added to a copy of the sources.

`PLAIN` is everything that has to be touched: file -> what is done to it. The engine is then built
from the copy, and the dummy prunes and changes no optimum. The count stands in
docs/internals/architecture.md, and docs/how-to/bound-in-c.md shows the file in C.
"""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from test_programs import needs_compiler

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
C = Path("backends/c/src")
RULE_LIST = Path("plugins/rule_list/corels_rule_list")
DOCS = Path("docs/internals")
NEEDED = ("base", "kernels", "counter", "prices", "bounds", "search")
OTHER_MACHINES = ("neon.c", "popcnt.c", "avx2.c", "avx512.c")


def appended(line):
    return lambda text: text + line


def before(mark, line):
    return lambda text: text.replace(mark, line + mark, 1)


PLAIN = {
    C / "bounds/dummy.c": lambda _: (HERE / "dummy_bound.c").read_text(),
    C / "bounds/bounds.def": appended("SET_BOUND(dummy)\n"),
    RULE_LIST / "set_bounds.py": lambda text: before(
        "SET_BOUNDS: ",
        "class Dummy(SetBound):\n"
        '    name = "dummy"\n'
        '    summary = "drops a child if what is left of the need does not pay for a rule"\n'
        '    theorem = "docs/internals/bounds.md#dummy"\n\n'
        "    def compare(self, children, expansion, incumbent):\n"
        "        return children.lower_bound + children.rule_cost < incumbent\n\n"
        "    def least(self, dropped, incumbent):\n"
        "        return int(dropped.lower_bound.min()) + dropped.rule_cost\n\n\n",
    )(text).replace("Dominance, OneRule)", "Dominance, OneRule, Dummy)"),
    DOCS / "bounds.md": appended("\n(dummy)=\n## Dummy: `dummy`\n\nIts proof.\n"),
}


def added(to, files):
    """A copy of what is needed of the sources, with the changes made."""
    for folder in ("backends/c/src", "backends/c/include", RULE_LIST, DOCS):
        shutil.copytree(ROOT / folder, to / folder)
    for path, change in files.items():
        old = (to / path).read_text() if (to / path).exists() else ""
        new = change(old)
        assert new != old, f"{path} stays as it is"
        (to / path).write_text(new)


def built(place):
    """The program dummy_main.c with the engine of `place`, for any machine."""
    folders = [f"-I{path}" for path in {p.parent for p in (place / C).rglob("*.[hd]*")}]
    sources = [p for room in NEEDED for p in (place / C / room).rglob("*.c")]
    sources = [p for p in sources if p.name not in OTHER_MACHINES] + [HERE / "dummy_main.c"]
    command = ["cc", "-std=c11", "-O0", *folders, f"-I{place / 'backends/c/include'}", "-c"]

    def compiled(numbered):
        number, source = numbered
        target = place / f"{number}.o"
        subprocess.run([*command, source, "-o", target], check=True)
        return target

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compiled, enumerate(sources)))
    program = place / "dummy"
    subprocess.run(["cc", *objects, "-lm", "-lpthread", "-o", program], check=True)
    return program


def run(program, *bounds):
    """The optimum; bound -> (children dropped, stages of tables)."""
    done = subprocess.run([program, *bounds], check=True, capture_output=True, text=True)
    first, *lines = done.stdout.splitlines()
    rows = (line.split() for line in lines)
    return int(first), {name: (int(pruned), int(stages)) for name, pruned, stages in rows}


@needs_compiler
@pytest.mark.outside
def test_a_dummy_prunes_and_changes_no_optimum(tmp_path):
    added(tmp_path, PLAIN)
    program = built(tmp_path)
    always = ("hierarchical", "equivalent_points")
    alone, _ = run(program, *always)
    plain, pruned = run(program, *always, "dummy")
    assert (plain, pruned["dummy"][1]) == (alone, -1) and pruned["dummy"][0] > 0
    assert run(program, *always, "prices", "dominance", "dummy")[0] == alone


IN_A_COPY = """
import sys
for finder in sys.meta_path:  # an editable install knows each module's own place
    known = getattr(finder, "known_source_files", {{}})
    for module in [name for name in known if name.startswith("corels_rule_list")]:
        del known[module]
    getattr(finder, "submodule_search_locations", {{}}).pop("corels_rule_list", None)
sys.path.insert(0, {folder!r})
import corels_rule_list
from corels.plugins import registry
from corels.testing import bounds, check_bound
assert corels_rule_list.__file__.startswith({folder!r})
bounds.PROBLEMS = (8, 5, 3)
check_bound(registry().get("bound", "dummy"))
"""


def test_the_registry_has_it(tmp_path):
    """The changed plugin offers the bound, which keeps its contract."""
    path = RULE_LIST / "set_bounds.py"
    added(tmp_path, {path: PLAIN[path]})
    code = IN_A_COPY.format(folder=str(tmp_path / RULE_LIST.parent))
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_page_says_how_many_files_that_are():
    page = (ROOT / DOCS / "architecture.md").read_text()
    assert f"| a bound that compares or counts | {len(PLAIN)} |" in page
    assert len(PLAIN) <= 5
