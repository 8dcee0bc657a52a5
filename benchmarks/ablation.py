"""Where leaves, prices and blocks pay:  python -m benchmarks.ablation [CASE ...] [--limit SECONDS]

Every case (as in `benchmarks.sharing`) is solved with the default bounds, with each of these three
alone, and without them, with `--max-rules K` among lists of at most K rules; each run is a process
of its own and stops as by Ctrl-C when its user time is spent. Prints a Markdown table of expansions
and user time, or the gap where a run was stopped, then how many are certified, and writes JSON
after each run. `--coverage` takes all tables of `coverage`, with single conditions.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks import coverage
from benchmarks.instances import cases
from benchmarks.leaves import TARGETS
from benchmarks.limits import Row, own_process, user_limit, user_seconds
from benchmarks.sharing import DATA, HERE, problem_of

WITHOUT: dict[str, tuple[str, ...]] = {
    "all": (),
    "leaves": ("blocks", "prices"),
    "prices": ("blocks", "leaves"),
    "blocks": ("leaves", "prices"),
    "none": ("blocks", "leaves", "prices"),
}
TABLES = ("adult@.02", "adult@.01", "bank_full@.005", "magic_gamma@.01", "dl85_vehicle@.005")


def run_once(options: argparse.Namespace) -> Row:
    """One solve in this process."""
    import corels
    from corels.plugins import registry

    problem = problem_of(options.cases[0], options.data, options.generated)
    registry()
    used = user_seconds()
    with user_limit(options.limit):
        certificate = corels.solve(
            problem, no_bound=WITHOUT[options.once], max_rules=options.max_rules
        ).certificate
    return {
        "objective": float(certificate.objective),
        "lower_bound": float(certificate.lower_bound),
        "expanded": certificate.expanded,
        "user_seconds": user_seconds() - used,
        "certified": certificate.optimal,
        "peak_memory": certificate.peak_memory,
    }


def run(case: str, parts: str, options: argparse.Namespace) -> Row:
    """`run_once` in a process of its own; a case whose files are absent says so."""
    target = {each.name: each for each in TARGETS}.get(case)
    if target is not None:
        files = {path.stem: path for path in options.generated.glob("*.parquet")}
        files |= {path.stem: path for path in (options.data / "large").glob("*.parquet")}
        place = (coverage.tables(options.data) | files).get(target.table)
        if place is None:
            return {"failed": f"there is no file of {target.table}"}
        row = {**target.row(), "limit": options.limit, "no_bound": WITHOUT[parts]}
        return coverage.run(place, row)
    command = ["benchmarks.ablation", case, "--once", parts]
    command += ["--data", str(options.data), "--generated", str(options.generated)]
    command += ["--limit", str(options.limit)]
    command += ["--max-rules", str(options.max_rules)] if options.max_rules is not None else []
    return own_process(command, options.limit)


def cell(row: Row) -> str:
    """One cell of the table."""
    if "failed" in row:
        return row["failed"]
    stopped = "" if row["certified"] else f"gap {coverage.gap(row)}, "
    return f"{stopped}{row['expanded']:,}, {row['user_seconds']:.2f} s"


def summary(rows: list[dict[str, Row]]) -> str:
    """How many cases are certified with each, and the user time of those that all certify."""
    alike = [row for row in rows if all(one.get("certified", False) for one in row.values())]
    lines = [f"{len(rows)} cases; {len(alike)} are certified with each of these:"]
    for parts in WITHOUT:
        done = sum(row[parts].get("certified", False) for row in rows)
        seconds = sum(row[parts]["user_seconds"] for row in alike)
        lines.append(f"{parts}: {done} certified, {seconds:.2f} s for those {len(alike)}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--generated", type=Path, default=HERE / "instances")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "ablation.json")
    parser.add_argument("--limit", type=float, default=10, help="seconds of user time a run")
    parser.add_argument("--max-rules", type=int, help="rules of a list at most (default: any)")
    parser.add_argument("--coverage", action="store_true", help="all tables of the coverage")
    parser.add_argument("--once", choices=WITHOUT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        print(json.dumps(run_once(options)))
        return
    rows: dict[str, dict[str, Row]] = {}
    print("| case | " + " | ".join(WITHOUT) + " |\n|---" + "|---" * len(WITHOUT) + "|")
    names = options.cases or [*(case.name for case in cases()), *TABLES]
    if options.coverage:
        tables = coverage.tables(options.data)
        names = [f"{name}@{x}" for x in coverage.REGULARIZATIONS[1] for name in tables]
    for case in names:
        rows[case] = {}
        for parts in WITHOUT:
            rows[case][parts] = run(case, parts, options)
            options.output.parent.mkdir(parents=True, exist_ok=True)
            options.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        cells = " | ".join(cell(row) for row in rows[case].values())
        print(f"| {case} | {cells} |", flush=True)
    print(summary([*rows.values()]))


if __name__ == "__main__":
    main()
