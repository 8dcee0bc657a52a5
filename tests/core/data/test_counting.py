"""Equal rows that are counted where the data is: the problem is that of all rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corels
from corels.cli import main
from corels.errors import InputError
from corels.problem import Problem
from corels.tables import TableOptions, binarizing, counting, mining, table_dataset

pl = pytest.importorskip("polars")
ROWS = 3000


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "SAMPLE", 2000)


def table_of(seed: int) -> Any:
    """Some 100 different rows: gaps, odd cells, dates, codes, numbers as names, a constant."""
    g = np.random.default_rng(seed)
    different = 100
    n = g.normal(size=different).round(1)
    kinds = pl.DataFrame(
        {
            "whole": g.integers(0, 30, different),
            "gaps": [None if v < -1 else v for v in n],
            "nan": np.where(n > 1, np.nan, n),
            "odd": ["-" if at % 50 == 0 else str(at % 13) for at in range(different)],
            "few odd": ["?!" if at == 7 else f"{at % 9}.5" for at in range(different)],
            "day": [f"20{10 + at % 9}-0{1 + at % 9}-11" for at in range(different)],
            "text": [("a", "b", None, "d e")[at] for at in g.integers(0, 4, different)],
            "number as a name": pl.Series([str(at % 4) for at in range(different)]).cast(
                pl.Categorical
            ),
            "id": np.arange(different),
            "flag": g.integers(0, 2, different).astype(bool),
            "constant": ["same"] * different,
            "w": g.integers(0, 4, different),
            "y": ["yes" if v else "no" for v in n + g.normal(size=different) > 0],
        }
    )
    shares = g.dirichlet(np.full(different, 0.3))
    return kinds[g.choice(different, ROWS, p=shares)]


OPTIONS = (
    {"max_cardinality": 2, "min_support": 0.05, "columns": ["whole", "gaps", "text", "flag"]},
    {"missing": "indicator", "negations": True},
    {"weight": "w", "thresholds": "entropy", "ignore": ("constant",)},
    {"thresholds": "uniform", "categories": "grouped", "group_above": 2, "categorical": ("whole",)},
    {"columns": ["year of day", "odd", "id"], "thresholds": "all"},
)


def both(source: Any, table: Any, options: TableOptions) -> tuple[Any, Any]:
    """What is made of the source with equal rows counted, and of the table."""
    found = table_dataset(source, "y", options, "t", counting=True)
    assert found.counted == ROWS > 5 * found.n_rows
    return found, table_dataset(table, "y", options, "t")


def same(found: Any, whole: Any) -> None:
    one, other = (Problem.from_dataset(data, "0.02") for data in (found, whole))
    assert one.data_hash == other.data_hash
    for name in ("antecedents", "merged", "rows", "known", "classes", "total"):
        assert getattr(one, name) == getattr(other, name), name
    assert found.use == whole.use


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_a_lazy_frame(seed: int, options: dict[str, Any]) -> None:
    table = table_of(seed)
    same(*both(table.lazy(), table, TableOptions(**options)))


def test_a_folder_of_parquet(tmp_path: Path) -> None:
    table = table_of(5)
    for part in range(3):
        table[1000 * part : 1000 * part + 1000].write_parquet(tmp_path / f"{part}.parquet")
    same(*both(str(tmp_path), table, TableOptions()))
    found = corels.learn(str(tmp_path), label="y", regularization="0.05")
    other = corels.learn(table, label="y", regularization="0.05")
    assert found.model == other.model
    assert found.certificate.objective == other.certificate.objective


def test_a_relation_of_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    table = table_of(6).drop("number as a name")
    named = table.rename({"whole": "Rows", "gaps": "First"})  # to DuckDB, these are "rows", "first"
    for own in (table, named):
        same(*both(duckdb.from_arrow(own.to_arrow()), own, TableOptions()))


def test_a_dask_data_frame() -> None:
    dask = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    table = table_of(7)
    same(*both(dask.from_pandas(table.to_pandas(), npartitions=4), table, TableOptions()))


def test_rows_without_a_label(tmp_path: Path) -> None:
    table = table_of(8).with_columns(y=pl.when(pl.col("id") > 5).then(pl.col("y")))
    options = TableOptions(drop_unlabelled=True)
    found = table_dataset(table.lazy(), "y", options, "t", counting=True)
    same(found, table_dataset(table, "y", options, "t"))
    assert found.use and found.use.dropped.endswith("of 3,000 rows have no 'y' and are left out")
    table.write_parquet(tmp_path / "t.parquet")
    for counts in (True, False):  # the row is that of the table
        with pytest.raises(InputError, match="no value in row ") as failed:
            table_dataset(tmp_path / "t.parquet", "y", counting=counts)
        first = table["y"].is_null().arg_true()[0] + 1
        assert f"in row {first} and" in str(failed.value)


def test_where_it_does_not_pay_or_rows_are_asked_for_all_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of(9)
    every = table.with_columns(key=pl.int_range(ROWS))
    assert not table_dataset(every.lazy(), "y", counting=True).counted
    assert table_dataset(every.lazy(), "y", TableOptions(ignore=("key",)), counting=True).counted
    for options in ({"sample_rows": 100}, {"fair": ["statistical-parity:0.2"], "group": "flag"}):
        plain = replace(TableOptions(), **options)
        assert not table_dataset(table.lazy(), "y", plain, counting=True).counted
    assert not table_dataset(table.lazy(), "y").counted
    monkeypatch.setattr(counting, "counted", lambda *_: pytest.fail("counted"))
    corels.learn(table.lazy(), label="y", regularization="auto:0.1")


def test_as_many_conjunctions_are_kept_as_of_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "MOST_BYTES", 60 * ROWS // 8)
    table = table_of(3)
    options = TableOptions(max_cardinality=2, columns=("whole", "gaps", "text", "flag"))
    found, whole = both(table.lazy(), table, options)
    assert found.use.left_out
    same(found, whole)


def test_the_cuts_of_equal_rows_take_no_memory_for_each(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A table is refused by what its different rows take, when it is checked, too."""
    monkeypatch.setattr(binarizing, "MOST_BYTES", 10_000)
    file, model = str(tmp_path / "t.parquet"), str(tmp_path / "m.json")
    table_of(3).write_parquet(file)
    with pytest.raises(InputError, match="the captures of all cuts up to here need more than"):
        table_dataset(file, "y", TableOptions(thresholds="all"))
    given = ["--label", "y", "--thresholds", "all", "--max-rules", "1", "--quiet", "-o", model]
    for words in (["run", file, *given], ["check", model, file]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert not ended.value.code


@pytest.mark.parametrize(("factor", "told"), [(1 << 53, "units of"), (0.25, "units of 1/4")])
def test_weights_are_divided_where_rows_are_counted(factor: float, told: str) -> None:
    """64 bits would not hold the sum of the first ones, times the numbers of equal rows."""
    table = table_of(3).with_columns(w=factor * (1 + (pl.col("y") == "yes").cast(pl.Int64)))
    options = TableOptions(weight="w", ignore=["id"])
    counted = table_dataset(table.lazy(), "y", options, counting=True)
    every = table_dataset(table, "y", options)
    assert counted.n_rows < every.n_rows and told in every.weighed
    assert counted.weighed == every.weighed
    assert counted.weights is not None and every.weights is not None
    assert counted.weights.sum() == every.weights.sum() < 3 * every.n_rows


def test_a_file_that_ends_in_the_middle(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    table_of(1).write_parquet(file)
    file.write_bytes(file.read_bytes()[:-2000])
    with pytest.raises(InputError, match=r"t.parquet: cannot be read as Parquet"):
        table_dataset(file, "y", counting=True)


def test_the_end_of_a_file_is_looked_at(tmp_path: Path) -> None:
    table = table_of(2).with_columns(
        late=pl.int_range(ROWS) // 2 * (pl.int_range(ROWS) > ROWS // 2)
    )
    table.write_parquet(tmp_path / "t.parquet")
    with pytest.MonkeyPatch.context() as small:
        small.setattr(counting, "SAMPLE", 1000)
        assert not table_dataset(tmp_path / "t.parquet", "y", counting=True).counted
        assert table_dataset(table.lazy(), "y", counting=True).counted
