"""Evaluate: accuracy, costs, size and time on held-out rows, ours and baselines on the same folds.

Every cell is one model on one fold of one table. Lambda of the rule lists is chosen inside the
training fold, by cross-validation over the exact path, so that the reported accuracy is honest, and
so is the mean cost if outcomes have costs.
What one cell does is in `corels_workbench.judging`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.installed import install_command, needed
from corels.options import check_all, unknown
from corels.plots.figure import Figure, Panel, Series
from corels.problem.rates import RATES, demands_of
from corels.tables.options import ANTECEDENT_OPTIONS
from corels_workbench import baselines
from corels_workbench.experiment import Cell, How, run
from corels_workbench.judging import EVERY_LAMBDA, EVERY_SIZE, MOST_QUESTIONS, families, judge_fold
from corels_workbench.labelled import Labelled
from corels_workbench.ours import ALWAYS, ALWAYS_CHEAPEST, OTHER, RULE_LIST
from corels_workbench.table import Table

# What is reached of constraints, held out and in training.
REACHED = tuple(
    f"{name}{where}"
    for name in ("disparity", *(rate.replace("-", "_") for rate in RATES))
    for where in ("", ", training")
    if where or name not in ("accuracy", "balanced_accuracy", "coverage")
)
FIGURES = (
    "mean_cost", "coverage", "accuracy", "balanced_accuracy", "auc", "tpr", "fpr", *REACHED,
    "size", "seconds", "gap",
)  # fmt: skip
ASKED_FOR = ("mean_cost", "coverage", *REACHED)  # shown if they are


def evaluate(
    tables: Mapping[str, Labelled],
    *,
    models: Sequence[str] = (),
    folds: int = 10,
    inner_folds: int = 5,
    low: str = "0.005",
    time_limit: float | None = 60.0,
    seed: int = 0,
    antecedents: Mapping[str, Any] | None = None,
    constraints: Sequence[str] = (),
    max_rules: int | None = None,
    by_size: bool = False,
    how: How | None = None,
) -> Table:
    """A row for each table, fold and model.

    tables: rows by name, with costs if a mistake does not cost one. models: names of solvers,
    and of baselines (`baselines.learners`); all that are installed if none is given. by_size:
    instead of these, their families: the lists of every lambda, and trees of every size. folds: how
    many are dealt to a table that has none of its own. low: the least lambda. time_limit: seconds
    for each model on all folds of a table. A baseline that has not ended is ended: its row has an
    `error`. antecedents: how those of our models are made, and of the baselines that are
    given antecedents, such as {"cuts": "quantile 5"}. max_rules: of a rule list, falling or not;
    None: any number. constraints: what learners that can do so keep to, such as "recall >= 0.8", or
    "statistical-parity by sex within 0.05", between the groups of each table, whatever the column;
    all are judged by them. Raises OptionError and InputError.
    """
    demands = demands_of(constraints)
    for one in demands:
        one.refuse_without_groups()
    settings: dict[str, Any] = {
        "folds": folds,
        "inner_folds": inner_folds,
        "low": low,
        "time_limit": time_limit,
        "seed": seed,
        "antecedents": check_all(ANTECEDENT_OPTIONS, antecedents or {}, "evaluate"),
        "constraints": [str(one) for one in demands],
        "max_rules": max_rules,
    }
    wanted = _wanted(
        models, settings["constraints"], asked=any(one.hands_over for one in tables.values())
    )
    wanted = _sized(wanted, models) if by_size else wanted
    for name, table in tables.items():
        if any(one.by for one in demands) and table.groups is None:
            raise OptionError(f"{name}: constraints are about groups: name their column")
    every = (_cells(name, table, wanted, settings) for name, table in tables.items())
    hash_of = needed("joblib", "evaluate needs joblib", "workbench").hash
    hashes = {name: hash_of(labelled) for name, labelled in tables.items()}
    cells = list(chain.from_iterable(every))
    found = run("evaluate", {**settings, "models": wanted}, cells, hashes, how or How())
    about = {**found.about, "packages": baselines.versions(), "not installed": baselines.missing()}
    return replace(found, about=about, draw=figure)


def _cells(
    name: str, table: Labelled, wanted: Sequence[str], settings: Mapping[str, Any]
) -> Iterator[Cell]:
    """A cell for each fold of a table and each model."""
    dealt = table.folds
    if dealt is None:
        dealt = _deal(name, table.labels, settings["folds"], settings["seed"])
    folds, limit = np.unique(dealt).tolist(), settings["time_limit"]
    own = {**settings, "time_limit": None if limit is None else limit / len(folds)}
    for fold in folds:
        rows = {"table": table, "held_out": dealt == fold, "settings": own}
        for model in wanted:
            if model == OTHER and not table.hands_over:
                continue
            cheapest = model == ALWAYS and table.costs is not None
            names = {"data": name, "fold": fold, "model": ALWAYS_CHEAPEST if cheapest else model}
            yield Cell(names, judge_fold, {"model": model, **rows})


def _wanted(models: Sequence[str], kept: Sequence[str], *, asked: bool) -> list[str]:
    """Learners and families by name; all that are installed if none is named, those that keep
    to constraints if there are some that they can keep, and the other model if it may be
    asked."""
    known, absent = baselines.learners(), baselines.missing()
    fitting = [name for name, one in known.items() if not one.grouped or one.keeps(kept)]
    if not models:
        return [n for n in fitting if n not in absent and (asked or n != OTHER)]
    groups = families(known)
    for name in models:
        if name in known and name not in fitting:
            given = " and ".join(kept) or "none"
            raise OptionError(
                f"model {name!r} keeps to ⟨constraints⟩ of its own kind, and here: {given}"
            )
        if name == OTHER and not asked:
            raise OptionError(f"model {name!r} is given without ⟨defer⟩, the column of its answers")
        if name not in groups and name not in known:
            raise OptionError(unknown("model", name, [*known, *groups]))
        if (own := name.removesuffix(EVERY_SIZE)) in absent:
            install = install_command(known[own].extra)
            raise OptionError(f"model {own!r} needs {absent[own]}: {install}")
    return list(dict.fromkeys(models))


def _sized(wanted: Sequence[str], named: Sequence[str]) -> list[str]:
    """The families among some models, and those of single ones. Raises OptionError for a model
    that is named and has none."""
    known, found = families(baselines.learners()), []
    for name in wanted:
        family = EVERY_LAMBDA if name == RULE_LIST else name + EVERY_SIZE
        found += [one for one in (name, family) if one in known]
        if named and not {name, family} & set(known):
            raise OptionError(f"model {name!r} has no sizes and is given with by_size")
    return list(dict.fromkeys(found))


def _deal(name: str, labels: NDArray[Any], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each row; the classes in equal shares."""
    rng = np.random.default_rng(seed)
    dealt = np.empty(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        rows = np.flatnonzero(labels == label)
        if len(rows) < folds:
            raise InputError(f"{name}: the class {label} has {len(rows)} rows for {folds} folds")
        dealt[rng.permutation(rows)] = np.arange(len(rows)) % folds
    return dealt


def summary(table: Table) -> Table:
    """Means and standard deviations over the folds, a row for each table and model.

    Beside single models families have no row: `by_size` has what they reach.
    """
    rows = []
    single = [row for row in table.rows if "path" not in row] or table.rows
    by_group = [c for c in table.columns if c.partition(" of ")[0] in FIGURES and " of " in c]
    keys = dict.fromkeys((row["data"], row["model"]) for row in single)
    figures = [name for name in FIGURES if name not in ASKED_FOR or name in table.columns]
    first = criterion(table)
    for data, model in keys:
        mine = [r for r in table.rows if (r["data"], r["model"]) == (data, model)]
        row: dict[str, Any] = {"data": data, "model": model}
        for name in (*figures, *by_group):
            values = [r[name] for r in mine if isinstance(r.get(name), (int, float))]
            row[name] = float(np.mean(values)) if values else None
            if name == first and len(values) > 1:
                row["spread"] = float(np.std(values, ddof=1))
        failed = [r["error"] for r in mine if "error" in r]
        some = f", in {len(failed)} of {len(mine)} runs" if len(failed) < len(mine) else ""
        rows.append(row | ({"error": failed[0] + some} if failed else {}))
    return Table(tuple(rows), table.about, table.complete, table.draw)


def criterion(table: Table) -> str:
    """By what models are judged first: what they cost, if outcomes have costs."""
    members = (one for row in table.rows for one in (row, *row.get("path", ())))
    return "mean_cost" if any("mean_cost" in one for one in members) else "accuracy"


def by_size(table: Table) -> Table:
    """Mean held-out accuracy, or cost, by number of questions: our lists beside learners of that
    size.

    A row for each table and size. Of a path the largest list of at most that size counts; a size
    that no fold's path goes beyond is left out, if there are paths.
    """
    rows, what = [], criterion(table)
    for data in dict.fromkeys(row["data"] for row in table.rows):
        kept = [row for row in table.rows if row["data"] == data and "path" in row]
        ours = [row for row in kept if row["model"] == EVERY_LAMBDA]
        most = MOST_QUESTIONS if kept else 0
        longest = max((one["size"] for row in ours for one in row["path"]), default=most)
        for size in range(1, min(longest, most) + 1):
            found: dict[str, Any] = {"data": data, "size": size}
            for model in dict.fromkeys(row["model"] for row in kept):
                paths = [row["path"] for row in kept if row["model"] == model]
                found[model] = float(np.mean([_up_to(path, size, what) for path in paths]))
            rows.append(found)
    return Table(tuple(rows), table.about, table.complete)


def _up_to(path: Sequence[Mapping[str, Any]], size: int, what: str) -> float:
    """Of the largest member of at most this size."""
    member = max((one for one in path if one["size"] <= size), key=lambda one: one["size"])
    return float(member[what])


def figure(table: Table) -> Figure:
    """Held-out accuracy, or mean cost, against size, a panel for each table."""
    panels: dict[str, list[Series]] = {}
    what = criterion(table)
    for row in summary(table).rows:
        if row.get("size") and row.get(what) is not None:
            point = Series(row["model"], [row["size"]], [row[what]], "points")
            panels.setdefault(row["data"], []).append(point)
    sized = by_size(table).rows
    for data in dict.fromkeys(row["data"] for row in sized):
        mine = [row for row in sized if row["data"] == data]
        for model in mine[0].keys() - {"data", "size"}:
            sizes = [float(row["size"]) for row in mine]
            line = Series(model, sizes, [row[model] for row in mine], dashed=True)
            panels.setdefault(data, []).append(line)
    label, words = "size (rules, splits, coefficients)", what.replace("_", " ")
    drawn = [Panel(n, label, f"held-out {words}", s, log_x=True) for n, s in panels.items()]
    return Figure(f"{words} against size", drawn)
