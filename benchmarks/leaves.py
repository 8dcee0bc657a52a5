"""What the leaf bound and fine cuts are asked for:  python -m benchmarks.leaves [NAME ...]

Every target is a table, lambda, the cuts a column (quantiles; 3 as the command line makes them) and
the most rules of a list, with what must be reached and what is aimed at: a gap (0: a certificate)
after so many seconds of user time of the engine. A run is a process of its own, as in `coverage`,
and ends when the time that must do is spent. Results go to `--output` after each run; targets that
are not named keep the rows that they have there. Prints a Markdown table.

The planted tables are made by `planted.py` beside the shared tables:

    python ../shared/bench/planted.py 1e4 benchmarks/instances/planted_10000.parquet
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks import coverage, kept
from benchmarks.__main__ import DATA, GENERATED, commit
from benchmarks.coverage import Row

HERE = Path(__file__).resolve().parent
Goal = tuple[float, float]  # seconds, and the gap by then


@dataclass(frozen=True)
class Target:
    """`must` and `aim`: what the search has to show, by when."""

    table: str
    regularization: str
    must: Goal
    aim: Goal
    cuts: int = 3
    max_rules: int | None = None

    @property
    def name(self) -> str:
        """Such as flights@.005/4 or magic_gamma:20@.01."""
        cuts = "" if self.cuts == 3 else f":{self.cuts}"
        rules = "" if self.max_rules is None else f"/{self.max_rules}"
        return f"{self.table}{cuts}@{self.regularization}{rules}"

    def row(self) -> Row:
        """What `coverage.run` is asked."""
        label = {"flights": "late"}.get(self.table, "y" if "planted" in self.table else "label")
        return {
            "table": self.table,
            "regularization": self.regularization,
            "cardinality": 1,
            "limit": self.must[0],
            "cuts": self.cuts,
            "max_rules": self.max_rules,
            "label": label,
        }


TARGETS = (
    Target("flights", ".005", (120, 0), (20, 0), max_rules=4),
    Target("flights", ".002", (30, 0), (8, 0), max_rules=3),
    Target("planted_10000", ".02", (12, 0), (2, 0), max_rules=5),
    Target("planted_10000", ".01", (10, 0), (2, 0), max_rules=3),
    Target("planted_10000", ".005", (30, 0), (5, 0), max_rules=3),
    Target("planted_1000000", ".02", (60, 0), (15, 0), max_rules=3),
    Target("magic_gamma", ".01", (30, 0.01), (10, 0), cuts=20),
    Target("magic_gamma", ".01", (60, 0.02), (60, 0), cuts=100),
    Target("wdbc", ".01", (4, 0), (1, 0), cuts=20),
    Target("wdbc", ".01", (60, 0), (10, 0), cuts=100),
    Target("pima", ".01", (30, 0), (5, 0), cuts=20),
    Target("adult", ".01", (60, 0), (10, 0), cuts=20),
    Target("dl85_australian_credit", ".005", (30, 0), (30, 0)),
    Target("osdt_diabetes", ".01", (30, 0), (30, 0)),
    Target("musk2", ".01", (30, 0), (30, 0)),
)


def files(data: Path, generated: Path) -> dict[str, Path]:
    """Table -> file."""
    more = [*(data / "large").glob("*.parquet"), *generated.glob("planted_*.parquet")]
    return {**coverage.tables(data), **{path.stem: path for path in more}}


def reached(row: Row, goal: Goal) -> bool:
    """Whether a run shows this gap in this time; a run that ended later was not asked before."""
    seconds, gap = goal
    if "failed" in row or row["objective"] - row["lower_bound"] > gap:
        return False
    return row["user_seconds"] <= seconds or (seconds == row["limit"] and not row["certified"])


def markdown(rows: list[Row]) -> str:
    """A line a target."""
    lines = ["| target | must | aim | found |", "|---|---|---|---|"]
    for row in rows:
        goals = " | ".join(
            f"{f'gap {gap:g}, ' if gap else ''}{seconds:g} s{': reached' if row[met] else ''}"
            for (seconds, gap), met in ((row["must"], "must_reached"), (row["aim"], "aim_reached"))
        )
        lines.append(f"| {row['name']} | {goals} | {_found(row)} |")
    return "\n".join(lines)


def _found(row: Row) -> str:
    if "failed" in row:
        return str(row["failed"])
    shown = f"{row['user_seconds']:.2f} s, {row['expanded']:,} expansions"
    shown += f", {row['peak_memory'] / 1e6:.0f} MB"
    if row["certified"]:
        return shown
    return f"{row['lower_bound']:.4f} to {row['objective']:.4f} after {shown}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leaves", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as wdbc:20@.01")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--generated", type=Path, default=GENERATED)
    parser.add_argument("--output", type=Path, default=HERE / "leaves.json")
    options = parser.parse_args()
    known = {target.name: target for target in TARGETS}
    for name in options.names:
        if name not in known:
            sys.exit(f"unknown target {name!r}: expected some of {', '.join(known)}")
    places, rows = files(options.data, options.generated), {}
    if options.output.exists():
        before = json.loads(options.output.read_text(encoding="utf-8"))
        rows = {row["name"]: row for row in before}
    for name in options.names or known:
        target = known[name]
        if target.table not in places:
            print(f"{name} skipped: there is no file of {target.table}", file=sys.stderr)
            continue
        row = coverage.run(places[target.table], target.row())
        goals = {"must": target.must, "aim": target.aim}
        met = {f"{what}_reached": reached(row, goal) for what, goal in goals.items()}
        rows[name] = {"name": name, "commit": commit(), **goals, **row, **met}
        print(coverage.line(row), file=sys.stderr)
        kept.write(options.output, [rows[each] for each in known if each in rows])
    print(markdown([rows[each] for each in known if each in rows]))


if __name__ == "__main__":
    main()
