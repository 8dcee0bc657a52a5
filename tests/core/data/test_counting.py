"""Equal rows that are counted: the problem is that of all rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import called
import numpy as np
import polars as pl
import pytest

import corels
from corels.errors import InputError
from corels.problem import Problem
from corels.tables import TableOptions, binarizing, mining, table_dataset

ROWS = 3000


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binarizing, "MANY_ROWS", 2000)


def table_of(seed: int) -> Any:
    """Some 100 different rows: gaps, odd cells, dates, codes, numbers as names, a constant; and an
    income that differs in each."""
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
            "flag": g.integers(0, 2, different).astype(bool),
            "constant": ["same"] * different,
            "w": g.integers(0, 4, different),
            "y": ["yes" if v else "no" for v in n + g.normal(size=different) > 0],
        }
    )
    shares = g.dirichlet(np.full(different, 0.3))
    rows = kinds[g.choice(different, ROWS, p=shares)]
    return rows.with_columns(income=pl.Series(g.lognormal(10, 1, ROWS)))


OPTIONS: tuple[dict[str, Any], ...] = (
    {"max_cardinality": 2, "min_support": 0.05, "columns": ["whole", "gaps", "text", "flag"]},
    {"weight": "w", "cuts": "entropy, grouped", "ignore": ["day"]},
    {"negations": True, "columns": {"whole": "as names", "odd": "as numbers"}, "missing": ["7"]},
    {"columns": ["year of day", "few odd", "income"]},
)


def same(found: Any, whole: Any) -> None:
    assert found.counted == len(whole.labels) > 2 * found.n_rows
    one, other = (Problem.from_dataset(data, "0.02") for data in (found, whole))
    assert one.data_hash == other.data_hash
    for name in ("antecedents", "merged", "rows", "known", "classes", "total"):
        assert getattr(one, name) == getattr(other, name), name
    assert found.use == whole.use


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_the_problem_is_that_of_all_rows(seed: int, options: dict[str, Any]) -> None:
    table, how = table_of(seed), TableOptions(**options)
    whole = table_dataset(table, "y", how, "t")
    same(table_dataset(table, "y", how, "t", counting=True), whole)
    same(table_dataset(table.lazy(), "y", how, "t", counting=True), whole)


def test_the_same_table_of_csv_of_parquet_and_of_a_frame_is_one_problem(tmp_path: Path) -> None:
    table = table_of(5)
    for part in range(3):
        table[1000 * part : 1000 * part + 1000].write_parquet(tmp_path / f"{part}.parquet")
    table.cast({"number as a name": pl.String}).write_csv(tmp_path / "t.csv")
    options = TableOptions(ignore=["number as a name", "few odd"])
    whole = table_dataset(table, "y", options, "t")
    for source in (f"{tmp_path}/*.parquet", tmp_path / "t.csv"):
        same(table_dataset(source, "y", options, "t", counting=True), whole)
    found = corels.learn(str(tmp_path / "*.parquet"), label="y", regularization="0.05")
    other = corels.learn(table, label="y", regularization="0.05")
    assert found.model == other.model
    assert found.certificate.objective == other.certificate.objective


def test_rows_without_a_label() -> None:
    table = table_of(8).with_columns(y=pl.when(pl.col("whole") > 5).then(pl.col("y")))
    options = TableOptions(drop_unlabelled=True)
    found = table_dataset(table.lazy(), "y", options, "t", counting=True)
    same(found, table_dataset(table, "y", options, "t"))
    assert found.use and found.use.dropped.endswith("of 3,000 rows have no 'y' and are left out")


def test_where_it_does_not_pay_or_rows_are_asked_for_all_are_kept() -> None:
    table = table_of(9)
    every = table.with_columns(a=pl.Series(np.random.default_rng(0).permutation(ROWS)))
    much = TableOptions(cuts="quantile 200", min_support=0, columns=("a", "income"))
    assert not table_dataset(every.lazy(), "y", much, counting=True).counted
    plain = TableOptions(constraints="statistical-parity by flag within 0.2")
    assert not table_dataset(table.lazy(), "y", plain, counting=True).counted
    assert not table_dataset(table.lazy(), "y").counted


def test_as_many_conjunctions_are_kept_as_of_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "MOST_BYTES", 60 * ROWS // 8)
    table = table_of(3)
    options = TableOptions(max_cardinality=2, columns=("whole", "gaps", "text", "flag"))
    found = table_dataset(table, "y", options, "t", counting=True)
    assert found.use and found.use.left_out
    same(found, table_dataset(table, "y", options, "t"))


def test_the_cuts_of_equal_rows_take_no_memory_for_each(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A table is refused by what its different rows take, when it is checked, too."""
    monkeypatch.setattr(binarizing, "MOST_BYTES", 10_000)
    file, model = str(tmp_path / "t.parquet"), str(tmp_path / "m.json")
    table_of(3).drop("income").write_parquet(file)
    with pytest.raises(InputError, match="the captures of all cuts need more than"):
        table_dataset(file, "y", TableOptions(cuts="all"))
    given = ["--label", "y", "--cuts", "all", "--max-rules", "1", "--quiet", "-o", model]
    for words in (["run", file, *given], ["check", model, file]):
        assert not called.code(*words)


def test_a_file_that_ends_in_the_middle(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    table_of(1).write_parquet(file)
    file.write_bytes(file.read_bytes()[:-2000])
    with pytest.raises(InputError, match=r"t.parquet: cannot be read as Parquet"):
        table_dataset(file, "y", counting=True)
