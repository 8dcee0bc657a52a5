"""The bank-full table as the falling rule list literature binarises it (test and benchmark helper).

Predicates are intervals and categories; antecedents are conjunctions of at most two predicates over
different columns whose support is at least 10% within the positives or within the negatives.
"""

from __future__ import annotations

import csv
import gzip
import io
from itertools import combinations
from pathlib import Path

import numpy as np
from shared_data import SHARED

PATH = SHARED / "clean" / "bank_full.csv.gz"
CATEGORIES = ["job", "marital", "education", "default", "housing", "loan", "contact", "poutcome"]


def _interval(value: int, cuts: list[int]) -> str:
    low = max((cut for cut in cuts if cut <= value), default=None)
    high = min((cut for cut in cuts if cut > value), default=None)
    return f"[{'' if low is None else low},{'' if high is None else high})"


def _row(row: dict[str, str]) -> dict[str, str]:
    campaign, previous = int(row["campaign"]), int(row["previous"])
    out = {
        "age": _interval(int(row["age"]), [17, 30, 40, 50, 60, 100]),
        "campaign": str(campaign) if campaign < 3 else ">=3",
        "previous": str(previous) if previous < 2 else ">=2",
        "balance": _interval(int(row["balance"]), [0, 500, 1000, 2000]),
    }
    return out | {name: row[name] for name in CATEGORIES}


def predicates(path: Path = PATH) -> tuple[list[dict[str, str]], np.ndarray]:
    """Return the binarised rows (column -> category) and the labels."""
    text = gzip.decompress(path.read_bytes()).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    labels = np.array([int(row["label"]) for row in rows], dtype=np.int64)
    return [_row(row) for row in rows], labels


def antecedents(
    path: Path = PATH, support: float = 0.1
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return names, captures (antecedents x rows, bool) and labels of the mined antecedents."""
    rows, labels = predicates(path)
    columns = list(rows[0])
    singles: list[tuple[str, str, np.ndarray]] = []
    for column in columns:
        values = np.array([row[column] for row in rows])
        singles += [(column, v, values == v) for v in sorted(set(values.tolist()))]
    positive = labels == 1
    n_pos, n_neg = int(positive.sum()), int((~positive).sum())

    def frequent(mask: np.ndarray) -> bool:
        p = int((mask & positive).sum())
        return p >= support * n_pos or int(mask.sum()) - p >= support * n_neg

    singles = [single for single in singles if frequent(single[2])]
    names = [f"{c}={v}" for c, v, _ in singles]
    masks = [mask for _, _, mask in singles]
    for (c1, v1, m1), (c2, v2, m2) in combinations(singles, 2):
        if c1 != c2 and frequent(both := m1 & m2):
            names.append(f"{c1}={v1} & {c2}={v2}")
            masks.append(both)
    return names, np.array(masks), labels
