"""Rare positives under constraints:  python -m benchmarks.rare [NAME ...] [--nodes N]

Generated tables of ten numbers and six names, with a class of so many percent of the rows whose
odds depend on some of them. Each search ends after so many expansions, if nothing is certified
before, so what is printed repeats exactly: objective, lower bound, and how many rules are worth the
gap between them.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import polars as pl

import corels
from corels.errors import InfeasibleError
from corels.tables import TableOptions, table_dataset

TABLES = {  # rows, the share of positives, lambda
    "2000": (2000, 0.037, "0.01"),
    "5000": (5000, 0.02, "0.01"),
    "20000": (20000, 0.026, "0.01"),
    "20000-fine": (20000, 0.026, "0.002"),
    "50000": (50000, 0.013, "0.01"),
}
ASKED = ("recall >= 0.8", "precision >= 0.4", "f1 >= 0.2", "positive-rate <= 0.01", "balanced")


def table(rows: int, share: float, seed: int = 67) -> pl.DataFrame:
    """Rows, about so many of them positive."""
    rng = np.random.default_rng([seed, rows])
    numbers = {f"n{i}": rng.normal(size=rows).round(2) for i in range(10)}
    names = {f"c{i}": rng.integers(0, 3 + i, size=rows) for i in range(6)}
    n, c = numbers, names
    odds = 1.6 * (n["n0"] > 1) + 1.2 * (n["n1"] + 0.5 * n["n2"]) + 1.5 * (c["c0"] == 1)
    odds = odds + 1.5 * ((c["c1"] == 2) & (n["n3"] < 0)) - 1.0 * (c["c2"] == 0)
    drawn = odds + rng.logistic(scale=0.7, size=rows)
    label = drawn > np.quantile(drawn, 1 - share)
    texts = {name: np.char.add("v", values.astype(str)) for name, values in names.items()}
    return pl.DataFrame({**numbers, **texts, "label": np.where(label, "yes", "no")})


def measure(name: str, asked: str, nodes: int) -> str:
    """One line: what a search finds and proves."""
    rows, share, regularization = TABLES[name]
    how = {"constraints": asked} if " " in asked else {"cost": asked}
    problem = corels.Problem.from_dataset(
        table_dataset(table(rows, share), "label", TableOptions(**how)), regularization
    )
    began = time.process_time()
    try:
        found = corels.solve(problem, node_limit=nodes).certificate
    except InfeasibleError as error:
        return f"{name:<11} {asked:<22} {error}"
    gap = float(found.objective - found.lower_bound)
    return (
        f"{name:<11} {asked:<22} {float(found.objective):.5f} {float(found.lower_bound):.5f} "
        f"{gap / float(regularization):6.2f} rules  {found.expanded:>9,} expanded "
        f"{time.process_time() - began:6.1f} s"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rare", description=__doc__)
    parser.add_argument("names", nargs="*", default=list(TABLES))
    parser.add_argument("--nodes", type=int, default=1_000_000)
    options = parser.parse_args()
    for name in options.names:
        for asked in ASKED:
            print(measure(name, asked, options.nodes), flush=True)


if __name__ == "__main__":
    main()
