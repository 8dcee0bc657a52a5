"""Reading the data of a model again, as its file says, and whether it is still the same data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from corels.cli.source import read_source, telling
from corels.errors import CorelsError, InputError
from corels.model.documents import sizes_of
from corels.model.recount import Finding
from corels.problem import Problem
from corels.problem.constraints import DEMANDED
from corels.tables import Dataset


@contextmanager
def naming(data: str | None) -> Iterator[None]:
    """Put the file's name before a sentence about "the data", where a model's file is read, too."""
    try:
        yield
    except InputError as error:
        if data is None or not str(error).startswith(("the data ", "row ", "column ")):
            raise
        raise InputError(f"{data}: {error}") from None


def read_again(document: Mapping[str, Any], source: Mapping[str, Any]) -> Dataset:
    """The data as the document says that it was read; source: as of `same_data`."""
    kept = document.get("data", {}).get("reading") or {}
    typed = {name: value for name, value in kept.items() if value is not None}
    return read_source({**typed, **source}, telling(), constrained=True, counting=True)


def same_data(
    document: Mapping[str, Any], source: Mapping[str, Any], read: Dataset | None = None
) -> Iterator[Finding]:
    """Whether the data, read as the document says, is what its hash and its sizes were made of.

    source: data, labels, dataset and label as typed. read: what `read_again` gives, where it is
    there already. Nothing where the document has no hash.
    """
    stated, data = document.get("certificate", {}).get("data_hash"), document.get("data", {})
    if not stated:
        return
    kept = data.get("reading")
    try:
        problem = Problem.from_dataset(read or read_again(document, source))
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
