"""What the good lists of two public tables say, and the pictures of docs/how-to/near.md.

    python -m benchmarks.near_pictures [--data DIR] [--output DIR] [--folds N]

The tables are not part of the project (see README.md). COMPAS: the ten published training folds,
antecedents as in the benchmark (singles and pairs over different attributes, support .005 to .995),
race beside them. Stop-and-frisk 2014: ten training folds, the smaller class resampled to
balance. Prints the figures that the page states as JSON, and draws each picture light and dark.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from corels_rule_list.near import NearOptimal, near

import corels
from benchmarks import instances
from corels.tables import Antecedent, Condition, Dataset

ROOT = Path(__file__).resolve().parents[1]
RACES = ("African-American", "Caucasian")
RATES = ("false_positive_rate", "false_negative_rate")


def dataset(columns: dict[str, Any], labels: Any) -> Dataset:
    """Named columns of 0 and 1 as a data set."""
    return Dataset(
        antecedents=tuple(Antecedent(name, (Condition(name, "true"),)) for name in columns),
        captures=np.array(list(columns.values())),
        labels=labels,
        classes=(0, 1),
    )


def compas(data: Path, fold: int) -> tuple[Dataset, list[str]]:
    """One training fold, and each row's race."""
    rows = instances._rows(data / "extra" / "compas_jmlr_race_folds.csv")
    rows = [row for row in rows if int(row["fold"]) != fold]
    fields = [name for name in rows[0] if name not in ("fold", "label", "race")]
    parts = instances._one_hot(rows, fields)
    columns = {k: v for group in parts.values() for k, v in group.items()}
    for i, first in enumerate(fields):
        for second in fields[:i]:
            for a, x in parts[first].items():
                columns |= {f"{a},{b}": x & y for b, y in parts[second].items()}
    kept = {k: v for k, v in columns.items() if 0.005 <= v.mean() <= 0.995}
    labels = np.array([int(row["label"]) for row in rows])
    return dataset(kept, labels), [row["race"] for row in rows]


def described(found: NearOptimal) -> dict[str, Any]:
    """What is common to both tables."""
    usage = found.usage()
    return {
        "optimum": float(found.certificate.optimum),
        "lists": found.count,
        "lengths": found.lengths(),
        "predictions": found.classes() if found.count <= 300_000 else None,
        "in all": [u.name for u in usage if u.lists == found.count],
        "most used": [(u.name, round(u.share, 4)) for u in usage[:6]],
        "seconds": round(found.certificate.seconds, 2),
        "sets": found.certificate.sets,
        "stopped": found.certificate.stopped,
    }


def compas_findings(data: Path, folds: int) -> list[dict[str, Any]]:
    """Per fold and tolerance: how many lists, and the ranges of two error rates by race."""
    rows = []
    for fold in range(folds):
        table, race = compas(data, fold)
        problem = corels.Problem.from_dataset(table, "0.01")
        result = corels.solve(problem)
        for within in ("1%", "5%"):
            with near(problem, within=within, result=result) as found:
                row = {"fold": fold, "within": within, **described(found)}
                for rate in RATES:
                    ranges = found.range_of(rate, race, data=table)
                    row[rate] = {r: [float(ranges[r].low), float(ranges[r].high)] for r in RACES}
                    gap = found.gap_of(rate, race, *RACES, data=table)
                    row[f"{rate} gap"] = [float(gap.low), float(gap.high)]
                row["contested"] = float(np.mean(found.predictions(table).max(axis=1) < 1))
            rows.append(row)
            print(json.dumps(row), flush=True)
    return rows


def frisk_findings(data: Path, folds: int) -> list[dict[str, Any]]:
    """Per fold and tolerance: how many lists, and what is in all of them."""
    rows = []
    for fold in range(folds):
        problem = instances._frisk(data, fold).with_regularization("0.01")
        result = corels.solve(problem)
        for within in ("1%", "5%"):
            with near(problem, within=within, result=result) as found:
                rows.append({"fold": fold, "within": within, **described(found)})
            print(json.dumps(rows[-1]), flush=True)
    return rows


def curve(problem: corels.Problem, within: str) -> dict[str, Any]:
    """How many lists there are for each tolerance, as a share of the optimum."""
    with near(problem, within=within) as found:
        optimum = found.certificate.optimum
        points = [(float(at / optimum - 1), upto) for at, upto in found.levels()]
    return {"lambda": str(float(problem.regularization)), "points": points}


def curves(data: Path) -> dict[str, Any]:
    """One training fold of each table."""
    table = corels.Problem.from_dataset(compas(data, 0)[0], "0.01")
    return {
        "COMPAS, λ = .01": curve(table, "5%"),
        "COMPAS, λ = .005": curve(table.with_regularization("0.005"), "3%"),
        "stop-and-frisk, λ = .01": curve(instances._frisk(data, 0), "5%"),
    }


# The ink, the paper and the lines of each picture: light, dark (the theme's background).
THEMES = {
    "light": {"paper": "#ffffff", "ink": "#24292f", "faint": "#d0d7de",
              "lines": ("#0b62a4", "#c2570c", "#5b7f1c")},
    "dark": {"paper": "#131416", "ink": "#d5d9de", "faint": "#3a4047",
             "lines": ("#6cb6ff", "#ffa657", "#a5d35b")},
}  # fmt: skip


def styled(theme: dict[str, Any]) -> dict[str, Any]:
    """What matplotlib is told of a theme."""
    ink = dict.fromkeys(
        ("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), theme["ink"]
    )
    paper = dict.fromkeys(
        ("figure.facecolor", "axes.facecolor", "savefig.facecolor"), theme["paper"]
    )
    other = {
        "axes.edgecolor": theme["faint"],
        "grid.color": theme["faint"],
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 10,
        "svg.hashsalt": "corels",
    }
    return {**ink, **paper, **other}


def draw_ranges(rows: list[dict[str, Any]], theme: dict[str, Any]) -> Any:
    """The false positive rate by race in each fold: thin within 5%, thick within 1%."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), layout="constrained")
    for row in rows:
        for place, race in enumerate(RACES):
            low, high = (100 * value for value in row["false_positive_rate"][race])
            wide = row["within"] == "1%"
            axes.plot(
                [low, high],
                [row["fold"] + 0.32 * place] * 2,
                color=theme["lines"][place],
                linewidth=6 if wide else 1.6,
                solid_capstyle="butt" if wide else "round",
                label=race if wide and row["fold"] == 0 else None,
            )
    axes.set(xlabel="false positive rate, %", ylabel="training fold", xlim=(0, None))
    axes.set_yticks([row["fold"] + 0.16 for row in rows[::2]], [str(r["fold"]) for r in rows[::2]])
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.grid(axis="x", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure


def draw_curves(found: dict[str, Any], theme: dict[str, Any]) -> Any:
    """How many lists there are, over the tolerance."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.2, 3.6), layout="constrained")
    for (name, line), colour in zip(found.items(), theme["lines"], strict=True):
        across = [100 * at for at, _ in line["points"]]
        up = [upto for _, upto in line["points"]]
        axes.step(across, up, where="post", color=colour, linewidth=1.8, label=name)
        axes.annotate(
            f"{up[-1]:,}", (across[-1], up[-1]), (4, 0), textcoords="offset points", color=colour,
            va="center",
        )  # fmt: skip
    axes.set(xlabel="above the optimum, %", ylabel="lists", yscale="log", xlim=(0, 5.8))
    axes.grid(linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, loc="upper left")
    return figure


def draw_all(found: dict[str, Any], place: Path) -> None:
    """Each picture in each theme."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    place.mkdir(parents=True, exist_ok=True)
    for name, theme in THEMES.items():
        with pyplot.rc_context(styled(theme)):
            for what, figure in (
                ("ranges", draw_ranges(found["compas"], theme)),
                ("curves", draw_curves(found["curves"], theme)),
            ):
                figure.savefig(place / f"near-{what}-{name}.svg", metadata={"Date": None})
                pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "how-to" / "figures")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "near_findings.json")
    parser.add_argument("--folds", type=int, default=10)
    options = parser.parse_args()
    if not options.cache.exists():
        rows = {
            "compas": compas_findings(options.data, options.folds),
            "frisk": frisk_findings(options.data, options.folds),
            "curves": curves(options.data),
        }
        options.cache.parent.mkdir(parents=True, exist_ok=True)
        options.cache.write_text(json.dumps(rows), encoding="utf-8")
    draw_all(json.loads(options.cache.read_text(encoding="utf-8")), options.output)


if __name__ == "__main__":
    main()
