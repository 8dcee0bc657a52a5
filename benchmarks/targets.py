"""What a search has to show, by when: targets for `benchmarks.leaves` and `benchmarks.rows`.

Every target is a table, lambda, the cuts a column (quantiles; 3 as the command line makes them),
the most rules of a list and what mistakes and abstaining cost, with what must be reached and what
is aimed at: a gap (0: a certificate) after so many seconds of user time of the engine. A run is a
process of its own, as in `coverage`, and ends when the time that must do is spent. Results go to
`--output` after each run; targets that are not named keep the rows that they have there. Prints a
Markdown table.

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
    cost: str | None = None
    abstain: str | None = None

    @property
    def name(self) -> str:
        """Such as flights@.005/4 or magic_gamma:20@.01 or adult@.01+fp=1,fn=3."""
        cuts = "" if self.cuts == 3 else f":{self.cuts}"
        rules = "" if self.max_rules is None else f"/{self.max_rules}"
        cost = "" if self.cost is None else f"+{self.cost}"
        abstain = "" if self.abstain is None else f"+abstain={self.abstain}"
        return f"{self.table}{cuts}@{self.regularization}{rules}{cost}{abstain}"

    def row(self) -> Row:
        """What `coverage.run` is asked."""
        return {
            "table": self.table,
            "regularization": self.regularization,
            "cardinality": 1,
            "limit": self.must[0],
            "cuts": self.cuts,
            "max_rules": self.max_rules,
            "cost": self.cost,
            "abstain": self.abstain,
            "label": label_of(self.table),
        }


def label_of(table: str) -> str:
    """The column to predict."""
    return {"flights": "late"}.get(table, "y" if "planted" in table else "label")


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


def main(name: str, targets: tuple[Target, ...]) -> None:
    """`python -m benchmarks.NAME`, whose rows NAME.json keeps."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as wdbc:20@.01")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--generated", type=Path, default=GENERATED)
    parser.add_argument("--output", type=Path, default=HERE / f"{name}.json")
    options = parser.parse_args()
    known = {target.name: target for target in targets}
    for each in options.names:
        if each not in known:
            sys.exit(f"unknown target {each!r}: expected some of {', '.join(known)}")
    places, rows = files(options.data, options.generated), {}
    if options.output.exists():
        before = json.loads(options.output.read_text(encoding="utf-8"))
        rows = {row["name"]: row for row in before}
    for each in options.names or known:
        target = known[each]
        if target.table not in places:
            print(f"{each} skipped: there is no file of {target.table}", file=sys.stderr)
            continue
        row = coverage.run(places[target.table], target.row())
        goals = {"must": target.must, "aim": target.aim}
        met = {f"{what}_reached": reached(row, goal) for what, goal in goals.items()}
        rows[each] = {"name": each, "commit": commit(), **goals, **row, **met}
        print(coverage.line(row), file=sys.stderr)
        kept.write(options.output, [rows[one] for one in known if one in rows])
    print(markdown([rows[one] for one in known if one in rows]))
