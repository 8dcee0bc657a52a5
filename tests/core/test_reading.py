"""A model keeps how its columns were read: every object that predicts reads raw cells by it."""

import json
import warnings

import pytest
from sqlite_says import run_sql

import corels
from corels import RuleListClassifier
from corels.errors import InputError
from corels.tables import TableOptions, table_dataset

pd = pytest.importorskip("pandas")
ROWS = [(i % 200, f"{(i * 37) % 100}%", "yes" if i % 200 > 99 else "no") for i in range(400)]
ROWS += [(999, "50%", "no")] * 40
FRAME = pd.DataFrame(ROWS, columns=["months", "score", "y"])
NO_VALUE = {"months": {"missing": [999]}}


@pytest.mark.parametrize("solver", ["rule-list", "falling", "softly-falling", "rule-set"])
def test_a_number_that_means_no_value(solver, tmp_path, run):
    price = {"regularization": "0.02"} if solver == "rule-list" else {}
    result = corels.learn(FRAME, "y", solver=solver, columns=NO_VALUE, **price)
    right = FRAME["y"].tolist()
    assert result.model.predict(FRAME).tolist() == right
    result.save(tmp_path / "m.json")
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    assert corels.load(tmp_path / "m.json").model.predict(FRAME).tolist() == right
    assert run("predict", tmp_path / "m.json", tmp_path / "t.csv")[1].split() == right
    assert run("check", tmp_path / "m.json", tmp_path / "t.csv")[0] == 0
    _, sql, _ = run("export", tmp_path / "m.json", "--to", "sql")
    assert run_sql(sql, FRAME[["months", "score"]].to_dict("list")) == right
    names = {}
    exec(result.model.export("python"), names)
    assert [names["predict"](row) for row in FRAME.to_dict("records")] == right


def test_an_estimator_and_its_model():
    features = FRAME[["months", "score"]]
    fitted = RuleListClassifier("0.02", columns=NO_VALUE).fit(features, FRAME["y"])
    for predict in (fitted.predict, fitted.rule_list_.predict):
        assert predict(features).tolist() == FRAME["y"].tolist()


def test_the_file_keeps_what_differs_from_the_defaults(tmp_path):
    corels.learn(FRAME, "y", columns=NO_VALUE, regularization="0.02").save(tmp_path / "m.json")
    kept = json.loads((tmp_path / "m.json").read_text())["reading"]["columns"]
    cuts = [49, 99, 149]  # another sample is cut alike, if the file is its description
    assert kept == {"months": {"cuts": cuts, "missing": [999], "form": "numbers", "gaps": True}}


def test_dates_with_the_day_first():
    days = [f"{1 + i % 28:02}/{1 + i % 12:02}/{2000 + i % 20}" for i in range(400)]
    frame = pd.DataFrame({"day": days, "y": [int(day[-4:]) > 2009 for day in days]})
    written = {"day": {"written": "dmy"}}
    model = corels.learn(frame, "y", columns=written, regularization="0.02").model
    assert model.predict(frame).tolist() == frame["y"].tolist()
    names = {}
    exec(model.export("python"), names)
    assert frame.apply(names["predict"], axis=1).tolist() == frame["y"].tolist()
    with pytest.raises(InputError, match="'day' holds dates as text, which SQL cannot read"):
        model.export("sql")
    typed = model.export("sql", typed=True)
    assert '"day" ' in typed and "'20" in typed


def test_no_change_asks_for_a_code():
    """A code is a reason, and no change, also if no comparison excludes it."""
    table = {
        "months": [*[-9] * 30, *[-8] * 30, *range(1, 101)],
        "late": [*["yes"] * 30, *["no"] * 130],
    }
    codes = {"months": {"codes": {"-9": "no record", "-8": ""}}}
    model = corels.learn(table, "late", columns=codes, regularization="0.02").model
    assert [one.name for one in model.antecedents] == ["months = -9"]
    found = model.reasons({"months": [-9, -8, 50]})
    assert found["because"].to_list() == ["months = -9 (no record)", "months != -9", "months != -9"]
    nothing = "no change gives another outcome"
    assert found["change"].to_list() == ["months != -9: no", nothing, nothing]


def test_codes_are_excluded_and_named():
    months = [(-9, -8, *range(58))[i % 60] for i in range(600)]
    frame = pd.DataFrame({"months": months, "y": [m < 0 or m > 29 for m in months]})
    codes = {"months": {"codes": {"-9": "no record", "-8": "none"}, "cuts": [29]}}
    result = corels.learn(frame, "y", columns=codes, regularization="0.01")
    model = result.model
    assert model.predict(frame).tolist() == frame["y"].tolist()
    assert str(model).splitlines()[-1] == "codes of months: -9 (no record), -8 (none)"
    assert 'WHEN "months" <= 29 AND "months" NOT IN (-9, -8) THEN FALSE' in model.export("sql")


@pytest.mark.parametrize("word", ["NA", "?", ""])
def test_a_usual_word_that_was_a_value_of_a_frame(word, tmp_path, run):
    frame = pd.DataFrame({"job": [word, "a", "b", "c"] * 40, "y": ["yes", "no", "no", "no"] * 40})
    result = corels.learn(frame, "y", regularization="0.01")
    assert result.model.predict(frame).tolist() == frame["y"].tolist()
    names = {}
    exec(result.model.export("python"), names)
    assert frame.apply(names["predict"], axis=1).tolist() == frame["y"].tolist()
    result.save(tmp_path / "m.json")
    frame.to_csv(tmp_path / "t.csv", index=False)
    _, out, err = run("predict", tmp_path / "m.json", tmp_path / "t.csv")
    if word:
        assert out.split() == frame["y"].tolist()
    else:  # in a file an empty cell is no value, which is said
        assert "40 rows have no value of 'job'" in err


GAPS = "2 rows have no value of 'months', which all rows of training had"


def test_a_gap_that_training_never_saw_is_said_everywhere(tmp_path, run):
    plain = FRAME[FRAME["months"] != 999]
    result = corels.learn(plain, "y", regularization="0.02")
    fitted = RuleListClassifier("0.02").fit(plain[["months", "score"]], plain["y"])
    new = pd.DataFrame({"months": [None, 5, None], "score": ["5%", "6%", "7%"], "y": ["no"] * 3})
    result.save(tmp_path / "m.json")
    new.to_csv(tmp_path / "n.csv", index=False)
    for predict in (result.model.predict, fitted.predict, lambda X: fitted.score(X, new["y"])):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            fitted._warned.clear()
            predict(new[["months", "score"]])
        assert [str(one.message).partition(":")[0] for one in said] == [GAPS]
    for command in ("predict", "explain-row"):
        code, _, err = run(command, tmp_path / "m.json", tmp_path / "n.csv")
        assert code == 0 and GAPS in err
    code, _, err = run("predict", tmp_path / "m.json", tmp_path / "n.csv", "--strict")
    assert code == 2 and err.startswith("error: ") and GAPS in err
    strict = RuleListClassifier("0.02", strict=True).fit(plain[["months", "score"]], plain["y"])
    with pytest.raises(InputError, match="no value of 'months'"):
        strict.predict(new[["months", "score"]])


def test_a_single_comma_is_what_it_was_in_training():
    table = {"a": [f"{n},000" for n in range(1, 81)], "y": [n > 40 for n in range(1, 81)]}
    thousands = corels.learn(table, "y", regularization="0.01").model
    plain = corels.learn({**table, "a": range(1000, 81000, 1000)}, "y", regularization="0.01").model
    new = {"a": ["50,000", "2,000"]}
    assert thousands.predict(new).tolist() == [True, False]
    with pytest.warns(UserWarning, match=r"not a number or date \('50,000', '2,000'\)"):
        plain.predict(new)


@pytest.mark.parametrize("word", ["refused", "N/A"])
def test_a_code_that_is_text_among_numbers(word, tmp_path, run):
    """Also if it is one of the usual words for "no value", and in half of the rows."""
    cells = [str(i % 90) if i % 2 else word if i % 4 else None for i in range(800)]
    right = ["yes" if one == word or ((one or "0").isdecimal() and int(one or 0) > 60) else "no"
             for one in cells]  # fmt: skip
    frame, file = pd.DataFrame({"months": cells, "y": right}), tmp_path / "t.csv"
    frame.to_csv(file, index=False)
    said = {"months": f"codes {word}; cuts 60"}
    for table in (file, frame):
        names = [str(a) for a in table_dataset(table, "y", TableOptions(columns=said)).antecedents]
        assert names == [*("months <= 60", "months > 60", f"months = {word}", "months is missing")]
        result = corels.learn(table, "y", columns=said, regularization="0.01")
        assert result.model.predict(frame).tolist() == right
    proof = tmp_path / "m.proof"
    short = ("--column", f"months: {said['months']}", "-r", "0.01", "-q", "-o", tmp_path / "n.json")
    assert run("run", file, "--label", "y", *short, "--proof", proof)[0] == 0
    assert run("check", tmp_path / "n.json", file, "--proof", proof)[0] == 0
    assert run("predict", tmp_path / "n.json", file)[1].split() == right
    assert (
        f"column 'months' has the code '{word}' among its numbers, which SQL cannot"
        in run("export", tmp_path / "n.json", "--to", "sql")[2]
    )


def test_durations_are_days_and_said_as_hours():
    spans = pd.to_timedelta([1 + 6.21 * 86400, 3600, 7200, 86400 * 9] * 20, unit="s")
    frame = pd.DataFrame({"open": spans, "y": [1, 0, 0, 1] * 20})
    model = corels.learn(frame, "y", columns={"open": "cuts 0.5"}).model
    assert str(model).splitlines()[-1] == "open is in days: 0.5 is 12:00:00"
    assert model.predict(frame).tolist() == frame["y"].tolist()


@pytest.mark.parametrize("language", ["python", "sql"])
def test_models_with_infinite_values_that_mean_no_value_are_not_exported(language):
    values = [1.0, 2.0, 4.0, float("inf"), float("-inf"), 5.0, 2.5, 6.0] * 30
    frame = pd.DataFrame({"v": values, "w": [0, 1] * 120, "y": [0, 0, 1, 0, 1, 1, 0, 1] * 30})
    said = {"v": "missing inf, -inf; cuts 3"}
    model = corels.learn(frame, "y", columns=said, regularization="0.01").model
    assert model.predict(frame).tolist() == frame["y"].tolist()
    with pytest.raises(InputError, match="infinite values of column 'v' mean 'no value'"):
        model.export(language)


@pytest.mark.parametrize("language", ["latex", "markdown", "html"])
def test_what_people_read_is_written_of_every_column(language, tmp_path, run):
    """No cell is read by it: percentages, codes and infinite values are not refused."""
    frame = pd.DataFrame({"p": [f"{i % 90} %" if i % 5 else "refused" for i in range(200)]})
    frame["y"] = [text == "refused" for text in frame["p"]]
    result = corels.learn(frame, "y", columns={"p": "codes refused"}, regularization="0.01")
    assert "refused" in result.model.export(language)
    result.save(tmp_path / "m.json")
    code, out, _ = run("export", tmp_path / "m.json", "--to", language)
    assert code == 0 and "refused" in out


def test_whole_numbers_beside_gaps_are_those_of_the_file(tmp_path, run):
    """pandas reads them as floats, the file as integers: it is one problem."""
    rows = [f"{row % 9 if row % 11 else ''},{row % 7},{'no' if row % 9 < 3 else 'yes'}"
            for row in range(90)]  # fmt: skip
    (tmp_path / "t.csv").write_text("\n".join(["age,calls,y", *rows]) + "\n")
    options = {"regularization": "0.02", "columns": {"calls": "as names"}, "max_cardinality": 2}
    for frame in (pd.read_csv(tmp_path / "t.csv"), str(tmp_path / "t.csv")):
        corels.learn(frame, "y", **options).save(tmp_path / "m.json")
        code, out, _ = run("check", tmp_path / "m.json", tmp_path / "t.csv")
        assert code == 0, out


def test_names_true_and_false_are_those_of_the_file(tmp_path, run):
    """A file's column of them is one of 0 and 1, a frame's one of names: check counts alike."""
    frame = pd.DataFrame({"ok": ["false", "true", "true"] * 30, "y": ["no", "yes", "yes"] * 30})
    corels.learn(frame, "y", regularization="0.02").save(tmp_path / "m.json")
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert (
        run("predict", tmp_path / "m.json", tmp_path / "t.csv")[1].split()
        == ["no", "yes", "yes"] * 30
    )
    _, out, _ = run("check", tmp_path / "m.json", tmp_path / "t.csv")
    assert "rule 1: ok = false: captures 30 of no, 0 of yes" in out
    wrong = [line.split()[1] for line in out.splitlines() if line.startswith("WRONG")]
    assert set(wrong) <= {"problem:", "sizes"}, out
