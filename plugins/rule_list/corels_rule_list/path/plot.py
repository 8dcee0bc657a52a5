"""The regularization path as a picture, and a list of two classes as a row of a curve."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from corels.model import Model
from corels.plots.figure import Figure, Panel, Series
from corels_rule_list.near.group_rates import value_of
from corels_rule_list.path.path import Path

STEPS = 20  # points that are drawn from one breakpoint to the next
SHOWN = ("recall", "precision", "positive-rate", "f1", "accuracy")
COLUMNS = {  # heading -> what `str.format` makes of a row
    "rules": "{rules}",
    "recall": "{recall:.4f}",
    "precision": "{precision:.4f}",
    "positive rate": "{positive_rate:.4f}",
    "f1": "{f1:.4f}",
    "mcc": "{mcc:.4f}",
    "accuracy": "{accuracy:.4f}",
    "certified": "{certified}",
    "option": "{option}",
}


def figure(path: Path) -> Figure:
    """Objective and proven lower bound above, accuracy (or cost) and number of rules below."""
    log = path.low > 0  # breakpoints crowd towards 0
    costed = path.segments[0].rule_list.outcomes is not None
    price = "lambda: the price of a rule" + ("" if costed else ", a share of the rows")
    costs = Panel("Objective of the best list", price, "objective", objectives(path), log_x=log)
    what = "mean cost" if costed else "accuracy"
    title = f"{what.capitalize()} of the best list, with its number of rules"
    below = Panel(title, price, what, _by_rows(path), log_x=log)
    return Figure("", (costs, below))


def objectives(path: Path) -> list[Series]:
    """What the best list costs and, if that is not certified, what is proved of it."""
    ends = [segment.low for segment in reversed(path.segments)] + [path.high]
    best = _line("objective", _between(ends), path.objective)
    steps = _line("breakpoints", ends, path.objective, kind="points")
    if path.certified:
        return [best, steps]
    inside = [at for at, _ in path.proofs if ends[0] < at < ends[-1]]
    proved = _between([ends[0], *inside, ends[-1]])
    return [best, steps, _line("proven lower bound", proved, path.lower_bound, dashed=True)]


def _line(label: str, places: Sequence[Fraction], of: Any, **style: Any) -> Series:
    return Series(label, [float(at) for at in places], [float(of(at)) for at in places], **style)


def stairs(label: str, parts: Sequence[Any], heights: Sequence[float], **style: Any) -> Series:
    """A height for each part, which has a `low` and a `high`; parts rise."""
    edges = [float(part.low) for part in parts] + [float(part.high) for part in parts[-1:]]
    return Series(label, edges, [*heights, *heights[-1:]], **{"kind": "step", **style})


def _by_rows(path: Path) -> list[Series]:
    """Accuracy or cost of training, the folds' mean with one standard error to either side, and
    the choice."""
    rising, rows = [*reversed(path.segments)], [*reversed(path.to_rows())]
    right = [row.get("mean_cost", row["accuracy"]) for row in rows]
    found = [stairs("training", rising, right, notes=[str(row["rules"]) for row in rows])]
    if path.held_out is None:
        return found
    pieces = [*reversed(path.held_out.pieces)]
    low, mean, high = ([one.mean + e * one.error for one in pieces] for e in (-1, 0, 1))
    band = stairs("one standard error", pieces, low, kind="band", top=[*high, *high[-1:]], colour=1)
    found += [stairs("held out", pieces, mean, colour=1), band]
    heights = [y for series in found for y in (*series.y, *series.top)]
    chosen = float(path.held_out.chosen.regularization)
    ends = [min(heights), max(heights)]
    return [*found, Series("lambda chosen", [chosen, chosen], ends, dashed=True, colour=4)]


def _between(ends: Sequence[Fraction]) -> list[Fraction]:
    """The ends and points between them: what is straight over lambda is bent over its logarithm."""
    steps = [
        low + (high - low) * step / STEPS for low, high in pairwise(ends) for step in range(STEPS)
    ]
    return [*steps, *ends[-1:]]


def figures(found: Model) -> dict[str, Any]:
    """The rates of a list; None for a share of nothing, and for what counts alone do not say.

    A row that is left undecided is no positive one; accuracy is of the rows that are decided. What
    another model calls the rows that it is asked for, the counts of a list do not say.
    """
    counts = np.zeros((2, len(found.says)), dtype=np.int64)  # by class, and what is said
    for one in found.deciders():
        counts[:, one.outcome] += one.counts
    rates = {name.replace("-", "_"): value_of(name, counts, 1) for name in SHOWN}
    shown = {name: None if rate is None else float(rate) for name, rate in rates.items()}
    (tn, fp), (fn, tp) = counts[:, :2].tolist()
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    shown["mcc"] = (tp * tn - fp * fn) / spread**0.5 if spread else None
    if counts[:, 2:].any():
        shares = found.shares()
        decided, deferred = shares.get("accuracy"), shares.get("deferred")
        shown = dict.fromkeys(shown) if deferred else shown | {"mcc": None}
        shown["accuracy"] = None if decided is None else float(decided)
    return {"rules": len(found), **shown}


def curve(rows: list[dict[str, Any]], title: str) -> Figure:
    """Precision, F1 and the share flagged of the best lists, over their recall."""
    names = ("recall", "precision", "f1", "positive_rate")
    known = (row for row in rows if all(row[name] is not None for name in names))
    rising = sorted(known, key=lambda row: row["recall"])
    x = [row["recall"] for row in rising]
    series = [
        Series("precision", x, [row["precision"] for row in rising], marks=True, colour=0),
        Series("F1", x, [row["f1"] for row in rising], marks=True, colour=1),
        Series("share flagged", x, [row["positive_rate"] for row in rising], marks=True, colour=2),
    ]
    return Figure("", [Panel(title, "recall", "share", series)])
