"""Tables: CSV and Parquet files, frames, label columns, and every way to be wrong."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import SHARED, needs_shared

from corels.errors import InputError, OptionError
from corels.tables import TableOptions, columns_of, read_rules, table_dataset

pl = pytest.importorskip("polars")


LONG = "x" * 200_000
CSV = "age,sex,label\n18,m,no\n25,f,yes\n,f,no\n70,m,yes\n"
TABLE = {
    "age": [18, 25, None, 70],
    "sex": ["m", "f", "f", "m"],
    "label": ["no", "yes", "no", "yes"],
}
ALL = TableOptions(min_support=0)


def write(folder, text, name="t.csv"):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / name


def same(one, other):
    assert one.antecedents == other.antecedents
    assert (one.captures.words == other.captures.words).all()
    assert (one.labels == other.labels).all()
    assert one.classes == other.classes


@pytest.mark.parametrize(
    "text",
    [
        CSV,
        CSV.replace("\n", "\r\n"),
        CSV.replace("\n", "\r"),
        CSV + "\n \n\n",
        CSV.rstrip(),
        "\ufeff" + CSV,
        CSV.replace(",", ";"),
        CSV.replace(",", "\t"),
        CSV.replace(",", "|"),
        CSV.replace(",", " , "),
        CSV.replace("\n,", "\n?,"),
        CSV.replace("\n,", "\nNA,"),
        CSV.replace("m", '"m"').replace("sex", '"sex"'),
        gzip.compress(CSV.encode(), mtime=0),
    ],
    ids=(
        *("lf", "crlf", "cr", "blank", "no-eol", "bom", "semicolon", "tab", "bar", "spaces"),
        *("question", "na", "quotes", "gz"),
    ),
)
def test_forms_of_csv_read_the_same(tmp_path, text):
    same(table_dataset(write(tmp_path, text), "label", ALL), table_dataset(TABLE, "label", ALL))


def test_frames_and_parquet_read_the_same(tmp_path):
    expected = table_dataset(TABLE, "label", ALL)
    assert [a.name for a in expected.antecedents] == [
        *("age <= 18", "age > 18", "age <= 25", "age > 25", "age is missing", "sex = f", "sex = m")
    ]
    frame = pl.DataFrame(TABLE)
    frame.write_parquet(tmp_path / "t.parquet")
    same(table_dataset(frame, "label", ALL), expected)
    found = table_dataset(tmp_path / "t.parquet", "label", ALL)
    same(found, expected)
    assert (found.name, found.label_name) == ("t", "label")
    pd = pytest.importorskip("pandas")
    same(table_dataset(pd.DataFrame(TABLE), "label", ALL), expected)


def test_the_last_line_may_end_in_empty_fields(tmp_path):
    columns = columns_of(write(tmp_path, "a\tb\tc\n1\t2\t3\n4\t\t\n\n"))
    assert list(zip(*columns.values(), strict=True)) == [(1, 2, 3), (4, None, None)]


def test_types_of_columns(tmp_path):
    text = (
        "whole,number,truth,word,quoted,code\n"
        '1,0.5,true,a,"x,y",007\n-2,,FALSE,nan,"line\nbreak",12\n,1e3,,β,"a ""b""",9\n'
    )
    columns = columns_of(write(tmp_path, text))
    assert {name: column.cells() for name, column in columns.items()} == {
        "whole": [1, -2, None],
        "number": [0.5, None, 1000.0],
        "truth": [True, False, None],
        "word": ["a", None, "β"],
        "quoted": ["x,y", "line\nbreak", 'a "b"'],
        "code": ["007", "12", "9"],
    }
    reading = TableOptions(missing=()).reading
    assert columns_of(tmp_path / "t.csv", reading=reading)["word"].cells()[1] == "nan"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv: the file is empty"),
        ("\n \n", "t.csv: the file is empty"),
        ("a,label\n", "t.csv: there is a header but there are no rows"),
        ("a,label\n1,0\n2\n", "line 3: 1 fields, but the header has 2 columns"),
        ("a,label\n1,0\n2,1,3\n", "line 3: 3 fields, but the header has 2 columns"),
        ("a,label\n1,0\n\n2,1\n", "line 3 is empty, but the header has 2 columns"),
        pytest.param(f"a,label\n{LONG},0\n2\n", "line 3: 1 fields, but the header", id="long"),
        pytest.param(f'a,label\n"{LONG}",0\n2\n', "line 3: 1 fields, but the header", id="quoted"),
        ('a,label\n"1\n1",0\n2\n', "line 4: 1 fields, but the header has 2 columns"),
        ('a,label\n1,0\n"2,1\n', "line 3: damaged quoting"),
        ('a,label\n1,0\n"2"x,1\n', "line 3: damaged quoting"),
        ("\na,label\n1,0\n", "line 1: the line is blank"),
        ('"a,label\n1,0\n', "line 1: damaged quoting"),
        ("a,,label\n1,2,0\n", "line 1: column 2 has no name"),
        ("a,a,label\n1,2,0\n", "line 1: 2 columns are named 'a'"),
        (b"a,label\n1,0\n\xe9,1\n", "line 3: byte 0xe9 is not UTF-8"),
        (CSV.encode("utf-16"), r"UTF-16 text; save the file as UTF-8, or .*--encoding utf-16,"),
        (b"PK\x03\x04 and so on", "this is a spreadsheet or another archive"),
        (b"a\0,label\n1,0\n", "not a table that is read"),
        (b"PAR1 and then nothing", "cannot be read as Parquet"),
        (gzip.compress(CSV.encode(), mtime=0)[:-9], "damaged gzip file"),
        ("a,label\n1,0\n2,0\n", "label column 'label' has only the value 0, expected two classes"),
        ("a,label\n1,0\n2,\n", "label column 'label' has no value in row 2"),
        ("a,lable\n1,0\n2,1\n", "no label column 'label'; did you mean 'lable'. the columns are a"),
        ("label\n0\n1\n", "there is no column left besides the label"),
        ("a,label\n1,0\ninf,1\n3,1\n", "column 'a' has an infinite value"),
        ("a,label\n" + "".join(f"1,{i}\n" for i in range(101)), "has 101 different values"),
    ],
)
def test_malformed_tables(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        table_dataset(write(tmp_path, text), "label")
    assert "\n" not in str(error.value)
    assert str(tmp_path / "t.csv") in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ["age", "sxe"]}, "no column 'sxe'; did you mean 'sex'"),
        ({"ignore": ["x"]}, "no column 'x'; the columns are age, sex, label"),
        ({"columns": {"x": "as names"}}, "no column 'x'"),
        ({"columns": ["label"]}, "there is no column left besides the label 'label'"),
        ({"weight": "w"}, "no weight column 'w'"),
        ({"weight": "age"}, "weight column 'age' has no value in row 3"),
        ({"weight": "sex"}, "weight column 'sex' is 'm' in row 1"),
        ({"positive": "maybe"}, "has no class 'maybe'; it has 'no', 'yes'"),
        ({"min_support": 1.5}, "min_support is 1.5: expected a share from 0 to 1"),
        ({"missing": "refuse"}, "column 'age' has 1 missing values, the first in row 3"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises((InputError, OptionError), match=message):
        table_dataset(TABLE, "label", TableOptions(**options))


def test_columns_ignored_chosen_and_weighed():
    table = TABLE | {"n": [1, 2, 0, 5]}
    data = table_dataset(table, "label", TableOptions(min_support=0, weight="n", ignore=["age"]))
    assert {c.column for a in data.antecedents for c in a.conditions} == {"sex"}
    assert data.weights.tolist() == [1, 2, 0, 5]
    data = table_dataset(table, "label", TableOptions(min_support=0, columns=["sex"]))
    assert [a.name for a in data.antecedents] == ["sex = f", "sex = m"]


@pytest.mark.parametrize(
    ("labels", "positive", "classes", "values"),
    [
        (["no", "yes", "no"], None, ("no", "yes"), [0, 1, 0]),
        (["no", "yes", "no"], "no", ("yes", "no"), [1, 0, 1]),
        ([0, 1, 1], None, (0, 1), [0, 1, 1]),
        ([1.0, 2.0, 1.0], "1", (2, 1), [1, 0, 1]),
        ([True, False, True], None, (False, True), [1, 0, 1]),
        (["b", "c", "a"], None, ("a", "b", "c"), [1, 2, 0]),
        ([3, 7, 5], 3, (5, 7, 3), [2, 1, 0]),
        ([-1, 1, -1], None, (-1, 1), [0, 1, 0]),
        ([0.5, 1.5, 0.5], None, (0.5, 1.5), [0, 1, 0]),
    ],
)
def test_labels(labels, positive, classes, values):
    table = {"x": [0, 1, 1], "y": labels}
    data = table_dataset(table, "y", TableOptions(min_support=0, positive=positive))
    assert data.classes == classes
    assert [type(c) for c in data.classes] == [type(c) for c in classes]
    assert data.labels.tolist() == values


def test_columns_of_a_file_evaluate_antecedents_learned_from_another(tmp_path):
    data = table_dataset(write(tmp_path, CSV), "label", ALL)
    columns = columns_of(write(tmp_path, "sex,age\nm,70\nf,\n", "new.csv"))
    old = data.antecedents[[a.name for a in data.antecedents].index("age > 25")]
    assert old.evaluate(columns).tolist() == [True, False]
    with pytest.raises(InputError, match="the data has no column 'age'"):
        old.evaluate(columns_of(write(tmp_path, "sex\nm\n", "less.csv")))


def test_unreadable(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        table_dataset(tmp_path / "nowhere.csv", "label")
    with pytest.raises(InputError, match="no table in this folder"):
        columns_of(tmp_path)


@needs_shared
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.name, marks=[pytest.mark.slow] * (path.stat().st_size > 150_000))
        for path in sorted(SHARED.glob("clean/*"))
    ],
)
def test_real_tables(path):
    data = table_dataset(path, "label")
    frame = pl.read_csv(path, infer_schema_length=None)
    assert data.labels.tolist() == frame["label"].to_list()
    supports = np.asarray(data.captures).mean(axis=1)
    assert ((supports >= 0.01) & (supports <= 0.99)).all()
    assert len({a.name for a in data.antecedents}) == data.n_antecedents
    columns = columns_of(path)
    for j in range(0, data.n_antecedents, 17):
        assert (data.antecedents[j].evaluate(columns) == data.captures[j]).all()


@needs_shared
def test_the_table_and_the_rule_file_of_compas_agree():
    """The first 19 rules of the `.out` file are the one-hot columns of the same people's table."""
    rules = read_rules(SHARED / "corels_format/compas_train.out")
    table = table_dataset(
        SHARED / "clean/compas_corels_train.csv", "label", TableOptions(min_support=0)
    )
    assert (rules.labels == table.labels).all()
    as_rows = {row.tobytes() for row in table.captures}
    assert all(row.tobytes() in as_rows for row in rules.captures.unpack()[:19])


@given(st.data())
def test_damaged_tables_raise_nothing_but_input_errors(tmp_path_factory, data):
    content = bytearray((CSV * 2).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(at, min(len(content), at + 4)))
        content[at:end] = data.draw(
            st.binary(max_size=3)
            | st.sampled_from([b"\n", b",", b'"', b"\r", b";", b"1e999", b"\0"])
        )
    path = write(tmp_path_factory.mktemp("damaged"), bytes(content))
    try:
        found = table_dataset(path, "label", TableOptions(min_support=0, max_cardinality=2))
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert found.captures.shape == (len(found.antecedents), len(found.labels))


def test_parquet_cut_short_anywhere(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame(TABLE).write_parquet(path)
    content = path.read_bytes()
    for length in range(4, len(content), 37):
        path.write_bytes(content[:length])
        with pytest.raises(InputError, match="cannot be read as Parquet") as error:
            columns_of(path)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("of_polars", [True, False])
def test_parquet_that_makes_the_reader_panic(tmp_path, monkeypatch, of_polars):
    """Damage within the pages; polars then raises what is not even an Exception, and so does what
    it reads Excel files with: fastexcel has a class of its own of that name."""
    other = type("PanicException", (BaseException,), {})

    def panic(_):
        kind = pl.exceptions.PanicException if of_polars else other
        raise kind("called unwrap on None\nand more")

    monkeypatch.setattr(pl, "read_parquet", panic)
    with pytest.raises(InputError, match="cannot be read as Parquet: this begins like Parquet"):
        columns_of(write(tmp_path, b"PAR1"))
