"""What constraints are asked for:  python -m benchmarks.constraints [folds] [front] [hybrid]

folds: FairCORELS' five folds of COMPAS, each learned from the other four (16 antecedents, lambda
.001), for every constraint of docs/internals/constraints.md; must: certified within 5 seconds.
front: the whole front of accuracy against statistical parity of the first fold; must: a minute.
hybrid: HybridCORELS' table, coverage at least .8 and .9, deferring by the default rule alone and by
any rule; lists of at most three or four rules, and any; must: certified within 60 seconds.

Seconds are user time of this process. Each row has the commit that was measured; rows of
constraints.json that are not measured stay as they are. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import resource
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from corels_rule_list.fair.front import parity_path

import corels
from benchmarks import kept
from benchmarks.__main__ import commit
from corels.tables import TableOptions, columns_of
from corels.tables.labelled import table_dataset

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data" / "fair"
FILE = HERE / "constraints.json"
LAMBDA = "0.001"
FAIR = (
    "statistical-parity:0.05",
    "statistical-parity:0.02",
    "statistical-parity:0.01",
    "statistical-parity:0.005",
    "equal-opportunity:0.05",
    "equalized-odds:0.05",
)
MUST = {"folds": 5, "front": 60, "hybrid": 60}
SHOWN = ("name", "certified", "objective", "lower_bound", "seconds", "must")


def fold(number: int, fair: str) -> corels.Problem:
    """The rows of all other folds; the first two columns are groups, and no antecedents."""
    read = columns_of(str(DATA / "faircorels_compas.csv"))
    columns = {name: column.cells() for name, column in read.items()}
    group, other, *_ = columns
    folds = columns.pop("fold")
    rows = [row for row, of in enumerate(folds) if int(of) != number]
    table = {name: [values[row] for row in rows] for name, values in columns.items()}
    options = TableOptions(group=group, fair=(fair,), ignore=(other,))
    return corels.Problem.from_dataset(table_dataset(table, "label", options), LAMBDA)


def hybrid(coverage: str, where: str) -> corels.Problem:
    """The table with the black box's answers."""
    options = TableOptions(defer="black_box", defer_where=where, coverage=coverage)
    data = table_dataset(str(DATA / "hybrid_compas.csv.gz"), "label", options)
    return corels.Problem.from_dataset(data, LAMBDA)


def timed(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """With the user time that it took."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    found = run()
    return {**found, "seconds": resource.getrusage(resource.RUSAGE_SELF).ru_utime - before}


def solved(problem: corels.Problem, limit: float, **options: Any) -> dict[str, Any]:
    """One search. limit: seconds of wall time, on a machine that may be busy."""
    certificate = corels.solve(problem, time_limit=limit, **options).certificate
    return {
        "certified": certificate.optimal,
        "objective": float(certificate.objective),
        "lower_bound": float(certificate.lower_bound),
        "wall": certificate.seconds,
        "extra": dict(certificate.extra),
    }


def whole_front(problem: corels.Problem) -> dict[str, Any]:
    """All points down to a difference of 0."""
    found = parity_path(problem)
    return {"certified": found.certified, "points": len(found)}


def measured(what: str, limit: float) -> Iterator[dict[str, Any]]:
    """The rows of one part."""
    if what == "front":
        problem = fold(0, "statistical-parity:0")
        yield {"name": "front of fold 0", **timed(lambda: whole_front(problem))}
    elif what == "folds":
        for fair in FAIR:
            for number in range(5):
                problem = fold(number, fair)
                found = timed(lambda problem=problem: solved(problem, limit))
                yield {"name": f"{fair}, fold {number}", **found}
    else:
        for rules, coverage, where in product(
            (3, 4, None), ("0.8", "0.9"), ("default", "anywhere")
        ):
            problem = hybrid(coverage, where)
            few = "" if rules is None else f", at most {rules} rules"
            found = timed(lambda p=problem, r=rules: solved(p, limit, max_rules=r))
            yield {"name": f"hybrid, coverage {coverage}, {where}{few}", **found}


def main() -> None:
    """Measure what is named, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="*", default=[*MUST], choices=[*MUST])
    parser.add_argument("--limit", type=float, default=120.0, help="wall seconds for a search")
    given = parser.parse_args()
    rows = {row["name"]: row for row in json.loads(FILE.read_text())} if FILE.exists() else {}
    print(f"| {' | '.join(SHOWN)} |\n|{'---|' * len(SHOWN)}")
    for what in given.what:
        for row in measured(what, given.limit):
            rows[row["name"]] = {**row, "must": MUST[what], "commit": commit()}
            print(
                f"| {' | '.join(str(rows[row['name']].get(one, '')) for one in SHOWN)} |",
                flush=True,
            )
            kept.write(FILE, [*rows.values()])


if __name__ == "__main__":
    main()
