"""The guide's family, installed as a user installs it: every command works with it."""

import ast
import csv
import json
import shutil
import sys
from pathlib import Path

import pytest
from environments import Environment
from two_rules import FAMILY

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/page"))
from serving import CORELS, Client, Served  # noqa: E402


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with a model, its proof and its trace."""
    return tmp_path_factory.mktemp("family")


@pytest.fixture(scope="module")
def installed(place, starters):
    """An environment with the plugin."""
    found = Environment(place / "environment", starters)
    shutil.copytree(FAMILY, place / "two-rules")
    found.install(place / "two-rules")
    line = "--dataset titanic --solver two-rules -r 0.005 -o m.json --proof m.proof --trace t.jsonl"
    done = found.run(found.bin / "corels", "run", *line.split(), cwd=place)
    assert done.returncode == 0, done.stderr
    return found


@pytest.fixture
def corels(installed, place):
    """Runs `corels` in that directory."""
    return lambda line: installed.run(installed.bin / "corels", *line.split(), cwd=place)


def test_it_has_at_most_280_lines():
    files = [path for path in FAMILY.rglob("*") if path.suffix in (".py", ".toml")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= 280


def test_its_checker_imports_nothing_of_the_search():
    tree = ast.parse((FAMILY / "corels_two_rules/proofcheck.py").read_text("utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    allowed = ("fractions", "corels.errors", "corels.check")
    assert all(module.startswith(allowed) for module in found), found


def test_its_own_tests_pass(installed, place):
    done = installed.pytest(place / "two-rules/tests", cwd=place)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


COMMANDS = [
    ("plugins", 0, "  two-rules          the best list of at most two rules"),
    ("plugins --schema two-rules", 0, '"TwoRulesDocument"'),
    (
        "show m.json",
        0,
        "Certified optimal if the solver two-rules of corels-two-rules 0.1.0 is right:",
    ),
    (
        "predict m.json --dataset titanic --reasons --proba",
        0,
        "prediction,rule,because,change,share of no",
    ),
    ("explain-row m.json --dataset titanic 2", 0, "rule 1 does not hold: class = 3rd (it is"),
    ("check m.json --dataset titanic", 0, "ok     objective: 477/2201 + 2 x 1/200 = 49901/220100"),
    (
        "check m.json --dataset titanic --proof m.proof",
        0,
        "proved: the lower bound 49901/220100, so that this model is optimal",
    ),
    (
        "check m.json --dataset titanic --proof m.proof --checker c",
        2,
        "no compiled checker for pro",
    ),
    ("export m.json --to python", 0, "def predict(row):"),
    ("export m.json --to sql", 0, "WHEN \"class\" = '3rd' THEN 'no'"),
    ("export m.json --to html", 0, "no short list is better"),
    ("export m.json --to latex", 0, "if & class = 3rd & no"),
    ("export m.json --to markdown", 0, "| if | class = 3rd | no | 528 of 706 | 74.8% |"),
    ("report m.json --dataset titanic --group sex --output r.html", 0, "wrote r.html"),
    ("plot t.jsonl --output t.svg", 0, ""),
    ("run --dataset titanic --solver two-rules --node-limit 2", 3, "Stopped early (node limit)"),
    ("run --dataset titanic --solver two-rules --resume m.proof", 2, "'two-rules' cannot be resum"),
    ("run --dataset titanic --solver two-rules -r auto", 2, "--regularization auto is not for the"),
    ("path --solver two-rules --dataset titanic", 2, "the solver 'two-rules' has no path"),
    ("ablate --solver two-rules --dataset titanic", 2, "'two-rules' have no parts to leave out"),
    ("proof m.proof --dataset titanic", 2, "nothing to show of a proof of family 'two-rules'"),
]


def test_every_command(installed, place):
    done = installed.corels(*(line for line, _, _ in COMMANDS), cwd=place)
    for (line, code, said), (ended, shown) in zip(COMMANDS, done, strict=True):
        assert ended == code, (line, shown)
        assert said in shown, (line, shown)
        assert "Traceback" not in shown, (line, shown)


def test_evaluate_and_compare(corels, place):
    done = corels("evaluate --dataset titanic --model two-rules --folds 3 --output e.csv --quiet")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((place / "e.csv").open(encoding="utf-8")))
    assert 0.7 < float(rows[0]["accuracy"]) < 0.9 and 1 <= float(rows[0]["size"]) <= 2
    done = corels("compare --dataset titanic --solver two-rules --repeats 1 --quiet")
    assert done.returncode == 0 and "0.23399" in done.stdout, done.stdout + done.stderr


def test_serve(installed, place):
    served = Served(cwd=place, program=[installed.python, *CORELS[1:]])
    try:
        client = Client(served)
        form = {"dataset": "titanic", "solver": "two-rules", "options": {"regularization": "0.005"}}
        assert client.start(form) == (200, {"run": 1})
        last = client.events()[-1]
        assert last["phase"] == "done", last
        assert len(last["model"]["deciders"]) == 3
        assert last["moment"]["objective"] == last["moment"]["bound"] == 49901 / 220100
        status, page = client.get("report")
        assert status == 200 and b"no short list is better" in page
    finally:
        served.close()


def test_wrong_files_are_refused(corels, place):
    document = json.loads((place / "m.json").read_text("utf-8"))
    document["deciders"][0]["counts"][0] += 1
    (place / "wrong.json").write_text(json.dumps(document))
    done = corels("check wrong.json --dataset titanic")
    assert done.returncode == 6 and "WRONG  rule 1: class = 3rd" in done.stdout, done.stdout
    done = corels("show wrong.json")
    assert done.returncode == 2 and "the counts of the model give the objective" in done.stderr
    proof = (place / "m.proof").read_bytes()
    (place / "forged.proof").write_bytes(proof[:-1] + bytes([proof[-1] + 1]))
    done = corels("check m.json --dataset titanic --proof forged.proof")
    assert done.returncode == 6 and "WRONG  proof: the claims do not show" in done.stdout
