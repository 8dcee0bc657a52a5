"""Where tables come from: formats, pipes, devices, files without a header, new values."""

import csv
import gzip
import io
import os
import subprocess
import sys

import pytest
from corels.data import TableOptions, columns_of, read_table, table_dataset
from hypothesis import given
from hypothesis import strategies as st
from written_pipes import written_pipe

from corels.errors import InputError
from corels.tables import readers
from corels.tables.csvtext import _fits
from corels.tables.pace import Pace
from corels.tables.unseen import Unseen, columns_asked, unseen_values

pl = pytest.importorskip("polars")

CSV = "age,city,when,label\n20,A,2024-01-01,no\n30,B,2024-02-01,yes\n40,A,,yes\n"
FRAME = pl.read_csv(io.BytesIO(CSV.encode()), try_parse_dates=True)


@given(st.text("a,\n", max_size=30), st.integers(2, 3))
def test_records_that_fit_have_so_many_fields(text, width):
    text += "\n"
    if _fits(text.encode(), ",", width):
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
        ("t.ndjson", FRAME.write_ndjson),
        ("t.json", FRAME.write_json),
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
        ("t.ndjson", '{"a": 1}\n{"a": \n', "cannot be read as NDJSON: this begins like NDJSON"),
        ("t.json", '[{"a": 1},', "cannot be read as JSON: this begins like JSON"),
        ("t.json", "[]", "there are no rows|cannot be read as JSON"),
        ("t.xls", b"\xd0\xcf\x11\xe0 and more", "Excel"),
        ("t.xlsx", b"PK\x03\x04 and more", "Excel"),
        ("t.h5", b"\x89HDF\r\n", "this is HDF5, which is not read; save the table as CSV"),
        ("t.db", b"SQLite format 3\0", "this is an SQLite database, which is not read"),
        ("t.html", b"<!DOCTYPE html>", "this is an HTML page"),
        ("t.csv", b"a,b\n1,2\n3,\x004\n", "line 3: a zero byte, so this is not a text file"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, name, content, message):
    with pytest.raises(InputError, match=message) as error:
        read_table(write(tmp_path / name, content))
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
        read_table(write(tmp_path / "t.csv", text))


@pytest.mark.parametrize(
    "text", ["0,1,2\n5,6,7\n", "1,2\n5,6\n", "2019,2020,label\n1,2,x\n", "x\n1\n", "yes,a\nno,b\n"]
)
def test_names_that_are_numbers_may_be_names(tmp_path, text):
    assert read_table(write(tmp_path / "t.csv", text)).height == 1


def test_a_fifo_is_read_once(tmp_path):
    with written_pipe(tmp_path / "fifo", CSV) as fifo:
        data = table_dataset(fifo, "label", TableOptions(min_support=0))
    assert data.n_rows == 3 and data.name == "fifo"


def test_devices_and_endless_pipes_end(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="/dev/zero: this is not a text file, it begins with zer"):
        read_table("/dev/zero")
    monkeypatch.setattr("corels.tables.files.MOST_FROM_PIPE", 3 << 20)
    with (
        subprocess.Popen(["yes", "1,2"], stdout=subprocess.PIPE) as endless,
        pytest.raises(InputError, match="more than 3 MiB came through a pipe or device and no end"),
    ):
        try:
            read_table(f"/dev/fd/{endless.stdout.fileno()}")
        finally:
            endless.kill()


def test_waiting_for_a_pipe_ends_with_the_time():
    reader, writer = os.pipe()
    with pytest.raises(
        InputError, match=r"the time limit of 0\.05 s was reached while waiting for"
    ):
        read_table(f"/dev/fd/{reader}", pace=Pace(0.05))
    os.close(reader)
    os.close(writer)


def test_a_pipe_that_nobody_writes_ends_with_the_time(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    said = []
    pace = Pace(0.6, lambda what, *_: said.append(what), first=0)
    with pytest.raises(InputError, match=r"reached while waiting for .*fifo: there is no"):
        read_table(tmp_path / "fifo", pace=pace)
    assert said and said[0] == f"waiting for {tmp_path / 'fifo'}"


def test_standard_input(monkeypatch):
    class Typed:
        buffer = io.BytesIO(CSV.encode())

    monkeypatch.setattr(sys, "stdin", Typed)
    assert read_table("-").height == 3


def test_gzip_bombs_end(tmp_path, monkeypatch):
    monkeypatch.setattr("corels.tables.files.MOST_UNFOLDED", 1 << 20)
    bomb = write(tmp_path / "t.csv.gz", gzip.compress(b"1,2\n" * (1 << 19)))
    with pytest.raises(InputError, match="the gzip file unfolds to more than 1 MiB"):
        read_table(bomb)
    monkeypatch.setattr("corels.tables.files.MOST_UNFOLDED", 1 << 61)  # there is not so much memory
    two = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")
    assert read_table(write(tmp_path / "t.csv.gz", two)).height == 2


def test_odd_quoting_is_read_and_wrong_quoting_has_a_place(tmp_path):
    frame = read_table(write(tmp_path / "t.csv", 'a,b\nx "y" z,1\n"p\n""q""",2\n'))
    assert frame.rows() == [('x "y" z', 1), ('p\n"q"', 2)]
    for odd in ("", ' "o" '):  # the reader of tables may also stumble over odd quoting
        long = f'a,b\n{odd}p,1\n"{"q" * 150_000}",2\n'
        assert read_table(write(tmp_path / "t.csv", long)).height == 2
    with pytest.raises(InputError, match=r"line 3, column 2: damaged quoting \(text behind"):
        read_table(write(tmp_path / "t.csv", 'a,b\n1,2\n3,"x"y\n'))
    with pytest.raises(InputError, match=r"line 2, column 2: damaged quoting \(the quote"):
        read_table(write(tmp_path / "t.csv", 'a,b\n1,"2\n3,4\n'))


def test_the_label_is_no_weight(tmp_path):
    with pytest.raises(InputError, match="the label column 'label' cannot also be the weight"):
        table_dataset(write(tmp_path / "t.csv", CSV), "label", TableOptions(weight="label"))


def test_a_weight_may_say_which_rows_count():
    table = {"a": [0, 1, 0, 1], "y": ["p", "q", "q", "p"], "w": [True, True, False, True]}
    data = table_dataset(table, "y", TableOptions(weight="w"))
    assert data.weights.tolist() == [1, 1, 0, 1]
    table["w"] = [1.0, 1.0, float("inf"), 1.0]
    with pytest.raises(InputError, match="in row 3 is not a whole number"):
        table_dataset(table, "y", TableOptions(weight="w"))


DOCUMENT = {
    "rules": [
        {"if": {"conditions": [{"column": "city", "operator": "==", "value": "A"}]}},
        {"if": {"conditions": [{"column": "age", "operator": "<=", "value": 3}]}},
    ],
    "data": {"known": {"city": ["A", "B", 3]}},
}


def test_strangers(tmp_path):
    assert columns_asked(DOCUMENT) == ["city", "age"]
    new = columns_of(write(tmp_path / "n.csv", "age,city\n1,A\n2,C\n3,C\n4,\n5,3\n6,D\n"))
    asked, known = columns_asked(DOCUMENT), DOCUMENT["data"]["known"]
    found = unseen_values(new, asked, known)
    assert found == [Unseen("city", 3, ("C", "D"))]
    assert str(found[0]) == (
        "3 rows have a value of 'city' that training never saw ('C', 'D'): "
        "they fall through to later rules"
    )
    assert unseen_values(new, asked, {}) == []
    with pytest.raises(
        InputError, match=r"has no columns 'city', 'age', which the model .*mean 'cty'"
    ):
        unseen_values(columns_of(write(tmp_path / "m.csv", "cty,x\na,1\n")), asked, known)


def test_wide_tables_are_read_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr("corels.tables.readers.AT_ONCE", 2)
    frame = read_table(write(tmp_path / "t.csv", CSV))
    assert frame.schema == FRAME.with_columns(pl.col("when").cast(str)).schema
    with pytest.raises(InputError, match=r"reading .*t.csv"):
        read_table(tmp_path / "t.csv", pace=Pace(0))


def test_a_wide_file_tells_how_many_columns_are_done(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "LARGE", 1)
    monkeypatch.setattr(readers, "AT_ONCE", 4)
    (tmp_path / "t.csv").write_text("a,b,c\n1,x,2.5\n2,y,3\n")
    told = []

    class Every(Pace):
        def tell(self, what, done, total):
            told.append((what, done, total))

    frame = read_table(tmp_path / "t.csv", pace=Every())
    assert [str(kind) for kind in frame.dtypes] == ["Int64", "String", "Float64"]
    assert [("columns looked at", k, 3) for k in (0, 2)] == told[-4:-2]
    assert [("columns read", k, 3) for k in (0, 2)] == told[-2:]
