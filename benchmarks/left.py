"""How good the estimates of the time left are:  python -m benchmarks.left [CASE ...] [--logs FILE]

A case is TABLE:LAMBDA or TABLE:LAMBDA:2 (pairs of conditions); tables are those of `clean/` and
`binary/`, and the rule files that `benchmarks` knows. Another search than the default one is named
behind it, as `corels.solve` takes it: wdbc:.005@search=best-first,policy=curiosity; `others` stands
for a list of such cases. Each search runs to its end, or for at most
`--seconds`, and the estimate over the truth is printed at a quarter, half, three quarters and nine
tenths: of the counts, which do not depend on the machine, and of the time. `--logs` writes some 120
moments of each search that ended; `tests/core/left_logs.json` was made so.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import corels
from benchmarks.coverage import DATA, tables
from benchmarks.instances import load
from corels.problem import Problem
from corels.search import Progress, Search, Sink
from corels.tables.labelled import table_dataset
from corels.tables.options import TableOptions

GENERATED = Path(__file__).resolve().parent / "instances"
CASES = (
    "adult:.005",
    "dl85_vehicle:.005",
    "osdt_diabetes:.02",
    "musk2:.02",
    "compas_train:.001",
    "ionosphere:.02:2",
    "monk2_train:.01:2",
    "adult:.02:2",
    "bank_full:.005",
    "pl300:.01",
)
OTHERS = (
    *(f"dl85_vehicle:.005@search=best-first,policy={p}" for p in ("curiosity", "lower_bound")),
    *(f"ilpd:.005@search=best-first,policy={p}" for p in ("curiosity", "lower_bound", "bfs")),
    *(f"ilpd:.005@search=best-first,policy={p}" for p in ("objective", "dfs")),
    *(f"wdbc:.005@search=best-first,policy={p}" for p in ("curiosity", "objective", "dfs")),
    *(f"dl85_anneal:.005@search=best-first,policy={p}" for p in ("lower_bound", "dfs")),
    "pl300:.02@search=best-first,policy=objective",
    "adult:.01@search=best-first,policy=bfs",
    "pl100:.02@backend=python",
    "bc540:.02@backend=python",
    "pl100:.02@backend=python,search=best-first",
    "mushroom:.001:2@solver=falling,rule_cost=.03",
    "ionosphere:.001:2@solver=falling,rule_cost=.003",
    "corels_bcancer:.001:2@solver=falling,rule_cost=.03",
    "ilpd:.001:2@solver=falling,max_rules=3",
    "compas_jmlr:.001:2@solver=falling",
)
MARKS = (0.25, 0.5, 0.75, 0.9)
MOMENTS = 120
Row = tuple[float, int, float | None, float | None, float | None]


class Log(Sink):
    """Seconds, counts, counts expected, share of the tables under way, seconds expected."""

    name = "log"

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._began = time.perf_counter()

    def start(self, search: Search) -> None:
        self._began = time.perf_counter()

    def events(self, records: Any, search: Search) -> None:
        """Nothing of them is kept."""

    def progress(self, now: Progress, search: Search) -> None:
        elapsed, counts = time.perf_counter() - self._began, int(now.extra.get("counts", 0))
        told = (_known(x) for x in (now.work_left, now.building, now.seconds_left))
        self.rows.append((elapsed, counts, *told))


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None


def problem_of(case: str, generated: Path) -> Problem:
    """Raises FileNotFoundError where the table is absent."""
    name, penalty, *rest = case.partition("@")[0].split(":")
    found = tables(DATA).get(name)
    if found is None:
        return load(name, DATA, generated).with_regularization(penalty)
    options = TableOptions(max_cardinality=int(rest[0]) if rest else 1)
    return Problem.from_dataset(table_dataset(str(found), "label", options), penalty)


def options_of(case: str) -> dict[str, str]:
    """How `corels.solve` is asked to search."""
    return dict(part.split("=") for part in case.partition("@")[2].split(",") if part)


def told(rows: list[Row], total: float, truth: int, estimate: int) -> str:
    """Estimate over truth at each mark; `truth` and `estimate` are columns."""
    first = next((row[truth] / total for row in rows if row[estimate] is not None), None)
    parts = [f"from {first:4.0%}" if first is not None else "never    "]
    for mark in MARKS:
        row = next((r for r in rows if mark * total <= r[truth] < total), None)
        known = None if row is None else row[estimate]
        ratio = math.nan if row is None or known is None else known / (total - row[truth])
        parts.append("    -" if math.isnan(ratio) else f"{ratio:5.2f}")
    return "  ".join(parts)


def kept(case: str, rows: list[Row], seconds: float) -> dict[str, Any]:
    """Some moments of one search."""
    some, due = [], 0.0
    for elapsed, counts, work, building, _ in rows:
        if elapsed >= due:
            due = elapsed + seconds / MOMENTS
            rounded = (round(x, 2) if x is not None else None for x in (work, building))
            some.append([round(elapsed, 1), counts, *rounded])
    silent = all(row[4] is None for row in rows)
    return {"name": case, "seconds": round(seconds, 1), "silent": silent, "rows": some}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cases", nargs="*", default=CASES)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--generated", type=Path, default=GENERATED)
    parser.add_argument("--logs", type=Path)
    options = parser.parse_args()
    logs = []
    for case in OTHERS if options.cases == ["others"] else options.cases:
        try:
            log, problem = Log(), problem_of(case, options.generated)
        except FileNotFoundError as absent:
            print(f"{case:52} there is no {absent}", flush=True)
            continue
        limits = {"sinks": [log], "time_limit": options.seconds}
        certificate = corels.solve(problem, **options_of(case), **limits).certificate
        if not certificate.optimal:
            print(f"{case:52} not certified in {options.seconds:g} s", flush=True)
            continue
        seconds, counts = certificate.seconds, int(certificate.extra["counts"])
        print(f"{case:52} {seconds:6.1f} s  counts {told(log.rows, counts, 1, 2)}", flush=True)
        print(f"{'':52} {'':8}  time   {told(log.rows, seconds, 0, 4)}", flush=True)
        logs.append(kept(case, log.rows, seconds))
    if options.logs is not None:
        options.logs.write_text(json.dumps(logs) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
