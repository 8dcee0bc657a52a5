"""Tables and pictures of docs/studies from results files of `corels evaluate`:

    python -m benchmarks.study_pages evaluation RESULTS.jsonl ...   accuracy, models, sizes
    python -m benchmarks.study_pages NAME RESULTS.jsonl ...         NAME.svg and NAME.csv

The first makes three tables, the second is about one. Sizes are those of a run with --by-size. A
results file may be unfinished: models that have no row for a table are left empty there, and the
number of cells is printed. The pages include the files; their text was written from them by hand.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from corels_workbench.evaluating import _apart, by_size, summary
from corels_workbench.ours import MOST_ACCURATE
from corels_workbench.table import Table

from corels.plots.draw import draw
from corels.plots.figure import Figure, Panel, Series

PAGES = Path(__file__).resolve().parent.parent / "docs" / "studies"
SHORT = {
    "rule list": "rule list", MOST_ACCURATE: "most accurate", "rule-set": "rule set",
    "falling": "falling", "greedy list": "greedy list", "CART": "CART",
    "optimal tree": "optimal tree", "RIPPER": "RIPPER", "logistic regression": "logistic",
    "SVM": "SVM", "AdaBoost": "AdaBoost", "random forest": "forest",
    "gradient boosting": "boosting",
}  # fmt: skip
MOST = 100  # questions of a model that is drawn
Row = dict[str, Any]


def read(paths: Sequence[str]) -> Table:
    """The rows of results files."""
    texts = [Path(path).read_text(encoding="utf-8") for path in paths]
    rows = [json.loads(line) for text in texts for line in text.splitlines()[1:]]
    failed = [row for row in rows if "error" in row]
    print(f"{len(rows)} cells, {len(failed)} of them failed")
    for row in failed:
        print(f"  {row['data']}, fold {row['fold']}, {row['model']}: {row['error'][:90]}")
    return Table(_apart([row for row in rows if "error" not in row]))


def write(name: str, rows: Sequence[Row]) -> None:
    """A table of the pages."""
    Table(tuple(rows)).write(str(PAGES / f"{name}.csv"))
    print(PAGES / f"{name}.csv")


def evaluation(table: Table) -> None:
    """Accuracy by table, models over all tables, and models of the same size."""
    by_model = {(row["data"], row["model"]): row for row in summary(table).rows}
    names = list(dict.fromkeys(row["data"] for row in table.rows))
    rows = []
    for data in names:
        row: Row = {"table": data, "rules": _tidy(by_model, data, MOST_ACCURATE, "size", "{:.1f}")}
        for model, short in SHORT.items():
            row[short] = _tidy(by_model, data, model, "accuracy", "{:.1%}")
        rows.append(row)
    write("evaluation", rows)
    write("evaluation-models", [_model(by_model, names, model) for model in SHORT])
    write("evaluation-sizes", _sizes(table))


def _tidy(found: dict[Any, Row], data: str, model: str, name: str, form: str) -> str:
    value = found.get((data, model), {}).get(name)
    return "" if value is None else form.format(value)


def _model(found: dict[Any, Row], names: Sequence[str], model: str) -> Row:
    """One model over all tables that it and the list have a figure for."""
    both = [
        (found[data, model], found[data, MOST_ACCURATE])
        for data in names
        if found.get((data, model), {}).get("accuracy") is not None
        and found.get((data, MOST_ACCURATE), {}).get("accuracy") is not None
    ]
    ahead = [mine["accuracy"] - list_["accuracy"] for mine, list_ in both]
    sizes = [mine["size"] for mine, _ in both if mine.get("size") is not None]
    return {
        "model": model,
        "tables": len(both),
        "mean accuracy": f"{statistics.mean(mine['accuracy'] for mine, _ in both):.1%}",
        "better by a point or more": sum(gap >= 0.01 for gap in ahead),
        "within a point": sum(abs(gap) < 0.01 for gap in ahead),
        "worse by a point or more": sum(gap <= -0.01 for gap in ahead),
        "median size": f"{statistics.median(sizes):.0f}" if sizes else "",
        "median seconds": f"{statistics.median(mine['seconds'] for mine, _ in both):.2f}",
    }


def _sizes(table: Table) -> list[Row]:
    """Means over the tables whose lists are that long: half of the tables, or more."""
    rows, found = by_size(table).rows, []
    tables = len({row["data"] for row in rows})
    for size in range(1, 11):
        here = [row for row in rows if row["size"] == size]
        models = sorted({name for row in here for name in row.keys() - {"data", "size"}})
        whole = [row for row in here if all(name in row for name in models)]
        if 2 * len(whole) >= tables > 0:
            means = {name: statistics.mean(row[name] for row in whole) for name in models}
            shown = {name: f"{value:.1%}" for name, value in means.items()}
            found.append({"questions": size, "tables": len(whole), **shown})
    return found


def single(name: str, table: Table) -> None:
    """One table: accuracy and rates against size; the models beside each other."""
    panels = [
        _panel(table, "accuracy", "held-out accuracy", with_points=True),
        _panel(table, "tpr", "true positive rate"),
        _panel(table, "fpr", "false positive rate"),
    ]
    draw(Figure("", panels), str(PAGES / f"{name}.svg"), width=700)
    rows = []
    for row in summary(table).rows:
        if row.get("accuracy") is None:
            continue
        shown: Callable[[str], str] = lambda key, row=row: (  # noqa: E731 - one form for all
            "" if row.get(key) is None else f"{row[key]:.1%}"
        )
        rows.append(
            {
                "model": row["model"],
                "accuracy": shown("accuracy"),
                "spread": shown("spread"),
                "TPR": shown("tpr"),
                "FPR": shown("fpr"),
                "AUC": "" if row.get("auc") is None else f"{row['auc']:.3f}",
                "size": "" if row.get("size") is None else f"{row['size']:.1f}",
            }
        )
    write(name, rows)


def _panel(table: Table, figure: str, label: str, *, with_points: bool = False) -> Panel:
    """Families as lines: the mean over all folds of the largest member of at most each size."""
    series = []
    for model in dict.fromkeys(row["model"] for row in table.rows if "path" in row):
        paths = [row["path"] for row in table.rows if row["model"] == model and "path" in row]
        longest = max(one["size"] for path in paths for one in path)
        means = [
            statistics.mean(_largest(path, size)[figure] for path in paths)
            for size in range(1, longest + 1)
        ]
        series.append(Series(model, range(1, longest + 1), means))
    points = [
        (row["size"], row[figure], row["model"])
        for row in summary(table).rows
        if with_points and 0 < (row.get("size") or 0) <= MOST and row.get(figure) is not None
    ]
    if points:
        sizes, heights, names = zip(*sorted(points), strict=True)
        chosen = "models at the size they chose"
        series.append(Series(chosen, sizes, heights, "points", notes=names))
    return Panel("", "rules, splits or coefficients", label, series, log_x=True)


def _largest(path: Sequence[Row], size: int) -> Row:
    return max((one for one in path if one["size"] <= size), key=lambda one: one["size"])


def main() -> None:
    """The command."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    name, table = sys.argv[1], read(sys.argv[2:])
    PAGES.mkdir(exist_ok=True)
    if name == "evaluation":
        evaluation(table)
    else:
        single(name, table)


if __name__ == "__main__":
    main()
