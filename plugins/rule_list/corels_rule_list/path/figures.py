"""What a list of two classes reaches on its training rows, as a row of a curve shows it."""

from __future__ import annotations

from typing import Any

from corels.model import Model
from corels.plots.figure import Figure, Panel, Series

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


def figures(found: Model) -> dict[str, Any]:
    """The rates of a list; None for a share of nothing, and for what counts alone do not say.

    A row that is left undecided is no positive one; accuracy is of the rows that are decided. What
    another model calls the rows that it is asked for, the counts of a list do not say.
    """
    positive = len(found.classes) - 1
    called = [one for one in found.deciders() if one.outcome == positive]
    others = [one for one in found.deciders() if one.outcome > positive and one.captured]
    rows = found.training_weight
    tp, said = (
        sum(values) for values in ([d.counts[-1] for d in called], [d.captured for d in called])
    )
    of = sum(one.counts[-1] for one in found.deciders())
    fp, fn = said - tp, of - tp
    tn = rows - of - fp
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    rates = {
        "recall": _share(tp, of),
        "precision": _share(tp, said),
        "positive_rate": _share(said, rows),
        "f1": _share(2 * tp, 2 * tp + fp + fn),
        "mcc": (tp * tn - fp * fn) / spread**0.5 if spread and not others else None,
        "accuracy": _share(tp + tn, rows),
    }
    if others:
        shares = found.shares()
        decided = shares.get("accuracy")
        rates = dict.fromkeys(rates) if shares.get("deferred") else rates
        rates["accuracy"] = None if decided is None else float(decided)
    return {"rules": len(found), **rates}


def _share(above: int, below: int) -> float | None:
    return above / below if below else None


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
