"""Model files, written in one place for the command line and for Python, and read again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.model import Certificate, Model
from corels.model.documents import form_of, load_certificate, read_document, rendered
from corels.model.rows import first_holding
from corels.model.saved import open_model
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.run.output import save
from corels.run.result import Result
from corels.tables import Antecedent


def content_of(result: Result, path: str) -> str:
    """What a file holds, by its name: a page, or the result in one of `FORMATS`."""
    if is_page(path):
        return str(result.report().html)
    return rendered(result.model, result.to_document(), form_of(path)) + "\n"


def is_page(path: str) -> bool:
    """Whether a file is called as a page is."""
    return path.lower().endswith((".html", ".htm"))


def save_result(result: Result, path: str | os.PathLike[str]) -> None:
    """Make the file appear, whole or not at all. Raises OutputError."""
    save(os.fspath(path), content_of(result, os.fspath(path)))


def load(path: str | os.PathLike[str]) -> Result:
    """The result in a file of `corels run --output`, `Result.save` or an estimator's `save`.

    Raises InputError for what is not such a file, naming what is wrong.
    """
    path = os.fspath(path)
    document = read_document(path)
    model, certificate = open_model(path, document), load_certificate(path, document)
    if certificate is None:
        raise InputError(
            f"{path}: there is a model and no certificate: expected a file of `corels run "
            "--output` or of Result.save"
        )
    return Result(model, certificate, data=document.get("data", {}))


@dataclass(frozen=True)
class SavedModel:
    """A model in a file, with its certificate.

    document: the whole file. `document["data"]["reading"]`, where it is there, says how the data
    was read.
    """

    path: str
    model: Model
    certificate: Certificate
    document: Mapping[str, Any]

    def result(self, problem: Problem) -> Result:
        """The file in place of a search of this problem.

        The model is counted again on the problem, so the objective is not taken on trust; that no
        model is better still is.

        Raises InputError where the problem is not the one that the list was learned from.
        """
        certificate = self.certificate
        if certificate.regularization != problem.regularization:
            raise InputError(
                f"{self.path}: its lambda is {certificate.regularization}, "
                f"not {problem.regularization}"
            )
        if certificate.data_hash != problem.data_hash:
            raise InputError(
                f"{self.path}: the model was learned from other data, or from the same data read "
                f"with other options (sha256 {certificate.data_hash[:12]}... there, "
                f"{problem.data_hash[:12]}... here)"
            )
        paid = self._paid(problem)
        counted = self.model.counted_objective(certificate)
        if paid != self.model.paid or counted not in (None, certificate.objective):
            what = "makes {} errors" if problem.costs is None else "costs {}"
            raise InputError(
                f"{self.path}: the model {what.format(paid)} on this data, not {self.model.paid}"
            )
        return Result(self.model, certificate)

    def _paid(self, problem: Problem) -> int:
        """What the model's outcomes cost on the problem: its errors, if there are no costs."""
        known = {a.name: number for number, a in enumerate(problem.antecedents)}
        for antecedent in self.model.antecedents:
            if antecedent.name not in known:
                raise InputError(f"{self.path}: this data has no antecedent {antecedent.name!r}")

        def captured(antecedent: Antecedent) -> NDArray[np.bool_]:
            masks = problem.masks[[known[antecedent.name]]]
            held: NDArray[np.bool_] = unpack(masks, problem.n_points)[0]
            return held

        deciders = self.model.deciders()
        decided = first_holding(deciders, captured, problem.n_points)
        predicted = np.array([one.outcome for one in deciders])[decided]
        return int(problem.amounts[predicted, np.arange(problem.n_points)].sum()) + problem.offset


def open_saved(path: str) -> SavedModel:
    """A saved model with its certificate.

    Raises InputError for what is not a model file or has no certificate with a lambda.
    """
    document = read_document(path)
    model = open_model(path, document)
    certificate = load_certificate(path, document)
    if certificate is None or certificate.regularization is None:
        raise InputError(f"{path}: the model has no certificate that says its lambda")
    return SavedModel(path, model, certificate, document)


def load_result(path: str, problem: Problem) -> Result:
    """What `solve` found when the model in the file `path` was saved, without a search.

    For `corels.near(problem, result=...)`, and for `solve(problem, incumbent=result.model)`.

    Args:
        path: a file of `corels run --output`.
        problem: made of the same data, with the same lambda.

    Raises InputError for what is not a model file, and where the file is of another problem.
    """
    return open_saved(path).result(problem)
