"""The study behind docs/studies/fairness.md:

    python -m benchmarks.fairness TABLE [--data DIR] [--limit S]

TABLE is compas or adult; the groups are those of sex, the models rule lists and Fairlearn's
reductions over a tree (pip install 'corels[fairness]'). Finished cells stay in benchmarks/results,
so that a study that was stopped goes on. `python -m benchmarks.fairness page` makes the table and
the picture of what there is.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

from corels_workbench.evaluating import evaluate, summary
from corels_workbench.experiment import How
from corels_workbench.labelled import Labelled

from corels.plots.draw import draw
from corels.plots.figure import Figure, Panel, Series
from corels.tables import columns_of

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data" / "clean"
PAGES = HERE.parent / "docs" / "studies"
FILES = {"compas": "compas_numeric.csv", "adult": "adult.csv.gz"}
LEFT_OUT = ("fnlwgt", "education")  # a weight of the census, and the words for education_num
NOTIONS = ("statistical-parity", "equalized-odds")
BOUNDS = ("0.02", "0.05", "0.1")
FAIR = ("fair rule list", "exponentiated gradient", "grid search")
FREE = ("unconstrained rule list", "unconstrained tree")
SHOWN = ("accuracy", "spread", "disparity", "disparity, training", "size", "seconds", "gap")
HEAD = """| at most | model | accuracy | held out, in training | size | seconds | certified |
|---|---|---|---|---|---|---|"""


def study(name: str, data: Path, limit: float) -> None:
    """Every bound of every notion on five folds of one table, a CSV file of means."""
    read = columns_of(str(data / FILES[name]))
    columns = {k: v for k, v in read.items() if k not in LEFT_OUT}
    tables = {name: Labelled.of(columns, "label", name, group="sex")}
    (HERE / "results").mkdir(exist_ok=True)
    rows: list[dict[str, Any]] = []
    for notion in NOTIONS:
        for bound in (*BOUNDS, "1"):
            results = HERE / "results" / f"fairness-{name}-{notion}-{bound}.jsonl"
            table = evaluate(
                tables, models=FAIR if bound != "1" else ("fair rule list", "CART"), folds=5,
                inner_folds=3, fair=f"{notion}:{bound}", time_limit=limit,
                total_time=None, how=How(results=str(results)),
            )  # fmt: skip
            for row in summary(table).rows:
                certified = [r.get("certified") for r in table.rows if r["model"] == row["model"]]
                free = dict(zip(("fair rule list", "CART"), FREE, strict=True))
                model = free[row["model"]] if bound == "1" else row["model"]
                rows.append(
                    {
                        "data": name, "notion": notion, "bound": "" if bound == "1" else bound,
                        "model": model, **{k: row.get(k) for k in SHOWN},
                        "certified": "" if None in certified else f"{certified.count(True)} of 5",
                        "error": row.get("error"),
                    }
                )  # fmt: skip
            with (PAGES / f"fairness-{name}.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)


def page() -> None:
    """Print the tables, and draw what is there."""
    panels = []
    for name in FILES:
        path = PAGES / f"fairness-{name}.csv"
        rows = list(csv.DictReader(path.open())) if path.exists() else []
        for notion in NOTIONS:
            mine = [row for row in rows if row["notion"] == notion and row["accuracy"]]
            if not mine:
                continue
            print(f"\n**{name}, {notion}**\n\n{HEAD}")
            for row in mine:
                found = {k: float(row[k]) for k in SHOWN if row[k]}
                proved = row["certified"]
                if found.get("gap"):
                    proved += f", mean gap {found['gap']:.4f}"
                print(
                    f"| {row['bound'] or 'any'} | {row['model']} | {found['accuracy']:.4f} "
                    f"± {found['spread']:.4f} | {found['disparity']:.4f}, "
                    f"{found['disparity, training']:.4f} | {found['size']:.1f} | "
                    f"{found['seconds']:.1f} | {proved} |"
                )
            series = [
                Series(
                    model,
                    [float(row["disparity"]) for row in mine if row["model"] == model],
                    [float(row["accuracy"]) for row in mine if row["model"] == model],
                    "points",
                )
                for model in dict.fromkeys(row["model"] for row in mine)
            ]
            title, across = f"{name}, {notion}", "difference on held-out rows"
            panels.append(Panel(title, across, "accuracy on held-out rows", series))
    draw(Figure("", panels), str(PAGES / "fairness.svg"))


def main() -> None:
    """Run one study, or make the page's table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=[*FILES, "page"])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for each list")
    given = parser.parse_args()
    if given.what == "page":
        page()
    else:
        study(given.what, given.data, given.limit)


if __name__ == "__main__":
    main()
