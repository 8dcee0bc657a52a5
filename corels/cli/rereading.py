"""Reading the data of a model again, as its file says, and whether it is still the same data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from corels.cli.parameters import checked
from corels.cli.source import DEMANDS, TABLE, read_source, telling
from corels.errors import CorelsError, InputError
from corels.model.documents import sizes_of
from corels.model.recount import Finding
from corels.problem import Problem
from corels.problem.constraints import DEMANDED
from corels.problem.costs import Costs
from corels.tables import Column, Dataset, TableOptions
from corels.tables.labelled import pricing_for
from corels.tables.pricing import Pricing


@contextmanager
def naming(data: str | None) -> Iterator[None]:
    """Put the file's name before a sentence about "the data", where a model's file is read, too."""
    try:
        yield
    except InputError as error:
        if data is None or not str(error).startswith(("the data ", "row ", "column ")):
            raise
        raise InputError(f"{data}: {error}") from None


def options_of(document: Mapping[str, Any]) -> TableOptions:
    """How the table of a model was read."""
    kept = document.get("data", {}).get("reading") or {}
    known = {option.name for option in (*TABLE, *DEMANDS)}
    named = {n: v for n, v in kept.items() if v is not None and n in known}
    return TableOptions(**checked((*TABLE, *DEMANDS), named))


def row_costs(
    document: Mapping[str, Any], columns: Mapping[str, Column], truth: Sequence[Any], where: str
) -> Costs | None:
    """What outcomes cost for each row, as a model says; None where errors count. truth: the class
    of each row.

    Raises InputError for a class that has no costs, naming `where`.
    """
    classes = document["classes"]
    pricing = pricing_for(columns, classes, options_of(document), where)
    if pricing is None:
        return None
    places = {str(label): place for place, label in enumerate(classes)}
    labels = np.array([places.get(str(label), -1) for label in truth], np.int64)
    if (labels < 0).any() and isinstance(pricing, Pricing):  # what is done has its own costs
        odd = truth[int(np.argmin(labels))]
        raise InputError(f"{where}: the class {odd!r} has no costs: training never saw it")
    return pricing.costs(labels)


def read_again(document: Mapping[str, Any], source: Mapping[str, Any]) -> Dataset:
    """The data as the document says that it was read; source: as of `same_data`."""
    kept = document.get("data", {}).get("reading") or {}
    typed = {name: value for name, value in kept.items() if value is not None}
    return read_source({**typed, **source}, telling(), counting=True)


def same_data(document: Mapping[str, Any], source: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the data, read as the document says, is what its hash and its sizes were made of.

    source: data, labels, dataset and label as typed. Nothing where the document has no hash.
    """
    stated, data = document.get("certificate", {}).get("data_hash"), document.get("data", {})
    if not stated:
        return
    kept = data.get("reading")
    try:
        problem = Problem.from_dataset(read_again(document, source))
    except CorelsError as error:
        yield Finding("data hash", False, f"the data cannot be read as the model says: {error}")
        return
    holds = problem.data_hash == stated
    if not holds and kept is None:
        why = "not compared: the model does not say how its data was read"
        yield Finding("data hash", True, why)
        return
    yield Finding("data hash", holds, "the same data" if holds else f"{problem.data_hash} here")
    demanded = [one.demanded() for one in problem.constraints]
    kept_to = document["certificate"].get("constraints", [])
    if demanded or kept_to:
        same = demanded == [{name: one.get(name) for name in DEMANDED} for one in kept_to]
        yield Finding("constraints", same, "as the data was read with" if same else f"{demanded}")
    sizes = sizes_of(problem)
    other = [f"{n} {data[n]}, here {sizes[n]}" for n in sizes if data.get(n, sizes[n]) != sizes[n]]
    yield Finding("sizes of the data", not other, ", ".join(other) or "as the model says")
