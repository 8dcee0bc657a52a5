"""What proofs cost:  python -m benchmarks.proofs [CASE ...] [--data DIR] [--generated DIR] ...

Of each case (as in `python -m benchmarks`): user time of the search without and with a proof, in
turns; the proof's size, as it is and compressed; user time of the compiled checker, and of the
Python checker if the proof is small enough. Reading the table and collapsing it to points is not
measured, of the search nor of the checkers: they get the problem's points as rows. Prints a line a
case on stderr and writes JSON.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.__main__ import DATA, GENERATED, HERE
from benchmarks.instances import cases, load

MAIN = (
    *(
        f"compas_train@{regularization}"
        for regularization in (".02", ".015", ".01", ".005", ".0025")
    ),
    *("compas_fold0@.005", "frisk_fold0@.01", "bc540@.01", "pl100@.01", "sqf2@.01"),
)
PYTHON = 10_000_000  # claims times points: beyond, the Python checker is not measured


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time of all threads of this process, and what the call returns."""
    began = time.process_time()
    found = call()
    return time.process_time() - began, found


def as_rows(problem: Any, header: dict[str, Any]) -> tuple[dict[str, Any], list[Any], list[int]]:
    """Columns, labels and weights that say what the problem's points say; the header names them."""
    from corels.problem.captures import unpack
    from corels.tables.column import as_column

    classes, points = np.nonzero((problem.weights > 0) | (problem.weights.sum(axis=0) == 0))
    order = np.lexsort((classes, points))
    classes, points = classes[order], points[order]
    captures = unpack(problem.masks, problem.n_points)[:, points]
    columns = {f"a{j}": as_column(f"a{j}", row) for j, row in enumerate(captures)}
    for j, antecedent in enumerate(header["antecedents"]):
        antecedent["conditions"] = [{"column": f"a{j}", "operator": "true"}]
    labels = [problem.classes[c] for c in classes]
    return columns, labels, problem.weights[classes, points].tolist()


def measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """One case."""
    from corels_checker import check
    from corels_rule_list.proofcheck.plain import Plain
    from corels_rule_list.proofcheck.reading import plainly, read_proof
    from corels_rule_list.proofcheck.table import read_table

    import corels
    from corels.check.verdict import UNWATCHED

    case = next(c for c in cases() if c.name == name)
    problem = load(case.instance, options.data, options.generated)
    problem = problem.with_regularization(case.regularization)
    without, with_ = [], []
    with tempfile.TemporaryDirectory() as place:
        path = str(Path(place, "proof"))
        for _ in range(options.runs):
            seconds, result = timed(lambda: corels.solve(problem))
            without.append(seconds)
            with_.append(timed(lambda: corels.solve(problem, proof=path))[0])
        content = Path(path).read_bytes()
    proof = read_proof(content)
    table = read_table(proof.header, *as_rows(problem, proof.header))
    base = table.base  # claims and the bound leave it out
    assert (proof.bound + base) == result.certificate.lower_bound * table.unit * table.total
    checked = [timed(lambda: check(table, proof)) for _ in range(options.runs)]
    assert all(failure is None for _, failure in checked)
    found: dict[str, Any] = {
        "case": name,
        "optimal": result.certificate.optimal,
        "seconds_without": statistics.median(without),
        "seconds_with": statistics.median(with_),
        "bytes": len(content),
        "bytes_gzip": len(gzip.compress(content, 5)),
        "claims": len(proof.values),
        "seconds_check_c": statistics.median(seconds for seconds, _ in checked),
    }
    if len(proof.values) * table.captures.shape[1] <= PYTHON:
        plain = Plain(table, **plainly(proof, UNWATCHED))
        found["seconds_check_python"], failure = timed(lambda: plain.check(proof.bound))
        assert failure is None
    return found


def main() -> None:
    """Measure the named cases, or those of the main table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", default=list(MAIN))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--generated", type=Path, default=GENERATED)
    parser.add_argument("--output", type=Path, default=HERE / "results" / "proofs.json")
    options = parser.parse_args()
    rows = []
    for name in options.cases:
        try:
            rows.append(measure(name, options))
        except FileNotFoundError as absent:
            rows.append({"case": name, "skipped": str(absent)})
        print(json.dumps(rows[-1]), file=sys.stderr)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
