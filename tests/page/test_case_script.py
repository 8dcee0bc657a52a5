"""The page's short copy of the search for a change, run by Node, against the core's."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corels_page.document import page_document

from corels.export.reasons import Reasons

sys.path.append(str(Path(__file__).parents[1] / "contract"))
from family_models import FAMILIES
from test_reasons import model_of

CASE = Path(__file__).parents[2] / "plugins/page/corels_page/static/case.js"
STAGE = """
const element = () => ({ append() {}, addEventListener() {}, setAttribute() {},
  replaceChildren() {}, classList: { toggle() {} }, value: "" });
globalThis.document = { querySelectorAll: () => [] };
globalThis.page = { found: FOUND, make: element, name: String, at: element };
"""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def changes_of_page(model, rows, ways, folder):
    """Of each row the columns of the smallest change; None for no change."""
    found = {**page_document(model), "ways": ways}
    program = STAGE.replace("FOUND", json.dumps(found)) + CASE.read_text("utf-8")
    program += f"""
const rows = {json.dumps(rows)};
console.log(JSON.stringify(rows.map((row) => page.change(row).best).map((one) =>
  (one ? one.chosen : null))));
"""
    (folder / "case.js").write_text(program, encoding="utf-8")
    told = subprocess.run(
        ["node", "case.js"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


@needs_node
@pytest.mark.parametrize("ways", [{}, {"size": "up", "flag": "never"}, {"size": "down"}])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("family", [*FAMILIES, "points"])
def test_the_page_finds_the_change_that_the_core_finds(family, seed, ways, tmp_path):
    model, table = model_of(family, seed)
    asked = {c.column: c.operator for a in model.antecedents for c in a.conditions}
    if asked.get("size") in ("==", "!=", "in", "not in", "missing", "present"):
        ways = {name: way for name, way in ways.items() if name != "size"}
    found = Reasons(model, table, ways)
    truths = {
        c.name for c in found.columns if any(o.operator in ("true", "false") for o in c.conditions)
    }
    rows = [
        [
            None if row[n] is None else bool(row[n]) if c.name in truths else row[n]
            for n, c in enumerate(found.columns)
        ]
        for row in zip(*(found.given[c.name].cells() for c in found.columns), strict=True)
    ]
    own = found.explained()
    by_page = changes_of_page(model, rows, ways, tmp_path)
    for one, theirs in zip(own, by_page, strict=True):
        ours = None if not one.changes else list(one.changes[0].cells)
        assert theirs == ours
