"""How a search went, from its trace: objective and bound over time; or step by step, with the
different rows of the table, so that the page can count by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from corels.errors import InputError
from corels.plugins import registry
from corels.problem import Captures
from corels.run.trace import Trace
from corels.search import Kind
from corels.tables import Dataset

MOST_MOMENTS = 1000
MOST_EVENTS = 20_000
MOST_CELLS = 1_000_000  # different rows times conditions: what a page may hold


def history(trace: Trace) -> dict[str, Any]:
    """Columns over time, at most MOST_MOMENTS of each. Raises InputError for a fine trace."""
    if trace.header.get("level") != "coarse":
        raise InputError("only a coarse trace says how a search went, and this is a fine one")
    rows, end, objective = trace.progress, trace.end, trace.objective
    rows = rows[:: max(1, len(rows) // MOST_MOMENTS)]
    columns = {  # the last line is one more moment
        "seconds": [*rows["seconds"].tolist(), float(end.get("seconds", 0.0))],
        "objective": objective(np.append(rows["objective"], end["objective"])).tolist(),
        "bound": objective(np.append(rows["lower_bound"], end["lower_bound"])).tolist(),
        "remaining": [*rows["log10_remaining"].tolist(), None],
    }
    pruned = sorted(end.get("pruned", {}).items(), key=lambda one: -one[1])
    return {
        "columns": columns,
        "pruned": [[name, count] for name, count in pruned if count],
        "stopped": str(end["stopped"]),
        "expanded": int(end["expanded"]),
    }


def steps(trace: Trace, points: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The events of a small search, and the table behind them if it is known.

    Raises InputError for a coarse trace, or a long one.
    """
    if trace.header.get("level") != "fine":
        raise InputError("step by step needs a fine trace, and this is a coarse one")
    if len(trace.events) > MOST_EVENTS:
        raise InputError(
            f"the trace has {len(trace.events):,} events: step by step shows up to {MOST_EVENTS:,}"
        )
    if (trace.events["kind"] == Kind.PRICE).any():
        raise InputError(
            "step by step shows the prefixes of one search, and one that keeps to constraints is "
            "several: `corels run --explain` tells how it goes"
        )
    names = ["kind", "node", "antecedent", "part", "count", "lower_bound", "objective"]
    return {
        "antecedents": list(trace.header["antecedents"]),
        "scale": trace.header["scale"],
        "search": str(trace.header.get("parts", {}).get("search", "")),
        "bounds": [_bound(name) for name in trace.header["bounds"]],
        "kinds": {kind.name.lower(): int(kind) for kind in Kind},
        "events": trace.events[names].tolist(),
        **({} if points is None else {"points": points}),
    }


def _bound(name: str) -> Mapping[str, str]:
    """What a bound says of itself, if it is installed."""
    found = registry().get("bound", name) if name in registry().names("bound") else None
    said = {part: str(getattr(found, part, None) or "") for part in ("summary", "theorem")}
    return {"name": name, **said}


def points(names: Sequence[str], data: Dataset) -> dict[str, Any] | None:
    """Rows that agree in every condition, counted by class; the most frequent come first.

    Args:
        names: M conditions, in the order in which a trace numbers them.
        data: rows with these conditions.

    Returns:
        `classes`, and `rows`: pairs of M characters 0 or 1 and the weight of each class. None if
        the table is too large for a page.

    Raises:
        InputError: if the data has no condition of such a name.
    """
    if not names:
        return None
    places = {antecedent.name: place for place, antecedent in enumerate(data.antecedents)}
    if unknown := [name for name in names if name not in places]:
        raise InputError(
            f"the data, read as the model says, has no condition {unknown[0]!r}: make the trace "
            "from the table and with the options that the model was learned with"
        )
    held = np.stack([data.captures[places[name]] for name in names])
    which, different = Captures.of(held).groups()
    if len(different) * len(names) > MOST_CELLS:
        return None
    weights = np.ones(len(data.labels), dtype=np.int64) if data.weights is None else data.weights
    counts = np.zeros((len(different), len(data.classes)), dtype=np.int64)
    np.add.at(counts, (which, data.labels), weights)
    bits = held[:, different].T.astype(int)
    order = np.argsort(-counts.sum(axis=1), kind="stable")
    return {
        "label": data.label_name,
        "classes": [str(label) for label in data.classes],
        "rows": [["".join(map(str, bits[i])), counts[i].tolist()] for i in order.tolist()],
    }
