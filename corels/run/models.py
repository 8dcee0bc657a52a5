"""Saved models: opening a file, and letting a saved model stand for a search.

family_of(path, document)       the solver that knows such documents
open_model(path, document)      the model of a document that was read, whatever its family
load_result(path, problem)      what `solve` returned when the model of this file was saved
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError, InputError, located
from corels.model import Certificate, Model
from corels.model.coherence import check_data
from corels.model.documents import load_certificate, read_document
from corels.model.rows import first_holding
from corels.model.schema import SchemaError
from corels.model.validity import check_costs
from corels.plugins import registry
from corels.problem import Problem
from corels.problem.captures import unpack
from corels.run.solve import Result
from corels.search import Solver
from corels.tables import Antecedent


def family_of(path: str, found: Mapping[str, Any]) -> Solver:
    """The solver that wrote a document, or the first one of whose family it is.

    Raises InputError where that solver is not installed, or nobody knows such documents.
    """
    entry = found.get("certificate")
    wrote = entry.get("solver") if isinstance(entry, dict) else None
    names, reasons = registry().names("solver"), []
    for name in [wrote] if wrote in names else names:
        solver: Solver = registry().get("solver", name)()
        try:
            solver.load(found)
        except SchemaError as error:
            reasons.append(f"{error}, as solver {name!r} writes it")
            continue
        except CorelsError:  # whoever loads it says what is wrong
            pass
        return solver
    if wrote is not None and wrote not in names:
        reasons = [f"written by solver {wrote!r}, which is not installed"]
    reasons.sort(key=lambda reason: "the document's schema is" in reason)
    listed = f"(there are: {', '.join(names)})"
    raise InputError(f"{path}: {reasons[0] if reasons else 'there is no solver'} {listed}")


def open_model(path: str, found: Mapping[str, Any]) -> Model:
    """The model of a document that was read from `path`.

    Raises InputError naming what is wrong, also where the model, the certificate and the data of
    the document disagree.
    """
    family = family_of(path, found)
    with located(path, CorelsError):
        model = family.load(found)
        if "certificate" in found:
            certificate = Certificate.from_document(found["certificate"])
            check_costs(certificate, model.counted_objective(certificate))
        if "data" in found:
            check_data(found["data"], model.training_weight, len(set(model.antecedents)))
    return model


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
