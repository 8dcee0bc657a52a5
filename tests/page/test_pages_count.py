"""With the table at hand pages and commands count; a file that says something else is refused."""

import copy
import csv
import json
import random
import re
import shlex

import pytest
from called import ended

import corels

pytest.importorskip("jinja2", reason="needs the extra `page`")

FAMILIES = {
    "list": {"regularization": "0.03"},
    "pairs": {"regularization": "0.02", "max_cardinality": 2},
    "costs": {"regularization": "0.03", "cost": "default=4", "abstain": "0.45"},
    "weights": {"regularization": "0.03", "weight": "times"},
    "falling": {"solver": "falling", "rule_cost": "0.02", "max_rules": 2},
    "softly": {"solver": "softly-falling", "rule_cost": "0.02", "max_rules": 2},
    "dnf": {"solver": "rule-set", "complexity": 5},
    "cnf": {"solver": "rule-set", "complexity": 5, "form": "cnf"},
}


def people(seed, rows=60):
    """Numbers with a code for "no value", text, weights, and a label that depends on them."""
    draw = random.Random(seed)
    found = {"months": [], "city": [], "times": [], "y": []}
    for _ in range(rows):
        months, city = draw.choice([999, *range(30)]), draw.choice(["Bonn", "Graz", "Ulm"])
        late = draw.random() < (0.75 if months < 12 else 0.2 + 0.3 * (city == "Ulm"))
        row = months, city, draw.randrange(1, 4), "default" if late else "paid"
        for column, value in zip(found.values(), row, strict=True):
            column.append(value)
    return found


@pytest.fixture
def here(tmp_path, monkeypatch, capsys):
    """A folder, and the program in this process: (code, what it said)."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code, out, err = ended(capsys, *arguments)
        return code, out + err

    return run


def write(name, table):
    with open(name, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([table, *zip(*table.values(), strict=True)])


def page(name="report.html"):
    with open(name, encoding="utf-8") as file:
        found = re.search(r'id="document">(.*?)</script>', file.read(), re.S)
    return json.loads(found[1])


def learned(table, family, name="m.json"):
    """Saved from the table's file, so that all commands read it again."""
    options = {"missing": ["999"], **FAMILIES[family]}
    ignored = {} if "weight" in options else {"ignore": ["times"]}
    result = corels.learn("t.csv", "y", **options, **ignored)
    result.save(name)
    return result


def holds(condition, row):
    """A condition of a document for a row of raw values, in words of its own; 999 is no value."""
    value, asked = row[condition["column"]], condition.get("value")
    missing = value == 999
    return {
        "missing": lambda: missing,
        "present": lambda: not missing,
        "<=": lambda: not missing and value <= asked,
        ">": lambda: not missing and value > asked,
        "==": lambda: not missing and value == asked,
        "!=": lambda: not missing and value != asked,
        "in": lambda: not missing and value in asked,
        "not in": lambda: not missing and value not in asked,
    }[condition["operator"]]()


def counted(document, table, family):
    """Of each decider of a page the weight of each class, counted from raw rows."""
    counts = [[0, 0] for _ in document["deciders"]]
    for values in zip(*table.values(), strict=True):
        row = dict(zip(table, values, strict=True))
        met = [holds(one, row) for one in document["conditions"]]

        def true(formula, met=met):
            if isinstance(formula, int):
                return met[formula]
            ((word, parts),) = formula.items()
            return (all if word == "all" else any)(map(true, parts))

        first = next(n for n, one in enumerate(document["deciders"]) if true(one["formula"]))
        weight = row["times"] if family == "weights" else 1
        counts[first][document["labels"].index(row["y"])] += weight
    return counts


def test_other_lists_are_of_the_model_and_counted_again(here):
    table = people(3)
    write("t.csv", table)
    source = ("t.csv", "--label", "y", "--missing", "999", "--ignore", "times", "--quiet")
    price = ("--regularization", "0.03")
    assert here("run", *source, *price, "--output", "m.json")[0] == 0
    assert here("near", *source, *price, "--within", "0.05", "--output", "n.jsonl")[0] == 0
    assert here("path", *source, "--output", "p.json")[0] == 0
    more = ("--near", "n.jsonl", "--path", "p.json")
    assert here("report", "m.json", "t.csv", *more)[0] == 0
    document = page()
    again = "All of them were counted again in t.csv."
    assert document["near"]["about"].endswith(again)
    assert document["path"][0]["counted"] == again
    assert here("report", "m.json", *more)[0] == 0
    stated = "All counts of these lists are as the file states them."
    assert page()["near"]["about"].endswith(stated)
    assert page()["path"][0]["counted"] == stated

    def refused(sentence, *arguments):
        code, said = here("report", "m.json", *arguments)
        said = " ".join(said.split())
        assert (code, sentence in said) == (2, True), said

    with open("n.jsonl", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for name, sentence in (("errors", "errors by its file"), ("objective", "the objective")):
        forged = [{**lines[0], name: lines[0][name] + 1}, *lines[1:]]
        with open("f.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in forged)
        refused(sentence, "t.csv", "--near", "f.jsonl")
    with open("p.json", encoding="utf-8") as file:
        path = json.load(file)
    counts = path["segments"][-1]["rule_list"]["rules"][0]["counts"]
    counts[0] += 1
    with open("f.json", "w", encoding="utf-8") as file:
        json.dump(path, file)
    refused("by its file, and", "t.csv", "--path", "f.json")
    write("t.csv", people(4))
    assert here("near", *source, *price, "--within", "0.05", "--output", "o.jsonl")[0] == 0
    assert here("path", *source, "--output", "o.json")[0] == 0
    refused("lists of another problem than the model's", "--near", "o.jsonl")
    refused("this path is of another problem than the model's", "--path", "o.json")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(2))
def test_every_number_of_page_and_show_is_that_of_the_data(here, family, seed):
    table = people(seed)
    write("t.csv", table)
    learned(table, family)
    assert here("report", "m.json", "t.csv")[0] == 0
    document = page()
    found = counted(document, table, family)
    assert [one["counts"] for one in document["deciders"]] == found
    assert document["counted"] == "They were counted again, row by row, in t.csv"
    assert (document["rows"], document["total"]) == (60, sum(map(sum, found)))
    said = [one["then"] for one in document["deciders"]]
    wrong = sum(
        sum(counts) - counts[then]
        for counts, then in zip(found, said, strict=True)
        if document["classes"][then] != "don't know"
    )
    assert document["errors"] == wrong
    for one in document.get("spread", []):
        times = table["times"] if family == "weights" else [1] * 60
        present = [(t, m != 999) for t, m in zip(times, table["months"], strict=True)]
        missing = sum(t for t, there in present if not there)
        bins = [sum(each["counts"]) for each in one["bins"]]
        assert sum(bins) == sum(t for t, _ in present)
        assert not missing or (bins[-1] == missing and one["missing"].startswith(f"{missing} row"))
    code, shown = here("show", "m.json")
    assert code == 0 and "as the model file states" in " ".join(shown.split())
    text, told = shown.partition("\n\n")[0], r"(\d+) of (\d+)"
    weighed = {rf"weight {told}": found} if family == "weights" else {}
    of_rows = counted(document, table, "") if family == "weights" else found
    for pattern, each in {rf"\((?:raw [^(]*?)?{told}": of_rows, **weighed}.items():
        assert [tuple(map(int, one)) for one in re.findall(pattern, text)] == [
            (counts[1 if family in ("falling", "softly") else then], sum(counts))
            for counts, then in zip(each, said, strict=True)
            if document["classes"][then] != "don't know"
        ]
    for name, text in document["about_rows"]:
        assert f"{name}" in shown and " ".join(text.split()) in " ".join(shown.split())
    assert ["no value", "'999'"] in document["about_rows"]
    assert (
        ["counts", f"weights: 60 rows weigh {document['total']} (column times)"]
        in (document["about_rows"])
    ) == (family == "weights")
    command = shlex.split(document["certificate"]["check"])
    assert command[0] == "corels" and here(*command[1:])[0] == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_another_table_has_new_rows(here, family):
    table, other = people(3), people(4, 40)
    write("t.csv", table)
    write("other.csv", other)
    result = learned(table, family)
    assert here("report", "m.json", "other.csv", "--group", "city")[0] == 0
    document = page()
    assert document["counted"].endswith("; other.csv is another table")
    assert "spread" not in document and document["groups"]["of"] == "other.csv"
    assert document["certificate"]["check"] == "corels check m.json DATA"
    assert [one["counts"] for one in document["deciders"]] == counted(document, table, family)
    (first, own) = document["held_out"]["rows"]
    assert first[0] == "the 40 rows of other.csv" and own[0] == "the rows that it was learned from"
    weights = other["times"] if family == "weights" else [1] * 40
    if family == "costs":
        price = {"default": {"paid": 4, "default": 0}, "paid": {"default": 1, "paid": 0}}
        paid = [
            0.45 if said == "don't know" else price[true][said]
            for true, said in zip(other["y"], result.model.predict(raw(other)), strict=True)
        ]
        assert first[1] == f"{sum(paid) / 40:.6g}"
        return
    right = sum(
        weight
        for true, said, weight in zip(
            other["y"], result.model.predict(raw(other)), weights, strict=True
        )
        if true == said
    )
    assert first[1] == f"{right / sum(weights):.1%}"
    assert own[1] == f"{1 - result.model.errors / result.model.training_weight:.1%}"
    code, said = here("report", "m.json", "other.csv", "--held-out", "t.csv")
    assert code == 2 and "other.csv is not the table that m.json was learned from" in said


def raw(table):
    """As the command line reads it: 999 is no value."""
    return {**table, "months": [None if m == 999 else m for m in table["months"]]}


def moved(document):
    """Documents whose counts of two rules were changed so that they fit each other as before."""
    rules = document.get("rules")
    if rules is None or len(rules) < 2 or "counts" not in rules[0]:
        return
    for first in range(len(rules)):
        for second in range(len(rules)):
            same = rules[first]["then"] == rules[second]["then"] and first != second
            if same and rules[second]["counts"][0]:
                forged = copy.deepcopy(document)
                forged["rules"][first]["counts"][0] += 1
                forged["rules"][second]["counts"][0] -= 1
                yield forged


def test_a_file_that_says_something_else_of_its_table_is_refused(here):
    tried = 0
    for seed in range(12):
        table = people(seed)
        write("t.csv", table)
        learned(table, "pairs")
        with open("m.json", encoding="utf-8") as file:
            honest = json.load(file)
        for forged in moved(honest):
            tried += 1
            with open("f.json", "w", encoding="utf-8") as file:
                json.dump(forged, file)
            for command in (("report",), ("explain-row",), ("predict", "--proba")):
                name, *more = command
                code, said = here(name, "f.json", "t.csv", *more)
                assert code == 2, said
                assert "f.json was learned from t.csv, and says something else than is" in said
            assert here("report", "f.json")[0] == 0
            assert page()["counted"] == "The counts are as the model file states them"
    assert tried >= 3


def test_a_row_of_another_table_is_explained_by_numbers_that_the_file_states(here):
    table = people(1)
    write("t.csv", table)
    write("other.csv", people(2))
    learned(table, "list")
    assert "states them" not in here("explain-row", "m.json", "t.csv", 1)[1]
    assert (
        "numbers of training rows are as m.json states them"
        in (here("explain-row", "m.json", "other.csv", 1)[1])
    )


def test_weights_of_classes_are_no_rows(here):
    """Weights that Python gave: more than rows."""
    pytest.importorskip("sklearn")
    table = people(5)
    write("t.csv", table)
    frame = pytest.importorskip("pandas").read_csv("t.csv")
    factors = {label: 1 + 3 * n for n, label in enumerate(sorted(set(frame["y"])))}
    estimator = corels.RuleListClassifier("0.03", class_weight=factors)
    estimator.fit(frame[["months", "city"]], frame["y"]).save("m.json")
    weight = estimator.rule_list_.training_weight
    told = f"weights: 60 rows weigh {weight:,} (class_weight)"
    assert told in " ".join(here("show", "m.json")[1].split())
    assert here("report", "m.json")[0] == 0
    document = page()
    assert ["counts", told] in document["about_rows"] and document["rows"] == 60
    with open("report.html", encoding="utf-8") as file:
        text = file.read()
    assert f"60 rows, which weigh {weight:,}: all counts are weights" in text
    assert f"{weight:,} rows" not in text


def test_the_report_of_serve_says_how_the_table_was_read():
    pytest.importorskip("starlette", reason="needs the extra `page`")
    from corels_page.form import asked
    from corels_page.job import Job
    from corels_page.upload import Loaded

    table = people(6)
    lines = [",".join([*table, "same"])]
    lines += [",".join(map(str, [*row, 1])) for row in zip(*table.values(), strict=True)]
    loaded = Loaded.sent(1, "t.csv", "\n".join(lines).encode())
    options = {"missing": "999", "cost": "default=3", "ignore": "times"}
    form = {"table": 1, "label": "y", "solver": "rule-list", "options": options}
    job = Job(asked(form, loaded), 1)
    job.wait(60)
    assert job.state["phase"] == "done", job.state
    found = json.loads(re.search(r'id="document">(.*?)</script>', job.page, re.S)[1])
    told = dict(found["about_rows"])
    assert told["costs"] == "a wrong answer for a row of a class costs 3 for default, 1 for paid"
    assert told["no value"] == "'999'" and told["unused"].startswith("same (")
    assert found["counted"] == "The search has counted them"
    assert sum(map(sum, (one["counts"] for one in found["spread"][0]["bins"]))) == found["total"]
    saved = json.loads(job.saved)
    assert saved["data"]["reading"]["columns"]["*"] == {"missing": ["999"]}


@pytest.mark.parametrize(
    ("demand", "named"),
    [("recall >= 0.3", True), ("precision >= 0.3", True), ("accuracy >= 0.3", False)],
)
def test_what_was_demanded_of_the_positive_class_names_it(here, demand, named):
    write("t.csv", people(0))
    source = ("t.csv", "--label", "y", "--positive", "default", "--ignore", "times", "--quiet")
    asked = ("--regularization", "0.03", "--constraint", demand)
    assert here("run", *source, *asked, "--output", "m.json")[0] == 0
    assert here("report", "m.json", "t.csv")[0] == 0
    with open("report.html", encoding="utf-8") as file:
        assert ("positive is y = default" in file.read()) == named
