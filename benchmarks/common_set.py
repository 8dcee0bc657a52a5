"""The common set: 46 searches by which the engine's mechanisms and numbers are judged.

Groups: W1 single conditions, W2 twenty cuts a column, W3 pairs of conditions, W4 many rows, W5
instances of publications. Thirteen further searches are held out: they judge, and choose nothing.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import coverage
from benchmarks.instances import load
from benchmarks.limits import Row, user_limit, user_seconds

PUBLISHED = ("compas_train", "bc540", "pl100", "pl300", "sqf2")
LABELS = {"flights": "late", "planted_10000": "y"}
SHORT = {
    "dl85_heart": "dl85_heart_cleveland",
    "anneal": "dl85_anneal",
    "audiology": "dl85_audiology",
    "australian": "dl85_australian_credit",
    "heart": "heart_cleveland",
    "hypothyroid": "dl85_hypothyroid",
    "lymph": "dl85_lymph",
    "messidor": "bintree_messidor",
    "vehicle": "dl85_vehicle",
}
SETS = {
    "W1": """ilpd@.01 wdbc@.01 lymph@.01 dl85_heart@.01 australian@.01 vehicle@.01 heart@.005
        ionosphere@.005 magic_gamma@.005 ilpd@.005 pima@.005 wdbc@.005 anneal@.005 dl85_heart@.005
        lymph@.005 vehicle@.005 heart_statlog@.005 liver_bupa@.005 messidor@.0025""",
    "W2": """wdbc:20@.02 heart:20@.02 pima:20@.02 heart_statlog:20@.02 ionosphere:20@.02
        banknote:20@.01 titanic3:20@.01 liver_bupa:20@.02""",
    "W3": """balance_scale+pairs@.01 car_evaluation+pairs@.01 titanic3+pairs@.01
        mushroom+pairs@.01 vehicle+pairs@.02 monk2_train+pairs@.02""",
    "W4": "adult@.01 bank_full@.005 planted_10000@.01 flights@.02",
    "W5": """compas_train@.005 compas_train@.0025 pl100@.01 pl300@.02 sqf2@.01 bc540@.01
        pl300@.01 adult@.02 bank_full@.01""",
    "held": """heart@.0025 pima@.0025 heart_statlog@.0025 ionosphere@.01 compas_numeric:20@.01
        transfusion:20@.01 audiology@.005 messidor+pairs@.01 mushroom@.005 osdt_diabetes@.03
        hypothyroid@.001 ilpd@.02 planted_10000@.02""",
}


@dataclass(frozen=True)
class Search:
    """One search of the set: `name` is TABLE[:CUTS][+pairs]@LAMBDA."""

    group: str
    name: str

    def problem(self, data: Path, generated: Path) -> Any:
        """Raises FileNotFoundError if the table's file is absent."""
        from corels.problem import Problem
        from corels.tables.labelled import table_dataset
        from corels.tables.options import TableOptions

        table, _, regularization = self.name.partition("@")
        table, _, pairs = table.partition("+")
        table, _, cuts = table.partition(":")
        if table in PUBLISHED:
            return load(table, data, generated).with_regularization(regularization)
        table = SHORT.get(table, table)
        more = [*(data / "large").glob("*.parquet"), *generated.glob("planted_*.parquet")]
        files = {**coverage.tables(data), **{path.stem: path for path in more}}
        if table not in files:
            raise FileNotFoundError(table)
        options = TableOptions(max_cardinality=2 if pairs else 1, cuts=f"quantile {cuts or 3}")
        label = LABELS.get(table, "label")
        return Problem.from_dataset(
            table_dataset(str(files[table]), label, options), regularization
        )


def searches(groups: Iterable[str] = ("W1", "W2", "W3", "W4", "W5")) -> list[Search]:
    """The searches of these groups."""
    return [Search(group, name) for group in groups for name in SETS[group].split()]


def named(name: str) -> Search:
    """The search of this name."""
    return next(search for search in searches(SETS) if search.name == name)


def solve_once(problem: Any, variant: Row, seconds: float, seed: int = 0) -> Row:
    """One solve with one thread: options of `solve` under "options", a kernel under "kernel"."""
    import corels

    kernel = variant.get("kernel")
    if kernel:
        os.environ["CORELS_KERNEL"] = kernel
    user, wall = user_seconds(), time.perf_counter()
    with user_limit(seconds):
        options = variant.get("options", {})
        found = corels.solve(problem, threads=1, seed=seed, **options).certificate
    row = {
        "expanded": found.expanded,
        "user": user_seconds() - user,
        "wall": time.perf_counter() - wall,
        "certified": found.optimal,
        "objective": str(found.objective),
    }
    if kernel:
        del os.environ["CORELS_KERNEL"]
    return row


def compare(search: Search, variants: dict[str, Row], runs: int, places: tuple[Path, Path]) -> Row:
    """Each variant of one search in turns with the search as it is ("" among the results).

    A variant may take five times as long as the search as it is, two seconds more, or 15 s at most;
    of a search below half a second, the least time of several runs counts.
    """
    from corels.plugins import registry

    problem = search.problem(*places)
    registry()
    found: Row = {}
    first = solve_once(problem, {}, 60)
    limit = min(15.0, 5 * first["user"] + 2)
    for _ in range(runs if first["user"] < 0.5 else 1):
        for name, variant in {"": {}, **variants}.items():
            row = solve_once(problem, variant, limit if name else 60)
            if name not in found or row["user"] < found[name]["user"]:
                found[name] = row
    return {"search": search.name, "group": search.group, "runs": found}


def ratios(rows: list[Row], name: str, figure: str) -> list[float]:
    """Of each search, the figure of a variant as a multiple of the search as it is."""
    pairs = [(row["runs"][""], row["runs"][name]) for row in rows if name in row["runs"]]
    return [max(with_out[figure], 1e-9) / max(as_is[figure], 1e-9) for as_is, with_out in pairs]


def mean(values: list[float]) -> float:
    """The geometric mean; not a number of none."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def main(arguments: list[str]) -> None:
    """`--once`: JSON of one search and its variants, for a process of its own."""
    name, variants, runs, data, generated = arguments
    row = compare(named(name), json.loads(variants), int(runs), (Path(data), Path(generated)))
    print(json.dumps(row))
