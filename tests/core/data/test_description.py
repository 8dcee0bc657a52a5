"""Column descriptions: documents, short texts, and the sentences about wrong ones."""

import pytest

from corels.errors import InputError
from corels.tables.description import NOTHING_SAID, ColumnDescription
from corels.tables.descriptions import Descriptions
from corels.tables.short import entry_of

EXAMPLES = [
    ("age: cuts 17, 25, 65; direction up", {"cuts": [17, 25, 65], "direction": "up"}),
    ("x: cuts entropy 5, grouped", {"cuts": "entropy 5, grouped"}),
    (
        "months: codes -9 = no record, -8; direction down",
        {"codes": {"-9": "no record", "-8": ""}, "direction": "down"},
    ),
    ("x: codes -9, -8.5, NR", {"codes": [-9, -8.5, "NR"]}),
    ("grade: as A, B, C; cuts B", {"as": ["A", "B", "C"], "cuts": ["B"]}),
    ('"a: b": as names; missing {}', {"as": "names", "missing": []}),
    ("x: missing 999, inf", {"missing": ["999", "inf"]}),
    ("x: missing refuse; written dmy", {"missing": "refuse", "written": "dmy"}),
    ("city: cuts {Bonn, Graz}, {Ulm}", {"cuts": [["Bonn", "Graz"], ["Ulm"]]}),
    ('x: name "a; b"; unit years', {"name": "a; b", "unit": "years"}),
    (
        "x: because below = too recent, -9 = no record; change never",
        {"because": {"below": "too recent", "-9": "no record"}, "change": "never"},
    ),
    ("opened: cuts 2019-12-31, 2020-06-30", {"cuts": ["2019-12-31", "2020-06-30"]}),
]


@pytest.mark.parametrize("text, document", EXAMPLES)
def test_a_short_text_says_what_its_document_says(text, document):
    name, fields = entry_of(text)
    found = ColumnDescription.of(name, fields)
    assert found.to_json() == document
    assert ColumnDescription.of(name, document) == found


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("age: cuts 65, 25", "column 'age': cuts 65, 25: expected rising numbers"),
        ("m: codes -8; missing -9, -8", "column 'm': -8 is both a code and missing"),
        ("age: change rarely", "column 'age': change is 'rarely': expected never, up or down"),
        (
            "m: because under = x",
            "column 'm': because names the cut side 'under': expected above, below, missing, or "
            "a value",
        ),
        (
            "a: as words",
            "column 'a': as is 'words': expected numbers, names, dates, ignore or a list",
        ),
        ("a: kuts 3", "column 'a': unknown field 'kuts'; did you mean 'cuts'?"),
        ("a: cuts quantile x", "cuts is 'quantile x': expected a whole number"),
        ("a: as A, B; cuts C", "column 'a': cuts C: expected texts that 'as' lists"),
        ("a: as names; direction up", "it has direction up and is read as names"),
        ("a: direction sideways", "direction is 'sideways': expected up or down"),
        ("age cuts 17", 'expected "NAME: field value"'),
    ],
)
def test_what_is_wrong_is_one_sentence(text, sentence):
    with pytest.raises(InputError) as raised:
        Descriptions.of([text])
    assert sentence in str(raised.value)


def test_the_most_special_wins_field_by_field():
    file = Descriptions.from_json(
        {"columns": {"*": {"cuts": "entropy 5", "missing": ["?"]}, "age": {"cuts": [17]}}}
    )
    typed = Descriptions.of(["age: direction up", "*: cuts quantile 20"])
    both = typed.over(file)
    assert both.column("age") == ColumnDescription.of("age", "cuts 17; direction up; missing ?")
    assert both.column("other").to_json() == {"cuts": "quantile 20", "missing": ["?"]}
    assert Descriptions.of(["a", "b"], only=True).column("c").as_ == "ignore"
    assert Descriptions.of(["a", "b"], only=True).column("a") == NOTHING_SAID
    assert Descriptions.from_json(both.to_json()) == both


def test_a_file_of_toml_has_dates_numbers_and_bare_codes(tmp_path):
    path = tmp_path / "loans.toml"
    path.write_text(
        'title = "Loans"\ndate = 2026-01-02\nowner = "Risk"\n[label]\nname = "default"\n'
        '[classes.yes]\nname = "defaulted"\n[columns.opened]\ncuts = [2020-01-01]\n'
        '[columns.months]\ncodes = {-9 = "no record"}\n'
    )
    found = Descriptions.of(str(path))
    assert (found.title, found.date, found.owner) == ("Loans", "2026-01-02", "Risk")
    assert found.column("opened").given_cuts == ("2020-01-01",)
    assert found.column("months").code_words == {-9: "no record"}
    with pytest.raises(InputError, match=r"^f\.toml describes column 'month', .*: did you mean"):
        Descriptions.of(["month: as names"]).refuse_unknown(["months"], "f.toml")
