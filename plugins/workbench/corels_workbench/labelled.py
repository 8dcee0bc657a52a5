"""A table with its labels, as models of all kinds are given it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.options import check_all, whole
from corels.problem.costs import Costs
from corels.tables import Column, TableOptions
from corels.tables.condition import value_text
from corels.tables.described import as_described
from corels.tables.labelled import features_of, labels_of, names_of
from corels.tables.options import COLUMN_OPTIONS, COST_OPTIONS, costs_asked
from corels.tables.positive import check_positive
from corels.tables.pricing import pricing_of


@dataclass(frozen=True)
class Labelled:
    """A table with its labels. columns: name -> array[N]; all others: array[N].

    labels: the positive class is the last one, as sorted. groups: of each, rates are shown.
    folds: the fold in which each row is held out. costs: of each outcome for each row, the classes
    first, as sorted; None: a mistake costs one. said: what is said of columns, for our models.
    whole: the labels of the table that these are some rows of; None: these are all.
    """

    columns: Mapping[str, NDArray[Any]]
    labels: NDArray[Any]
    groups: NDArray[Any] | None = None
    folds: NDArray[Any] | None = None
    costs: Costs | None = None
    said: Mapping[str, Any] | None = None
    whole: NDArray[Any] | None = None

    @property
    def classes(self) -> NDArray[Any]:
        """Of the whole table, as sorted: some rows may lack one."""
        return np.unique(self.labels if self.whole is None else self.whole)

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Column],
        label: str,
        where: str,
        /,
        *,
        group: str | None = None,
        fold: str | None = None,
        positive: str | None = None,
        **options: Any,
    ) -> Labelled:
        """From columns that were read; rows without a label or a fold are refused.

        group, fold: columns that no model sees. where: names the table in messages. positive: the
        positive class; the labels are then numbers of classes, its own the last. options: what
        outcomes cost, as `TableOptions` takes it: cost="fp=5,fn=1", abstain="0.25" and so on (no
        model sees the columns that they name); and what is said of columns. Raises InputError and
        OptionError.
        """
        known = (*COST_OPTIONS, *COLUMN_OPTIONS)
        asked = TableOptions(**check_all(known, options, "evaluate"))
        for name in (one for one in (label, group, fold) if one is not None):
            if name not in columns:
                raise InputError(f"{where}: there is no column {name!r}")
            if name != group and names_of(columns[name]).missing.any():
                raise InputError(f"{where}: column {name!r} has rows without a value")
        if label in (group, fold, *asked.cost_columns):
            raise InputError(
                f"{where}: column {label!r} is predicted: name another for groups, folds or costs"
            )
        priced = _costs(columns, label, asked, where, positive)
        arrays = {n: _array(names_of(columns[n])) for n in (label, group, fold) if n is not None}
        if fold is not None and len(np.unique(arrays[fold])) < 2:
            raise InputError(f"{where}: column {fold!r} has one value: expected two folds or more")
        if positive is not None:
            arrays[label] = labels_of(columns[label], where, positive).values
        return cls(
            _features(columns, label, asked, where, arrays),
            arrays[label],
            None if group is None else np.array(_names(columns[group])),
            None if fold is None else arrays[fold],
            priced,
            asked.described.to_json().get("columns"),
        )

    def rows(self, which: NDArray[np.intp]) -> Labelled:
        """Some of the rows, which may come more than once."""
        columns = {name: column[which] for name, column in self.columns.items()}
        groups = None if self.groups is None else self.groups[which]
        folds = None if self.folds is None else self.folds[which]
        costs = None if self.costs is None else self.costs.take(which)
        whole = self.labels if self.whole is None else self.whole
        return Labelled(columns, self.labels[which], groups, folds, costs, self.said, whole)

    @property
    def hands_over(self) -> bool:
        """Whether another model may be asked."""
        return self.costs is not None and "defer" in self.costs.outcomes.kinds

    def known_costs(self) -> Costs:
        """Those of the classes that some row has, and of what else may be said: what can be learned
        from these rows. They have costs."""
        assert self.costs is not None
        outcomes, labels = self.costs.outcomes, set(self.labels.tolist())
        pairs = enumerate(zip(outcomes.names, outcomes.kinds, strict=True))
        kept = [place for place, (name, kind) in pairs if kind != "class" or name in labels]
        names = tuple(outcomes.names[place] for place in kept)
        kinds = tuple(outcomes.kinds[place] for place in kept)
        return replace(
            self.costs,
            outcomes=replace(outcomes, names=names, kinds=kinds),
            amounts=self.costs.amounts[kept],
            right=self.costs.right[kept],
        )

    def weighed(self) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """For learners that know weights, but no costs: the class of each row that costs least, of
        equal ones the true one, and how much more the other classes cost on average.

        For two classes this is what the mistake costs. For more, no weight says which mistake is
        the dear one. They have costs.
        """
        costs = self.known_costs()
        names = costs.outcomes.names[: costs.outcomes.kinds.count("class")]
        amounts, right = costs.amounts[: len(names)], costs.right[: len(names)]
        best = (2 * amounts - right).argmin(axis=0)
        more = (amounts - amounts.min(axis=0)).sum(axis=0)
        if not more.any():  # whatever is said costs the same
            more += 1
        weights = more / float(costs.outcomes.scale * max(1, len(names) - 1))
        return np.array(names, dtype=self.labels.dtype)[best], weights


def _features(
    columns: Mapping[str, Column],
    label: str,
    options: TableOptions,
    where: str,
    others: Container[str],
) -> dict[str, NDArray[Any]]:
    """What models see; of numbers that are categories the names, which no model takes for numbers.
    Unreadable columns are left out."""
    found = {}
    for name, given in features_of(columns, label, options, where).items():
        asked = options.described.column(name)
        if name in others:
            continue
        try:
            column = as_described(given, asked)
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
        if asked.as_ == "names" and not column.unreadable:
            column = column.as_categories()
            names = (n if isinstance(n, str) else value_text(n) for n in column.categories or ())
            column = replace(column, categories=tuple(names))
        if not column.unreadable:
            found[name] = _array(column)
    return found


def _costs(
    columns: Mapping[str, Column],
    label: str,
    options: TableOptions,
    where: str,
    positive: str | None,
) -> Costs | None:
    """Of the rows of a table; None if the options say nothing of costs."""
    if not costs_asked(vars(options)):
        return None
    if options.score:
        raise OptionError("⟨score⟩ is for what is done: expected costs of what is predicted")
    labels = labels_of(columns[label], where, positive)
    check_positive(replace(options, positive=positive), labels.classes)
    pricing = pricing_of(options, labels.classes, columns, where)
    if pricing is None:
        return None
    costs = pricing.costs(labels.values)
    if positive is None:
        return costs
    names = (*range(len(labels.classes)), *costs.outcomes.names[len(labels.classes) :])
    return replace(costs, outcomes=replace(costs.outcomes, names=names))


def _names(column: Column) -> list[str]:
    """Of the group of each row, as `near` and reports name it."""
    cells = names_of(column).cells()
    return ["missing" if cell is None else str(whole(cell)) for cell in cells]


def _array(column: Column) -> NDArray[Any]:
    """Categories as objects with None for a missing one, numbers with NaN."""
    if column.categories is None:
        values = np.asarray(column.values)
        return np.where(column.missing, np.nan, values) if column.missing.any() else values
    names = np.array([*column.categories, None], dtype=object)
    return np.asarray(names[np.where(column.missing, len(names) - 1, column.values)])
