"""Tables that are read piece by piece give what reading them as a whole gives."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corels
from corels import RuleListClassifier
from corels.errors import InputError
from corels.export.explaining import explain_row
from corels.problem import Problem
from corels.tables import TableOptions, pieces, stored, table_dataset, textfile
from corels.tables.deadline import Deadline
from corels.tables.frame import Stored, columns_of, table_of
from corels.tables.options import Reading
from corels.tables.unseen import as_learned

pl = pytest.importorskip("polars")
PROGRAM = "from corels.cli import main; main()"
OPTIONS = TableOptions(max_cardinality=2, min_support=0.05)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the tables of these tests have several pieces and blocks of columns."""
    monkeypatch.setattr(pieces, "PIECE", 4000)
    monkeypatch.setattr(stored, "LARGE", 4000)
    monkeypatch.setattr(stored, "AT_ONCE", 1000)
    monkeypatch.setattr(textfile, "FEW", 50)


@pytest.fixture
def table() -> Any:
    """Every kind of column: gaps, dates, odd cells, quotes, codes with zeros, more digits late."""
    random = np.random.default_rng(7)
    rows = 600
    numbers = random.normal(size=rows).round(2)
    return pl.DataFrame(
        {
            "whole": random.integers(0, 50, rows),
            "mixed": [f"{v:.1f}" if at > 400 else str(int(v)) for at, v in enumerate(numbers * 9)],
            "gaps": [None if v < -1 else v for v in numbers],
            "odd": ["-" if at % 97 == 0 else str(at % 13) for at in range(rows)],
            "code": [f"{at % 7:03d}" for at in range(rows)],
            "day": [f"20{10 + at % 9}-0{1 + at % 9}-11" for at in range(rows)],
            "quoted": ['a "b", c' if at % 3 else "line\nbreak" for at in range(rows)],
            "flag": random.integers(0, 2, rows).astype(bool),
            "name": [f"person {at}" for at in range(rows)],
            "y": (numbers + random.normal(size=rows) > 0).astype(int),
        }
    )


def problem_of(table: Any, options: TableOptions = OPTIONS) -> Problem:
    return Problem.from_dataset(table_dataset(table, "y", options), "0.02")


def whole_of(file: Path, options: TableOptions = OPTIONS) -> Any:
    """What a small file of this content holds."""
    return table_of(file.read_bytes(), str(file), options.reading)


def equal(one: Problem, other: Problem) -> bool:
    return one.data_hash == other.data_hash and one.known == other.known


def in_parts(table: Any, folder: Path, ending: str) -> Path:
    folder.mkdir()
    for number, start in enumerate(range(0, len(table), 250)):
        part = table[start : start + 250]
        file = folder / f"part-{number}.{ending}"
        {"parquet": part.write_parquet, "arrow": part.write_ipc, "csv": part.write_csv}[ending](
            file
        )
    (folder / "_SUCCESS").touch()
    return folder


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
@pytest.mark.usefixtures("small_pieces")
def test_a_folder_and_a_pattern_are_one_table(table: Any, tmp_path: Path, ending: str) -> None:
    folder = in_parts(table, tmp_path / "parts", ending)
    whole = table
    if ending == "csv":
        table.write_csv(tmp_path / "whole.csv")
        whole = whole_of(tmp_path / "whole.csv")
    assert equal(problem_of(folder), problem_of(whole))
    assert equal(problem_of(f"{folder}/*.{ending}"), problem_of(whole))


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "options",
    [
        {"cuts": "entropy, grouped", "negations": True},
        {"cuts": "uniform"},
        {"columns": ("whole", "year of day", "odd"), "column": ("whole: as names",)},
        {"weight": "whole", "cuts": "all"},
    ],
)
def test_every_option_reads_a_large_file_as_a_small_one(
    table: Any, tmp_path: Path, options: dict[str, Any]
) -> None:
    file = tmp_path / "table.csv"
    table.write_csv(file)
    assert file.stat().st_size > 4 * pieces.PIECE
    chosen = TableOptions(**options)
    assert equal(problem_of(file, chosen), problem_of(whole_of(file, chosen), chosen))


@pytest.mark.usefixtures("small_pieces")
def test_rows_without_a_label_are_left_out(table: Any, tmp_path: Path) -> None:
    gone = table.with_columns(y=pl.when(pl.col("whole") > 40).then(None).otherwise(pl.col("y")))
    gone.write_parquet(tmp_path / "t.parquet")
    options = TableOptions(drop_unlabelled=True)
    assert equal(problem_of(tmp_path / "t.parquet", options), problem_of(gone, options))


@pytest.mark.usefixtures("small_pieces")
def test_queries_are_evaluated_once(table: Any) -> None:
    times = []

    def count(part: Any) -> Any:
        times.append(len(part))
        return part

    query = table.lazy().map_batches(count).filter(pl.col("whole") > 3)
    assert equal(problem_of(query), problem_of(table.filter(pl.col("whole") > 3)))
    assert sum(times) == len(table)
    few = table.lazy().select("gaps", "flag", "y")
    assert corels.learn(few, label="y").certificate.optimal


@pytest.mark.usefixtures("small_pieces")
def test_only_what_a_model_asks_for_is_read(table: Any, tmp_path: Path) -> None:
    kept = table.select("odd", "day", "gaps", "y")
    model = corels.learn(kept, label="y", regularization="0.005").model
    asked = {a.split()[-1] for one in model.antecedents for a in [one.conditions[0].column]}
    assert asked and asked < {"odd", "day", "gaps"}
    expected = model.predict(table)
    table.write_parquet(tmp_path / "t.parquet")
    columns = columns_of(tmp_path / "t.parquet")
    read: list[str] = []
    monitored = replace(columns, read=lambda names: read.extend(names) or columns.read(names))
    for rows in (columns, table.lazy(), as_learned(monitored, {"odd": True})):
        assert (model.predict(rows) == expected).all()
        assert (model.predict_proba(rows) == model.predict_proba(table)).all()
        assert (
            explain_row(model, rows, 7).to_document() == explain_row(model, table, 7).to_document()
        )
    assert set(read) == asked


@pytest.mark.usefixtures("small_pieces")
def test_estimators_take_queries(table: Any) -> None:
    kept = table.select("odd", "day", "gaps")
    plain = RuleListClassifier().fit(kept, table["y"])
    lazy = RuleListClassifier().fit(kept.lazy(), table["y"])
    assert str(lazy.rule_list_) == str(plain.rule_list_)
    assert (lazy.predict(kept.lazy()) == plain.predict(kept)).all()


def test_labels_weights_and_groups_may_be_queries(table: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    kept = table.select("odd", "day", "gaps")
    rows = table.with_columns(w=pl.col("y") + 1, g=pl.row_index() % 3)
    model = RuleListClassifier(constraints="statistical-parity within 0.9")
    plain = model.fit(kept, rows["y"], rows["w"], sensitive_features=rows["g"]).certificate_
    for query in (rows.lazy(), duckdb.from_arrow(rows.to_arrow())):
        y, weights, groups = (query.select(name) for name in ("y", "w", "g"))
        found = model.fit(kept, y, weights, sensitive_features=groups).certificate_
        assert (found.objective, found.constraints) == (plain.objective, plain.constraints)
        assert model.score(kept.lazy(), y) == model.score(kept, table["y"])
        pair = query.select("g", "w")
        model.fit(kept, y, sensitive_features=pair)
        assert model.certificate_.constraints[0]["column"] == "g, w"
        with pytest.raises(InputError, match="a query has the columns g, w: expected one column"):
            model.fit(kept, pair)


@pytest.mark.usefixtures("small_pieces")
def test_a_relation_of_duckdb(table: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    relation = duckdb.from_arrow(table.to_arrow()).filter("whole > 3")
    assert equal(problem_of(relation), problem_of(table.filter(pl.col("whole") > 3)))


def test_columns_that_differ_between_files(table: Any, tmp_path: Path) -> None:
    folder = in_parts(table, tmp_path / "parts", "parquet")
    table.drop("gaps").write_parquet(folder / "part-1.parquet")
    with pytest.raises(InputError, match=r"part-1.parquet: its columns differ .* 'gaps'"):
        problem_of(folder)
    table.with_columns(pl.col("gaps").cast(pl.String)).write_parquet(folder / "part-1.parquet")
    with pytest.raises(InputError, match=r"part-1.parquet: column 'gaps' is String here and Float"):
        problem_of(folder)
    texts = in_parts(table, tmp_path / "texts", "csv")
    (texts / "part-2.csv").write_text("whole,y\n1,2\n")
    with pytest.raises(InputError, match=r"part-2.csv: its columns differ"):
        problem_of(texts)


def test_files_of_other_kinds(table: Any, tmp_path: Path) -> None:
    folder = in_parts(table, tmp_path / "parts", "parquet")
    (folder / "part-9.csv").write_text("whole,y\n1,2\n")
    with pytest.raises(InputError, match=r"part-9.csv: this is not Parquet, as .*part-0.parquet"):
        problem_of(folder)


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    both = arrow.table([[1, 2], [3, 4], ["a", "b"]], names=["a", "a", "y"])
    parquet.write_table(both, tmp_path / "t.parquet")
    with pytest.raises(InputError, match=r"t.parquet: .* two of its columns have one name"):
        table_dataset(tmp_path / "t.parquet", "y")


@pytest.mark.parametrize("form", ["new_file", "new_stream"])
def test_two_columns_of_one_name_in_arrow(tmp_path: Path, form: str) -> None:
    """polars panics there."""
    arrow, ipc = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.ipc")
    file = str(tmp_path / "t.arrow")
    for names in (["a", "b", "y"], ["a", "a", "y"]):
        both = arrow.table([[1, 2], [3, 4], ["u", "v"]], names=names)
        with arrow.OSFile(file, "wb") as sink, getattr(ipc, form)(sink, both.schema) as writer:
            writer.write_table(both)
        if "b" in names:
            assert table_dataset(file, "y").classes == ("u", "v")
    with pytest.raises(
        InputError, match=r"t.arrow: cannot be read as .* or two of its columns have one name"
    ):
        table_dataset(file, "y")


@pytest.mark.parametrize("where", ["", "/*.csv"])
def test_a_folder_of_one_csv_file(table: Any, tmp_path: Path, where: str) -> None:
    (tmp_path / "one").mkdir()
    table.write_csv(tmp_path / "one" / "part.csv")
    found = problem_of(f"{tmp_path / 'one'}{where}")
    assert equal(found, problem_of(tmp_path / "one" / "part.csv"))


@pytest.mark.usefixtures("small_pieces")
def test_a_folder_of_another_encoding(table: Any, tmp_path: Path) -> None:
    table = table.with_columns(pl.col("quoted").str.replace("a", "ä"))
    folder, latin = in_parts(table, tmp_path / "parts", "csv"), TableOptions(encoding="latin-1")
    whole = problem_of(folder, TableOptions())
    for file in folder.glob("*.csv"):
        file.write_bytes(file.read_text("utf-8").encode("latin-1"))
    assert equal(problem_of(folder, latin), whole)
    with pytest.raises(InputError, match="or name its encoding"):
        problem_of(folder)


@pytest.mark.parametrize("content", [b"", b"\xfa\x00 cut off", b"whole,y\n1,2\n"])
def test_a_file_that_is_not_what_its_name_says(table: Any, tmp_path: Path, content: bytes) -> None:
    folder = in_parts(table, tmp_path / "parts", "parquet")
    file = folder / "part-.parquet"  # before all others
    file.write_bytes(content)
    for path in (file, folder):
        with pytest.raises(InputError, match=r"part-.parquet: this is not Parquet or Arrow"):
            problem_of(path)
    file.unlink()
    (folder / "part-.csv").write_text("whole,y\n1,2\n")
    with pytest.raises(InputError, match=r"part-0.parquet: this is Parquet, and .*part-.csv is no"):
        problem_of(folder)


def test_numbers_of_128_bits(table: Any) -> None:
    wide = table.with_columns(pl.col("whole").cast(pl.Int128))
    assert equal(problem_of(wide), problem_of(table))
    large = table.select(pl.col("whole").cast(pl.Int128) * 10**30, "y")
    as_floats = large.with_columns(pl.col("whole").cast(pl.Float64))
    assert equal(problem_of(large), problem_of(as_floats))


def test_a_folder_of_many_files_says_how_far_it_is(table: Any, tmp_path: Path) -> None:
    for name in "abc":
        table.write_parquet(tmp_path / f"{name}.parquet")
    told: list[tuple[str, int, int]] = []
    columns_of(tmp_path, deadline=Deadline(None, lambda *said: told.append(said), first=0, every=0))
    assert (f"looking at the files of {tmp_path}", 1, 3) in told
    with pytest.raises(InputError, match="the time limit of 0 s was reached while looking at"):
        columns_of(tmp_path, deadline=Deadline(0))


@pytest.mark.parametrize("share", [0.3, 0.99])
def test_a_file_that_ends_in_the_middle(table: Any, tmp_path: Path, share: float) -> None:
    folder = in_parts(table, tmp_path / "parts", "parquet")
    file = folder / "part-1.parquet"
    content = file.read_bytes()
    file.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=r"part-1.parquet: cannot be read as Parquet"):
        problem_of(folder)
    file.write_bytes(content[:100] + b"\0" * 3000 + content[3100:])  # a damaged column
    with pytest.raises(InputError, match=r"part-1.parquet: cannot be read as Parquet"):
        problem_of(folder)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [("1,2\n", r"line 3002: 2 fields, but the header has 3"), ("\n", "line 3002 is empty")],
)
def test_a_line_of_a_large_file(tmp_path: Path, wrong: str, message: str) -> None:
    lines = ["a,b,y\n", *(f"{at % 9},{at % 7},{at % 2}\n" for at in range(3000)), wrong]
    lines += lines[1:100]
    file = tmp_path / "t.csv"
    file.write_text("".join(lines))
    with pytest.raises(InputError, match=message):
        problem_of(file)


@pytest.mark.usefixtures("small_pieces")
def test_quotes_within_fields_are_read_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    lines = [f"5{chr(34) if at % 7 == 0 else ''} pipe,{at % 2}\n" for at in range(2000)]
    file.write_text("".join(["a,y\n", *lines]))
    assert equal(problem_of(file), problem_of(whole_of(file)))


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("late", ["1.50", "x", "NA", " 7", "9" * 20, "'7'", "-", "1e2"])
def test_what_comes_late_in_a_column(tmp_path: Path, late: str) -> None:
    lines = [f"{at % 9},{at / 8},{late if at == 2500 else at % 7},{at % 2}" for at in range(3000)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["a,b,c,y", *lines, ""]))
    assert equal(problem_of(file), problem_of(whole_of(file)))


@pytest.mark.usefixtures("small_pieces")
def test_every_piece_says_something_else(tmp_path: Path) -> None:
    values = [str(at % 9 if at < 600 * (1 + c) else "x") for at in range(4000) for c in range(6)]
    rows = [",".join([*values[6 * at : 6 * at + 6], str(at % 2)]) for at in range(4000)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["a,b,c,d,e,f,y", *rows, ""]))
    assert equal(problem_of(file), problem_of(whole_of(file)))


@pytest.mark.usefixtures("small_pieces")
def test_blank_lines_at_the_end_of_a_large_file(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a,y\n" + "".join(f"{at % 9},{at % 2}\n" for at in range(3000)) + "\n" * 5000)
    assert table_dataset(file, "y").n_rows == 3000


@pytest.mark.usefixtures("small_pieces")
def test_a_quoted_cell_that_never_ends(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a,y\n" + "".join(f"{at % 9},{at % 2}\n" for at in range(3000)) + '"cut, 0\n')
    with pytest.raises(InputError, match=r"line 3002: damaged quoting"):
        problem_of(file)


@pytest.mark.parametrize("name", ["nothing/*.csv", "empty"])
def test_no_table_at_all(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no file has such a name|no table in this folder"):
        problem_of(tmp_path / name)


def test_a_query_that_fails(table: Any) -> None:
    with pytest.raises(InputError, match=r"this LazyFrame of polars cannot be read: .*nowhere"):
        problem_of(table.lazy().select("nowhere"))
    with pytest.raises(InputError, match=r"LazyFrame of polars cannot be read: .*gone.parquet"):
        problem_of(pl.scan_parquet("gone.parquet"))


class Once(tuple):
    """Names among which nothing is looked for: of 20,000 columns that would take minutes."""

    def __contains__(self, name):
        raise AssertionError(f"{name} was compared with every name")


def test_many_names_are_not_compared_with_each_other():
    names = Once("aby")
    read = pl.DataFrame({n: [0, 1] for n in names}).select
    found = Stored(names, 2, read, Reading(), tuple(names))
    assert "b" in found and found["b"].values.tolist() == [0, 1]
    assert list(found.loaded(["a"])) == ["a"]


@pytest.mark.skipif(os.name == "nt", reason="links and names of bytes")
def test_files_that_cannot_be_read_or_are_there_twice(table: Any, tmp_path: Path) -> None:
    folder = in_parts(table, tmp_path / "parts", "csv")
    whole = problem_of(folder)
    (folder / "again").symlink_to(folder)
    (folder / "part-9.csv").symlink_to(folder / "part-0.csv")
    assert equal(problem_of(folder), whole)
    assert equal(problem_of(tmp_path / "**" / "*.csv"), whole)
    (folder / "part-8.csv").symlink_to(folder / "nothing")
    with pytest.raises(InputError, match=r"part-8.csv: cannot be read \(No such file"):
        problem_of(folder)
    other = in_parts(table, tmp_path / "bytes", "parquet")
    os.rename(other / "part-0.parquet", os.fsencode(other) + b"/\xff.parquet")
    with pytest.raises(InputError, match="the name is not UTF-8, so rename it"):
        problem_of(other)


def test_a_folder_that_cannot_be_listed(table: Any, tmp_path: Path, monkeypatch: Any) -> None:
    folder = in_parts(table, tmp_path / "parts", "csv")

    def refused(path: str) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "listdir", refused)
    with pytest.raises(InputError, match=r"parts: cannot be read \(Permission denied"):
        problem_of(folder)


def test_folders_of_a_folder_are_other_tables(table: Any, tmp_path: Path) -> None:
    folder = in_parts(table, tmp_path / "parts", "csv")
    whole = problem_of(folder)
    in_parts(table, folder / "older", "csv")
    assert equal(problem_of(folder), whole)


@pytest.mark.skipif(sys.platform != "linux", reason="a file whose bytes are no bytes of a file")
def test_a_file_that_fails_while_it_is_read() -> None:
    with pytest.raises(InputError, match=r"mem: cannot be read \(Input/output error"):
        problem_of("/proc/self/mem")
