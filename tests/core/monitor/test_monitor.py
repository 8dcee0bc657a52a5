"""Watching a model: exact tests, alarms as rare as chance, and a difference that is found."""

import csv
import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from called import code, ended
from corels_falling.search import FallingSearch
from corels_rule_list.model import Rule, RuleList

import corels
from corels.errors import InputError, OptionError
from corels.model.weighing import Behind
from corels.monitor.counting import counted
from corels.monitor.differing import chi_squared, fisher, holm, psi, psi_by_chance
from corels.monitor.report import monitor

stats = pytest.importorskip("scipy.stats")
pd = pytest.importorskip("pandas")


def people(rows, seed, shift=0.0):
    """Months, and whether somebody pays late; a shift changes the risk of the many months."""
    rng = np.random.default_rng(seed)
    months = rng.integers(1, 72, rows)
    risk = np.where(months <= 36, 0.75, 0.3 + shift)
    late = np.where(rng.random(rows) < risk, "yes", "no")
    day = [f"2026-0{m}-15" for m in rng.integers(1, 7, rows)]
    return {"months": months.tolist(), "signup": day}, late.tolist()


def saved(path, table, late):
    lines = [f"{m},{d},{y}" for m, d, y in zip(table["months"], table["signup"], late, strict=True)]
    path.write_text("\n".join(["months,signup,late", *lines]) + "\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("monitor")
    for name, (rows, seed, shift) in {
        "train": (2000, 1, 0), "may": (1000, 2, 0), "june": (1000, 3, 0), "july": (1000, 4, 0.25),
    }.items():  # fmt: skip
        saved(here / f"{name}.csv", *people(rows, seed, shift))
    args = ["--label", "late", "--ignore", "signup", "-q", "-o", str(here / "model.json")]
    assert code("run", str(here / "train.csv"), *args) == 0
    return here


@pytest.fixture
def run(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)

    def call(line):
        capsys.readouterr()
        return ended(capsys, *(line.split() if isinstance(line, str) else line))

    return call


def test_exact_tests_are_those_of_scipy():
    rng = np.random.default_rng(0)
    for _ in range(60):
        of, of_before = map(int, rng.integers(1, 60, 2))
        held, before = int(rng.integers(0, of + 1)), int(rng.integers(0, of_before + 1))
        table = [[held, of - held], [before, of_before - before]]
        assert fisher(held, of, before, of_before) == pytest.approx(stats.fisher_exact(table)[1])
    assert fisher(300_000, 600_000, 301_500, 600_000) == pytest.approx(
        stats.fisher_exact([[300_000, 300_000], [301_500, 298_500]])[1], rel=1e-6
    )


def test_rows_of_a_class_that_the_model_does_not_know_are_errors(folder):
    model = corels.load(folder / "model.json").model
    last = len(model.deciders()) - 1
    labels = np.array([-1, model.deciders()[0].outcome, -1, -1])
    found = counted(model, np.array([0, 0, last, last]), labels, None, "new")
    assert found.by_class[:, -1].tolist() == [1, *[0] * (last - 1), 2]
    assert (found.errors(0).of, found.errors().of) == (2, 4) and found.errors().weight == 3


def test_further_statistics():
    for degrees in (1, 2, 5, 40):
        assert chi_squared(0.95, degrees) == pytest.approx(stats.chi2.ppf(0.95, degrees))
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert psi([10, 20], [10, 20]) == 0 and psi([0, 30], [30, 0]) > 1
    assert psi_by_chance(2, 1000, 2000) == pytest.approx(3.8415 * 0.0015, rel=1e-4)


def test_alarms_are_as_rare_as_the_level_says(folder):
    """The reference took no part in learning: shares and error rates are both tested."""
    model = corels.load(str(folder / "model.json")).model
    alarms = 0
    for seed in range(200):
        now, before = people(300, 1000 + seed), people(300, 5000 + seed)
        report = monitor(model, *now, reference=before)
        assert len(report.tests) == 4
        alarms += bool(report.differing)
    assert alarms <= 10 + 3 * 3.1  # 200 draws at .05, and three standard deviations


def test_psi_by_chance_is_what_chance_gives(folder):
    model = corels.load(str(folder / "model.json")).model
    windows = [monitor(model, *people(300, n), reference=people(400, 900 + n)) for n in range(100)]
    above = sum(one.whole.psi > one.whole.by_chance for one in windows)
    assert 1 <= above <= 5 + 3 * 2.2


def test_a_shift_is_found_and_named(run):
    code, out, _ = run("monitor model.json july.csv --reference may.csv")
    assert code == 7
    assert "Differs: the error rate of 'else'" in out and "the share" not in out
    code, out, _ = run("monitor model.json june.csv --reference may.csv")
    assert code == 0
    assert "Nothing differs more than chance allows (4 tests, level 0.05, Holm; the smallest" in out


def test_a_difference_counts_below_the_level_and_not_at_it(folder):
    model = corels.load(folder / "model.json").model
    found = monitor(model, *people(1000, 4, 0.25), reference=people(1000, 2))
    (one,) = {test[2].adjusted for test in found.differing}
    for level, differs in ((one, False), (one * 1.01, True)):
        at = replace(found, level=level)
        assert bool(at.differing) is differs
        assert any(row[-1] == "yes" for row in at.to_rows()) is differs


def test_errors_of_training_are_shown_and_not_tested(run):
    code, out, _ = run("monitor model.json july.csv")
    assert code == 0
    assert "Training error rates are too low by selection" in out and "(2 tests," in out


def test_windows_and_files(run, folder):
    code, out, _ = run(
        "monitor model.json july.csv --reference may.csv --by signup:month -o out.csv --level 0.01"
    )
    assert code == 7 and "window 2026-01: PSI" in out
    with open(folder / "out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 7 * 3 and {row["window"] for row in rows} >= {"all", "2026-06"}
    assert any(row["differs"] == "yes" for row in rows)
    assert not [row for row in rows if row["window"] == "all" and row["share p"]]
    code, out, _ = run("monitor model.json july.csv --reference may.csv --json")
    found = json.loads(out)
    assert found["differs"] and found["windows"][0]["lines"][0]["share"]["now"][1] == 1000


def test_held_out_counts_are_kept_and_used(run, folder):
    assert run("monitor model.json may.csv --save held.json")[0] == 0
    code, out, _ = run("monitor held.json july.csv")
    assert code == 7 and "the error rate of 'else'" in out
    _, out, _ = run("predict held.json june.csv --proba")
    assert out.startswith("prediction,share of no,share of yes,held out rows,low,high\n")
    code, out, _ = run("check held.json train.csv")
    assert code == 0 and "claim  held_out: counts of 1,000 rows of may.csv" in out
    held = json.loads((folder / "held.json").read_text())["held_out"]
    assert sum(map(sum, held["counts"])) == 1000


def test_held_out_rows_of_a_class_that_the_model_does_not_know_are_wrong_everywhere(run, folder):
    lines = (folder / "may.csv").read_text().splitlines()
    other = [f"{line.rpartition(',')[0]},never" for line in lines[1::4]]
    (folder / "three.csv").write_text("\n".join([lines[0], *lines[2::2], *other]) + "\n")
    assert run("monitor model.json three.csv --save three.json -o three.out.json")[0] == 0
    whole = json.loads((folder / "three.out.json").read_text())["windows"][0]["lines"]
    wrong = [line["errors"]["now"] for line in whole]
    found = run("predict three.json three.csv --proba")[1].splitlines()
    cells = {line.split(",")[0]: line.split(",") for line in found[1:]}
    for one, (missed, of) in zip(("yes", "no"), wrong, strict=False):
        share = float(cells[one][2 if one == "yes" else 1])
        assert share == pytest.approx(1 - missed / of) and int(cells[one][3]) == of
        assert float(cells[one][4]) < share < float(cells[one][5])
    assert run("report three.json train.csv -o three.md")[0] == 0
    card = (folder / "three.md").read_text()
    accuracy = 1 - wrong[-1][0] / wrong[-1][1]
    front = json.loads(card.partition("model-index: ")[2].partition("\n")[0])
    (held,) = [one for one in front[0]["results"] if "held out" in one["dataset"]["name"]]
    assert held["metrics"][0]["value"] == pytest.approx(accuracy, abs=1e-5)
    for missed, of in wrong[:-1]:
        assert f"| {of - missed:.0f} of {of:.0f} |" in card


def test_learning_again_gains_at_most_so_much(run):
    _, out, _ = run("monitor model.json july.csv --again 20")
    (line,) = [one for one in out.splitlines() if one.startswith("On these rows no rule list")]
    words = line.replace(";", "").replace(":", "").split()
    least, here = (float(words[n]) for n in (9, 13))
    assert least <= here and f"at most {here - least:.4g}"[:10] in line


def test_what_learning_again_could_gain_names_the_models_that_count(run):
    """Limits and constraints hold of the new search, too; only rule lists pay lambda for a rule."""
    learn = "run may.csv --label late --ignore signup -q -o again.json"
    near = f"{learn} --positive yes --constraint"
    again = "monitor again.json july.csv --again 20"

    def said(line):
        assert run(line)[0] == 0
        return next(one for one in run(again)[1].splitlines() if one.startswith("On these rows"))

    assert said(f"{learn} --max-rules 1").startswith("On these rows no rule list of at most 1 rule")
    found = said(f"{learn} --solver rule-set --complexity 4")
    assert found.startswith("On these rows no rule set with form dnf and of complexity at most 4")
    assert "this one" not in found
    found = said([*near.split(), "accuracy >= 0.62"])
    assert "that keeps to the constraints costs less than" in found
    assert "; this one costs 0." in found and "does not keep to the constraints of" in found
    found = said([*near.split(), "accuracy >= 0.7"])
    assert "no rule list of these antecedents keeps to accuracy >= 0.7" in found


def test_constraints_on_new_rows_are_counted_or_said_not_to_be(run, folder):
    lines = (folder / "may.csv").read_text().splitlines()
    groups = ["sex", *("f" if at % 3 else "m" for at in range(len(lines) - 1))]
    for name, some in (("both", groups), ("one", ["sex", *["f"] * (len(lines) - 1)])):
        text = "\n".join(f"{line},{of}" for line, of in zip(lines, some, strict=True))
        (folder / f"{name}.csv").write_text(text)
    learn = "run both.csv --label late --ignore signup -q -o fair.json --positive yes"
    asked = ("--constraint", "positive-rate by sex within 0.3")
    assert run([*learn.split(), *asked])[0] == 0
    assert "Constraint positive rate of sex, f less m: " in run("monitor fair.json both.csv")[1]
    end = "Constraints are not counted any further: the data has no "
    assert f"{end}row of group 'm' for the positive rate." in run("monitor fair.json one.csv")[1]
    assert f"{end}column 'sex', which" in run("monitor fair.json may.csv")[1]


def test_a_family_whose_search_takes_no_incumbent_is_searched_again(run, monkeypatch):
    assert run("run may.csv --label late --ignore signup -q -o again.json --solver falling")[0] == 0
    monkeypatch.delattr(FallingSearch, "offer")
    code, out, err = run("monitor again.json july.csv --again 20")
    assert code == 0, err
    assert "On these rows no falling rule list costs less than 0." in out


def test_windows_are_in_order_and_have_the_names_of_groups(run, folder):
    cells = ["10", "2", "", "1.5"]
    rows = [f"{m},{'yes' if m < 37 else 'no'},{cells[m % 4]}" for m in range(1, 72)]
    (folder / "sizes.csv").write_text("\n".join(["months,late,size", *rows]) + "\n")
    run("monitor model.json sizes.csv --by size -o sizes.json")
    windows = json.loads((folder / "sizes.json").read_text())["windows"]
    assert [one["name"] for one in windows] == ["", "missing", "1.5", "2", "10"]
    assert [one["rows"] for one in windows] == [71, 18, 18, 18, 17]


def test_check_names_monitor_for_another_table(run):
    code, out, _ = run("check model.json june.csv")
    assert code == 6 and "corels monitor says what the model does on new rows" in out


def test_few_rows_are_counted_and_not_tested(run, folder):
    (folder / "few.csv").write_text("months,late,signup\n" + "5,yes,2026-01-01\n" * 4)
    code, out, _ = run("monitor model.json few.csv")
    assert code == 0 and "Nothing was tested: 4 rows, and at least 10 are needed" in out
    _, out, _ = run("monitor model.json few.csv --by signup:month")
    assert "window 2026-01 has 4 rows: counted, not tested" in out


def test_weights_count_as_fewer_rows(folder):
    model = corels.load(str(folder / "model.json")).model
    (now, late), before = people(400, 1), people(400, 2)
    one, same = (
        monitor(model, now, late, sample_weight=weights, reference=before)
        for weights in (None, [7] * 400)
    )
    assert [t.p for _, _, t in one.tests] == [t.p for _, _, t in same.tests]
    weights = np.random.default_rng(0).integers(1, 50, 400)
    weighed = monitor(model, now, late, sample_weight=weights, reference=before)
    assert str(weighed).split()[:2] == ["weight", "share"] and weighed.to_rows()[0][2] == "weight"
    share = monitor(model, now, late, sample_weight=weights, reference=before).tests[0][2].now
    assert share.counts[1] == round(weights.sum() ** 2 / (weights**2).sum())
    with pytest.raises(OptionError, match="level"):
        monitor(model, now, level=0)
    with pytest.raises(InputError, match="give reference"):
        empty = RuleList((), Rule(None, 0, (0, 0)), model.classes, "late")
        monitor(empty, now, late)


def test_weights_of_held_out_rows_count_as_fewer_rows_and_those_of_training_are_said(folder):
    rows, late = people(400, 1)
    weights = np.random.default_rng(0).choice([1, 40], 400, p=[0.9, 0.1])
    frame = {"months": rows["months"], "late": late, "w": weights.tolist()}
    found = corels.learn(frame, "late", weight="w", regularization="0.05")
    document = found.to_document()
    first = monitor(found.model, rows, late, sample_weight=weights, document=document)
    assert "The weights of training rows are taken for equal" in str(first)
    document["held_out"] = first.held_out()
    held = monitor(found.model, *people(400, 2), document=document)
    same = monitor(found.model, *people(400, 2), reference=(rows, late, weights))
    assert "taken for equal" not in str(held)
    assert held.before.rows_in_all == round(same.before.rows_in_all) < 100
    low, high = Behind.of(found.model, document).interval(0)
    assert high - low > 0.1


def test_weights_that_add_up_to_the_rows_are_called_weights():
    frame = {"a": [0, 1] * 50, "y": ["no", "yes"] * 50, "w": [0.5, 1.5] * 50}
    frame["a"][0] = 1
    found = corels.learn(frame, "y", weight="w", regularization="0.01")
    document = found.to_document()
    assert Behind.of(found.model, document).what == "training weight"
    report = monitor(found.model, frame, frame["y"], sample_weight=frame["w"], document=document)
    assert str(report).split()[0] == report.to_rows()[0][2] == "weight"
    document["held_out"] = report.held_out()
    assert Behind.of(found.model, document).what == "held out weight"
    for equal in (None, [1.0] * 100):
        report = monitor(found.model, frame, frame["y"], sample_weight=equal)
        document["held_out"] = report.held_out()
        assert str(report).split()[0] == "rows"
        assert Behind.of(found.model, document).what == "held out rows"


def test_a_weighted_table_beside_itself_has_no_psi():
    frame = {"a": [0, 1, 1, 0, 1, 0, 1, 1] * 20, "w": [1, 5, 2, 9, 1, 3, 2, 7] * 20}
    frame["y"] = ["no", "yes", "yes", "no", "yes", "yes", "yes", "no"] * 20
    found = corels.learn(frame, "y", weight="w", regularization="0.01")
    report = monitor(
        found.model, frame, frame["y"], sample_weight=frame["w"], document=found.to_document()
    )
    assert len(found.model) and report.whole.psi == 0


def test_a_window_without_weight_is_counted_and_not_tested():
    frame = {
        "a": [0, 1, 1, 0] * 20,
        "w": [1, 1, 0, 0] * 20,
        "day": ["mon", "mon", "tue", "tue"] * 20,
    }
    frame["y"] = ["no", "yes", "yes", "yes"] * 20
    found = corels.learn(frame, "y", weight="w", ignore=["day"], regularization="0.01")
    for rows in (frame, pd.DataFrame(frame), pl.DataFrame(frame)):
        report = monitor(
            found.model, rows, frame["y"], sample_weight=frame["w"], by="day",
            document=found.to_document(),
        )  # fmt: skip
        assert [window.tested for window in report.windows] == [True, False]
        assert "window tue has 40 rows: counted, not tested" in str(report)
        assert json.loads(json.dumps(report.to_document()))["windows"]
