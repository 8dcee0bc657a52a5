"""The page's short copy of the search for a change, run by Node, against the core's."""

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from called import code
from corels_page.deciders import asked
from corels_page.document import page_document

import corels
from corels.export.reasons import Reasons

sys.path.append(str(Path(__file__).parents[1] / "contract"))
from family_models import FAMILIES
from seeds import seeds
from test_reasons import model_of

CASE = Path(__file__).parents[2] / "plugins/page/corels_page/static/case.js"
STAGE = """
const element = () => ({ append() {}, addEventListener() {}, setAttribute() {},
  replaceChildren() {}, classList: { toggle() {} }, value: "" });
globalThis.document = { querySelectorAll: () => [] };
globalThis.page = { found: FOUND, make: element, name: String, at: element };
"""
FORM = """
const ids = new Map();
const element = (id) => ({ append() {}, setAttribute() {}, remove() {}, id,
  classList: { toggle() {} },
  value: "", text: "", addEventListener(kind, listen) { this[kind] = listen; },
  replaceChildren(...parts) { this.text = parts.map((one) => one?.text ?? one).join(""); } });
const at = (id) => { if (!ids.has(id)) ids.set(id, element(id)); return ids.get(id); };
const make = (tag, given, ...parts) => Object.assign(at(given.id ?? Math.random()),
  { text: parts.flat().map((one) => one?.text ?? one ?? "").join(""), parts });
globalThis.document = { querySelectorAll: () => [] };
globalThis.page = { found: FOUND, make, name: String, at };
"""


def told_by_form(document, asked, folder):
    """What "my case" says of what is typed or chosen in its fields: (outcome, first remark)."""
    program = FORM.replace("FOUND", json.dumps(document)) + CASE.read_text("utf-8")
    program += f"""
const asked = {json.dumps(asked)};
console.log(JSON.stringify(asked.map((row) => {{
  row.forEach((entry, i) => {{
    at(`case-${{i}}`).validity = {{ badInput: entry === "abc" }};
    at(`case-${{i}}`).value = entry === "abc" ? "" : entry;
  }});
  at("case-form").input();
  return [at("case-outcome").text, at("case-0-remark").textContent];
}})));
"""
    return run(program, folder)


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def changes_of_page(model, rows, ways, folder):
    """Of each row the columns of the smallest change; None for no change."""
    document = page_document(model)
    found = {**document, "asked": asked(model, document["conditions"], ways)}
    program = STAGE.replace("FOUND", json.dumps(found)) + CASE.read_text("utf-8")
    program += f"""
const rows = {json.dumps(rows)};
console.log(JSON.stringify(rows.map((row) => page.change(row).best).map((one) =>
  (one ? one.chosen : null))));
"""
    return run(program, folder)


def run(program, folder):
    """What a program of Node prints, read as JSON."""
    (folder / "case.js").write_text(program, encoding="utf-8")
    told = subprocess.run(
        ["node", "case.js"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


@needs_node
@pytest.mark.parametrize("seed", seeds(6, 2))
@pytest.mark.parametrize("family", [*FAMILIES, "points"])
def test_the_page_finds_the_change_that_the_core_finds(family, seed, tmp_path):
    ways = ({}, {"size": "up", "flag": "never"}, {"size": "down"})[(seed + len(family)) % 3]
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
    by_page = changes_of_page(model, rows or [[]] * len(own), ways, tmp_path)  # of no column
    for one, theirs in zip(own, by_page, strict=True):
        ours = None if not one.changes else list(one.changes[0].cells)
        assert theirs == ours


def document_of(file):
    found = re.search(r'id="document">(.*?)</script>', Path(file).read_text("utf-8"), re.S)
    return json.loads(found[1])


@needs_node
def test_my_case_answers_as_predict_does_where_a_code_means_no_value(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [(i % 200, f"{i * 37 % 100}%", "yes" if i % 200 > 99 else "no") for i in range(400)]
    rows += [(999, "50%", "no")] * 40
    with open("c.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("months", "score", "y"), *rows])
    learn = ("--label", "y", "--missing", "999", "-r", "0.02", "--quiet", "-o", "c.json")
    assert not code("run", "c.csv", *learn)
    assert not code("report", "c.json", "c.csv")
    assert not code("predict", "c.json", "c.csv", "--output", "p.csv")
    with open("p.csv", newline="", encoding="utf-8") as file:
        predicted = [row[-1] for row in csv.reader(file)]
    document = document_of("report.html")
    assert [one["column"] for one in document["conditions"]] == ["months"]
    told = told_by_form(document, [[str(months)] for months, _, _ in rows], tmp_path)
    assert len(predicted) == len(told) == 440
    for (months, _, _), (outcome, remark), answer in zip(rows, told, predicted, strict=True):
        assert f"decides: y = {answer}" in outcome
        assert remark == ("This counts as no value." if months == 999 else "")
    odd = told_by_form(document, [["abc"], ["5062024"], ["-1"]], tmp_path)
    beyond = "In training it was from 0 to 199."
    assert [remark for _, remark in odd] == ["This is no number.", beyond, beyond]
    assert odd[0][0] == ""


@needs_node
def test_an_open_question_does_not_decide_and_the_other_value_has_its_name(tmp_path):
    cells = [(sex, home, age) for sex in "fm" for home in ("no", "yes") for age in range(20, 60)]
    table = {
        "sex": [one[0] for one in cells],
        "home": [one[1] for one in cells],
        "age": [one[2] for one in cells],
        "y": ["yes" if one[0] == "f" and one[2] > 39 else "no" for one in cells],
    }
    result = corels.learn(table, "y", regularization="0.01", max_cardinality=2)
    document = page_document(result.model)
    fields = list(dict.fromkeys(one["column"] for one in document["conditions"]))
    assert sorted(fields) == ["age", "sex"]
    texts = [{"sex": "0", "age": ""}, {"sex": "", "age": "50"}, {"sex": "0", "age": "50"}]
    told = told_by_form(document, [[one[f] for f in fields] for one in texts], tmp_path)
    assert ["would decide" in outcome for outcome, _ in told] == [True, True, False]
    assert "decides: y = " in told[2][0]
    program = FORM.replace("FOUND", json.dumps(document)) + CASE.read_text("utf-8")
    place = fields.index("sex")
    program += f"console.log(JSON.stringify(at('case-{place}').parts.flat().map((o) => o.text)))"
    assert set(run(program, tmp_path)) == {"not known", "f", "m"}
