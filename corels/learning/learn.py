"""`corels.learn`: from a table to a certified model, in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from corels.errors import ColumnWarning, OptionError, warn, worded
from corels.learning.flow import Learning
from corels.model import Model
from corels.options import Option, check_all
from corels.plugins import DEFAULT_SOLVER, registry
from corels.run.limits import LIMITS
from corels.run.result import Result
from corels.run.sinks import Chosen
from corels.search import Solver
from corels.tables import (
    DEMAND_OPTIONS,
    TABLE_OPTIONS,
    Dataset,
    TableOptions,
    is_rule_file,
    read_rules,
    table_dataset,
)
from corels.tables.deadline import Deadline

_OPTIONS = (*TABLE_OPTIONS, *DEMAND_OPTIONS)
_TABLE = {option.name for option in _OPTIONS}
_NAMED = (Option.text("label", ""), Option.text("regularization", ""))  # for a slip of the pen
_LAMBDA = "0.01"


def learn(
    data: Any,
    label: str | None = None,
    *,
    regularization: object = _LAMBDA,
    solver: str = DEFAULT_SOLVER,
    incumbent: Model | None = None,
    sinks: Sequence[Chosen] = (),
    proof: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Result:
    """Learn a model of a table, and certify it: `corels run` for Python.

    Args:
        data: a pandas or polars frame, what gives its columns as Arrow (a pyarrow table, a DuckDB
            relation), a polars `LazyFrame`, a mapping of column name -> values, the path of a table
            (CSV, TSV, Parquet, Arrow) or of a rule file (.out), or a `Dataset`.
        label: the column to predict; of a table only.
        regularization: lambda, the price of a rule as a share of the rows; "auto" lets the family
            choose it on held-out folds. Of families that have one.
        solver: the kind of model, by its name in `corels plugins`.
        incumbent, sinks, proof, resume: as of `corels.solve`.
        options: how a table becomes antecedents (`max_cardinality=2`, see `TableOptions`), and the
            options of `corels.solve`; `time_limit` counts from now.

    Returns:
        The model and its certificate: `result.model.predict(frame)`, `print(result)`.

    Raises:
        InputError: for data that cannot be used. OptionError: for a wrong option.
    """
    family: Solver = registry().get("solver", solver)()
    if regularization != _LAMBDA and not family.regularized:
        raise OptionError(f"solver {solver!r} has no option 'regularization'")
    # Before the table is read.
    check_all((*family.options, *LIMITS, *_OPTIONS, *_NAMED), options, "corels.learn")
    deadline = Deadline(Option.time_limit("").check(options.get("time_limit")))
    table = {name: options.pop(name) for name in list(options) if name in _TABLE}
    more = {"sinks": sinks, "proof": proof, "resume": resume}
    begun = Learning(solver, options, regularization, deadline, cost=table.get("cost"), more=more)
    found = _dataset(data, label, begun.read_with(table), deadline, counting=begun.least is None)
    if found.use and (text := found.use.said()):
        warn(text, ColumnWarning)
        begun.said.append(text)
    best = begun.learned(found, incumbent)
    return replace(best, warnings=(*map(worded, begun.said), *best.warnings))


def _dataset(
    data: Any, label: str | None, table: Mapping[str, Any], deadline: Deadline, *, counting: bool
) -> Dataset:
    rules = isinstance(data, (str, os.PathLike)) and is_rule_file(data)
    if not rules and not isinstance(data, Dataset):
        if label is None:
            raise OptionError("name the column to predict: corels.learn(data, label=NAME)")
        if hasattr(label, "__len__") and not isinstance(label, str):
            raise OptionError(
                f"label is of the type {type(label).__name__}: expected the name of a column of "
                "the data; for X and y there is RuleListClassifier().fit(X, y)"
            )
        checked = check_all(_OPTIONS, table, "corels.learn")
        return table_dataset(
            data, label, TableOptions(**checked), deadline=deadline, counting=counting
        )
    named = {**({} if label is None else {"label": label}), **table}
    for name, value in named.items():
        kind = "a rule file" if rules else "a Dataset"
        raise OptionError(f"{name}={value!r} is for a table, and this is {kind}")
    return read_rules(data) if rules else data
