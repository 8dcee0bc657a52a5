"""What a description makes of a column: given cuts, codes, orders, groups, words, directions."""

import json
import random
import warnings

import called
import pytest

import corels
from corels import RuleListClassifier
from corels.errors import ColumnWarning, InputError
from corels.tables import Condition, TableOptions, load, table_dataset
from corels.tables.template import template

pd = pytest.importorskip("pandas")


def made(table, label="y", **options):
    return table_dataset(table, label, TableOptions(**options))


def named(data):
    return [str(one) for one in data.antecedents]


def table(rows=200, seed=1):
    draw = random.Random(seed)
    return {
        "age": [draw.randint(15, 80) for _ in range(rows)],
        "months": [draw.choice([-9, -8, *range(40)]) for _ in range(rows)],
        "grade": [draw.choice("ABC") for _ in range(rows)],
        "city": [draw.choice(["Bonn", "Graz", "Ulm"]) for _ in range(rows)],
        "opened": [f"{2010 + draw.randint(0, 9)}-{draw.randint(1, 9):02}-01" for _ in range(rows)],
        "y": [draw.choice("ny") for _ in range(rows)],
    }


def test_given_cuts_are_kept_as_they_are():
    """Whatever they hold for: one row is enough; on its own side of a cut nothing is moved."""
    data = made(
        {"x": [1, 2.5, 3, *[40] * 97], "y": [0, 1] * 50}, columns={"x": "cuts 1.1, 2.9, 40, 41"}
    )
    assert named(data) == ["x <= 1.1", "x > 1.1", "x <= 2.9", "x > 2.9"]
    assert [n.partition(":")[0] for n in data.use.hints()] == ["column 'x'"] * 2
    assert "the cut 40 is left out: no row has a value above it" in data.use.hints()[0]
    dates = made(table(), columns={"opened": "cuts 2012-12-31, 2015-06-30"})
    assert [name for name in named(dates) if name.startswith("opened")] == [
        *("opened <= 2012-12-31", "opened > 2012-12-31"),
        *("opened <= 2015-06-30", "opened > 2015-06-30"),
    ]


def test_codes_are_conditions_of_their_own_and_false_of_comparisons():
    data = made(table(), columns={"months": "codes -9 = no record, -8, -7; cuts 20"})
    found = {str(a): a.conditions[0] for a in data.antecedents if "months" in str(a)}
    assert list(found) == ["months <= 20", "months > 20", "months = -9", "months = -8"]
    assert found["months <= 20"] == Condition("months", "<=", 20, besides=(-9, -8))
    assert data.use.hints() == ["column 'months': code -7 occurs in no row"]
    at = named(data).index("months <= 20")
    months = table()["months"]
    assert data.captures[at].tolist() == [0 <= month <= 20 for month in months]
    assert data.captures[named(data).index("months = -9")].tolist() == [m == -9 for m in months]


def test_codes_do_not_choose_the_cuts():
    plain = [month for month in table()["months"] if month >= 0]
    of_plain = made({"m": plain, "y": [0, 1] * (len(plain) // 2) + [0] * (len(plain) % 2)})
    coded = made({"m": [-9] * 300 + plain, "y": [0, 1] * 150 + [0] * len(plain)},
                 columns={"m": "codes -9"}, min_support=0)  # fmt: skip
    assert named(coded)[:-1] == named(of_plain)


def test_codes_of_dates_and_of_texts_in_an_order():
    rows = table()
    rows["opened"][:5] = ["9999-12-31"] * 5
    rows["grade"][:3] = ["none"] * 3
    said = {"opened": "codes 9999-12-31; cuts 2015-01-01", "grade": "as C, B, A; codes none"}
    names = named(made(rows, columns=said))
    assert "opened = 9999-12-31" in names and "opened > 2015-01-01" in names
    assert [n for n in names if "grade" in n] == [
        *("grade = C", "grade in {B, A}", "grade in {C, B}", "grade = A", "grade = none")
    ]


def test_orders_groups_and_what_they_leave_out():
    data = made(table(), columns={"grade": "as A, B", "city": "cuts {Bonn, Graz}, {Linz}"})
    names = named(data)
    assert [n for n in names if "grade" in n] == ["grade = A", "grade = B"]
    assert [n for n in names if "city" in n] == ["city in {Bonn, Graz}"]
    assert data.use.hints() == [
        "column 'grade': 'as' does not list 'C'",
        "column 'city': no cell has the value 'Linz' of its groups",
    ]
    cut = made(table(), columns={"grade": ["a"][:0] or "as C, B, A; cuts C"})
    assert [n for n in named(cut) if "grade" in n] == ["grade = C", "grade in {B, A}"]


def test_words_that_no_cell_has_are_told(tmp_path):
    rows = table()
    (tmp_path / "t.csv").write_text(pd.DataFrame(rows).to_csv(index=False))
    for data in (rows, tmp_path / "t.csv"):
        found = made(data, missing="-9, -8, 999", columns={"city": "missing Ulm, Linz"})
        assert found.use.hints() == [
            "no cell has the value '999', which means 'no value'",
            "column 'city': no cell has the value 'Linz', which means 'no value'",
        ]
        assert "months is missing" in named(found) and "city is missing" in named(found)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"opened": "cuts 3"}, "column 'opened': the cut 3 is no date, as its values are"),
        ({"city": "direction up"}, "column 'city' has direction up, but its values have no order"),
        ({"aeg": "cuts 3"}, "there is no column 'aeg'; did you mean 'age'"),
    ],
)
def test_what_does_not_fit_is_one_sentence(said, sentence):
    with pytest.raises(InputError) as raised:
        made(table(), columns=said)
    assert sentence in str(raised.value)


def months_with_codes(rows=2000, seed=3):
    """-9, -8, -7 are no months: bad, good and bad again; of the months, few are bad."""
    draw = random.Random(seed)
    found = {"months": [], "bad": []}
    share = {-9: 0.95, -8: 0.05, -7: 0.95}
    for _ in range(rows):
        months = draw.choice([-9, -8, -7, *[draw.randint(0, 80)] * 3])
        chance = share.get(months, 0.95 if months <= 40 else 0.05)
        found["months"].append(months)
        found["bad"].append("yes" if draw.random() < chance else "no")
    return pd.DataFrame(found)


def test_codes_make_the_better_model():
    """The design's case: .94 if cutting through the codes gives less, for as many rules."""
    rows = months_with_codes()

    def accuracy(**said):
        found = corels.learn(rows, "bad", regularization="0.01", max_rules=2, **said)
        return 1 - found.model.errors / len(rows)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        described = accuracy(columns={"months": "codes -9, -8, -7; cuts 40"})
        assert described > 0.93
        assert accuracy() < described - 0.1
        assert accuracy(missing="-9, -8, -7") < described - 0.05


def test_a_template_makes_the_same_antecedents(tmp_path):
    for way in (None, "entropy 5, grouped", "uniform 4, both"):
        options = TableOptions(cuts=way)
        data = load("heart", options)
        text = template(data.use, options.described, data.label_name, data.classes, "heart")
        (tmp_path / "h.toml").write_text(text)
        again = load("heart", TableOptions(describe=str(tmp_path / "h.toml")))
        assert named(again) == named(data)


def test_a_template_ignores_what_was_ignored(tmp_path):
    options = TableOptions(ignore=("age", "sex"))
    data = load("heart", options)
    text = template(data.use, options.described, data.label_name, data.classes, "heart")
    (tmp_path / "h.toml").write_text(text)
    again = load("heart", TableOptions(describe=str(tmp_path / "h.toml")))
    assert named(again) == named(data) and not any("age" in one for one in named(again))


def test_a_model_file_is_a_description(tmp_path, monkeypatch, capsys):
    """A second sample gets its cuts, codes and readings."""
    monkeypatch.chdir(tmp_path)
    months_with_codes().to_csv("first.csv", index=False)
    months_with_codes(seed=4).to_csv("second.csv", index=False)

    def run(*words):
        assert not called.code(*words), capsys.readouterr()
        return capsys.readouterr().out

    said = ("--column", "months: codes -9, -8, -7; cuts entropy 1")
    run("run", "first.csv", "--label", "bad", *said, "-q", "-o", "m.json")
    kept = json.loads((tmp_path / "m.json").read_text())["reading"]["columns"]["months"]
    assert kept["codes"] == [-9, -8, -7] and len(kept["cuts"]) == 1
    listed = run("antecedents", "second.csv", "--label", "bad", "--describe", "m.json", "--json")
    names = [one["name"] for one in json.loads(listed)["antecedents"]]
    cut = kept["cuts"][0]
    assert names == [
        f"months <= {cut}",
        f"months > {cut}",
        *(f"months = {c}" for c in (-9, -8, -7)),
    ]
    run("check", "m.json", "first.csv")


def test_an_estimator_says_once_what_became_of_its_columns():
    frame = pd.DataFrame(table(60)).assign(id=range(60), same=1, day=["1/12/2024"] * 60)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        fitted = RuleListClassifier(0.1, columns={"months": "codes -9, -7"}).fit(
            frame.drop(columns="y"), frame["y"]
        )
    said = [str(one.message) for one in told if issubclass(one.category, ColumnWarning)]
    assert len(said) == 1
    assert "id (every value differs)" in said[0] and "same, day (one value only)" in said[0]
    assert "column 'months': code -7 occurs in no row" in said[0]
    assert "columns={'day': 'written dmy'}" in said[0]
    found = {one.name: one for one in fitted.columns_}
    assert found["months"].codes == (-9,) and found["age"].cuts and found["id"].unused
    with pytest.warns(ColumnWarning) as told:
        result = corels.learn(frame, "y", regularization="0.1", columns={"months": "codes -9, -7"})
    assert str(told[0].message) == said[0] == result.warnings[0]
