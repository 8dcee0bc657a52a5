"""The model card: every number of it from the model file, the front matter, what is not said."""

import json
import re

import pytest

import corels

FAMILIES = {
    "rule-list": "-r 0.005",
    "falling": "--min-support 0.05",
    "softly-falling": "--min-support 0.05",
    "rule-set": "",
}


@pytest.fixture
def run(run, here):
    return lambda line: run(*line.split())


def numbers(value):
    """Every whole number of a document, and those that texts of it write."""
    if isinstance(value, dict):
        return set().union(*map(numbers, value.values()), *map(numbers, value))
    if isinstance(value, list):
        return set().union(*map(numbers, value), set())
    return set(map(int, re.findall(r"\d+", str(value)))) if not isinstance(value, bool) else set()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_number_of_a_card_is_in_the_model_file(run, tmp_path, family):
    run(f"run --dataset titanic --solver {family} {FAMILIES[family]} -q -o model.json")
    code, _, error = run("report model.json -o README.md")
    assert code == 0 and "wrote README.md" in error
    text = (tmp_path / "README.md").read_text()
    document = json.loads((tmp_path / "model.json").read_text())
    lines = text.partition("\n# ")[2].splitlines()
    kept = [one for one in lines if not one.startswith(("*AI Act", "- of Annex", "- SHA-256"))]
    whole = re.findall(r"(?<![\d.,(])\d+(?![\d.%]|,\d)", "\n".join(kept))
    deciders = corels.load("model.json").model.deciders()
    counts = [one.counts for one in deciders]
    stated = numbers(document) | {sum(one) for one in counts} | set(sum(counts, ()))
    stated |= {sum(one) for one in zip(*counts, strict=True)} | {1, 0}
    stated |= set(range(len(deciders) + 1)) | {clause for d in deciders for c in d.clauses
               for clause in (*c.counts, sum(c.counts))}  # fmt: skip
    assert set(map(int, whole)) <= stated
    right = re.search(r'"type": "accuracy", "value": ([\d.]+)', text)
    correct = sum(one.counts[one.outcome] for one in deciders)
    assert float(right[1]) == pytest.approx(correct / 2201, abs=1e-5)
    assert ("there is no score" in text) is ("falling" not in family), "these state probabilities"


def test_the_front_matter_is_hugging_face_s(run, tmp_path):
    hub = pytest.importorskip("huggingface_hub")
    run("run --dataset titanic -r 0.005 -q -o model.json")
    (tmp_path / "about.toml").write_text('license = "mit"\ntitle = "It\'s: a \\"card\\""\n')
    assert run("report model.json --describe about.toml -o README.md")[0] == 0
    card = hub.ModelCard.load(tmp_path / "README.md")
    data = card.data
    assert (data.library_name, data.pipeline_tag) == ("corels", "tabular-classification")
    assert data.license == "mit" and data.model_name == 'It\'s: a "card"'
    found = {one.metric_type: one.metric_value for one in data.eval_results}
    assert found["accuracy"] == pytest.approx(1740 / 2201, abs=1e-5)
    assert set(found) == {"accuracy", "recall", "precision", "f1"}
    assert "SHA-256 of the model file" in card.text


def test_what_nobody_says_is_listed_and_what_somebody_says_is_shown(run, tmp_path):
    run("run --dataset titanic -r 0.005 -q -o model.json")
    run("report model.json -o empty.md")
    (tmp_path / "about.toml").write_text('owner = "A | *b*"\nrisks = "few"\n')
    run("report model.json --dataset titanic --describe about.toml --group sex -o full.md")
    empty, full = ((tmp_path / name).read_text() for name in ("empty.md", "full.md"))
    assert "- owner: not stated" in empty and "not stated: version, owner, contact" in empty
    assert "it does not answer 1(d) to 1(h), 2(h), 8" in empty
    assert "- owner: A \\| \\*b\\*" in full and "- risks: few" in full
    assert "owner" not in full.partition("- not stated:")[2]
    assert "| Female | 470 | " in full


def test_the_report_of_the_monitor_is_part_of_the_card(run, tmp_path):
    run("run --dataset titanic -r 0.005 -q -o model.json")
    (tmp_path / "new.csv").write_text("class,sex,age,survived\n" + "1st,Male,Adult,no\n" * 40)
    code, out, _ = run("monitor model.json new.csv --json")
    assert code == 7
    (tmp_path / "monitor.json").write_text(out)
    assert run("report model.json --monitor monitor.json -o README.md")[0] == 0
    text = (tmp_path / "README.md").read_text()
    assert "monitored on 40 rows of new.csv, against training: something differs" in text
    code, _, error = run("report model.json --monitor model.json -o README.md")
    assert code == 2 and "expected the output of `corels monitor --json`" in error
    code, _, error = run("report model.json --monitor monitor.json -o x.html")
    assert code == 2 and "is for a card" in error


def test_weights_are_those_that_were_given_and_constraints_have_a_line(run, tmp_path):
    rows = [(a, w, int(a > 1)) for a in range(4) for w in (0.5, 1.25, 2)] * 5
    text = "a,w,y\n" + "".join(f"{a},{w},{y}\n" for a, w, y in rows)
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    read = "t.csv --label y --weight w -o"
    assert run(f"run {read} m.json -r 0.02 --constraint recall>=0.5")[0] == 0
    assert run(f"report m.json {read} m.md")[0] == 0
    card = (tmp_path / "m.md").read_text(encoding="utf-8")
    assert "- weight: 75\n" in card and "- classes: 0 37.5, 1 37.5\n" in card
    assert "37.5 of 37.5" in card and "- recall 1.0000, at least 0.5\n" in card


def test_actions_have_no_share_that_is_right(run, tmp_path):
    """The label is the action that was taken: no action is right or wrong by it."""
    rows = "".join(f"{at % 9},{at % 2},{at % 3},{at % 9 > 4}\n" for at in range(90))
    (tmp_path / "t.csv").write_text(
        "x,taken,a,b\n" + rows.replace("True", "4").replace("False", "0")
    )
    run("run t.csv --label taken --score wait=a --score act=b -r 0.1 -q -o model.json")
    assert len(corels.load("model.json").model) == 1
    assert run("report model.json t.csv -o README.md")[0] == 0
    text = (tmp_path / "README.md").read_text()
    assert '"results": []' in text and ".95 interval |" in text
    assert re.findall(r"\| \d \| (wait|act) \| (.*?) \|", text) == [("wait", "50"), ("act", "40")]
    assert "errors" not in run("monitor model.json t.csv")[1]
    header, first, *_ = run("predict model.json t.csv --proba")[1].splitlines()
    assert header.endswith(",low,high") and first.endswith(",50,,")
    assert "ScoreDistribution" not in run("export model.json --to pmml")[1]
    assert "error" not in run("near t.csv --model model.json --quiet")[1]


def test_rows_without_a_class_count_as_in_constraints(run, tmp_path):
    """A row of the positive class that nothing is said of is a missed one."""
    run("run --dataset titanic -r 0.005 --abstain 0.25 -q -o model.json")
    assert run("report model.json --dataset titanic -o README.md")[0] == 0
    (metrics,) = re.findall(r'"metrics": (\[.*?\])', (tmp_path / "README.md").read_text())
    shares = {one["type"]: one["value"] for one in json.loads(metrics)}
    right, called = 254, 274
    assert shares["recall"] == round(right / 711, 6)
    assert shares["f1"] == round(2 * right / (called + 711), 6)
