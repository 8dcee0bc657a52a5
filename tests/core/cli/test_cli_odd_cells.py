"""Tables as people have them: odd cells among numbers, encodings, rows without a label, lists."""

import json
import random

import pytest

pytest.importorskip("polars")

TURNS = 25  # up to this age the label is mostly yes


def rows(odd=()):
    """500 rows of age, city, day (31/12/2023) and a label; the ages at some rows are odd."""
    draw = random.Random(1)
    found = []
    for _ in range(500):
        age = draw.randint(10, 60)
        day = f"{draw.randint(1, 28):02}/{draw.randint(1, 12):02}/2023"
        label = "yes" if (age <= TURNS) ^ (draw.random() < 0.1) else "no"
        found.append([str(age), draw.choice(["Köln", "Ulm", "Bonn"]), day, label])
    for row, text in odd:
        found[row][0] = text
    return found


def write(path, table, header="age,city,day,label", encoding="utf-8"):
    lines = [header, *map(",".join, table)]
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return path


@pytest.mark.parametrize("odd", ["-", "na", "unknown", "*"])
def test_one_odd_cell_does_not_make_categories_of_numbers(corels, tmp_path, odd):
    table = write(tmp_path / "t.csv", rows([(17, odd)]))
    ended = corels("run", table, "--label", "label", "-o", tmp_path / "m.json")
    assert ended.out.startswith("if age <= 2")
    line = f"note: column 'age': 1 of 500 cells is not a number ({odd!r}) and counts as missing"
    assert ended.err.count(line) == 1
    quiet = corels("run", table, "--label", "label", "--quiet")
    assert quiet.out == ended.out and quiet.err == ""
    checked = corels("check", tmp_path / "m.json", table)
    assert checked.code == 0 and "problem: the same as is stated" in checked.out


def test_more_than_one_percent_is_said_even_when_quiet(corels, tmp_path):
    table = write(tmp_path / "t.csv", rows([(at, "na") for at in range(0, 500, 50)]))
    said = "note: column 'age': 10 of 500 cells are not numbers ('na') and count as missing"
    for command in ("run", "antecedents", "path", "near"):
        ended = corels(command, table, "--label", "label", "--quiet")
        assert (ended.code, ended.err.count(said)) == (0, 1), command
    listed = json.loads(corels("antecedents", table, "--label", "label", "--json").out)
    age = next(column for column in listed["columns"] if column["name"] == "age")
    assert age["odd"] == {"na": 10}
    assert [a["rows"] for a in listed["antecedents"] if a["name"] == "age is missing"] == [10]


def test_a_saved_model_reads_new_rows_the_same_way(corels, tmp_path):
    model = tmp_path / "m.json"
    table = write(tmp_path / "t.csv", rows([(at, "-") for at in range(0, 500, 25)]))
    corels("run", table, "--label", "label", "-r", "0.004", "-q", "-o", model)
    header = "age,city,day"
    for odd in ("-", "never seen", ""):
        new = write(tmp_path / "new.csv", [[odd, "Ulm", "x"]], header)
        beside = write(tmp_path / "two.csv", [["20", "Ulm", "x"], [odd, "Ulm", "x"]], header)
        alone, both = corels("predict", model, new), corels("predict", model, beside)
        assert alone.code == 0 and both.out.split() == ["yes", alone.out.strip()]
        said = f"1 row has in 'age' what is not a number or date ({odd!r}): it counts as missing"
        assert (said in alone.err) == (said in both.err) == bool(odd)
        if odd:
            assert said in corels("explain-row", model, new).err
            strict = corels("predict", model, new, "--strict")
            assert strict.code == 2 and said in strict.err


def test_a_column_of_other_text_is_no_column_of_odd_cells(corels, tmp_path):
    model = tmp_path / "m.json"
    corels("run", write(tmp_path / "t.csv", rows()), "--label", "label", "-q", "-o", model)
    new = write(tmp_path / "new.csv", [["Ulm", "Ulm", "x"]] * 20, "age,city,day")
    ended = corels("predict", model, new)
    assert ended.code == 2 and "column 'age' holds the text 'Ulm'" in ended.err


def test_what_means_no_value_can_be_named(corels, tmp_path):
    odd = [(at, "none given") for at in range(0, 500, 4)]  # too many to be odd cells
    table, model = write(tmp_path / "t.csv", rows(odd)), tmp_path / "m.json"
    assert "age = " in corels("antecedents", table, "--label", "label").out
    words = ("--label", "label", "--missing", "none given, Ulm")
    listed = corels("antecedents", table, *words).out
    assert "age <= " in listed and "age = " not in listed
    assert "city is missing" in listed and "city = Ulm" not in listed
    corels("run", table, *words, "-q", "-o", model)
    assert corels("check", model, table).code == 0
    new = write(tmp_path / "new.csv", [["none given", "Ulm", "x"]], "age,city,day")
    ended = corels("predict", model, new)
    assert ended.code == 0 and ended.err == ""


def test_dates_with_the_day_first(corels, tmp_path):
    table, model = write(tmp_path / "t.csv", rows()), tmp_path / "m.json"
    assert "--column 'day: written dmy'" in corels("run", table, "--label", "label").err
    read = ("--label", "label", "--column", "*: written dmy")
    words = (*read, "--ignore", "age", "--ignore", "city")
    listed = corels("antecedents", table, *words).out
    assert "day <= 2023-" in listed and "weekday of day = Monday" in listed
    corels("run", table, *words, "-r", "0", "--node-limit", "3", "-q", "-o", model)
    assert corels("check", model, table).code == 0
    new = write(tmp_path / "new.csv", [["1", "Ulm", "31/12/2023"]], "age,city,day")
    assert corels("predict", model, new).err == ""
    american = corels("antecedents", table, "--label", "label", "--column", "*: written mdy").out
    assert "day <= " not in american  # 28/12 has no month 28


def test_another_encoding(corels, tmp_path):
    table = write(tmp_path / "t.csv", rows(), encoding="latin-1")
    words = ("run", table, "--label", "label", "-q")
    advice = "not UTF-8 text; save the file as UTF-8, or name its encoding (--encoding cp1252"
    assert advice in corels(*words).err
    model = tmp_path / "m.json"
    assert corels(*words, "--encoding", "latin-1", "-o", model).code == 0
    assert "city = Köln" in corels("antecedents", *words[1:], "--encoding", "latin-1").out
    assert corels("check", model, table).code == corels("predict", model, table).code == 0
    wrong = corels(*words, "--encoding", "klingon")
    assert wrong.code == 2 and "expected one that Python knows" in wrong.err
    other = write(tmp_path / "u.csv", rows(), encoding="utf-16")
    for command in ("predict", "explain-row", "report"):
        where = ("-o", tmp_path / "r.html") if command == "report" else ()
        row = {"explain-row": ("2",), "report": ("--row", "2")}.get(command, ())
        asked = (command, model, other, *row, *where)
        assert corels(*asked).code == 2
        assert corels(*asked, "--encoding", "utf-16").code == 0


def test_rows_without_a_label(corels, tmp_path):
    table = rows()
    for row in range(0, 500, 50):
        table[row][3] = ""
    table, model = write(tmp_path / "t.csv", table), tmp_path / "m.json"
    words = ("run", table, "--label", "label", "-q")
    refused = corels(*words)
    assert refused.code == 2
    assert "no value in row 1 and 9 more; --drop-unlabelled leaves such rows out" in refused.err
    ended = corels(*words, "--drop-unlabelled", "-o", model)
    assert "note: 10 of 500 rows have no 'label' and are left out" in ended.err
    checked = corels("check", model, table)
    assert checked.code == 0 and "rows: 490 here, 490 in the model" in checked.out
    assert len(corels("predict", model, table).out.split()) == 500


def test_a_column_of_lists_is_named_and_left_out(corels, tmp_path):
    import polars as pl

    frame = pl.DataFrame({"age": [1, 2, 3, 4] * 10, "tags": [["a"], ["b"], [], ["a", "b"]] * 10})
    frame = frame.with_columns(pl.struct("age").alias("s"), label=pl.col("age") > 2)
    table = tmp_path / "t.parquet"
    frame.write_parquet(table)
    ended = corels("run", table, "--label", "label")
    assert ended.code == 0
    assert "unused: tags (is of type List(String)); s (is of type Struct(" in ended.err
    wrong = corels("run", table, "--label", "tags")
    assert wrong.code == 2 and "column 'tags' is of type List(String)" in wrong.err


@pytest.mark.parametrize("header", ['"age,city,day,label', 'age,"city,day,label'])
def test_a_stray_quote_in_the_header(corels, tmp_path, header):
    ended = corels("run", write(tmp_path / "t.csv", rows(), header), "--label", "label")
    assert ended.code == 2
    assert "line 1: damaged quoting" in ended.err


def test_a_name_of_two_lines_is_no_stray_quote(corels, tmp_path):
    table = write(tmp_path / "t.csv", [["1", "a"], ["2", "b"], ["3", "b"]], '"age\n(years)",label')
    ended = corels("antecedents", table, "--label", "label")
    assert ended.code == 0 and "(years)" in ended.out


def test_codes_that_are_numbers_in_new_rows_are_still_those_codes(corels, tmp_path):
    """01, 1 and +1 are three names, whatever other cells the new file has."""
    table = [("01", "a"), ("1", "b"), ("+1", "a"), ("X", "b")] * 5
    write(tmp_path / "t.csv", table, "code,y")
    words = ("--label", "y", "-r", "0.01", "--min-support", "0", "-q")
    assert corels("run", tmp_path / "t.csv", *words, "-o", tmp_path / "m.json").code == 0
    folder = tmp_path / "new"
    folder.mkdir()
    for part in range(2):
        write(folder / f"{part}.csv", table[part : part + 2], "code,y")
    write(tmp_path / "new.csv", [row for row in table if row[0] != "X"], "code,y")
    told = corels("predict", tmp_path / "m.json", tmp_path / "new.csv")
    assert told.out.split() == ["a", "b", "a"] * 5 and not told.err
    told = corels("predict", tmp_path / "m.json", folder)
    assert told.out.split() == ["a", "b", "b", "a"]
    write(tmp_path / "plain.csv", [("1", "b"), ("7", "b")], "code,y")
    told = corels("predict", tmp_path / "m.json", tmp_path / "plain.csv")
    assert (
        told.out.split()[0] == "b"
        and "1 row has a value of 'code' that training never saw ('7')" in told.err
    )


def test_numbers_are_no_codes_that_numbers_are_not_written_as(corels, tmp_path):
    """What was 01 in a file and is 1 in Parquet is unknown, and is said to be."""
    polars = pytest.importorskip("polars", reason="Parquet needs polars")
    table = [("01", "a"), ("1", "b"), ("+1", "a"), ("X", "b")] * 5
    write(tmp_path / "t.csv", table, "code,y")
    words = ("--label", "y", "-r", "0.01", "--min-support", "0", "-q")
    assert corels("run", tmp_path / "t.csv", *words, "-o", tmp_path / "m.json").code == 0
    for values, said in (([1, 7], "('7')"), ([1.0, 7.5], "(7.5)"), (["01", "1"], "")):
        polars.DataFrame({"code": values}).write_parquet(tmp_path / "new.parquet")
        told = corels("predict", tmp_path / "m.json", tmp_path / "new.parquet")
        assert told.out.split() == (["a", "b"] if not said else ["b", "b"])
        assert (said.strip("()'") in told.err) and ("never saw" in told.err) is bool(said)
