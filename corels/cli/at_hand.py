"""Whether the table at hand is the one that a model was learned from. It is if every number of the
model's file is as counted here; a file that says something else of its own table is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.check.model import check_model
from corels.check.recount import Evidence, Finding
from corels.cli.rereading import Reread, naming, same_data
from corels.errors import InputError
from corels.model.saved import family_of


def is_of(path: str, found: Mapping[str, Any], rows: Reread, *, whole: bool = False) -> bool:
    """Whether the model of a file was learned from these rows.

    found: the document of the file. whole: whether the columns that the model does not ask for have
    to be the same, too, as `corels check` wants; that takes as long as to read the table twice.
    Raises InputError where it was, and the file has other numbers than are counted here.
    """
    if not _as_many(found, rows):
        return False
    wrong = next((one for one in _counted(path, found, rows) if not one.holds), None)
    if wrong is None and not whole:
        return True
    compared = next(same_data(found, rows.named, rows.as_trained), None)
    if compared is None or not compared.holds:
        return compared is wrong
    if wrong is not None and compared.detail == "the same data":
        raise InputError(
            f"{path} was learned from {rows.where}, and says something else than is counted there: "
            f"{wrong.what}: {wrong.detail}"
        )
    return wrong is None


def _as_many(found: Mapping[str, Any], rows: Reread) -> bool:
    """Whether there are as many rows, of the classes and the weight of the model's file."""
    try:
        truth, data = rows.truth, found.get("data", {})
        weight = len(truth) if rows.weights is None else sum(rows.weights)
    except InputError:  # there is no label, or no weights: they are other rows
        return False
    known = set(map(str, found["classes"])) >= set(map(str, truth))
    return known and (data.get("rows", len(truth)), data.get("weight", weight)) == (
        len(truth),
        weight,
    )


def _counted(path: str, found: Mapping[str, Any], rows: Reread) -> list[Finding]:
    with naming(rows.data):
        evidence = Evidence(rows.columns, rows.truth, rows.weights, rows.stated_label, rows.costs)
        return check_model(found, evidence, family_of(path, found))
