"""Saved models: opening a file, and letting a saved model stand for a search.

family_of(path, document)       the solver that knows such documents
open_model(path, document)      the model of a document that was read, whatever its family
load_result(path, problem)      what `solve` returned when the model of this file was saved
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corels.errors import CorelsError, InputError, OptionError, located
from corels.model import Certificate, Model
from corels.model.coherence import check_data
from corels.model.documents import load_certificate, read_document
from corels.model.schema import SchemaError
from corels.model.validity import check_costs
from corels.plugins import registry
from corels.problem import Problem
from corels.run.solve import Result
from corels.search import Solver


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
        found = Result(self.model, self.certificate)
        with located(self.path, OptionError):
            refuse_other(problem, found)
        return found


def refuse_other(problem: Problem, result: Result) -> None:
    """Raise OptionError for a result of another problem, and for one whose model, counted here, is
    not what its certificate says. That no model is better is not looked at."""
    model, certificate = result.model, result.certificate
    if (other := problem.difference_to(certificate.statement)) is not None:
        raise OptionError(f"the result is of another problem: {other}")
    counted = problem.count(model.plain_rules())
    for number, (one, cell) in enumerate(zip(model.deciders(), counted.cells, strict=True), 1):
        stated, here = [*one.counts, *one.costs], [*cell.counts, *cell.costs]
        if stated != here:
            raise OptionError(f"rule {number} of the model has the counts {stated}, here {here}")
    costs = model.counted_objective(certificate)
    if costs not in (None, certificate.objective):
        raise OptionError(f"the model costs {costs}, its certificate says {certificate.objective}")


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
