"""Where tables come from: formats, pipes, devices, files without a header, new values."""

import bz2
import csv
import gzip
import io
import json
import lzma
import subprocess
import sys
import zipfile

import called
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_pipes import written_pipe

import corels
from corels.errors import InputError
from corels.tables import TableOptions, columns_of, table_dataset, textfile
from corels.tables.column import as_column, row_count
from corels.tables.deadline import NO_DEADLINE, Deadline
from corels.tables.learned import LearnedColumn
from corels.tables.textfile import _is_regular, csv_cells
from corels.tables.unseen import Unseen, columns_asked, unseen_values

pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")

CSV = "age,city,when,label\n20,A,2024-01-01,no\n30,B,2024-02-01,yes\n40,A,,yes\n"
FRAME = pl.read_csv(io.BytesIO(CSV.encode()), try_parse_dates=True)


@given(st.text("a,\n", max_size=30), st.integers(2, 3))
def test_records_that_fit_have_so_many_fields(text, width):
    text += "\n"
    if _is_regular(text.encode(), ",", width, "t", NO_DEADLINE):
        records = list(csv.reader(io.StringIO(text), strict=True))
        assert {len(record) for record in records} == {width}


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("t.parquet", FRAME.write_parquet),
        ("t.arrow", FRAME.write_ipc),
        ("t.feather", lambda to: FRAME.write_ipc(to, compression="lz4")),
        ("t.arrows", FRAME.write_ipc_stream),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_every_format_reads_the_same(tmp_path, name, save, packed):
    save(tmp_path / name)
    if packed:
        write(tmp_path / name, gzip.compress((tmp_path / name).read_bytes()))
    options = TableOptions(min_support=0)
    expected = table_dataset(write(tmp_path / "t.csv", CSV), "label", options)
    found = table_dataset(tmp_path / name, "label", options)
    assert found.antecedents == expected.antecedents
    assert (found.captures.words == expected.captures.words).all()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.arrow", b"ARROW1 and then nothing", "cannot be read as Arrow: this begins like Arrow"),
        ("m.json", '{\n  "schema": "corels/rule-list"', "this is a model, which is not read; give"),
        (
            "t.json",
            '{"a": [1, 2], "b": [3, 4]}',
            "this is JSON, which is not read; save the table as",
        ),
        ("t.json", '[{"a": 1},', "this is JSON, which is not read"),
        ("t.ndjson", '{"a": 1}\n[1, 2]\n', "this is JSON, which is not read"),
        ("t.xls", b"\xd0\xcf\x11\xe0 and more", "cannot be read as a spreadsheet"),
        ("t.xlsx", b"PK\x03\x04 and more", "cannot be read as a spreadsheet"),
        ("t.pickle", b"\x80\x04\x95", "this is a pickle, which is not read; save the table as CSV"),
        ("t.csv.xz", lzma.compress(b"a,b"), "this is a packed file, which is not read; unpack it"),
        ("t.csv.bz2", bz2.compress(b"a,b"), "this is a packed file, which"),
        (
            "t.h5",
            b"\x89HDF\r\n\x1a\n",
            "this is not a table that is read: expected CSV, Parquet, Arrow",
        ),
        ("t.sav", b"$FL2@(#) SPSS\0\0", "line 1: a zero byte, so this is not a text file"),
        ("t.db", b"SQLite format 3\0", "this is an SQLite database, which is not read"),
        (
            "t.duckdb",
            b"\1" * 8 + b"DUCK\0",
            "this is a DuckDB database, which is not read; save th",
        ),
        ("t.html", b"<!DOCTYPE html>", "this is an HTML page"),
        ("t.csv", b"a,b\n1,2\n3,\x004\n", "line 3: a zero byte, so this is not a text file"),
        ("cut.orc", b"ORC" + bytes(3_000_000), "this is not a table that is read"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, name, content, message):
    with pytest.raises(InputError, match=message) as error:
        columns_of(write(tmp_path / name, content))
    assert name in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("5.1,3.5,setosa\n4.9,3.0,setosa\n", 1),
        ("7,2,1\n3,4,0\n", 1),
        ("39,State,yes\n50,Private,no\n38,State,yes\n", 1),
        ("a,0.5,label\n1,2,3\n", 2),
    ],
)
def test_a_file_without_a_header_is_named(tmp_path, text, column):
    with pytest.raises(InputError, match=f"line 1, column {column}: the name .* looks like a valu"):
        columns_of(write(tmp_path / "t.csv", text))


def test_separators_in_quoted_names_are_none(tmp_path):
    text = '"price, EUR, net";"line\nbreak";"a ""b"", c"\n1;2;3\n4;5;6\n'
    columns = list(columns_of(write(tmp_path / "t.csv", text)))
    assert columns == ["price, EUR, net", "line\nbreak", 'a "b", c']


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_first_line_of_words_that_are_values_is_data(tmp_path, separator):
    text = "a1,State-gov,no\n" + "".join(
        f"a{at},{'State-gov' if at % 3 else 'Private'},{'yes' if at % 2 else 'no'}\n"
        for at in range(2, 90)
    )
    path = write(tmp_path / "t.csv", text.replace(",", separator))
    with pytest.raises(InputError, match="line 1, column 2: the name 'State-gov' looks like a val"):
        table_dataset(path, "no")


def test_the_index_that_pandas_writes_has_the_name_that_pandas_gives_it(tmp_path):
    frame = pd.DataFrame({"a": range(7, 37), "y": list("pq") * 15})
    frame.to_csv(tmp_path / "t.csv")
    assert list(columns_of(tmp_path / "t.csv")) == ["Unnamed: 0", "a", "y"]
    data = table_dataset(tmp_path / "t.csv", "y")
    assert "unused: Unnamed: 0 (every value differs)" in data.use.line()
    ignored = table_dataset(tmp_path / "t.csv", "y", TableOptions(ignore=("Unnamed: 0",)))
    assert ignored.antecedents == data.antecedents
    with pytest.raises(InputError, match="column 2 has no name"):
        columns_of(write(tmp_path / "t.csv", "a,,y\n1,2,3\n"))


def test_the_lines_of_orange_are_no_rows(tmp_path):
    head = "age\tsex\till\ncontinuous\tdiscrete\tdiscrete\n\t\tclass\n"
    with pytest.raises(InputError, match="lines 2 and 3: they say what the columns are, as Orange"):
        table_dataset(write(tmp_path / "t.tab", head + "3\tf\tno\n4\tm\tyes\n" * 5), "ill")
    letters = write(tmp_path / "t.csv", "a,y\nc,c\nd,c\n" + "d,s\nc,c\n" * 10)
    assert table_dataset(letters, "y").n_rows == 22


@pytest.mark.parametrize("stored_", [False, True])
def test_names_are_no_patterns(tmp_path, monkeypatch, stored_):
    """`*` and `^a$` are names, in a file that is read as a whole or piece by piece."""
    if stored_:
        monkeypatch.setattr("corels.tables.stored.LARGE", 10)
        monkeypatch.setattr("corels.tables.pieces.PIECE", 100)
    text = "*,^a$,a,y\n" + "".join(f"{at % 5},{at % 3},{at % 7},{at % 2}\n" for at in range(60))
    csv_file, parquet = write(tmp_path / "t.csv", text), tmp_path / "t.parquet"
    pl.read_csv(csv_file).write_parquet(parquet)
    for table in (csv_file, parquet, pl.read_csv(csv_file).lazy()):
        data = table_dataset(table, "y")
        asked = list(dict.fromkeys(a.conditions[0].column for a in data.antecedents))
        assert asked == ["*", "^a$", "a"]
        assert not (
            data.captures.words != table_dataset(pl.read_csv(csv_file), "y").captures.words
        ).any()
        only = table_dataset(table, "y", TableOptions(columns=("^a$",)))
        assert {a.conditions[0].column for a in only.antecedents} == {"^a$"}


@pytest.mark.parametrize(
    "text", ["0,1,2\n5,6,7\n", "1,2\n5,6\n", "2019,2020,label\n1,2,x\n", "x\n1\n", "yes,a\nno,b\n"]
)
def test_names_that_are_numbers_may_be_names(tmp_path, text):
    assert row_count(columns_of(write(tmp_path / "t.csv", text))) == 1


@pytest.mark.parametrize("name", ["ORCID", "FEA1", "BZh1", "Obj", "X", "abcdefgh DUCK", "ORC"])
def test_names_that_begin_like_other_formats_are_names(tmp_path, name):
    assert list(columns_of(write(tmp_path / "t.csv", f"{name},b\n1,ORC\n"))) == [name, "b"]


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"


def workbook(path, **sheets):
    """An Excel file of these sheets, which are lists of rows; None is an empty cell, and a fraction
    a time of day."""

    def cell(value, place):
        if value is None:
            return ""
        if isinstance(value, str):
            return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
        style = ' s="1"' if isinstance(value, float) else ""
        return f'<c r="{place}"{style}><v>{value}</v></c>'

    def sheet(rows):
        lines = ("".join(cell(v, f"{chr(65 + c)}{r}") for c, v in enumerate(row))
                 for r, row in enumerate(rows, 1))  # fmt: skip
        body = "".join(f'<row r="{r}">{line}</row>' for r, line in enumerate(lines, 1))
        return f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'

    def links(*targets):
        each = (f'<Relationship Id="r{at}" Target="{to}" Type="{OFFICE}/{kind}"/>'
                for at, (kind, to) in enumerate(targets))  # fmt: skip
        return f'<Relationships xmlns="{LINKS}">{"".join(each)}</Relationships>'

    named = (f'<sheet name="{name}" sheetId="{at + 1}" r:id="r{at + 1}"/>'
             for at, name in enumerate(sheets))  # fmt: skip
    book = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{"".join(named)}</sheets></workbook>'
    )
    parts = {
        "_rels/.rels": links(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": links(
            ("styles", "styles.xml"), *(("worksheet", f"worksheets/{name}.xml") for name in sheets)
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
        '<xf numFmtId="20"/></cellXfs></styleSheet>',
    }
    parts |= {f"xl/worksheets/{name}.xml": sheet(rows) for name, rows in sheets.items()}
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return path


def test_a_spreadsheet_reads_the_same(tmp_path):
    """Values that begin to differ in kind far down are all there."""
    rows = [[at % 7, "ja" if at % 7 > 3 else "nein"] for at in range(400)]
    rows[300][0] = "unbekannt"
    book = workbook(tmp_path / "t.xlsx", Daten=[["alter", "krank"], *rows])
    text = "alter,krank\n" + "".join(f"{a},{b}\n" for a, b in rows)
    expected = table_dataset(write(tmp_path / "t.csv", text), "krank")
    found = table_dataset(book, "krank")
    assert found.antecedents == expected.antecedents
    assert (found.captures.words == expected.captures.words).all()
    assert found.use.oddities() == expected.use.oddities() != []


def test_a_sheet_of_several_is_named(tmp_path):
    sheets = {"A": [["x"], [1]], "B": [["y"], [2]], "C": [["z"], [3]], "leer": []}
    book = str(workbook(tmp_path / "t.xlsx", **sheets))
    assert list(columns_of(book)) == ["x"]
    assert list(columns_of(f"{book}#C")) == ["z"]
    assert list(columns_of(f"{book}#B")) == ["y"]
    with pytest.raises(InputError, match=r"t.xlsx: unknown sheet 'D' \(there are: A, B, C, leer\)"):
        columns_of(f"{book}#D")
    with pytest.raises(InputError, match=r"t.xlsx: there are no rows"):
        columns_of(f"{book}#leer")
    text = write(tmp_path / "text.xlsx", "x\n1\n")
    with pytest.raises(InputError, match=r"text.xlsx: this is no spreadsheet, so it has no sheet"):
        columns_of(f"{text}#A")
    odd = write(tmp_path / "t.xlsx#A", "of,a,file\n1,2,3\n")
    assert list(columns_of(odd)) == ["of", "a", "file"]


def test_two_sheets_of_a_workbook_are_two_tables(tmp_path, monkeypatch):

    monkeypatch.chdir(tmp_path)
    rows = [["x", "y"], *([at % 2, at % 2] for at in range(20))]
    workbook(tmp_path / "t.xlsx", A=rows, B=rows[:15])
    asked = ("--label", "y", "--folds", "2", "--model", "rule-list", "-q", "-o", "e.csv")
    assert called.code("evaluate", "t.xlsx#A", "t.xlsx#B", *asked) == 0
    assert pl.read_csv("e.csv")["data"].unique(maintain_order=True).to_list() == ["t#A", "t#B"]


def test_empty_texts_in_a_spreadsheet_have_no_value(tmp_path):
    """Formulas and other programs write them; beside numbers they leave a column of numbers."""
    rows = [["" if at % 20 == 3 else "ab"[at % 2], "" if at % 20 == 5 else at % 9, at % 2] for at in
            range(100)]  # fmt: skip
    data = table_dataset(workbook(tmp_path / "t.xlsx", S=[["name", "number", "y"], *rows]), "y")
    asked = {
        str(one): bits.sum() for one, bits in zip(data.antecedents, data.captures, strict=True)
    }
    assert asked["name is missing"] == asked["number is missing"] == 5
    assert asked["number <= 2"] + asked["number > 2"] == 95 and 'name = ""' not in asked


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "a"], "t.xlsx: sheet 'S', row 1: 2 columns are named 'a'"),
        (["a", None], "t.xlsx: sheet 'S', row 1: column 2 has no name"),
        (["Patients of 2024"], "t.xlsx: sheet 'S', row 1: column 2 has no name"),
    ],
)
def test_names_in_a_spreadsheet(tmp_path, names, message):
    with pytest.raises(InputError, match=message):
        columns_of(workbook(tmp_path / "t.xlsx", S=[names, [1, 2], [3, 4]]))


LARGE = 2**64 - 1


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([LARGE, LARGE - 1, None], dtype=pl.UInt64),
        pl.Series([LARGE, LARGE - 1, None], dtype=pl.Int128),
        pd.Series([LARGE, LARGE - 1, None], dtype="UInt64"),
        [LARGE, LARGE - 1, None],
    ],
    ids=["polars", "polars128", "pandas", "list"],
)
def test_empty_cells_of_twenty_digits_are_names(tmp_path, values):
    """Floats would make them equal."""
    table = columns_of(write(tmp_path / "t.csv", f"a,b\n{LARGE},1\n{LARGE - 1},1\n,2\n"))
    for column in (as_column("a", values), as_column("a", table["a"])):
        assert column.categories == (str(LARGE), str(LARGE - 1))
        assert column.values.tolist() == [0, 1, -1]
    few = as_column("a", pl.Series([LARGE, 5], dtype=pl.UInt64))
    assert few.categories is None and few.values.tolist() == [float(LARGE), 5.0]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_are_no_names(kind):
    data = table_dataset({"a": [kind(b"x"), kind(b"y")] * 9, "b": [1, 2] * 9, "y": [0, 1] * 9}, "y")
    assert f"unused: a (has a value of type {kind.__name__})" in data.use.line()


def test_a_frame_with_a_column_without_a_name():
    data = table_dataset(pd.DataFrame({"": [1, 2, 3, 1], "y": list("abba")}), "y")
    assert str(data.antecedents[0]) == '"" <= 1'


def test_a_fifo_is_read_once(tmp_path):
    with written_pipe(tmp_path / "fifo", CSV) as fifo:
        data = table_dataset(fifo, "label", TableOptions(min_support=0))
    assert data.n_rows == 3 and data.name == "fifo"


def test_devices_and_endless_pipes_end(tmp_path, monkeypatch):
    monkeypatch.setattr("corels.tables.files.MOST_FROM_PIPE", 3 << 20)
    with pytest.raises(InputError, match="more than 3 MiB"):
        columns_of("/dev/zero")
    with (
        subprocess.Popen(["yes", "1,2"], stdout=subprocess.PIPE) as endless,
        pytest.raises(InputError, match="more than 3 MiB came through a pipe or device and no end"),
    ):
        try:
            columns_of(f"/dev/fd/{endless.stdout.fileno()}")
        finally:
            endless.kill()


def test_standard_input(monkeypatch):
    class Typed:
        buffer = io.BytesIO(CSV.encode())

    monkeypatch.setattr(sys, "stdin", Typed)
    assert row_count(columns_of("-")) == 3


def test_gzip_of_several_members(tmp_path):
    two = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")
    assert row_count(columns_of(write(tmp_path / "t.csv.gz", two))) == 2


# Rows of which polars makes three or four others, and says nothing.
ODD = 'x,y,z\n"\', \'",",a\n\n",1"1\n"é \'",1,1a \n,"é\'", " \n"a\n\n",11,b\n1a,"""a\n\n",\''


def test_quotes_in_cells_that_are_not_quoted_make_no_other_rows(tmp_path):
    """As the csv module reads them."""
    (tmp_path / "t.csv").write_text(ODD, encoding="utf-8")
    found = csv_cells("t.csv", ODD.encode())
    header, *rows = csv.reader(io.StringIO(ODD))
    assert found.columns == header
    assert [[cell or "" for cell in row] for row in found.rows()] == rows


def test_the_slow_way_to_read_keeps_to_the_time_limit():
    text = b"x,y\n" + b'a"b,1\n' * 5000
    with pytest.raises(InputError, match="the time limit of 0 s was reached while reading "):
        textfile._cells(text, ("x", "y"), ",", True, Deadline(0))


@pytest.mark.parametrize(
    "cells", [["1", 'a"b', '"x,\ny"'], ['"a""b"', '""', '"\n"'], ["a", "b", '"c"']]
)
def test_cells_with_quotes_are_told_from_cells_in_quotes(cells):
    content = ";".join(["x", "y", "z"]) + "\n" + ";".join(cells) + "\n"
    (record,) = list(csv.reader(io.StringIO(content), delimiter=";"))[1:]
    found = csv_cells("t.csv", content.encode()).rows()
    assert [[cell or "" for cell in row] for row in found] == [record]


def test_odd_quoting_is_read_and_wrong_quoting_has_a_place(tmp_path):
    columns = columns_of(write(tmp_path / "t.csv", 'a,b\nx "y" z,1\n"p\n""q""",2\n'))
    assert list(zip(*columns.values(), strict=True)) == [('x "y" z', 1), ('p\n"q"', 2)]
    for odd in ("", ' "o" '):  # the reader of tables may also stumble over odd quoting
        long = f'a,b\n{odd}p,1\n"{"q" * 150_000}",2\n'
        assert row_count(columns_of(write(tmp_path / "t.csv", long))) == 2
    with pytest.raises(InputError, match=r"line 3: damaged quoting"):
        columns_of(write(tmp_path / "t.csv", 'a,b\n1,2\n3,"x"y\n'))
    with pytest.raises(InputError, match=r"line 2: damaged quoting"):
        columns_of(write(tmp_path / "t.csv", 'a,b\n1,"2\n3,4\n'))


def test_the_label_is_no_weight(tmp_path):
    with pytest.raises(InputError, match="the label column 'label' cannot also be the weight"):
        table_dataset(write(tmp_path / "t.csv", CSV), "label", TableOptions(weight="label"))


def test_a_weight_may_say_which_rows_count():
    table = {"a": [0, 1, 0, 1], "y": ["p", "q", "q", "p"], "w": [True, True, False, True]}
    data = table_dataset(table, "y", TableOptions(weight="w"))
    assert data.weights.tolist() == [1, 1, 0, 1]
    table["w"] = [1.0, 1.0, float("inf"), 1.0]
    with pytest.raises(InputError, match="is inf in row 3: expected a number of 0"):
        table_dataset(table, "y", TableOptions(weight="w"))


@pytest.mark.parametrize(
    ("given", "kept", "told"),
    [
        ([4, 8, 12, 16], [4, 8, 12, 16], ""),
        ([0.5, 1.5, 2, 0], [1, 3, 4, 0], "counted in units of 1/2"),
        ([3 * 2**40, 2**41, 2**40, 0], [3, 2, 1, 0], "counted in units of 1099511627776"),
        ([2.0**90, 3 * 2.0**90, 0, 2.0**90], [1, 3, 0, 1], "counted in units of 1"),
        ([2**31, 1, 2**31 - 1, 2**32], [2**27, 0, 2**27, 2**28], "rounded to multiples of 16"),
    ],
)
def test_weights_of_any_size_and_fractions(given, kept, told, tmp_path):
    table = {"a": [0, 1, 0, 1], "y": ["p", "q", "q", "p"], "w": given}
    data = table_dataset(table, "y", TableOptions(weight="w"))
    assert data.weights.tolist() == kept and data.weighed.startswith(told)
    assert bool(data.weighed) is bool(told)
    lines = [",".join(map(str, row)) for row in zip(*table.values(), strict=True)]
    file, model = write(tmp_path / "w.csv", "\n".join(["a,y,w", *lines])), tmp_path / "m.json"
    words = ["--label", "y", "--weight", "w", "-o", str(model), "--quiet"]
    for command in (["run", str(file), *words], ["check", str(model), str(file)]):
        assert not called.code(*command)
    assert json.loads(model.read_text())["certificate"]["extra"].get("weights", "") == data.weighed


DOCUMENT = {
    "rules": [
        {"if": {"conditions": [{"column": "city", "operator": "==", "value": "A"}]}},
        {"if": {"conditions": [{"column": "age", "operator": "<=", "value": 3}]}},
    ]
}
KNOWN = {"city": LearnedColumn(values=("A", "B", 3), gaps=True)}


def test_strangers(tmp_path):
    assert columns_asked(DOCUMENT) == ["city", "age"]
    new = columns_of(write(tmp_path / "n.csv", "age,city\n1,A\n2,C\n3,C\n4,\n5,3\n6,D\n"))
    asked = columns_asked(DOCUMENT)
    found = unseen_values(new, asked, KNOWN)
    assert found == [Unseen("city", 3, ("C", "D"))]
    assert str(found[0]) == (
        "3 rows have a value of 'city' that training never saw ('C', 'D'): "
        "they fall through to later rules"
    )
    assert unseen_values(new, asked, {}) == []
    gaps = unseen_values(new, asked, {"city": LearnedColumn(values=("A", "B", "C", "D", 3))})
    assert list(map(str, gaps)) == [
        "1 row has no value of 'city', which all rows of training had: it falls through to later "
        "rules"
    ]
    with pytest.raises(
        InputError, match=r"has no columns 'city', 'age', which the model .*mean 'cty'"
    ):
        unseen_values(columns_of(write(tmp_path / "m.csv", "cty,x\na,1\n")), asked, KNOWN)


def test_columns_of_text_are_told_and_ended_one_at_a_time(tmp_path):
    told = []

    class Every(Deadline):
        def tell(self, what, done, total):
            told.append((what, done, total))

    columns_of(write(tmp_path / "t.csv", CSV), Every())
    assert told[-4:] == [("columns recognised", k, 4) for k in range(4)]
    with pytest.raises(InputError, match=r"reading .*t.csv"):
        columns_of(tmp_path / "t.csv", Deadline(0))


def test_a_header_with_quotes_within_a_name_and_no_rows_is_refused_in_words(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a"b"c,d\n')
    with pytest.raises(InputError, match="there is a header but there are no rows"):
        columns_of(path)


@pytest.mark.parametrize("library", ["pandas", "polars", None])
def test_a_frame_of_a_csv_file_with_blanks_around_cells_is_read_as_the_file(tmp_path, library):
    path = tmp_path / "blanks.csv"
    rows = [(" blue", "yes"), ("red ", "no"), ("\u00a0red", "no"), ("blue", "yes")] * 4
    path.write_text("c,y\n" + "".join(f"{colour},{label}\n" for colour, label in rows), "utf-8")
    table = {"c": [colour for colour, _ in rows], "y": [label for _, label in rows]}
    if library is not None:
        table = pytest.importorskip(library).DataFrame(table)
    model = corels.learn(path, "y", regularization="0.05").model
    assert [str(one) for one in model.predict(table)] == [label for _, label in rows]


def test_names_with_blanks_of_a_frame_stay_names():
    table = {"c": [" blue", "blue", "red"] * 4, "y": ["yes", "no", "no"] * 4}
    model = corels.learn(table, "y", regularization="0.05").model
    assert [str(one) for one in model.predict(table)] == table["y"]


def test_the_name_of_a_file_is_no_table():
    model = corels.learn({"c": [0, 1] * 5, "y": [0, 1] * 5}, "y").model
    with pytest.raises(InputError, match="expected a table, not the text"):
        model.predict("people.csv")
