"""Which tables are certified within a limit:  python -m benchmarks coverage [TABLE ...] [options]

Every table of `clean/` and `binary/`, binarised as the command line does by default, at some
regularizations, with single conditions (cardinality 1) and with pairs (2). A run is a process of
its own; the limit is in seconds of user time of the engine, because machines are busy. Results go
to `--output` after each run, and runs that the file has, at the same commit and limit, are not done
again: a coverage that was stopped goes on where it was. After `--minutes` no further run begins;
those that are left are named. `--keep` puts the rows into reference.json; a Markdown table of all
runs is written beside the output. `--no-bound dominance`, or CORELS_TUNE=beam_width=4 around
the command, shows what a part is worth: give such runs an --output of their own.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path

from benchmarks import kept
from benchmarks.limits import Row, own_process, user_limit, user_seconds

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data"
REGULARIZATIONS = {1: (".02", ".01", ".005"), 2: (".02", ".01")}
KEY = ("table", "regularization", "cardinality")


def tables(data: Path) -> dict[str, Path]:
    """Name -> file."""
    files = [p for room in ("clean", "binary") for p in sorted((data / room).glob("*.csv*"))]
    return {path.name.removesuffix(".gz").removesuffix(".csv"): path for path in files}


def run_once(path: Path, row: Row) -> Row:
    """One solve in this process, stopped as by Ctrl-C when its user time is spent."""
    import corels
    from corels.plugins import registry
    from corels.problem import Problem
    from corels.tables.labelled import table_dataset
    from corels.tables.options import TableOptions

    options = TableOptions(
        max_cardinality=row["cardinality"],
        cuts=f"quantile {row.get('cuts', 3)}",
        cost=row.get("cost"),
        abstain=row.get("abstain"),
    )
    data = table_dataset(str(path), row.get("label", "label"), options)
    problem = Problem.from_dataset(data, row["regularization"])
    registry()
    user, wall = user_seconds(), time.perf_counter()
    with user_limit(row["limit"]):
        certificate = corels.solve(
            problem, max_rules=row.get("max_rules"), no_bound=tuple(row.get("no_bound", ()))
        ).certificate
    return {
        **row,
        "antecedents": problem.n_antecedents,
        "points": problem.n_points,
        "certified": certificate.optimal,
        "objective": float(certificate.objective),
        "lower_bound": float(certificate.lower_bound),
        "expanded": certificate.expanded,
        "user_seconds": user_seconds() - user,
        "wall_seconds": time.perf_counter() - wall,
        "peak_memory": certificate.peak_memory,
    }


def run(path: Path, row: Row) -> Row:
    """`run_once` in a process of its own; what failed says so."""
    command = ["benchmarks", "coverage", "--once", str(path), json.dumps(row)]
    return {**row, **own_process(command, row["limit"])}


def line(row: Row) -> str:
    """What a person reads."""
    name = f"{row['table']:<24} {row['regularization']:>5} {row['cardinality']}"
    if "failed" in row:
        return f"{name}  failed: {row['failed']}"
    proof = "certified" if row["certified"] else f"gap {gap(row)}"
    return (
        f"{name} {row['antecedents']:>6} {row['points']:>6} {row['user_seconds']:8.2f} s "
        f"{row['peak_memory'] / 2**20:7.1f} MB  {row['objective']:.5f}  {proof}"
    )


def gap(row: Row) -> str:
    """What was left open, as a number and as a share of the objective."""
    left = row["objective"] - row["lower_bound"]
    return f"{left:.5f} = {left / row['objective']:.0%}"


def _cell(row: Row | None) -> str:
    if row is None:
        return "not run"
    if "failed" in row:
        return row["failed"]
    return f"{row['user_seconds']:.2f} s" if row["certified"] else f"gap {gap(row)}"


def markdown(rows: list[Row]) -> str:
    """A line a table: the seconds to the certificate, or the gap that was left."""
    kinds = sorted({(r["cardinality"], r["regularization"]) for r in rows}, key=_easy_first)
    known = {tuple(row[k] for k in KEY): row for row in rows}
    titles = [f"{'pairs ' if c > 1 else ''}{x}" for c, x in kinds]
    lines = ["| table | " + " | ".join(titles) + " |", "|---" * (len(kinds) + 1) + "|"]
    for name in dict.fromkeys(row["table"] for row in rows):
        cells = [_cell(known.get((name, x, c))) for c, x in kinds]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _easy_first(kind: tuple[int, str]) -> tuple[int, float]:
    return kind[0], -float(kind[1])


def summary(rows: list[Row]) -> str:
    """How many runs are certified, for each cardinality and regularization."""
    lines = []
    for kind in sorted({(row["cardinality"], row["regularization"]) for row in rows}):
        here = [row for row in rows if (row["cardinality"], row["regularization"]) == kind]
        done = sum(row.get("certified", False) for row in here)
        lines.append(f"cardinality {kind[0]}, {kind[1]:>5}: {done} of {len(here)} certified")
    total = sum(row.get("certified", False) for row in rows)
    return "\n".join([*lines, f"all: {total} of {len(rows)} certified"])


def cover(options: argparse.Namespace, commit: str) -> list[Row]:
    """All runs that were asked for; those that the output has are taken from there."""
    files, known, rows = tables(options.data), {}, []
    until = time.monotonic() + 60 * options.minutes
    for name in options.tables:
        if name not in files:
            sys.exit(f"unknown table {name!r}: expected some of {', '.join(files)}")
    if options.output.exists():
        before = json.loads(options.output.read_text(encoding="utf-8"))
        if (before["commit"], before["limit"]) == (commit, options.limit):
            alike = (r for r in before["rows"] if r.get("no_bound", []) == options.no_bound)
            known = {tuple(row[k] for k in KEY): row for row in alike}
    for cardinality in options.cardinality:
        for regularization in options.regularization or REGULARIZATIONS[cardinality]:
            for name in options.tables or files:
                key = (name, regularization, cardinality)
                row = {**dict(zip(KEY, key, strict=True)), "limit": options.limit}
                row |= {"no_bound": options.no_bound} if options.no_bound else {}
                if key not in known and time.monotonic() > until:
                    print(f"{name:<24} {regularization:>5} {cardinality}  not run", file=sys.stderr)
                    continue
                if key not in known:
                    known[key] = run(files[name], row)
                rows.append(known[key])
                print(line(known[key]), file=sys.stderr)
                document = {"commit": commit, "limit": options.limit, "rows": [*known.values()]}
                kept.write(options.output, document)
    return rows


def main(arguments: list[str], commit: str) -> None:
    """The command."""
    if arguments[:1] == ["--once"]:
        print(json.dumps(run_once(Path(arguments[1]), json.loads(arguments[2]))))
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks coverage", description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--limit", type=float, default=15.0, help="seconds of user time a run")
    parser.add_argument("--cardinality", type=int, nargs="+", choices=(1, 2), default=[1, 2])
    parser.add_argument("--regularization", nargs="+", help="instead of the usual ones")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "coverage.json")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no run after these")
    parser.add_argument("--no-bound", nargs="+", default=[], help="search without these bounds")
    parser.add_argument("--keep", action="store_true", help="put the rows into reference.json")
    options = parser.parse_args(arguments)
    if options.no_bound and options.keep:
        parser.error("--keep is for the default bounds")
    rows = cover(options, commit)
    print(summary(rows))
    table = options.output.with_suffix(".md")
    table.write_text(markdown(rows), encoding="utf-8")
    print(table)
    if options.keep:
        kept.keep(coverage={"commit": commit, "limit": options.limit, "rows": rows})
