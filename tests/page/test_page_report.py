"""The report as a file: what is on it, what is not, and that no name gets out of its place."""

import json
import re
from html.parser import HTMLParser

import pytest
from corels_page import Further, page_document, report
from corels_page.commands.report import PATH
from corels_page.others import near_lists, path_lists, read_near, read_output
from page_samples import HOSTILE, certificate, hostile_list, many_near, with_predictions

import corels
from corels.errors import InputError, OptionError
from corels.problem import Problem
from corels.tables import TableOptions, load

pytest.importorskip("jinja2", reason="the extra `page` is not installed")


class Tags(HTMLParser):
    """Every element with its attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.fixture(scope="module")
def titanic():
    return Problem.from_dataset(load("titanic"), "0.01")


def test_a_report_is_one_file_that_names_no_other(titanic):
    text = corels.solve(titanic).report().html
    assert len(text) < 700_000
    tags = Tags(text).found
    assert not [a for _, a in tags if {"src", "srcset", "action", "style"} & a.keys()]
    assert not [a for _, a in tags if any(name.startswith("on") for name in a)]
    assert all(a["href"].startswith("#") for _, a in tags if "href" in a)
    policies = [a["content"] for _, a in tags if "Content-Security-Policy" in a.values()]
    assert policies[0].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policies[0]


def test_rows_left_undecided_and_what_was_demanded():
    """Whether a "don't know" is right is not asked; the rates are there, and what they cost."""
    options = TableOptions(
        abstain="0.25", constraints=("statistical-parity by sex within 0.3", "coverage >= 0.5")
    )
    result = corels.solve(Problem.from_dataset(load("titanic", options), "0.005"))
    page = page_document(result.model, result.certificate)
    text = result.report().html
    assert page["labels"] == ["no", "yes"] and page["classes"][2] == "don't know"
    asked = [one for one in page["deciders"] if one["undecided"]]
    assert asked and all(one["errors"] is None for one in asked)
    assert "rows (" in text and " undecided" in text and "don't know</bdi>: " not in text
    rates, coverage = page["certificate"]["demanded"]
    assert rates[0] == "positive rate by sex" and [n for n, _ in rates[1]] == ["Female", "Male"]
    assert coverage[0] == "coverage" and coverage[3] == "at least 0.5"
    free = corels.solve(
        Problem.from_dataset(
            load("titanic", TableOptions(abstain="0.25", ignore=("sex",))), "0.005"
        )
    )
    more = float(result.certificate.objective - free.certificate.objective)
    assert f"keeping to them costs {more:.6f} more" in page["certificate"]["price"]
    assert "A rule list costs what its answers cost on average" in page["certificate"]["proved"]
    assert "and that keeps to the constraints costs less than" in page["certificate"]["proved"]


def test_weights_that_were_multiplied_are_told_as_they_were_given(titanic):
    table = {"a": [0, 1] * 20, "w": [0.75, 1.5] * 20, "y": [0, 1] * 20}
    found = corels.learn(table, "y", weight="w").report().html
    assert "40 rows, which weigh 45: all counts are weights; a weight of 0 of them is" in found
    assert "weights: 40 rows weigh 45 (column w)" in found and "1 row" not in found
    assert "rows, each of them one case" in corels.solve(titanic).report().html


def test_parts_that_do_not_apply_are_absent(titanic):
    result = corels.solve(titanic)
    ids = {a["id"] for _, a in Tags(result.report().html).found if "id" in a}
    assert {"list", "case", "certificate"} <= ids
    assert not {"history", "near", "path", "steps", "claims-table", "groups-title"} & ids
    bare = Tags(report(result.model).html).found
    assert "certificate" not in {a.get("id") for _, a in bare}
    constant = corels.solve(Problem.from_dataset(load("titanic"), "0.9")).report().html
    assert "case" not in {a.get("id") for _, a in Tags(constant).found}
    assert "Always" in constant


def test_hostile_names_stay_text():
    near = near_lists(with_predictions(many_near(50)))
    further = Further(
        data={"name": HOSTILE[0]}, check=HOSTILE[5], near=near, claims=[(HOSTILE[0], 0.2, "")]
    )
    text = report(hostile_list(), certificate(), further).html
    tags = Tags(text).found
    assert not [tag for tag, _ in tags if tag == "img"]
    assert "window.hit=1</script>" not in text
    assert "\u202e" not in text
    block = re.search(r'<script type="application/json" id="document">(.*?)</script>', text, re.S)
    assert json.loads(block[1])["near"]["lists"]
    assert "&lt;/script&gt;" in text


@pytest.mark.parametrize("solver", ["rule-list", "falling", "rule-set"])
def test_every_family_has_a_page(solver, titanic):
    pytest.importorskip("highspy") if solver == "rule-set" else None
    result = corels.solve(titanic, solver, time_limit=5)
    document = page_document(result.model, result.certificate)
    assert sum(sum(row["counts"]) for row in document["deciders"]) == titanic.total
    assert document["deciders"][-1]["formula"] == {"all": []}
    text = result.report().html
    assert ("the risk of <bdi>" in text) == (solver == "falling")


def test_a_proof_without_first_rules_is_not_said_to_be_of_another_model(tmp_path, run):
    pytest.importorskip("highspy")
    model, proof, page = (tmp_path / name for name in ("m.json", "p", "r.html"))
    words = "run", "--dataset", "titanic", "--solver", "rule-set", "--complexity", 2, "-q"
    assert run(*words, "-o", model, "--proof", proof)[0] == 0
    words = "report", model, "--dataset", "titanic", "--proof", proof, "-o", page
    code, _, err = run(*words)
    assert (code, "nothing to show of a proof of family 'rule-set'" in err) == (2, True), err


def test_formulas_say_what_the_model_says():
    """The page evaluates formulas in the browser; here they are compared with `capturing`."""
    problem = Problem.from_dataset(load("tic-tac-toe"), "0.01")
    model = corels.solve(problem, time_limit=5).model
    document = page_document(model)
    from corels.tables import load_columns

    columns = load_columns("tic-tac-toe")[0]
    truth = [Condition_of(c).holds(columns[c["column"]]) for c in document["conditions"]]
    rows = len(truth[0])

    def holds(formula, row):
        if isinstance(formula, int):
            return bool(truth[formula][row])
        ((kind, parts),) = formula.items()
        return (all if kind == "all" else any)(holds(part, row) for part in parts)

    formulas = [one["formula"] for one in document["deciders"]]
    found = [next(i for i, f in enumerate(formulas) if holds(f, row)) for row in range(rows)]
    assert found == model.capturing(columns).tolist()


def Condition_of(found):  # noqa: N802
    from corels.tables import Condition

    return Condition.from_json(found)


def test_the_command_writes_every_part(tmp_path, run):
    model, trace, path, fine = (tmp_path / n for n in ("m.json", "t.jsonl", "p.json", "f.jsonl"))
    near, output, proof = (tmp_path / n for n in ("near.jsonl", "r.html", "m.proof"))
    source = ("--dataset", "titanic")
    assert not run(
        "run", *source, "--output", model, "--trace", trace, "--proof", proof, "--quiet"
    ).code
    fine_run = ("--trace", fine, "--trace-level", "fine", "--search", "best-first", "--quiet")
    assert not run("run", *source, "--start", "none", *fine_run).code
    assert not run("path", *source, "--output", path, "--quiet").code
    assert not run("near", *source, "--within", "0.01", "--output", near, "--quiet").code
    parts = ("--row", 7, "--trace", trace, "--proof", proof, "--steps", fine)
    parts += ("--path", path, "--near", near)
    done = run("report", model, *source, "--group", "sex", *parts, "-o", output)
    assert done.code == 0, done.err
    ids = {a["id"] for _, a in Tags(output.read_text(encoding="utf-8")).found if "id" in a}
    assert {"history", "steps", "path", "near", "groups-title", "claims-table"} <= ids


def test_other_lists_that_are_malformed_are_refused(tmp_path, monkeypatch):
    def written(text):
        (tmp_path / "x").write_text(text)
        return "x"

    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="list 1 is not"):
        near_lists([{"objective": 1}])
    with pytest.raises(InputError, match="0 predictions for 1 rules"):
        near_lists([{"objective": 1, "errors": 0, "antecedents": ["a"], "predictions": []}])
    with pytest.raises(InputError, match="x, line 2: expected JSON lines"):
        read_near(written("[]\n["))
    with pytest.raises(InputError, match="x: there are no lists in it"):
        read_near(written("\n"))
    with pytest.raises(InputError, match="x: list 1"):
        read_near(written("[]"))
    with pytest.raises(InputError, match="incomplete"):
        path_lists({"schema": "corels/path", "segments": [{}]})
    segment = {"low": 0, "high": 1, "rules": 0, "errors": 0, "accuracy": 1, "certified": True}
    for rule_list in (None, [], "x", 1):
        found = {"schema": "corels/path", "segments": [{**segment, "rule_list": rule_list}]}
        with pytest.raises(InputError, match="incomplete"):
            path_lists(found)
    for other in ("[]", '{"schema": "corels/price-path"}', '{"schema": "corels/front"}'):
        with pytest.raises(InputError, match="x: expected a path over lambda"):
            read_output(written(other), "path", PATH)


def test_a_notebook_shows_it_in_a_frame(titanic, tmp_path):
    page = corels.solve(titanic).report()
    assert page._repr_html_().startswith("<iframe")
    page.save(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text(encoding="utf-8") == page.html


@pytest.mark.parametrize(
    ("condition", "pieces"),
    [
        (("t", "false"), [["", "not "], ["column", "t"]]),
        (("t", "present"), [["column", "t"], ["", " is present"]]),
        (("not", "false"), None),
        (("a = b", "==", "c <= d"), None),
        (("מספר", "<=", 3), [["column", "מספר"], ["", " <= "], ["name", "3"]]),
    ],
)
def test_the_pieces_of_a_condition_are_its_text(condition, pieces):
    from corels_page.deciders import pieces_of

    from corels.tables import Condition

    one = Condition(*condition)
    found = pieces_of(one)
    assert "".join(piece for _, piece in found) == str(one)
    assert pieces is None or found == pieces


def test_the_columns_that_are_cut_are_drawn_with_their_cuts(tmp_path, run):
    table = tmp_path / "t.csv"
    rows = [f"{n},{'yes' if n > 30 else 'no'}\n" for n in [*range(59), 7e6]]
    table.write_text("age,ill\n" + "".join(rows))
    model = tmp_path / "m.json"
    assert run("run", table, "--label", "ill", "-q", "-o", model).code == 0
    assert run("report", model, table, "-o", tmp_path / "r.html").code == 0
    text = (tmp_path / "r.html").read_text()
    assert "The last bin also counts what is above, up to 7e+06." in " ".join(text.split())
    assert "<bdi>age</bdi>, cut at " in text
    found = json.loads(
        re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S)[1]
    )
    (one,) = found["spread"]
    counts = [each["counts"] for each in one["bins"]]
    assert [sum(column) for column in zip(*counts, strict=True)] == [31, 29]
    assert "7,000,000" in text, "as counts are written"
    assert run("report", model, "-o", tmp_path / "r.html").code == 0
    assert 'class="spread"' not in (tmp_path / "r.html").read_text()


def drawn(text):
    """Of each picture of a column: (class of the style sheet, left, right, area) of every bar, and
    where its lines are."""
    for svg in re.findall(r'<svg class="spread".*?</svg>', text, re.S):
        found = re.findall(
            r'<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg
        )
        boxes = [(kind, *map(float, rest)) for kind, *rest in found]
        bars = [(k, x, x + w, (w + 0.2) * h) for k, x, _, w, h in boxes if k != "mark"]
        yield bars, [x + w / 2 for k, x, _, w, _ in boxes if k == "mark"]


def test_in_the_picture_the_rows_of_a_cut_stand_left_of_its_line(tmp_path, run):
    """Areas of the drawn bars: of zeros and of many values, with a bar of those without one."""
    table, model = tmp_path / "t.csv", tmp_path / "m.json"
    rows = [(n % 4, "" if n % 10 == 0 else (n * 37) % 100 + n % 3 / 4) for n in range(200)]
    lines = [
        f"{few},{many},{'yes' if few == 0 or (many or 0) > 61 else 'no'}" for few, many in rows
    ]
    table.write_text("\n".join(["few,many,ill", *lines]))
    assert run("run", table, "--label", "ill", "-r", "0.01", "-q", "-o", model).code == 0
    assert run("report", model, table, "-o", tmp_path / "r.html").code == 0
    text = (tmp_path / "r.html").read_text()
    document = json.loads(text.split('id="document">')[1].split("</script>")[0])
    pictures = list(drawn(text))
    assert len(pictures) == len(document["spread"]) == 2
    for one, (bars, lines_at) in zip(document["spread"], pictures, strict=True):
        values = [row[one["column"] == "many"] for row in rows]
        known = [value for value in values if value != ""]
        within = [bar for bar in bars if bar[2] <= 92] if one["missing"] else bars
        whole = sum(area for *_, area in within)
        for (cut, _), line in zip(one["cuts"], lines_at, strict=True):
            left = sum(area for _, _, end, area in within if end <= line + 0.2)
            meets = sum(value <= float(cut) for value in known)
            assert left / whole == pytest.approx(meets / len(known), abs=0.01), cut
        assert (one["missing"] == "20 rows have no value") == (one["column"] == "many")
        if one["missing"]:
            beside = sum(area for _, start, _, area in bars if start > 95)
            assert beside / whole == pytest.approx(20 / len(known), abs=0.01)


def test_a_search_that_stopped_early_says_so_beside_the_title(tmp_path, run):
    model, file = tmp_path / "m.json", tmp_path / "r.html"
    given = ("--dataset", "heart", "--max-cardinality", "2", "-r", "0.001", "--node-limit", "9")
    assert run("run", *given, "-q", "-o", model).code == 3
    assert run("report", model, "-o", file).code == 0
    head = file.read_text().split("</header>")[0]
    assert 'class="verdict open"' in head and "Stopped early (node limit)" in head


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("rule-list", "A rule list costs the share of rows that it predicts wrongly, and 0.01"),
        ("falling", "A falling rule list costs the share of rows that are called wrongly"),
        ("rule-set", "1 for a row of its class that no clause catches, and 1 for another row for"),
    ],
)
def test_a_page_says_what_the_objective_of_its_family_is(solver, words):
    result = corels.solve(corels.Problem.from_dataset(load("titanic"), "0.01"), solver)
    document = page_document(result.model, result.certificate)
    assert words in document["certificate"]["proved"]
    if solver == "rule-set":
        assert "of complexity at most 15" in document["certificate"]["proved"]


def test_a_result_is_no_model():
    result = corels.solve(corels.Problem.from_dataset(load("titanic"), "0.1"))
    with pytest.raises(OptionError, match=r"a result has report\(\)"):
        report(result)
