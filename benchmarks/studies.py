"""The studies behind docs/studies:  python -m benchmarks studies NAME [--data DIR] [--limit S]

    policies    which policy wins where: COMPAS, stop-and-frisk, Titanic (corels compare)
    ablations   Tables 4 and 5 of the paper: what each bound, map and order is worth (corels ablate)

Each writes docs/studies/NAME.csv, a row a configuration, and keeps finished runs in
benchmarks/results/NAME-*.jsonl, so that a study that was stopped goes on. `python -m
benchmarks.study_pages` turns the results into the tables of the pages. Counts repeat exactly;
seconds depend on the machine and on who else uses it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corels_workbench import Table, ablate, compare
from corels_workbench.comparing import summary
from corels_workbench.experiment import How

from benchmarks.instances import load
from corels.problem import Problem
from corels.tables.labelled import table_dataset
from corels.tables.options import TableOptions

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data"
PAGES = HERE.parent / "docs" / "studies"
POLICIES = (
    "bfs", "curiosity", "lower_bound", "objective", "dive", "midpoint", "bandit", "dives",
)  # fmt: skip
ABLATED: Mapping[str, Mapping[str, Any]] = {
    "best-first, bounds of the paper": {"preset": "paper"},
    "best-first": {"search": "best-first"},
    "depth-first": {"search": "depth-first"},
}
CASES = {"compas_train": "0.005", "frisk_fold0": "0.01"}


def _titanic(data: Path) -> Problem:
    path = data / "clean" / "titanic3.csv"
    return Problem.from_dataset(table_dataset(str(path), "label", TableOptions(max_cardinality=2)))


def _how(name: str) -> How:
    place = HERE / "results"
    place.mkdir(exist_ok=True)
    return How(results=str(place / f"{name}.jsonl"))


def policies(data: Path, limit: float) -> Table:
    """Every policy, with the default start and without one."""
    known = {name: load(name, data, HERE / "instances") for name in CASES}
    wanted = [({name: problem}, CASES[name]) for name, problem in known.items()]
    wanted.append(({"titanic3, pairs": _titanic(data)}, "0.01"))
    configurations = {
        f"{policy}, {'from a beam' if start == 'beam' else 'from nothing'}": {
            "search": "best-first", "policy": policy, "start": start,
        }
        for start in ("beam", "none") for policy in POLICIES
    }  # fmt: skip
    rows: list[dict[str, Any]] = []
    for problems, regularization in wanted:
        (name,) = problems
        table = compare(
            problems, configurations, regularizations=(regularization,), repeats=1,
            time_limit=limit, how=_how(f"policies-{name.partition(',')[0]}"),
        )  # fmt: skip
        rows += map(_policy_row, summary(table).rows)
    return Table(tuple(rows))


def ablations(data: Path, limit: float) -> Table:
    """Without each part, in the paper's search and in both of ours."""
    rows: list[dict[str, Any]] = []
    for name, regularization in CASES.items():
        problem = load(name, data, HERE / "instances")
        for label, options in ABLATED.items():
            table = ablate(
                {name: problem}, options=options, regularizations=(regularization,),
                time_limit=limit, how=_how(f"ablations-{name}-{'-'.join(options.values())}"),
            )  # fmt: skip
            rows += _counted(label, summary(table).rows)
    return Table(tuple(rows))


def _counted(search: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Work in counts, which repeat, beside the full search's; > where the limit ended a run."""
    full = rows[0]["evaluated"]
    found = []
    for row in rows:
        mark, ratio = "" if row["certified"] else ">", row["evaluated"] / full
        found.append(
            {
                "table": f"{row['data']}, {row['regularization']}",
                "search": search,
                "configuration": row["configuration"],
                "children evaluated": f"{mark}{int(row['evaluated']):,}",
                "times the full search": "" if mark and ratio < 1 else f"{mark}{ratio:.2f}",
                "inserted": row["extra_inserted"],
                "longest prefix": row["extra_longest"],
                "largest frontier": row["largest_frontier"] or 0,
                "seconds": row["seconds"],
            }
        )
    return found


def _policy_row(row: Mapping[str, Any]) -> dict[str, Any]:
    policy, start = row["configuration"].split(", ")
    return {
        "table": f"{row['data']}, {row['regularization']}",
        "start": start,
        "policy": policy,
        "expanded": f"{'' if row['certified'] else '>'}{int(row['expanded']):,}",
        "largest queue": f"{int(row['largest_frontier'] or 0):,}",
        "longest prefix": int(row["extra_longest"]),
    }


STUDIES = {"policies": policies, "ablations": ablations}


def main(arguments: list[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks studies", description=__doc__)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the tables")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds for each run")
    options = parser.parse_args(arguments)
    table = STUDIES[options.study](options.data, options.limit)
    PAGES.mkdir(exist_ok=True)
    table.write(str(PAGES / f"{options.study}.csv"))
    print(table.to_text())
